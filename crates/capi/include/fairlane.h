/*
 * fairlane: cryptographic primitives at the speed the machine allows, for one message or for many at once.
 *
 * ALGORITHMS AND BACKENDS are named by strings such as "keccak256" and "avx2"; the constants below hold the names. A
 * name that is longer than 64 bytes is unknown. Where a function takes a backend, NULL is the best that this machine
 * has, which the environment variable FAIRLANE_BACKEND can limit (a list such as "scalar,avx2").
 *
 * STATUS. Functions that can fail return a fairlane_status: FAIRLANE_OK, which is 0, or why nothing was done. Each
 * checks that
 *   - pointers are not null (FAIRLANE_ERROR_NULL), save that a pointer to 0 bytes may be;
 *   - pointers to anything but bytes are aligned (FAIRLANE_ERROR_ALIGNMENT);
 *   - lengths are those of the algorithm, and fit the address space (FAIRLANE_ERROR_LENGTH);
 *   - outputs share no byte with inputs, objects or each other (FAIRLANE_ERROR_OVERLAP), save where a function says
 *     that it works in place: then an output may begin exactly where that input does;
 *   - names are known (FAIRLANE_ERROR_UNKNOWN_ALGORITHM, FAIRLANE_ERROR_UNKNOWN_BACKEND), and the backend is there for
 *     this CPU and algorithm (FAIRLANE_ERROR_UNSUPPORTED_BACKEND).
 * These are the errors of every function, with FAIRLANE_ERROR_NOT_MADE (see ROOM); others are named with the function.
 *
 * ON FAILURE outputs are as they were: nothing is half written. There are two exceptions. A function that makes one
 * object sets its place to NULL, if the place itself is not null or misaligned and overlaps nothing; and
 * fairlane_random says what it leaves.
 *
 * OBJECTS are made by functions ..._new and freed by ..._free, which take NULL too and erase keys. An object may be
 * used by several threads at once through functions that take it as const; through others by one at a time. What no
 * check can find is up to the caller: that a pointer leads to as many bytes as its length says, that a string ends with
 * a zero, and that an object on the heap was not freed. Objects of a list of pointers count as const. Where memory for
 * an object cannot be had the process ends.
 *
 * ROOM. Hashers, AEADs, stream ciphers and block modes can also lie in room of the caller's, on the stack or in a
 * struct for example. A function ..._init makes the object there, and its pointer is then the room's address; nothing
 * is allocated. The room stays the object's until ..._free, which erases it, and must be neither moved nor copied
 * before. It shares no byte with what the object is made of, nor with the place of its pointer. FAIRLANE_ERROR_LENGTH:
 * it is less than the object needs. A constant ..._SIZE is enough for every algorithm of a kind, and no later version
 * of the library with the same soname needs more; a function ..._size says what this library needs for one algorithm.
 * FAIRLANE_ERROR_NOT_MADE: no object was made in the room, or it was freed or moved, or is of another kind; ..._free
 * does nothing then. Room that holds whatever was there before is taken for an object with a chance of one in 2^32 or
 * 2^64.
 *
 * LENGTHS are in bytes everywhere. Keys, nonces and seeds are passed as structs of a pointer and a length, each of its
 * own type, so that one cannot be given for another.
 */
#ifndef FAIRLANE_H
#define FAIRLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. fairlane_version() is that of the library. */
#define FAIRLANE_VERSION "0.1.0"

/* ---- Status ---------------------------------------------------------------------------------------------------- */

typedef int32_t fairlane_status;

enum {
    /* BEGIN statuses: written by the test `header` */
    FAIRLANE_OK = 0, /* no error */
    FAIRLANE_ERROR_NULL = 1, /* a pointer is null */
    FAIRLANE_ERROR_LENGTH = 2, /* a length is wrong */
    FAIRLANE_ERROR_OVERLAP = 3, /* an output overlaps an input or another output */
    FAIRLANE_ERROR_ALIGNMENT = 4, /* a pointer is not aligned */
    FAIRLANE_ERROR_UNKNOWN_ALGORITHM = 5, /* no algorithm of this kind has this name */
    FAIRLANE_ERROR_UNKNOWN_BACKEND = 6, /* no backend has this name */
    FAIRLANE_ERROR_UNSUPPORTED_BACKEND = 7, /* this CPU, or the algorithm, does not have this backend */
    FAIRLANE_ERROR_INVALID_KEY = 8, /* the bytes are no key of this algorithm */
    FAIRLANE_ERROR_AUTHENTICATION = 9, /* the tag is not that of the message */
    FAIRLANE_ERROR_TOO_LONG = 10, /* longer than the algorithm is defined for */
    FAIRLANE_ERROR_EMPTY = 11, /* the algorithm is not defined for empty messages */
    FAIRLANE_ERROR_NOT_EXTENDABLE = 12, /* the hash has one output size and cannot be squeezed */
    FAIRLANE_ERROR_SQUEEZED = 13, /* the message was ended by a squeeze: reset the hasher first */
    FAIRLANE_ERROR_OTHER_ALGORITHM = 14, /* a key is of another algorithm */
    FAIRLANE_ERROR_RANDOM = 15, /* the system has no random numbers */
    FAIRLANE_ERROR_INTERNAL = 16, /* an error of fairlane itself */
    FAIRLANE_ERROR_NOT_MADE = 17  /* no object of this kind is there: it was never made, or freed, or moved */
    /* END statuses */
};

/* The message of a status, one line of English that ends with a zero and lives forever. Never null. */
const char *fairlane_status_message(int32_t status);

/* ---- Views of the caller's bytes ------------------------------------------------------------------------------- */

/* A message of a list. */
typedef struct fairlane_bytes {
    const uint8_t *bytes;
    size_t length;
} fairlane_bytes;

/* A key, which must be random and secret. */
typedef struct fairlane_key {
    const uint8_t *bytes;
    size_t length;
} fairlane_key;

/* A nonce or IV. */
typedef struct fairlane_nonce {
    const uint8_t *bytes;
    size_t length;
} fairlane_nonce;

