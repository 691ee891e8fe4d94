// mcs Example.cs && LD_LIBRARY_PATH=/usr/local/lib mono Example.exe
//
// Mono or .NET: platform invocation, nothing else. Arrays are not copied, but pinned for the time of a call.
using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

static class Native {
    const string Library = "libfairlane.so.0";

    /// A key or a nonce: a pointer and a length.
    [StructLayout(LayoutKind.Sequential)]
    internal struct View {
        internal IntPtr Bytes;
        internal UIntPtr Length;
    }

    [DllImport(Library)]
    internal static extern IntPtr fairlane_status_message(int status);

    [DllImport(Library)]
    internal static extern int fairlane_hash(byte[] name, byte[] message, UIntPtr length, [Out] byte[] digest,
        UIntPtr digestLength, byte[] backend);

    [DllImport(Library)]
    internal static extern int fairlane_hash_rows(byte[] name, byte[] rows, UIntPtr rowLength,
        UIntPtr stride, UIntPtr count, [Out] byte[] digests, UIntPtr digestLength, byte[] backend);

    [DllImport(Library)]
    internal static extern int fairlane_aead_new(out AeadHandle aead, byte[] name, View key, byte[] backend);

    [DllImport(Library)]
    internal static extern int fairlane_aead_seal(AeadHandle aead, View nonce, byte[] aad, UIntPtr aadLength,
        byte[] plaintext, UIntPtr length, [Out] byte[] ciphertext, UIntPtr ciphertextLength);

    [DllImport(Library)]
    internal static extern int fairlane_aead_open(AeadHandle aead, View nonce, byte[] aad, UIntPtr aadLength,
        byte[] ciphertext, UIntPtr length, [Out] byte[] plaintext, UIntPtr plaintextLength);

    [DllImport(Library)]
    internal static extern void fairlane_aead_free(IntPtr aead);

    internal static void Must(int status) {
        if (status != 0) throw new ArgumentException(Marshal.PtrToStringAnsi(fairlane_status_message(status)));
    }

    /// A name ends with a zero.
    internal static byte[] Name(string name) {
        return Encoding.ASCII.GetBytes(name + "\0");
    }
}

/// Frees the AEAD, and its key with it, even where a program forgets to.
sealed class AeadHandle : SafeHandle {
    AeadHandle() : base(IntPtr.Zero, true) {}

    public override bool IsInvalid {
        get { return handle == IntPtr.Zero; }
    }

    protected override bool ReleaseHandle() {
        Native.fairlane_aead_free(handle);
        return true;
    }
}

/// An AEAD under a key.
sealed class Aead : IDisposable {
    const int TagSize = 16;
    readonly AeadHandle handle;

    internal Aead(string name, byte[] key) {
        handle = WithView(key, view => {
            AeadHandle made;
            Native.Must(Native.fairlane_aead_new(out made, Native.Name(name), view, null));
            return made;
        });
    }

    internal byte[] Seal(byte[] nonce, byte[] plaintext) {
        var ciphertext = new byte[plaintext.Length + TagSize];
        WithView(nonce, view => {
            Native.Must(Native.fairlane_aead_seal(handle, view, null, UIntPtr.Zero, plaintext,
                (UIntPtr)plaintext.Length, ciphertext, (UIntPtr)ciphertext.Length));
            return true;
        });
        return ciphertext;
    }

    internal byte[] Open(byte[] nonce, byte[] ciphertext) {
        var plaintext = new byte[Math.Max(ciphertext.Length - TagSize, 0)];
        WithView(nonce, view => {
            Native.Must(Native.fairlane_aead_open(handle, view, null, UIntPtr.Zero, ciphertext,
                (UIntPtr)ciphertext.Length, plaintext, (UIntPtr)plaintext.Length));
            return true;
        });
        return plaintext;
    }

    public void Dispose() {
        handle.Dispose();
    }

    /// Calls `use` while `bytes` cannot move.
    static T WithView<T>(byte[] bytes, Func<Native.View, T> use) {
        var pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
        try {
            return use(new Native.View { Bytes = pin.AddrOfPinnedObject(), Length = (UIntPtr)bytes.Length });
        } finally {
            pin.Free();
        }
    }
}

static class Example {
    const int DigestSize = 32;

    static byte[] Keccak256(byte[] message) {
        var digest = new byte[DigestSize];
        Native.Must(Native.fairlane_hash(Native.Name("keccak256"), message, (UIntPtr)message.Length, digest,
            (UIntPtr)digest.Length, null));
        return digest;
    }

    static byte[] Keccak256Rows(byte[] rows, int width) {
        var count = rows.Length / width;
        var digests = new byte[DigestSize * count];
        Native.Must(Native.fairlane_hash_rows(Native.Name("keccak256"), rows, (UIntPtr)width, (UIntPtr)width,
            (UIntPtr)count, digests, (UIntPtr)DigestSize, null));
        return digests;
    }

    static void Print(string what, byte[] bytes) {
        Console.WriteLine(what + ": " + BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant());
    }

    static int Main() {
        Print("keccak256 of abc", Keccak256(Encoding.ASCII.GetBytes("abc")));

        // A thousand rows of 32 bytes: the row's number, little-endian.
        var rows = new byte[32000];
        for (var i = 0; i < 1000; i++) {
            rows[32 * i] = (byte)i;
            rows[32 * i + 1] = (byte)(i >> 8);
        }
        Print("keccak256 of 1000 hashes", Keccak256(Keccak256Rows(rows, 32)));

        // A real key is random and secret, and a nonce is used once.
        var key = Enumerable.Range(0, 32).Select(i => (byte)i).ToArray();
        var nonce = key.Take(24).ToArray();
        var message = Encoding.ASCII.GetBytes("a message");
        using (var aead = new Aead("xchacha20-poly1305", key)) {
            var ciphertext = aead.Seal(nonce, message);
            Print("sealed", ciphertext);
            if (!aead.Open(nonce, ciphertext).SequenceEqual(message)) return 1;
            ciphertext[0] ^= 1;
            try {
                aead.Open(nonce, ciphertext);
                return 1;
            } catch (ArgumentException) {
                // A changed message is not opened.
            }
        }
        return 0;
    }
}
