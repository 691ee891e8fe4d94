package io.github.fairlane;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A hash or an extendable-output function. There is one object of each, which threads share.
 *
 * <p>A message must not be changed while it is hashed. All sizes are bytes.
 */
public final class HashAlgorithm {
    private static final Map<String, HashAlgorithm> ALL = list();

    /** Longer messages are hashed by themselves, in pieces: the garbage collector may have to wait for a batch. */
    private static final int LONG = 1 << 20;

    private final int number;
    private final String name;
    private final int size;
    private final boolean extendable;

    private HashAlgorithm(int number, String name, int size, boolean extendable) {
        this.number = number;
        this.name = name;
        this.size = size;
        this.extendable = extendable;
    }

    private static Map<String, HashAlgorithm> list() {
        Map<String, HashAlgorithm> all = new LinkedHashMap<>();
        for (String line : Native.hashes().split("\n")) {
            String[] words = line.split(" ");
            int size = Integer.parseInt(words[1]);
            all.put(words[0], new HashAlgorithm(all.size(), words[0], size, Boolean.parseBoolean(words[2])));
        }
        return Collections.unmodifiableMap(all);
    }

    /** All of them. */
    public static List<HashAlgorithm> all() {
        return List.copyOf(ALL.values());
    }

    /**
     * The one of a name, such as {@code keccak256}, {@code sha3-256} or {@code sm3}.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names that there are
     */
    public static HashAlgorithm of(String name) {
        HashAlgorithm found = ALL.get(Objects.requireNonNull(name, "name"));
        if (found == null) {
            Native.unknownHash(name.getBytes(StandardCharsets.UTF_8));
            throw new IllegalArgumentException(name);
        }
        return found;
    }

    /** Its name, in lower case. */
    public String name() {
        return name;
    }

    /** Bytes of an output; of an extendable-output function, of a usual one. */
    public int size() {
        return size;
    }

    /** Whether outputs may have any size. */
    public boolean isExtendable() {
        return extendable;
    }

    /** The hash of a message. */
    public byte[] hash(byte[] message) {
        byte[] digest = new byte[size];
        Native.hash(number, Objects.requireNonNull(message, "message"), 0, message.length, digest);
        return digest;
    }

    /**
     * The output of an extendable-output function, of so many bytes.
     *
     * @throws IllegalArgumentException if outputs have another size
     */
    public byte[] hash(byte[] message, int size) {
        return hash(message, 0, Objects.requireNonNull(message, "message").length, size);
    }

    /**
     * The output for a part of an array.
     *
     * @throws IllegalArgumentException if outputs have another size
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public byte[] hash(byte[] array, int position, int length, int size) {
        Objects.checkFromIndexSize(position, length, array.length);
        checkSize(size);
        byte[] digest = new byte[size];
        Native.hash(number, array, position, length, digest);
        return digest;
    }

    /**
     * The hashes of many messages, side by side in the lanes of vector registers.
     *
     * @throws IllegalArgumentException if the list is changed meanwhile
     */
    public byte[][] hashMany(List<byte[]> messages) {
        return hashMany(messages, size);
    }

    /**
     * The outputs of so many bytes for many messages, by an extendable-output function.
     *
     * @throws IllegalArgumentException if the list is changed meanwhile, or outputs have another size
     */
    public byte[][] hashMany(List<byte[]> messages, int size) {
        byte[][] digests = new byte[messages.size()][];
        Batch batch = new Batch(this, size);
        int first = 0;
        int next = 0;
        for (byte[] message : messages) {
            Objects.requireNonNull(message, "message");
            next++;
            if (next > digests.length) {
                throw new IllegalArgumentException("the list has become longer");
            }
            if (message.length > LONG) {
                first = take(batch, digests, first);
                digests[first++] = hash(message, size);
                continue;
            }
            if (!batch.hasRoom(message.length)) {
                first = take(batch, digests, first);
            }
            batch.add(message, 0, message.length);
        }
        if (take(batch, digests, first) < digests.length) {
            throw new IllegalArgumentException("the list has become shorter");
        }
        return digests;
    }

    private static int take(Batch batch, byte[][] digests, int first) {
        byte[] outputs = batch.hash();
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            digests[first + i] = Arrays.copyOfRange(outputs, i * batch.size(), (i + 1) * batch.size());
        }
        batch.clear();
        return first + count;
    }

    /**
     * Hashes parts of an array side by side: the lowest level, without a copy. The first {@code count} positions and
     * lengths are those of the parts, whose outputs of {@code size} bytes each are written one after the other.
     *
     * @throws IllegalArgumentException if a part is not inside the array, an array is too short, the digests are to be
     *     written over the data, or outputs have another size. Nothing is written then.
     */
    public void hashPacked(byte[] data, int[] positions, int[] lengths, int count, byte[] digests, int size) {
        checkSize(size);
        if (data == digests) {
            throw new IllegalArgumentException("the digests would be written over the data");
        }
        Native.hashPacked(number, data, positions, lengths, count, digests, size);
    }

    /** A new hasher of the native library. */
    long hasher() {
        return Native.hasher(number);
    }

    void checkSize(int given) {
        if (given < 0 || !extendable && given != size) {
            throw new IllegalArgumentException(
                    "the length of the output is " + given + " bytes" + (extendable ? "" : " instead of " + size));
        }
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }
}