/* Seeds of keys, or randomness of encapsulations: random, secret, and used once. */
typedef struct fairlane_seed {
    const uint8_t *bytes;
    size_t length;
} fairlane_seed;

/* ---- Version, backends, random numbers ------------------------------------------------------------------------- */

/* The version of the library, such as "0.1.0". */
const char *fairlane_version(void);

/* The name of backend `index`, from 0 on; NULL after the last one. Not every machine has every backend. */
const char *fairlane_backend_name(size_t index);

/* Whether this CPU has the features of a backend. False for an unknown name or NULL. */
bool fairlane_backend_available(const char *backend);

/* The name of family `index` of algorithms that share kernels, such as "keccak"; NULL after the last one. */
const char *fairlane_primitive_name(size_t index);

/* The backend that a family takes on this machine where none is asked for; NULL for an unknown name. */
const char *fairlane_primitive_backend(const char *primitive);

/* Fills `output` with random bytes of the operating system. FAIRLANE_ERROR_RANDOM: it has none, and nothing is written;
 * where it had some, but not enough, bytes after the first 256 may have been. */
fairlane_status fairlane_random(uint8_t *output, size_t output_length);

/* ---- Hashes and extendable-output functions -------------------------------------------------------------------- */

/* The name of hash `index`, from 0 on; NULL after the last one. */
const char *fairlane_hash_name(size_t index);

/* Bytes of a hash; of an extendable-output function, whose outputs have any length, those of a usual one: 32 or 64. 0
 * for an unknown name or NULL. */
size_t fairlane_hash_size(const char *algorithm);

/* Bytes of a message that are hashed at a time, which HMAC needs to know; 0 for an unknown name or NULL. */
size_t fairlane_hash_block_size(const char *algorithm);

/* Whether outputs have any length. False for an unknown name or NULL. */
bool fairlane_hash_is_extendable(const char *algorithm);

/* Writes the hash of one message. `output_length` is that of the hash; for an extendable-output function any. */
fairlane_status fairlane_hash(const char *algorithm, const uint8_t *message, size_t message_length, uint8_t *output,
                              size_t output_length, const char *backend);

/* Writes the hashes of `count` messages of any lengths, side by side in the lanes of vector registers. Each hash has
 * `output_length` bytes, and they follow each other: `outputs` has count * output_length bytes. */
fairlane_status fairlane_hash_many(const char *algorithm, const fairlane_bytes *messages, size_t count,
                                   uint8_t *outputs, size_t output_length, const char *backend);

/* As fairlane_hash_many, for messages of `row_length` bytes each, of which each begins `stride` bytes, at least
 * `row_length`, after the one before. `rows` has (count - 1) * stride + row_length bytes. */
fairlane_status fairlane_hash_rows(const char *algorithm, const uint8_t *rows, size_t row_length, size_t stride,
                                   size_t count, uint8_t *outputs, size_t output_length, const char *backend);

/* A hasher, which takes a message in pieces. */
typedef struct fairlane_hasher fairlane_hasher;

/* Makes a hasher in *hasher. */
fairlane_status fairlane_hasher_new(fairlane_hasher **hasher, const char *algorithm, const char *backend);

/* Room for a hasher: so many bytes, at such an address. */
#define FAIRLANE_HASHER_SIZE 1024
#define FAIRLANE_HASHER_ALIGNMENT 8
typedef union fairlane_hasher_room {
    uint8_t bytes[FAIRLANE_HASHER_SIZE];
    uint64_t alignment;
} fairlane_hasher_room;

/* Makes a hasher in `room`. */
fairlane_status fairlane_hasher_init(fairlane_hasher **hasher, void *room, size_t room_length, const char *algorithm,
                                     const char *backend);

/* Bytes of room that this library needs for a hasher, at most FAIRLANE_HASHER_SIZE. */
size_t fairlane_hasher_size(void);

/* Takes the next piece of the message. FAIRLANE_ERROR_SQUEEZED: a squeeze has ended the message. */
fairlane_status fairlane_hasher_update(fairlane_hasher *hasher, const uint8_t *piece, size_t piece_length);

/* Ends the message and writes its hash. The next piece begins another message. After an error the message is not ended.
 * FAIRLANE_ERROR_SQUEEZED as above. */
fairlane_status fairlane_hasher_finalize(fairlane_hasher *hasher, uint8_t *output, size_t output_length);

/* Ends the message of an extendable-output function, and writes the first bytes of its output; each later call writes
 * the next ones, until fairlane_hasher_reset. FAIRLANE_ERROR_NOT_EXTENDABLE: it is a hash; the message goes on. */
fairlane_status fairlane_hasher_squeeze(fairlane_hasher *hasher, uint8_t *output, size_t output_length);

/* Forgets the message and its output. */
fairlane_status fairlane_hasher_reset(fairlane_hasher *hasher);

/* Makes in *copy a hasher that goes on by itself from the same message. FAIRLANE_ERROR_SQUEEZED as above. */
fairlane_status fairlane_hasher_copy(fairlane_hasher **copy, const fairlane_hasher *hasher);

/* As fairlane_hasher_copy, in `room`. */
fairlane_status fairlane_hasher_init_copy(fairlane_hasher **copy, void *room, size_t room_length,
                                          const fairlane_hasher *hasher);

/* Erases the hasher. */
void fairlane_hasher_free(fairlane_hasher *hasher);

/* ---- Authenticated encryption ---------------------------------------------------------------------------------- */

/* The name of AEAD `index`, from 0 on; NULL after the last one. */
const char *fairlane_aead_name(size_t index);

/* Bytes of a key, a nonce and a tag; 0 for an unknown name or NULL. */
size_t fairlane_aead_key_size(const char *algorithm);
size_t fairlane_aead_nonce_size(const char *algorithm);
size_t fairlane_aead_tag_size(const char *algorithm);

/* An AEAD under a key. A nonce must never be used twice under one key. The tag of Kalyna's GCM does not cover the
 * nonce: with another one a message can still be opened, to other bytes, unless the associated data hold it, too. */
typedef struct fairlane_aead fairlane_aead;

