package io.github.fairlane;

import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A hash of a message that comes in pieces, such as {@code new Hasher("keccak256")}.
 *
 * <p>Threads may share the object: each call is made after another. {@link #close} erases what it has taken. A piece
 * must not be changed while it is hashed.
 */
public final class Hasher implements AutoCloseable {
    private final HashAlgorithm algorithm;
    private final Handle handle;

    /**
     * The hash of a name, at the beginning of a message.
     *
     * @throws IllegalArgumentException if no hash has this name; the message lists the names that there are
     */
    public Hasher(String name) {
        this(HashAlgorithm.of(name));
    }

    /** The hash of an algorithm, at the beginning of a message. */
    public Hasher(HashAlgorithm algorithm) {
        this.algorithm = algorithm;
        handle = new Handle(this, algorithm.hasher(), Native::freeHasher, "the hasher is closed");
    }

    /** Its algorithm. */
    public HashAlgorithm algorithm() {
        return algorithm;
    }

    /**
     * Takes the next piece of the message.
     *
     * @throws IllegalStateException if it is closed
     */
    public void update(byte[] piece) {
        update(piece, 0, Objects.requireNonNull(piece, "piece").length);
    }

    /**
     * Takes a part of an array as the next piece of the message.
     *
     * @throws IndexOutOfBoundsException if the part is not inside the array
     * @throws IllegalStateException if it is closed
     */
    public void update(byte[] array, int position, int length) {
        Objects.checkFromIndexSize(position, length, array.length);
        handle.lock.writeLock().lock();
        try {
            Native.update(handle.pointer(), array, position, length);
        } finally {
            handle.lock.writeLock().unlock();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * The hash of the message. The next piece begins another one.
     *
     * @throws IllegalStateException if it is closed
     */
    public byte[] digest() {
        return digest(algorithm.size());
    }

    /**
     * The output for the message, of so many bytes, by an extendable-output function. The next piece begins another
     * message.
     *
     * @throws IllegalArgumentException if outputs have another size
     * @throws IllegalStateException if it is closed
     */
    public byte[] digest(int size) {
        algorithm.checkSize(size);
        byte[] digest = new byte[size];
        handle.lock.writeLock().lock();
        try {
            Native.digest(handle.pointer(), digest);
        } finally {
            handle.lock.writeLock().unlock();
            Reference.reachabilityFence(this);
        }
        return digest;
    }

    /** Erases what it has taken. */
    @Override
    public void close() {
        handle.close();
    }
}
