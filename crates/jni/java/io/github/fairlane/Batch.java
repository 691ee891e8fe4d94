package io.github.fairlane;

import java.util.Arrays;
import java.util.Objects;

/**
 * Messages that are collected in one array and hashed together, side by side in the lanes of vector registers. It is
 * for one thread, and is used again and again.
 */
public final class Batch {
    /** What is collected at most, so that it stays in a core's cache. One message may be longer. */
    private static final int BYTES = 1 << 18;

    private static final int MESSAGES = 4096;

    private final HashAlgorithm algorithm;
    private final int size;
    private byte[] data = new byte[4096];
    private byte[] digests = new byte[0];
    private int[] positions = new int[64];
    private int[] lengths = new int[64];
    private int count;
    private int end;

    /**
     * An empty batch, for outputs of so many bytes.
     *
     * @throws IllegalArgumentException if the algorithm's outputs have another size
     */
    public Batch(HashAlgorithm algorithm, int size) {
        algorithm.checkSize(size);
        this.algorithm = algorithm;
        this.size = size;
    }

    /** Bytes of an output. */
    public int size() {
        return size;
    }

    /** How many messages it has. */
    public int count() {
        return count;
    }

    /** Whether a message of this length should still be added. Into an empty batch every message should. */
    public boolean hasRoom(int length) {
        return count == 0 || count < MESSAGES && length <= BYTES - end && size <= BYTES / (count + 1);
    }

    /**
     * Adds a part of an array, which is copied.
     *
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public void add(byte[] array, int position, int length) {
        Objects.checkFromIndexSize(position, length, array.length);
        int start = reserve(length);
        System.arraycopy(array, position, data, start, length);
        commit(length);
    }

    /** Makes room for a message of this length, and returns its position in {@link #data()}. */
    public int reserve(int length) {
        if (length < 0 || length > Integer.MAX_VALUE - 8 - end) {
            throw new IllegalArgumentException("the messages of a batch are too long");
        }
        if (end + length > data.length) {
            data = Arrays.copyOf(data, grown(end + length));
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        return end;
    }

    /** Adds the message that was written to where {@link #reserve} said. */
    public void commit(int length) {
        positions[count] = end;
        lengths[count] = length;
        count++;
        end += length;
    }

    /** The array that messages are written to, until the next {@link #reserve}. */
    public byte[] data() {
        return data;
    }

    /** The outputs for all messages, one after the other, at the beginning of an array that is used again. */
    public byte[] hash() {
        int needed = Math.multiplyExact(count, size);
        if (digests.length < needed) {
            digests = new byte[grown(needed)];
        }
        algorithm.hashPacked(data, positions, lengths, count, digests, size);
        return digests;
    }

    /** Forgets the messages. */
    public void clear() {
        count = 0;
        end = 0;
    }

    private static int grown(int needed) {
        return needed < BYTES ? Math.max(4096, Integer.highestOneBit(needed) * 2) : needed;
    }
}