/* Makes an AEAD in *aead. The key is copied. */
fairlane_status fairlane_aead_new(fairlane_aead **aead, const char *algorithm, fairlane_key key, const char *backend);

/* Room for an AEAD: so many bytes, at such an address. */
#define FAIRLANE_AEAD_SIZE 8192
#define FAIRLANE_AEAD_ALIGNMENT 8
typedef union fairlane_aead_room {
    uint8_t bytes[FAIRLANE_AEAD_SIZE];
    uint64_t alignment;
} fairlane_aead_room;

/* Makes an AEAD in `room`. The key is copied. */
fairlane_status fairlane_aead_init(fairlane_aead **aead, void *room, size_t room_length, const char *algorithm,
                                   fairlane_key key, const char *backend);

/* Bytes of room that this library needs for an AEAD of this algorithm, at most FAIRLANE_AEAD_SIZE.
 * 0 for an unknown name or NULL. */
size_t fairlane_aead_size(const char *algorithm);

/* Writes ciphertext and tag, plaintext_length + tag size bytes, to `sealed`. In place if `sealed` begins where
 * `plaintext` does. The associated data is authenticated but not encrypted. FAIRLANE_ERROR_TOO_LONG: the plaintext or
 * the associated data is longer than the algorithm is defined for. With Kalyna FAIRLANE_ERROR_EMPTY: CCM takes no empty
 * plaintext, GCM none without associated data. */
fairlane_status fairlane_aead_seal(const fairlane_aead *aead, fairlane_nonce nonce, const uint8_t *associated_data,
                                   size_t associated_data_length, const uint8_t *plaintext, size_t plaintext_length,
                                   uint8_t *sealed, size_t sealed_length);

/* Writes the plaintext, sealed_length - tag size bytes, if the tag is right; otherwise nothing, and
 * FAIRLANE_ERROR_AUTHENTICATION. In place if `plaintext` begins where `sealed` does. */
fairlane_status fairlane_aead_open(const fairlane_aead *aead, fairlane_nonce nonce, const uint8_t *associated_data,
                                   size_t associated_data_length, const uint8_t *sealed, size_t sealed_length,
                                   uint8_t *plaintext, size_t plaintext_length);

/* Encrypts `data` in place, and writes the tag. Errors are those of fairlane_aead_seal. */
fairlane_status fairlane_aead_seal_detached(const fairlane_aead *aead, fairlane_nonce nonce,
                                            const uint8_t *associated_data, size_t associated_data_length,
                                            uint8_t *data, size_t data_length, uint8_t *tag, size_t tag_length);

/* Decrypts `data` in place if the tag is right; otherwise FAIRLANE_ERROR_AUTHENTICATION, and `data` is as it was. */
fairlane_status fairlane_aead_open_detached(const fairlane_aead *aead, fairlane_nonce nonce,
                                            const uint8_t *associated_data, size_t associated_data_length,
                                            uint8_t *data, size_t data_length, const uint8_t *tag, size_t tag_length);

/* Erases the key. */
void fairlane_aead_free(fairlane_aead *aead);

/* ---- Stream ciphers -------------------------------------------------------------------------------------------- */

/* The name of stream cipher `index`, from 0 on; NULL after the last one. */
const char *fairlane_cipher_name(size_t index);

/* Bytes of a key and a nonce; 0 for an unknown name or NULL. */
size_t fairlane_cipher_key_size(const char *algorithm);
size_t fairlane_cipher_nonce_size(const char *algorithm);

/* A stream cipher, or a block cipher in counter mode: a position in the keystream of a key and a nonce. It detects no
 * change of a message: most programs want an AEAD. */
typedef struct fairlane_cipher fairlane_cipher;

/* Makes in *cipher one at the beginning of the keystream. A nonce must be used for one message only. */
fairlane_status fairlane_cipher_new(fairlane_cipher **cipher, const char *algorithm, fairlane_key key,
                                    fairlane_nonce nonce, const char *backend);

/* Room for a stream cipher: so many bytes, at such an address. */
#define FAIRLANE_CIPHER_SIZE 4096
#define FAIRLANE_CIPHER_ALIGNMENT 8
typedef union fairlane_cipher_room {
    uint8_t bytes[FAIRLANE_CIPHER_SIZE];
    uint64_t alignment;
} fairlane_cipher_room;

/* Makes a stream cipher in `room`. */
fairlane_status fairlane_cipher_init(fairlane_cipher **cipher, void *room, size_t room_length, const char *algorithm,
                                     fairlane_key key, fairlane_nonce nonce, const char *backend);

/* Bytes of room that this library needs for a stream cipher of this algorithm, at most FAIRLANE_CIPHER_SIZE.
 * 0 for an unknown name or NULL. */
size_t fairlane_cipher_size(const char *algorithm);

/* Encrypts or decrypts, which is the same, the next `length` bytes of a message. In place if output == input.
 * FAIRLANE_ERROR_TOO_LONG: the keystream ends before. */
fairlane_status fairlane_cipher_apply(fairlane_cipher *cipher, const uint8_t *input, uint8_t *output, size_t length);

/* Writes the position in the keystream in bytes. FAIRLANE_ERROR_TOO_LONG: it does not fit 64 bits. */
fairlane_status fairlane_cipher_position(const fairlane_cipher *cipher, uint64_t *position);

/* Moves to a position in bytes. FAIRLANE_ERROR_TOO_LONG: it is beyond the end of the keystream. */
fairlane_status fairlane_cipher_seek(fairlane_cipher *cipher, uint64_t position);

/* Erases the key. */
void fairlane_cipher_free(fairlane_cipher *cipher);

/* ---- Block modes: ECB, CBC, XTS -------------------------------------------------------------------------------- */

/* The name of block mode `index`, from 0 on; NULL after the last one. */
const char *fairlane_block_mode_name(size_t index);

/* Bytes of a key (both keys, for SM4's XTS), of an IV (0 for ECB) and of a block; 0 for an unknown name or NULL. */
size_t fairlane_block_mode_key_size(const char *algorithm);
size_t fairlane_block_mode_iv_size(const char *algorithm);
size_t fairlane_block_mode_block_size(const char *algorithm);

