import io.github.fairlane.Aead;
import io.github.fairlane.Batch;
import io.github.fairlane.Fairlane;
import io.github.fairlane.HashAlgorithm;
import io.github.fairlane.Hasher;
import io.github.fairlane.InvalidTagException;
import java.security.MessageDigest;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tests of the jar: java -cp fairlane.jar:. JarTest
 *
 * <p>Oracles: known answers, and the JDK's own SHA-3 and ChaCha20-Poly1305.
 */
public final class JarTest {
    private static final int[] LENGTHS =
            {0, 1, 31, 71, 72, 135, 136, 137, 200, 1000, 1 << 20, (1 << 20) + 1, 3_000_000};
    private static final Random RANDOM = new Random(1);

    private interface Action {
        void run() throws Exception;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void fails(Class<? extends Exception> class_, String message, Action action) {
        try {
            action.run();
        } catch (Exception error) {
            String said = String.valueOf(error.getMessage());
            check(class_.isInstance(error) && said.contains(message), error + " instead of " + message);
            return;
        }
        throw new AssertionError("no error: " + message);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static void knownAnswers() {
        String[][] answers = {
            {"keccak256", "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
            {"sm3", "abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
            {"shake128", "", "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"},
            {"kt128", "", "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5"},
            {"turboshake128", "", "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"},
        };
        for (String[] answer : answers) {
            byte[] digest = Fairlane.hash(answer[0], answer[1].getBytes());
            check(HexFormat.of().formatHex(digest).equals(answer[2]), answer[0]);
        }
    }

    private static void hashes() throws Exception {
        check(Fairlane.hashNames().size() >= 14 && Fairlane.hashNames().contains("keccak256"), "names");
        for (int bits : new int[] {224, 256, 384, 512}) {
            HashAlgorithm sha3 = HashAlgorithm.of("sha3-" + bits);
            MessageDigest oracle = MessageDigest.getInstance("SHA3-" + bits);
            List<byte[]> messages = new ArrayList<>();
            for (int length : LENGTHS) {
                byte[] message = random(length);
                messages.add(message);
                check(Arrays.equals(sha3.hash(message), oracle.digest(message)), "sha3 of " + length);
            }
            for (int i = 0; i < 10_000; i++) {
                messages.add(random(RANDOM.nextInt(300)));
            }
            byte[][] digests = sha3.hashMany(messages);
            for (int i = 0; i < digests.length; i++) {
                check(Arrays.equals(digests[i], oracle.digest(messages.get(i))), "message " + i);
            }
        }
        for (HashAlgorithm hash : HashAlgorithm.all()) {
            byte[] message = random(500);
            byte[] part = Arrays.copyOfRange(message, 100, 400);
            byte[] digest = hash.hash(part);
            check(digest.length == hash.size(), "size");
            check(Arrays.equals(hash.hash(message, 100, 300, hash.size()), digest), hash + " of a part");
            check(Arrays.equals(hash.hashMany(List.of(part))[0], digest), hash + " of one");
            check(hash.hashMany(List.of()).length == 0, hash + " of none");
            if (hash.isExtendable()) {
                byte[] longer = hash.hash(part, 1000);
                check(Arrays.equals(Arrays.copyOf(longer, hash.size()), digest), hash + " of 1000 bytes");
                check(hash.hash(part, 0).length == 0, "no output");
                Batch batch = new Batch(hash, 1000);
                batch.add(part, 0, 300);
                check(Arrays.equals(Arrays.copyOf(batch.hash(), 1000), longer), hash + " in a batch");
                byte[][] outputs = Fairlane.hashMany(hash.name(), List.of(part, random((1 << 20) + 1), part), 1000);
                check(Arrays.equals(outputs[0], longer) && Arrays.equals(outputs[2], longer), hash + " of many");
                check(outputs[1].length == 1000, hash + " of many");
            }
        }
    }

    private static void pieces() {
        for (HashAlgorithm hash : HashAlgorithm.all()) {
            try (Hasher hasher = new Hasher(hash)) {
                check(hasher.algorithm() == hash, "algorithm");
                check(Arrays.equals(hasher.digest(), hash.hash(new byte[0])), hash + " of nothing");
                for (int length : LENGTHS) {
                    byte[] message = random(length);
                    int first = RANDOM.nextInt(length + 1);
                    hasher.update(Arrays.copyOf(message, first));
                    hasher.update(message, first, length - first);
                    check(Arrays.equals(hasher.digest(), hash.hash(message)), hash + " in pieces of " + length);
                }
                if (hash.isExtendable()) {
                    hasher.update(new byte[5]);
                    check(Arrays.equals(hasher.digest(1000), hash.hash(new byte[5], 1000)), hash + " of 1000 bytes");
                }
            }
        }
        Hasher sm3 = new Hasher("sm3");
        sm3.update(new byte[3]);
        fails(IllegalArgumentException.class, "33 bytes instead of 32", () -> sm3.digest(33));
        fails(IndexOutOfBoundsException.class, "", () -> sm3.update(new byte[10], 5, 6));
        fails(NullPointerException.class, "piece", () -> sm3.update(null));
        check(Arrays.equals(sm3.digest(), Fairlane.hash("sm3", new byte[3])), "an error takes nothing");
        sm3.close();
        sm3.close();
        fails(IllegalStateException.class, "the hasher is closed", () -> sm3.update(new byte[1]));
        fails(IllegalStateException.class, "the hasher is closed", sm3::digest);
        fails(IllegalArgumentException.class, "no hash is called 'md5'", () -> new Hasher("md5"));
    }

    private static void badInput() {
        fails(IllegalArgumentException.class, "no hash is called 'md5'; there are keccak224, ",
                () -> Fairlane.hash("md5", new byte[1]));
        fails(IllegalArgumentException.class, "no hash is called '\\u{1f980}\\u{e4}'",
                () -> Fairlane.hash("\ud83e\udd80\u00e4", new byte[1]));
        fails(IllegalArgumentException.class, "33 bytes instead of 32", () -> Fairlane.hash("sm3", new byte[1], 33));
        fails(IllegalArgumentException.class, "33 bytes instead of 32",
                () -> Fairlane.hashMany("sm3", List.of(new byte[1]), 33));
        fails(IllegalArgumentException.class, "-1 bytes", () -> Fairlane.hash("kt128", new byte[1], -1));
        fails(NullPointerException.class, "message", () -> Fairlane.hash("sm3", null));
        fails(NullPointerException.class, "name", () -> Fairlane.hash(null, new byte[1]));
        fails(NullPointerException.class, "message", () -> Fairlane.hashMany("sm3", Arrays.asList(new byte[1], null)));
        HashAlgorithm sm3 = HashAlgorithm.of("sm3");
        fails(IndexOutOfBoundsException.class, "", () -> sm3.hash(new byte[10], 5, 6, 32));
        byte[] data = new byte[100];
        byte[] digests = new byte[64];
        int[][][] wrong = {{{0, 90}, {1, 11}}, {{0, -1}, {1, 1}}, {{0, 0}, {1, -1}}, {{0, Integer.MAX_VALUE}, {1, 5}}};
        for (int[][] parts : wrong) {
            fails(IllegalArgumentException.class, "a message is not inside its array",
                    () -> sm3.hashPacked(data, parts[0], parts[1], 2, digests, 32));
        }
        for (int count : new int[] {-1, 3, Integer.MAX_VALUE}) {
            fails(IllegalArgumentException.class, "too short",
                    () -> sm3.hashPacked(data, new int[2], new int[2], count, digests, 32));
        }
        fails(IllegalArgumentException.class, "over the data",
                () -> sm3.hashPacked(digests, new int[1], new int[1], 1, digests, 32));
        fails(IllegalArgumentException.class, "an array is null",
                () -> sm3.hashPacked(data, null, new int[1], 1, digests, 32));
        check(Arrays.equals(digests, new byte[64]), "nothing is written");
        Batch batch = new Batch(sm3, 32);
        for (int[] part : new int[][] {{0, -1}, {-1, 1}, {0, 101}, {1, Integer.MAX_VALUE - 8}}) {
            fails(IndexOutOfBoundsException.class, "", () -> batch.add(data, part[0], part[1]));
        }
        check(batch.count() == 0 && batch.data().length < 10_000, "no room is made for what is not there");
        for (int length : new int[] {1, 3}) {
            List<byte[]> changed = new AbstractList<>() {
                private int now = 2;

                @Override
                public int size() {
                    int before = now;
                    now = length;
                    return before;
                }

                @Override
                public byte[] get(int index) {
                    return data;
                }
            };
            fails(IllegalArgumentException.class, "the list has become", () -> sm3.hashMany(changed));
        }
    }

    private static void aeads() throws Exception {
        byte[] key = random(32);
        byte[] nonce = random(12);
        byte[] plaintext = random(1000);
        Aead closed;
        try (Aead aead = new Aead("chacha20-poly1305", key)) {
            closed = aead;
            byte[] sealed = aead.seal(nonce, plaintext, new byte[] {1, 2});
            Cipher oracle = Cipher.getInstance("ChaCha20-Poly1305");
            oracle.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "ChaCha20"), new IvParameterSpec(nonce));
            oracle.updateAAD(new byte[] {1, 2});
            check(Arrays.equals(sealed, oracle.doFinal(plaintext)), "sealed as the JDK does");
            check(Arrays.equals(aead.open(nonce, sealed, new byte[] {1, 2}), plaintext), "opened");
            check(aead.open(nonce, aead.seal(nonce, new byte[0], null), null).length == 0, "empty");
            fails(InvalidTagException.class, "the tag is not that of the message",
                    () -> aead.open(nonce, sealed, null));
            sealed[5] ^= 1;
            fails(InvalidTagException.class, "the tag", () -> aead.open(nonce, sealed, new byte[] {1, 2}));
            fails(InvalidTagException.class, "its tag alone", () -> aead.open(nonce, new byte[15], null));
            fails(InvalidTagException.class, "the tag", () -> aead.open(nonce, new byte[16], null));
            fails(IllegalArgumentException.class, "the length of the nonce is 11 bytes instead of 12",
                    () -> aead.seal(new byte[11], plaintext, null));
            fails(NullPointerException.class, "nonce", () -> aead.seal(null, plaintext, null));
        }
        closed.close();
        fails(IllegalStateException.class, "closed", () -> closed.seal(nonce, plaintext, null));
        fails(IllegalStateException.class, "closed", () -> closed.open(nonce, new byte[1], null));
        fails(IllegalArgumentException.class, "the length of the key is 31 bytes instead of 32",
                () -> new Aead("chacha20-poly1305", new byte[31]));
        fails(IllegalArgumentException.class, "no AEAD is called 'aes'; there are", () -> new Aead("aes", key));
        fails(IllegalArgumentException.class, "not defined for empty messages",
                () -> new Aead("kalyna128-128-gcm", new byte[16]).seal(new byte[16], new byte[0], null));
    }

    /** Does the same in four threads, calls `meanwhile`, waits for them, and fails as the first thread that failed. */
    private static void inThreads(Action action, Action meanwhile) throws Exception {
        List<Throwable> errors = java.util.Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                try {
                    action.run();
                } catch (Throwable error) {
                    errors.add(error);
                }
            });
            thread.start();
            threads.add(thread);
        }
        meanwhile.run();
        for (Thread thread : threads) {
            thread.join();
        }
        if (!errors.isEmpty()) {
            throw new AssertionError("in a thread", errors.get(0));
        }
    }

    /** Many threads, closing and garbage collection meanwhile. */
    private static void threads() throws Exception {
        Aead aead = new Aead("sm4-gcm", random(16));
        Hasher hasher = new Hasher("sha3-256");
        byte[] sealed = aead.seal(new byte[12], new byte[100], null);
        byte[] digest = Fairlane.hash("sha3-256", sealed);
        inThreads(() -> {
            try {
                for (int j = 0; j < 50_000; j++) {
                    check(Arrays.equals(Fairlane.hash("sha3-256", sealed), digest), "hash in a thread");
                    hasher.update(sealed);
                    check(aead.open(new byte[12], sealed, null).length == 100, "opened in a thread");
                    if (j % 1000 == 0) {
                        System.gc();
                    }
                }
            } catch (IllegalStateException error) {
                check(error.getMessage().matches("the (AEAD|hasher) is closed"), error.toString());
            }
        }, () -> {
            Thread.sleep(500);
            aead.close();
            hasher.close();
        });
    }

    /** A hasher takes each piece whole, whichever thread brings it. All are the same: their order does not matter. */
    private static void oneHasherInThreads() throws Exception {
        byte[] piece = random(137);
        byte[] message = new byte[4 * 20_000 * piece.length];
        for (int i = 0; i < message.length; i += piece.length) {
            System.arraycopy(piece, 0, message, i, piece.length);
        }
        for (String name : new String[] {"sha3-256", "sm3", "kt128"}) {
            try (Hasher hasher = new Hasher(name)) {
                inThreads(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        hasher.update(piece);
                    }
                }, () -> {});
                check(Arrays.equals(hasher.digest(), Fairlane.hash(name, message)), name + " by four threads");
            }
        }
    }

    /** The lengths are changed by another thread: each is the one or the other, and nothing outside is read. */
    private static void changedMeanwhile() throws Exception {
        HashAlgorithm sm3 = HashAlgorithm.of("sm3");
        int[] lengths = new int[1000];
        AtomicBoolean done = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!done.get()) {
                Arrays.fill(lengths, 90);
                lengths[999] = Integer.MAX_VALUE;
            }
        });
        thread.start();
        try {
            for (int i = 0; i < 5000; i++) {
                try {
                    sm3.hashPacked(new byte[100], new int[1000], lengths, 1000, new byte[32_000], 32);
                } catch (IllegalArgumentException error) {
                    check(error.getMessage().equals("a message is not inside its array"), error.toString());
                }
            }
        } finally {
            done.set(true);
            thread.join();
        }
    }

    /** Nanoseconds a message of 100 bytes, for the record. */
    private static void speed() {
        HashAlgorithm keccak = HashAlgorithm.of("keccak256");
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            messages.add(random(100));
        }
        long one = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        for (int i = 0; i < 30; i++) {
            long start = System.nanoTime();
            messages.forEach(keccak::hash);
            long between = System.nanoTime();
            keccak.hashMany(messages);
            many = Math.min(many, System.nanoTime() - between);
            one = Math.min(one, between - start);
        }
        System.out.println("keccak256 of 100 bytes: one by one " + one / 10_000 + " ns, hashMany " + many / 10_000);
    }

    public static void main(String[] arguments) throws Exception {
        knownAnswers();
        hashes();
        pieces();
        badInput();
        aeads();
        threads();
        oneHasherInThreads();
        changedMeanwhile();
        speed();
        System.out.println("Java " + Runtime.version().feature() + ": all tests passed");
    }
}
