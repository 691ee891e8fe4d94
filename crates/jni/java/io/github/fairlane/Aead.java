package io.github.fairlane;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Authenticated encryption under a key, such as {@code new Aead("xchacha20-poly1305", key)}.
 *
 * <p>A nonce must never be used twice under one key. Threads may share the object. {@link #close} erases the library's
 * copy of the key; the arrays given are the caller's to erase. No thread may change an array while it is encrypted or
 * decrypted: what is returned would not be what was authenticated. The garbage collector may have to wait meanwhile, so
 * that very long messages are better divided.
 */
public final class Aead implements AutoCloseable {
    private static final byte[] NONE = {};

    private final String name;
    private final int sizes;
    private final Handle handle;

    /**
     * The AEAD of a name under a key.
     *
     * @throws IllegalArgumentException if there is none of this name, or the key has the wrong length
     */
    public Aead(String name, byte[] key) {
        byte[] bytes = Objects.requireNonNull(name, "name").getBytes(StandardCharsets.UTF_8);
        this.name = name;
        sizes = Native.aeadSizes(bytes);
        long pointer = Native.aead(bytes, Objects.requireNonNull(key, "key"));
        handle = new Handle(this, pointer, Native::freeAead, "the AEAD is closed");
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Bytes of a key. */
    public int keySize() {
        return sizes & 0xff;
    }

    /** Bytes of a nonce. */
    public int nonceSize() {
        return sizes >> 8 & 0xff;
    }

    /** Bytes of a tag: a sealed message is longer than its plaintext by so many. */
    public int tagSize() {
        return sizes >> 16 & 0xff;
    }

    /**
     * Encrypts and authenticates a message: the ciphertext and its tag.
     *
     * @param associatedData what is authenticated with it, but not encrypted; null for nothing
     * @throws IllegalArgumentException if a length is wrong
     * @throws IllegalStateException if it is closed
     */
    public byte[] seal(byte[] nonce, byte[] plaintext, byte[] associatedData) {
        Objects.requireNonNull(nonce, "nonce");
        byte[] sealed = new byte[Math.addExact(plaintext.length, tagSize())];
        handle.lock.readLock().lock();
        try {
            Native.seal(handle.pointer(), nonce, associatedData == null ? NONE : associatedData, plaintext, sealed);
        } finally {
            handle.lock.readLock().unlock();
            Reference.reachabilityFence(this);
        }
        return sealed;
    }

    /**
     * Decrypts what {@link #seal} has returned, if nothing of it was changed. The tag of Kalyna's GCM does not cover
     * the nonce: with another one, other bytes are returned.
     *
     * @param associatedData what was given to {@code seal}; null for nothing
     * @throws InvalidTagException if the message, the associated data or the nonce, with that exception, is not what was
     *     sealed
     * @throws IllegalArgumentException if a length is wrong
     * @throws IllegalStateException if it is closed
     */
    public byte[] open(byte[] nonce, byte[] sealed, byte[] associatedData) throws InvalidTagException {
        Objects.requireNonNull(nonce, "nonce");
        handle.lock.readLock().lock();
        try {
            long pointer = handle.pointer();
            if (sealed.length < tagSize()) {
                throw new InvalidTagException(
                        "the message has " + sealed.length + " bytes; its tag alone has " + tagSize());
            }
            byte[] plaintext = new byte[sealed.length - tagSize()];
            Native.open(pointer, nonce, associatedData == null ? NONE : associatedData, sealed, plaintext);
            return plaintext;
        } finally {
            handle.lock.readLock().unlock();
            Reference.reachabilityFence(this);
        }
    }

    /** Erases the key. */
    @Override
    public void close() {
        handle.close();
    }
}