/* A block cipher in a mode under a key. It detects no change of a message: most programs want an AEAD. ECB reveals
 * which blocks are equal; an IV of CBC must be unpredictable; that of XTS is the number of a data unit, such as a
 * sector. */
typedef struct fairlane_block_mode fairlane_block_mode;

/* Makes a mode in *mode. The key is copied. FAIRLANE_ERROR_INVALID_KEY: both halves of a key of SM4's XTS are equal. */
fairlane_status fairlane_block_mode_new(fairlane_block_mode **mode, const char *algorithm, fairlane_key key,
                                        const char *backend);

/* Room for a block mode: so many bytes, at such an address. */
#define FAIRLANE_BLOCK_MODE_SIZE 4096
#define FAIRLANE_BLOCK_MODE_ALIGNMENT 8
typedef union fairlane_block_mode_room {
    uint8_t bytes[FAIRLANE_BLOCK_MODE_SIZE];
    uint64_t alignment;
} fairlane_block_mode_room;

/* Makes a mode in `room`. Errors are those of fairlane_block_mode_new. */
fairlane_status fairlane_block_mode_init(fairlane_block_mode **mode, void *room, size_t room_length,
                                         const char *algorithm, fairlane_key key, const char *backend);

/* Bytes of room that this library needs for a block mode of this algorithm, at most FAIRLANE_BLOCK_MODE_SIZE.
 * 0 for an unknown name or NULL. */
size_t fairlane_block_mode_size(const char *algorithm);

/* Encrypts or decrypts a message of `length` bytes: whole blocks in ECB and CBC, a block or more in XTS, otherwise
 * FAIRLANE_ERROR_LENGTH. In place if output == input. FAIRLANE_ERROR_TOO_LONG: more than 16 MiB with SM4's XTS. */
fairlane_status fairlane_block_mode_encrypt(const fairlane_block_mode *mode, fairlane_nonce iv, const uint8_t *input,
                                            uint8_t *output, size_t length);
fairlane_status fairlane_block_mode_decrypt(const fairlane_block_mode *mode, fairlane_nonce iv, const uint8_t *input,
                                            uint8_t *output, size_t length);

/* Erases the key. */
void fairlane_block_mode_free(fairlane_block_mode *mode);

/* ---- Key encapsulation ----------------------------------------------------------------------------------------- */

/* Bytes of a shared secret, for every KEM. */
#define FAIRLANE_KEM_SECRET_SIZE 32

/* The name of KEM `index`, from 0 on; NULL after the last one. */
const char *fairlane_kem_name(size_t index);

/* Bytes of an encapsulation key, of a decapsulation key in its document's own form (FIPS 203's; of X-Wing the seed), of
 * a ciphertext, of the seeds of a key pair (64, d || z; of X-Wing 32), and of the randomness of an encapsulation (32;
 * of X-Wing 64); 0 for an unknown name or NULL. */
size_t fairlane_kem_encapsulation_key_size(const char *algorithm);
size_t fairlane_kem_decapsulation_key_size(const char *algorithm);
size_t fairlane_kem_ciphertext_size(const char *algorithm);
size_t fairlane_kem_seeds_size(const char *algorithm);
size_t fairlane_kem_randomness_size(const char *algorithm);

/* A key that encapsulates: the public one of a pair. */
typedef struct fairlane_encapsulation_key fairlane_encapsulation_key;

/* A key that decapsulates: the secret one of a pair, which knows the public one. */
typedef struct fairlane_decapsulation_key fairlane_decapsulation_key;

/* Makes in *key a fresh pair, from random numbers of the system. FAIRLANE_ERROR_RANDOM: it has none. */
fairlane_status fairlane_decapsulation_key_generate(fairlane_decapsulation_key **key, const char *algorithm,
                                                    const char *backend);

/* Makes in *key the pair of the algorithm's seeds. */
fairlane_status fairlane_decapsulation_key_from_seeds(fairlane_decapsulation_key **key, const char *algorithm,
                                                      fairlane_seed seeds, const char *backend);

/* Makes in *key the pair of a decapsulation key in its document's own form. One of FIPS 203 is checked (section 7.3),
 * and prepared. FAIRLANE_ERROR_INVALID_KEY: the check fails. */
fairlane_status fairlane_decapsulation_key_from_bytes(fairlane_decapsulation_key **key, const char *algorithm,
                                                      fairlane_key bytes, const char *backend);

/* Writes the key in its document's own form, which is as secret as the key. */
fairlane_status fairlane_decapsulation_key_bytes(const fairlane_decapsulation_key *key, uint8_t *output,
                                                 size_t output_length);

/* Writes the pair's encapsulation key. */
fairlane_status fairlane_decapsulation_key_public(const fairlane_decapsulation_key *key, uint8_t *output,
                                                  size_t output_length);

/* Makes in *prepared the same key with its matrix computed, for many decapsulations: about 14 KB. Of X-Wing it is a
 * plain copy. */
fairlane_status fairlane_decapsulation_key_prepare(fairlane_decapsulation_key **prepared,
                                                   const fairlane_decapsulation_key *key);

/* Writes the shared secret of a ciphertext, FAIRLANE_KEM_SECRET_SIZE bytes. For a ciphertext that was changed, or made
 * for another key, it is a secret that nobody else knows, and no error. */
fairlane_status fairlane_decapsulate(const fairlane_decapsulation_key *key, const uint8_t *ciphertext,
                                     size_t ciphertext_length, uint8_t *secret, size_t secret_length);

/* Erases the key. */
void fairlane_decapsulation_key_free(fairlane_decapsulation_key *key);

/* Makes in *key the encapsulation key of its bytes, which are checked (FIPS 203, section 7.2).
 * FAIRLANE_ERROR_INVALID_KEY. */
fairlane_status fairlane_encapsulation_key_from_bytes(fairlane_encapsulation_key **key, const char *algorithm,
                                                      const uint8_t *bytes, size_t bytes_length, const char *backend);

/* Writes the bytes of the key. */
fairlane_status fairlane_encapsulation_key_bytes(const fairlane_encapsulation_key *key, uint8_t *output,
                                                 size_t output_length);

