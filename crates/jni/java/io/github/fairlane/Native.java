package io.github.fairlane;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The methods of the native library, which this class takes out of the jar and loads. */
final class Native {
    private Native() {}

    static {
        load();
    }

    /** A line for each hash: its name, the usual bytes of its output, and whether that has any size. */
    static native String hashes();

    /** Throws what is wrong with the name of a hash. */
    static native void unknownHash(byte[] name);

    /** Hashes a part of an array into a new one. */
    static native void hash(int algorithm, byte[] message, int position, int length, byte[] digest);

    /** Hashes parts of an array side by side into another one. */
    static native void hashPacked(
            int algorithm, byte[] data, int[] positions, int[] lengths, int count, byte[] digests, int size);

    /** A hasher, until {@link #freeHasher}. */
    static native long hasher(int algorithm);

    /** Takes a part of an array as the next piece of the message. */
    static native void update(long hasher, byte[] piece, int position, int length);

    /** Ends the message, and writes its hash into a new array. */
    static native void digest(long hasher, byte[] digest);

    /** Erases the hasher. */
    static native void freeHasher(long hasher);

    /** An AEAD under a key, until {@link #freeAead}. */
    static native long aead(byte[] name, byte[] key);

    /** Bytes of a key, a nonce and a tag, as the three lowest bytes of a number. */
    static native int aeadSizes(byte[] name);

    /** Encrypts into a new array. */
    static native void seal(long aead, byte[] nonce, byte[] associatedData, byte[] plaintext, byte[] sealed);

    /** Decrypts into a new array. */
    static native void open(long aead, byte[] nonce, byte[] associatedData, byte[] sealed, byte[] plaintext);

    /** Erases the key. */
    static native void freeAead(long aead);

    private static void load() {
        String file = System.mapLibraryName("fairlane_jni");
        String resource = "native/" + platform() + "/" + file;
        try (InputStream library = Native.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new UnsatisfiedLinkError("this jar of fairlane has no library for " + platform());
            }
            Path folder = Files.createTempDirectory("fairlane");
            Path copy = folder.resolve(file);
            try {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
                System.load(copy.toString());
            } finally {
                // A library that is loaded needs its file no more, except on Windows.
                delete(copy);
                delete(folder);
            }
        } catch (IOException error) {
            throw (Error) new UnsatisfiedLinkError("fairlane's library cannot be taken out of the jar: " + error)
                    .initCause(error);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException error) {
            path.toFile().deleteOnExit();
        }
    }

    /** Such as {@code linux-x86_64}: the name of the folder in the jar. */
    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String name = system.startsWith("mac") ? "macos" : system.startsWith("windows") ? "windows" : system;
        return name + "-" + (processor.equals("amd64") ? "x86_64" : processor.equals("arm64") ? "aarch64" : processor);
    }
}
