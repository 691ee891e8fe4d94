"""LD_LIBRARY_PATH=/usr/local/lib python3 example.py"""

from ctypes import (CDLL, POINTER, Structure, byref, c_char_p, c_size_t, c_void_p, create_string_buffer)
from ctypes.util import find_library


def load():
    try:
        return CDLL("libfairlane.so.0")
    except OSError:
        # Without a name CDLL would be the program itself.
        if found := find_library("fairlane"):
            return CDLL(found)
        raise


lib = load()


class View(Structure):
    _fields_ = [("bytes", c_char_p), ("length", c_size_t)]


class Key(View):
    pass


class Nonce(View):
    pass


# A size that is not declared would be cut to 32 bits.
data, size, name = c_char_p, c_size_t, c_char_p
lib.fairlane_status_message.restype = c_char_p
lib.fairlane_hash_size.restype = lib.fairlane_aead_tag_size.restype = c_size_t
lib.fairlane_hash.argtypes = [name, data, size, c_void_p, size, name]
lib.fairlane_hash_rows.argtypes = [name, data, size, size, size, c_void_p, size, name]
lib.fairlane_aead_new.argtypes = [POINTER(c_void_p), name, Key, name]
lib.fairlane_aead_seal.argtypes = [c_void_p, Nonce, data, size, data, size, c_void_p, size]
lib.fairlane_aead_open.argtypes = [c_void_p, Nonce, data, size, data, size, c_void_p, size]
lib.fairlane_aead_free.argtypes = [c_void_p]
lib.fairlane_aead_free.restype = None


def must(status):
    if status != 0:
        raise ValueError(lib.fairlane_status_message(status).decode())


def keccak256(message):
    digest = create_string_buffer(32)
    must(lib.fairlane_hash(b"keccak256", message, len(message), digest, 32, None))
    return digest.raw


def keccak256_rows(rows, width):
    count = len(rows) // width
    digests = create_string_buffer(32 * count)
    must(lib.fairlane_hash_rows(b"keccak256", rows, width, width, count, digests, 32, None))
    return digests.raw


class Aead:
    def __init__(self, algorithm, key):
        self.aead = c_void_p()
        self.tag_size = lib.fairlane_aead_tag_size(algorithm)
        must(lib.fairlane_aead_new(byref(self.aead), algorithm, Key(key, len(key)), None))

    def __del__(self):
        lib.fairlane_aead_free(self.aead)

    def _run(self, function, nonce, message, length):
        output = create_string_buffer(length)
        must(function(self.aead, Nonce(nonce, len(nonce)), None, 0, message, len(message), output, length))
        return output.raw

    def seal(self, nonce, plaintext):
        return self._run(lib.fairlane_aead_seal, nonce, plaintext, len(plaintext) + self.tag_size)

    def open(self, nonce, sealed):
        return self._run(lib.fairlane_aead_open, nonce, sealed, max(len(sealed) - self.tag_size, 0))


if __name__ == "__main__":
    print("keccak256 of abc:", keccak256(b"abc").hex())
    # A thousand rows of 32 bytes: the row's number, little-endian.
    rows = b"".join(i.to_bytes(32, "little") for i in range(1000))
    print("keccak256 of 1000 hashes:", keccak256(keccak256_rows(rows, 32)).hex())
    # A real key is random and secret, and a nonce is used once.
    aead, nonce = Aead(b"xchacha20-poly1305", bytes(range(32))), bytes(range(24))
    sealed = aead.seal(nonce, b"a message")
    print("sealed:", sealed.hex())
    assert aead.open(nonce, sealed) == b"a message"
    try:
        aead.open(nonce, sealed[:-1] + b"x")
    except ValueError as error:
        assert str(error) == "the tag is not that of the message"
    else:
        raise AssertionError("a wrong tag was taken")