/* Makes in *prepared the same key with its matrix computed, for many encapsulations: about 12 KB. Of X-Wing it is a
 * plain copy. */
fairlane_status fairlane_encapsulation_key_prepare(fairlane_encapsulation_key **prepared,
                                                   const fairlane_encapsulation_key *key);

/* Writes a ciphertext and its shared secret of FAIRLANE_KEM_SECRET_SIZE bytes, with random numbers of the system.
 * FAIRLANE_ERROR_RANDOM: it has none. */
fairlane_status fairlane_encapsulate(const fairlane_encapsulation_key *key, uint8_t *ciphertext,
                                     size_t ciphertext_length, uint8_t *secret, size_t secret_length);

/* As fairlane_encapsulate, with the algorithm's bytes of randomness from the caller. */
fairlane_status fairlane_encapsulate_with(const fairlane_encapsulation_key *key, fairlane_seed randomness,
                                          uint8_t *ciphertext, size_t ciphertext_length, uint8_t *secret,
                                          size_t secret_length);

/* Frees the key. */
void fairlane_encapsulation_key_free(fairlane_encapsulation_key *key);

/* Makes in keys[0] to keys[count - 1] the pairs of `count` times the algorithm's seeds, several at a time.
 * On failure all places are as they were. */
fairlane_status fairlane_generate_many(const char *algorithm, fairlane_decapsulation_key **keys, size_t count,
                                       fairlane_seed seeds, const char *backend);

/* Encapsulates to `count` keys, several at a time, with `count` times the algorithm's randomness, and
 * writes ciphertexts and shared secrets one after the other. A prepared key is processed alone.
 * FAIRLANE_ERROR_OTHER_ALGORITHM: a key is not of this one. */
fairlane_status fairlane_encapsulate_many(const char *algorithm, fairlane_encapsulation_key *const *keys,
                                          size_t count, fairlane_seed randomness, uint8_t *ciphertexts,
                                          size_t ciphertexts_length, uint8_t *secrets, size_t secrets_length);

/* Decapsulates ciphertext i with keys[i], several at a time, and writes shared secrets one after the other. A prepared
 * key is processed alone. FAIRLANE_ERROR_OTHER_ALGORITHM as above. */
fairlane_status fairlane_decapsulate_many(const char *algorithm, fairlane_decapsulation_key *const *keys,
                                          size_t count, const uint8_t *ciphertexts, size_t ciphertexts_length,
                                          uint8_t *secrets, size_t secrets_length);

/* ---- Names and sizes ------------------------------------------------------------------------------------------- */

/* The names of all algorithms, and their sizes in bytes, which the functions above give too. */
/* BEGIN names and sizes: written by the test `header` */

/* Keccak with its original padding, 224 bits: NOT SHA3-224 */
#define FAIRLANE_KECCAK224 "keccak224"
#define FAIRLANE_KECCAK224_SIZE 28
#define FAIRLANE_KECCAK224_BLOCK_SIZE 144

/* Keccak with its original padding, 256 bits, as Ethereum uses it: NOT SHA3-256 */
#define FAIRLANE_KECCAK256 "keccak256"
#define FAIRLANE_KECCAK256_SIZE 32
#define FAIRLANE_KECCAK256_BLOCK_SIZE 136

/* Keccak with its original padding, 384 bits: NOT SHA3-384 */
#define FAIRLANE_KECCAK384 "keccak384"
#define FAIRLANE_KECCAK384_SIZE 48
#define FAIRLANE_KECCAK384_BLOCK_SIZE 104

/* Keccak with its original padding, 512 bits: NOT SHA3-512 */
#define FAIRLANE_KECCAK512 "keccak512"
#define FAIRLANE_KECCAK512_SIZE 64
#define FAIRLANE_KECCAK512_BLOCK_SIZE 72

/* FIPS 202, 224 bits */
#define FAIRLANE_SHA3_224 "sha3-224"
#define FAIRLANE_SHA3_224_SIZE 28
#define FAIRLANE_SHA3_224_BLOCK_SIZE 144

/* FIPS 202, 256 bits */
#define FAIRLANE_SHA3_256 "sha3-256"
#define FAIRLANE_SHA3_256_SIZE 32
#define FAIRLANE_SHA3_256_BLOCK_SIZE 136

/* FIPS 202, 384 bits */
#define FAIRLANE_SHA3_384 "sha3-384"
#define FAIRLANE_SHA3_384_SIZE 48
#define FAIRLANE_SHA3_384_BLOCK_SIZE 104

/* FIPS 202, 512 bits */
#define FAIRLANE_SHA3_512 "sha3-512"
#define FAIRLANE_SHA3_512_SIZE 64
#define FAIRLANE_SHA3_512_BLOCK_SIZE 72

/* FIPS 202, any length */
#define FAIRLANE_SHAKE128 "shake128"
#define FAIRLANE_SHAKE128_SIZE 32
#define FAIRLANE_SHAKE128_BLOCK_SIZE 168

/* FIPS 202, any length */
#define FAIRLANE_SHAKE256 "shake256"
#define FAIRLANE_SHAKE256_SIZE 64
#define FAIRLANE_SHAKE256_BLOCK_SIZE 136

/* RFC 9861, 12 rounds, any length */
#define FAIRLANE_TURBOSHAKE128 "turboshake128"
#define FAIRLANE_TURBOSHAKE128_SIZE 32
#define FAIRLANE_TURBOSHAKE128_BLOCK_SIZE 168

/* RFC 9861, 12 rounds, any length */
#define FAIRLANE_TURBOSHAKE256 "turboshake256"
#define FAIRLANE_TURBOSHAKE256_SIZE 64
#define FAIRLANE_TURBOSHAKE256_BLOCK_SIZE 136

/* RFC 9861, KangarooTwelve, any length */
#define FAIRLANE_KT128 "kt128"
#define FAIRLANE_KT128_SIZE 32
#define FAIRLANE_KT128_BLOCK_SIZE 168

