import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * javac Example.java && LD_LIBRARY_PATH=/usr/local/lib java --enable-native-access=ALL-UNNAMED Example
 *
 * <p>Java 22 or newer: foreign functions without JNI.
 */
public final class Example {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup("libfairlane.so.0", Arena.global());
    /** A key or a nonce: a pointer and a length. */
    private static final MemoryLayout VIEW = MemoryLayout.structLayout(ADDRESS, JAVA_LONG);

    private static final MethodHandle MESSAGE =
            function("fairlane_status_message", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle HASH =
            function("fairlane_hash", status(ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle HASH_ROWS = function("fairlane_hash_rows",
            status(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle AEAD_NEW =
            function("fairlane_aead_new", status(ADDRESS, ADDRESS, VIEW, ADDRESS));
    private static final MethodHandle AEAD_SEAL = function("fairlane_aead_seal",
            status(ADDRESS, VIEW, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));
    private static final MethodHandle AEAD_OPEN = function("fairlane_aead_open",
            status(ADDRESS, VIEW, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));
    private static final MethodHandle AEAD_FREE =
            function("fairlane_aead_free", FunctionDescriptor.ofVoid(ADDRESS));

    /** A name ends with a zero and lives forever. */
    private static final MemorySegment KECCAK256 = Arena.global().allocateFrom("keccak256");
    private static final MemorySegment XCHACHA20_POLY1305 = Arena.global().allocateFrom("xchacha20-poly1305");
    private static final int TAG_SIZE = 16;

    private static FunctionDescriptor status(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_INT, arguments);
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LIBRARY.find(name).orElseThrow(), type);
    }

    private static void must(int status) throws Throwable {
        if (status != 0) {
            MemorySegment message = (MemorySegment) MESSAGE.invokeExact(status);
            throw new IllegalArgumentException(message.reinterpret(1000).getString(0));
        }
    }

    private static MemorySegment view(Arena arena, byte[] bytes) {
        MemorySegment view = arena.allocate(VIEW);
        view.set(ADDRESS, 0, arena.allocateFrom(JAVA_BYTE, bytes));
        view.set(JAVA_LONG, 8, bytes.length);
        return view;
    }

    static byte[] keccak256(byte[] message) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment input = arena.allocateFrom(JAVA_BYTE, message), digest = arena.allocate(32);
            must((int) HASH.invokeExact(KECCAK256, input, (long) message.length, digest, 32L, MemorySegment.NULL));
            return digest.toArray(JAVA_BYTE);
        }
    }

    static byte[] keccak256Rows(byte[] rows, long width) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            long count = rows.length / width;
            MemorySegment input = arena.allocateFrom(JAVA_BYTE, rows), digests = arena.allocate(32 * count);
            must((int) HASH_ROWS.invokeExact(KECCAK256, input, width, width, count, digests, 32L, MemorySegment.NULL));
            return digests.toArray(JAVA_BYTE);
        }
    }

    /** An AEAD under a key. */
    static final class Aead implements AutoCloseable {
        private final MemorySegment aead;

        Aead(byte[] key) throws Throwable {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment place = arena.allocate(ADDRESS), view = view(arena, key);
                must((int) AEAD_NEW.invokeExact(place, XCHACHA20_POLY1305, view, MemorySegment.NULL));
                aead = place.get(ADDRESS, 0);
            }
        }

        private byte[] run(MethodHandle function, byte[] nonce, byte[] message, int length) throws Throwable {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment input = arena.allocateFrom(JAVA_BYTE, message), output = arena.allocate(length);
                must((int) function.invokeExact(aead, view(arena, nonce), MemorySegment.NULL, 0L, input,
                        (long) message.length, output, (long) length));
                return output.toArray(JAVA_BYTE);
            }
        }

        byte[] seal(byte[] nonce, byte[] plaintext) throws Throwable {
            return run(AEAD_SEAL, nonce, plaintext, plaintext.length + TAG_SIZE);
        }

        byte[] open(byte[] nonce, byte[] sealed) throws Throwable {
            return run(AEAD_OPEN, nonce, sealed, Math.max(sealed.length - TAG_SIZE, 0));
        }

        @Override
        public void close() throws Exception {
            try {
                AEAD_FREE.invokeExact(aead);
            } catch (Throwable error) {
                throw new Exception(error);
            }
        }
    }

    private static void print(String what, byte[] bytes) {
        System.out.println(what + ": " + HexFormat.of().formatHex(bytes));
    }

    public static void main(String[] arguments) throws Throwable {
        print("keccak256 of abc", keccak256("abc".getBytes()));

        // A thousand rows of 32 bytes: the row's number, little-endian.
        byte[] rows = new byte[32000];
        for (int i = 0; i < 1000; i++) {
            rows[32 * i] = (byte) i;
            rows[32 * i + 1] = (byte) (i >> 8);
        }
        print("keccak256 of 1000 hashes", keccak256(keccak256Rows(rows, 32)));

        // A real key is random and secret, and a nonce is used once.
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        byte[] nonce = Arrays.copyOf(key, 24), message = "a message".getBytes();
        try (Aead aead = new Aead(key)) {
            byte[] sealed = aead.seal(nonce, message);
            print("sealed", sealed);
            if (!Arrays.equals(aead.open(nonce, sealed), message)) {
                throw new AssertionError();
            }
        }
    }
}
