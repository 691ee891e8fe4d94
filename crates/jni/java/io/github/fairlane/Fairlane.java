package io.github.fairlane;

import java.util.List;

/**
 * Hashes by name, in one call each.
 *
 * <p>{@link HashAlgorithm} has the same without looking a name up, {@link Hasher} takes a message in pieces, and
 * {@link Aead} is authenticated encryption.
 */
public final class Fairlane {
    private Fairlane() {}

    /**
     * The hash of a message, such as {@code Fairlane.hash("keccak256", message)}.
     *
     * @throws IllegalArgumentException if no hash has this name; the message lists the names that there are
     */
    public static byte[] hash(String name, byte[] message) {
        return HashAlgorithm.of(name).hash(message);
    }

    /**
     * The output of an extendable-output function, of so many bytes.
     *
     * @throws IllegalArgumentException if no hash has this name, or its output has another size
     */
    public static byte[] hash(String name, byte[] message, int size) {
        return HashAlgorithm.of(name).hash(message, size);
    }

    /**
     * The hashes of many messages, side by side in the lanes of vector registers: several times as fast as one after
     * the other.
     *
     * @throws IllegalArgumentException if no hash has this name
     */
    public static byte[][] hashMany(String name, List<byte[]> messages) {
        return HashAlgorithm.of(name).hashMany(messages);
    }

    /**
     * The outputs of an extendable-output function, of so many bytes, for many messages.
     *
     * @throws IllegalArgumentException if no hash has this name, or its output has another size
     */
    public static byte[][] hashMany(String name, List<byte[]> messages, int size) {
        return HashAlgorithm.of(name).hashMany(messages, size);
    }

    /** The names of all hashes. */
    public static List<String> hashNames() {
        return HashAlgorithm.all().stream().map(HashAlgorithm::name).toList();
    }
}