/* RFC 9861, KangarooTwelve, any length */
#define FAIRLANE_KT256 "kt256"
#define FAIRLANE_KT256_SIZE 64
#define FAIRLANE_KT256_BLOCK_SIZE 136

/* GB/T 32905-2016, 256 bits */
#define FAIRLANE_SM3 "sm3"
#define FAIRLANE_SM3_SIZE 32
#define FAIRLANE_SM3_BLOCK_SIZE 64

/* draft-irtf-cfrg-xchacha-03; nonces may be random */
#define FAIRLANE_XCHACHA20_POLY1305 "xchacha20-poly1305"
#define FAIRLANE_XCHACHA20_POLY1305_KEY_SIZE 32
#define FAIRLANE_XCHACHA20_POLY1305_NONCE_SIZE 24
#define FAIRLANE_XCHACHA20_POLY1305_TAG_SIZE 16

/* RFC 8439 */
#define FAIRLANE_CHACHA20_POLY1305 "chacha20-poly1305"
#define FAIRLANE_CHACHA20_POLY1305_KEY_SIZE 32
#define FAIRLANE_CHACHA20_POLY1305_NONCE_SIZE 12
#define FAIRLANE_CHACHA20_POLY1305_TAG_SIZE 16

/* Nobody but its authors has analysed Kusumi-512 */
#define FAIRLANE_KUSUMI512_POLY1305 "kusumi512-poly1305"
#define FAIRLANE_KUSUMI512_POLY1305_KEY_SIZE 64
#define FAIRLANE_KUSUMI512_POLY1305_NONCE_SIZE 12
#define FAIRLANE_KUSUMI512_POLY1305_TAG_SIZE 16

/* RFC 8998; nonces must be counted */
#define FAIRLANE_SM4_GCM "sm4-gcm"
#define FAIRLANE_SM4_GCM_KEY_SIZE 16
#define FAIRLANE_SM4_GCM_NONCE_SIZE 12
#define FAIRLANE_SM4_GCM_TAG_SIZE 16

/* RFC 8998; nonces must be counted */
#define FAIRLANE_SM4_CCM "sm4-ccm"
#define FAIRLANE_SM4_CCM_KEY_SIZE 16
#define FAIRLANE_SM4_CCM_NONCE_SIZE 12
#define FAIRLANE_SM4_CCM_TAG_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 128 */
#define FAIRLANE_KALYNA128_128_GCM "kalyna128-128-gcm"
#define FAIRLANE_KALYNA128_128_GCM_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_GCM_NONCE_SIZE 16
#define FAIRLANE_KALYNA128_128_GCM_TAG_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256 */
#define FAIRLANE_KALYNA128_256_GCM "kalyna128-256-gcm"
#define FAIRLANE_KALYNA128_256_GCM_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_GCM_NONCE_SIZE 16
#define FAIRLANE_KALYNA128_256_GCM_TAG_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256 */
#define FAIRLANE_KALYNA256_256_GCM "kalyna256-256-gcm"
#define FAIRLANE_KALYNA256_256_GCM_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_GCM_NONCE_SIZE 32
#define FAIRLANE_KALYNA256_256_GCM_TAG_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512 */
#define FAIRLANE_KALYNA256_512_GCM "kalyna256-512-gcm"
#define FAIRLANE_KALYNA256_512_GCM_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_GCM_NONCE_SIZE 32
#define FAIRLANE_KALYNA256_512_GCM_TAG_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512 */
#define FAIRLANE_KALYNA512_512_GCM "kalyna512-512-gcm"
#define FAIRLANE_KALYNA512_512_GCM_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_GCM_NONCE_SIZE 64
#define FAIRLANE_KALYNA512_512_GCM_TAG_SIZE 64

/* DSTU 7624:2014, block of 128 bits, key of 128 */
#define FAIRLANE_KALYNA128_128_CCM "kalyna128-128-ccm"
#define FAIRLANE_KALYNA128_128_CCM_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_CCM_NONCE_SIZE 16
#define FAIRLANE_KALYNA128_128_CCM_TAG_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256 */
#define FAIRLANE_KALYNA128_256_CCM "kalyna128-256-ccm"
#define FAIRLANE_KALYNA128_256_CCM_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_CCM_NONCE_SIZE 16
#define FAIRLANE_KALYNA128_256_CCM_TAG_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256 */
#define FAIRLANE_KALYNA256_256_CCM "kalyna256-256-ccm"
#define FAIRLANE_KALYNA256_256_CCM_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_CCM_NONCE_SIZE 32
#define FAIRLANE_KALYNA256_256_CCM_TAG_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512 */
#define FAIRLANE_KALYNA256_512_CCM "kalyna256-512-ccm"
#define FAIRLANE_KALYNA256_512_CCM_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_CCM_NONCE_SIZE 32
#define FAIRLANE_KALYNA256_512_CCM_TAG_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512 */
#define FAIRLANE_KALYNA512_512_CCM "kalyna512-512-ccm"
#define FAIRLANE_KALYNA512_512_CCM_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_CCM_NONCE_SIZE 64
#define FAIRLANE_KALYNA512_512_CCM_TAG_SIZE 64

/* draft-irtf-cfrg-xchacha-03; IVs may be random */
#define FAIRLANE_XCHACHA20 "xchacha20"
#define FAIRLANE_XCHACHA20_KEY_SIZE 32
#define FAIRLANE_XCHACHA20_NONCE_SIZE 24

/* RFC 8439 */
#define FAIRLANE_CHACHA20 "chacha20"
#define FAIRLANE_CHACHA20_KEY_SIZE 32
#define FAIRLANE_CHACHA20_NONCE_SIZE 12

/* ChaCha with 12 rounds */
#define FAIRLANE_CHACHA12 "chacha12"
#define FAIRLANE_CHACHA12_KEY_SIZE 32
#define FAIRLANE_CHACHA12_NONCE_SIZE 12

/* ChaCha with 8 rounds, whose security margin is small */
#define FAIRLANE_CHACHA8 "chacha8"
#define FAIRLANE_CHACHA8_KEY_SIZE 32
#define FAIRLANE_CHACHA8_NONCE_SIZE 12

/* Nobody but its authors has analysed Kusumi-512 */
#define FAIRLANE_KUSUMI512 "kusumi512"
#define FAIRLANE_KUSUMI512_KEY_SIZE 64
#define FAIRLANE_KUSUMI512_NONCE_SIZE 12

/* NIST SP 800-38A, GB/T 17964-2021 */
#define FAIRLANE_SM4_CTR "sm4-ctr"
#define FAIRLANE_SM4_CTR_KEY_SIZE 16
#define FAIRLANE_SM4_CTR_NONCE_SIZE 16

/* A little-endian counter in the first 8 bytes of the IV */
#define FAIRLANE_THREEFISH512_CTR "threefish512-ctr"
#define FAIRLANE_THREEFISH512_CTR_KEY_SIZE 64
#define FAIRLANE_THREEFISH512_CTR_NONCE_SIZE 64

/* DSTU 7624:2014, block of 128 bits, key of 128 */
#define FAIRLANE_KALYNA128_128_CTR "kalyna128-128-ctr"
#define FAIRLANE_KALYNA128_128_CTR_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_CTR_NONCE_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256 */
#define FAIRLANE_KALYNA128_256_CTR "kalyna128-256-ctr"
#define FAIRLANE_KALYNA128_256_CTR_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_CTR_NONCE_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256 */
#define FAIRLANE_KALYNA256_256_CTR "kalyna256-256-ctr"
#define FAIRLANE_KALYNA256_256_CTR_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_CTR_NONCE_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512 */
#define FAIRLANE_KALYNA256_512_CTR "kalyna256-512-ctr"
#define FAIRLANE_KALYNA256_512_CTR_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_CTR_NONCE_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512 */
#define FAIRLANE_KALYNA512_512_CTR "kalyna512-512-ctr"
#define FAIRLANE_KALYNA512_512_CTR_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_CTR_NONCE_SIZE 64

/* NIST SP 800-38A, GB/T 17964-2021; reveals equal blocks */
#define FAIRLANE_SM4_ECB "sm4-ecb"
#define FAIRLANE_SM4_ECB_KEY_SIZE 16
#define FAIRLANE_SM4_ECB_IV_SIZE 0
#define FAIRLANE_SM4_ECB_BLOCK_SIZE 16

/* NIST SP 800-38A, GB/T 17964-2021 */
#define FAIRLANE_SM4_CBC "sm4-cbc"
#define FAIRLANE_SM4_CBC_KEY_SIZE 16
#define FAIRLANE_SM4_CBC_IV_SIZE 16
#define FAIRLANE_SM4_CBC_BLOCK_SIZE 16

/* IEEE 1619, NIST SP 800-38E */
#define FAIRLANE_SM4_XTS "sm4-xts"
#define FAIRLANE_SM4_XTS_KEY_SIZE 32
#define FAIRLANE_SM4_XTS_IV_SIZE 16
#define FAIRLANE_SM4_XTS_BLOCK_SIZE 16

/* GB/T 17964-2021, whose tweaks differ from IEEE 1619's */
#define FAIRLANE_SM4_XTS_GB "sm4-xts-gb"
#define FAIRLANE_SM4_XTS_GB_KEY_SIZE 32
#define FAIRLANE_SM4_XTS_GB_IV_SIZE 16
#define FAIRLANE_SM4_XTS_GB_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 128; reveals equal blocks */
#define FAIRLANE_KALYNA128_128_ECB "kalyna128-128-ecb"
#define FAIRLANE_KALYNA128_128_ECB_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_ECB_IV_SIZE 0
#define FAIRLANE_KALYNA128_128_ECB_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256; reveals equal blocks */
#define FAIRLANE_KALYNA128_256_ECB "kalyna128-256-ecb"
#define FAIRLANE_KALYNA128_256_ECB_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_ECB_IV_SIZE 0
#define FAIRLANE_KALYNA128_256_ECB_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256; reveals equal blocks */
#define FAIRLANE_KALYNA256_256_ECB "kalyna256-256-ecb"
#define FAIRLANE_KALYNA256_256_ECB_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_ECB_IV_SIZE 0
#define FAIRLANE_KALYNA256_256_ECB_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512; reveals equal blocks */
#define FAIRLANE_KALYNA256_512_ECB "kalyna256-512-ecb"
#define FAIRLANE_KALYNA256_512_ECB_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_ECB_IV_SIZE 0
#define FAIRLANE_KALYNA256_512_ECB_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512; reveals equal blocks */
#define FAIRLANE_KALYNA512_512_ECB "kalyna512-512-ecb"
#define FAIRLANE_KALYNA512_512_ECB_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_ECB_IV_SIZE 0
#define FAIRLANE_KALYNA512_512_ECB_BLOCK_SIZE 64

/* DSTU 7624:2014, block of 128 bits, key of 128 */
#define FAIRLANE_KALYNA128_128_CBC "kalyna128-128-cbc"
#define FAIRLANE_KALYNA128_128_CBC_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_CBC_IV_SIZE 16
#define FAIRLANE_KALYNA128_128_CBC_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256 */
#define FAIRLANE_KALYNA128_256_CBC "kalyna128-256-cbc"
#define FAIRLANE_KALYNA128_256_CBC_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_CBC_IV_SIZE 16
#define FAIRLANE_KALYNA128_256_CBC_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256 */
#define FAIRLANE_KALYNA256_256_CBC "kalyna256-256-cbc"
#define FAIRLANE_KALYNA256_256_CBC_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_CBC_IV_SIZE 32
#define FAIRLANE_KALYNA256_256_CBC_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512 */
#define FAIRLANE_KALYNA256_512_CBC "kalyna256-512-cbc"
#define FAIRLANE_KALYNA256_512_CBC_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_CBC_IV_SIZE 32
#define FAIRLANE_KALYNA256_512_CBC_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512 */
#define FAIRLANE_KALYNA512_512_CBC "kalyna512-512-cbc"
#define FAIRLANE_KALYNA512_512_CBC_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_CBC_IV_SIZE 64
#define FAIRLANE_KALYNA512_512_CBC_BLOCK_SIZE 64

/* DSTU 7624:2014, block of 128 bits, key of 128 */
#define FAIRLANE_KALYNA128_128_XTS "kalyna128-128-xts"
#define FAIRLANE_KALYNA128_128_XTS_KEY_SIZE 16
#define FAIRLANE_KALYNA128_128_XTS_IV_SIZE 16
#define FAIRLANE_KALYNA128_128_XTS_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 128 bits, key of 256 */
#define FAIRLANE_KALYNA128_256_XTS "kalyna128-256-xts"
#define FAIRLANE_KALYNA128_256_XTS_KEY_SIZE 32
#define FAIRLANE_KALYNA128_256_XTS_IV_SIZE 16
#define FAIRLANE_KALYNA128_256_XTS_BLOCK_SIZE 16

/* DSTU 7624:2014, block of 256 bits, key of 256 */
#define FAIRLANE_KALYNA256_256_XTS "kalyna256-256-xts"
#define FAIRLANE_KALYNA256_256_XTS_KEY_SIZE 32
#define FAIRLANE_KALYNA256_256_XTS_IV_SIZE 32
#define FAIRLANE_KALYNA256_256_XTS_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 256 bits, key of 512 */
#define FAIRLANE_KALYNA256_512_XTS "kalyna256-512-xts"
#define FAIRLANE_KALYNA256_512_XTS_KEY_SIZE 64
#define FAIRLANE_KALYNA256_512_XTS_IV_SIZE 32
#define FAIRLANE_KALYNA256_512_XTS_BLOCK_SIZE 32

/* DSTU 7624:2014, block of 512 bits, key of 512 */
#define FAIRLANE_KALYNA512_512_XTS "kalyna512-512-xts"
#define FAIRLANE_KALYNA512_512_XTS_KEY_SIZE 64
#define FAIRLANE_KALYNA512_512_XTS_IV_SIZE 64
#define FAIRLANE_KALYNA512_512_XTS_BLOCK_SIZE 64

/* FIPS 203, security category 3: the default */
#define FAIRLANE_ML_KEM_768 "ml-kem-768"
#define FAIRLANE_ML_KEM_768_ENCAPSULATION_KEY_SIZE 1184
#define FAIRLANE_ML_KEM_768_DECAPSULATION_KEY_SIZE 2400
#define FAIRLANE_ML_KEM_768_CIPHERTEXT_SIZE 1088
#define FAIRLANE_ML_KEM_768_SEEDS_SIZE 64
#define FAIRLANE_ML_KEM_768_RANDOMNESS_SIZE 32

/* FIPS 203, security category 1 */
#define FAIRLANE_ML_KEM_512 "ml-kem-512"
#define FAIRLANE_ML_KEM_512_ENCAPSULATION_KEY_SIZE 800
#define FAIRLANE_ML_KEM_512_DECAPSULATION_KEY_SIZE 1632
#define FAIRLANE_ML_KEM_512_CIPHERTEXT_SIZE 768
#define FAIRLANE_ML_KEM_512_SEEDS_SIZE 64
#define FAIRLANE_ML_KEM_512_RANDOMNESS_SIZE 32

/* FIPS 203, security category 5 */
#define FAIRLANE_ML_KEM_1024 "ml-kem-1024"
#define FAIRLANE_ML_KEM_1024_ENCAPSULATION_KEY_SIZE 1568
#define FAIRLANE_ML_KEM_1024_DECAPSULATION_KEY_SIZE 3168
#define FAIRLANE_ML_KEM_1024_CIPHERTEXT_SIZE 1568
#define FAIRLANE_ML_KEM_1024_SEEDS_SIZE 64
#define FAIRLANE_ML_KEM_1024_RANDOMNESS_SIZE 32

/* ML-KEM-768 and X25519 in one: draft-connolly-cfrg-xwing-kem-10 */
#define FAIRLANE_X_WING "x-wing"
#define FAIRLANE_X_WING_ENCAPSULATION_KEY_SIZE 1216
#define FAIRLANE_X_WING_DECAPSULATION_KEY_SIZE 32
#define FAIRLANE_X_WING_CIPHERTEXT_SIZE 1120
#define FAIRLANE_X_WING_SEEDS_SIZE 32
#define FAIRLANE_X_WING_RANDOMNESS_SIZE 64

/* Nobody but its authors has analysed CLWE-KEM, which is here for comparison */
#define FAIRLANE_CLWE_512 "clwe-512"
#define FAIRLANE_CLWE_512_ENCAPSULATION_KEY_SIZE 800
#define FAIRLANE_CLWE_512_DECAPSULATION_KEY_SIZE 1632
#define FAIRLANE_CLWE_512_CIPHERTEXT_SIZE 992
#define FAIRLANE_CLWE_512_SEEDS_SIZE 64
#define FAIRLANE_CLWE_512_RANDOMNESS_SIZE 32

/* Nobody but its authors has analysed CLWE-KEM, which is here for comparison */
#define FAIRLANE_CLWE_768 "clwe-768"
#define FAIRLANE_CLWE_768_ENCAPSULATION_KEY_SIZE 1184
#define FAIRLANE_CLWE_768_DECAPSULATION_KEY_SIZE 2400
#define FAIRLANE_CLWE_768_CIPHERTEXT_SIZE 1376
#define FAIRLANE_CLWE_768_SEEDS_SIZE 64
#define FAIRLANE_CLWE_768_RANDOMNESS_SIZE 32

/* Nobody but its authors has analysed CLWE-KEM, which is here for comparison */
#define FAIRLANE_CLWE_1024 "clwe-1024"
#define FAIRLANE_CLWE_1024_ENCAPSULATION_KEY_SIZE 1568
#define FAIRLANE_CLWE_1024_DECAPSULATION_KEY_SIZE 3168
#define FAIRLANE_CLWE_1024_CIPHERTEXT_SIZE 1760
#define FAIRLANE_CLWE_1024_SEEDS_SIZE 64
#define FAIRLANE_CLWE_1024_RANDOMNESS_SIZE 32
/* END names and sizes */

#ifdef __cplusplus
}
#endif

#endif
