/* Kalyna (DSTU 7624:2014) as kalyna_reference.c has it, without what that pays for being read.
 *
 * The state is in local words, and nothing is allocated after `create`. S-box, row shift and matrix are one look-up of
 * a 64-bit word for each byte, in tables that are made once. To decrypt, rounds take the same form with inverse tables:
 * there the matrix comes before the key, so the round keys are multiplied by it when the key is set.
 *
 * Not constant-time: look-ups are at addresses that depend on key and data.
 */

#include "kalyna.h"
#include "kalyna_constants.h"

#include <stdlib.h>

#if defined(_MSC_VER)
#define INLINE static __forceinline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

#define MOST_COLUMNS 8
#define MOST_ROUNDS 18

struct kalyna {
    size_t columns;
    size_t key_words;
    size_t rounds;
    uint64_t round_keys[MOST_ROUNDS + 1][MOST_COLUMNS];
};

/* 256 i + x is where it stands what the byte x in row i brings to its column: in a round to encrypt, and to decrypt. */
static uint64_t forward_table[8 * 256];
static uint64_t backward_table[8 * 256];
static uint8_t inverse_sbox[4][256];

static uint8_t multiply(uint8_t a, uint8_t b)
{
    unsigned product = 0;
    for (unsigned multiple = a; b != 0; b >>= 1) {
        product ^= b & 1 ? multiple : 0;
        multiple = multiple << 1 ^ (multiple & 0x80 ? POLYNOMIAL : 0);
    }
    return (uint8_t)product;
}

/* The column that a byte in row i becomes by a matrix. */
static uint64_t mixed(const uint8_t first_row[8], size_t i, uint8_t byte)
{
    uint64_t column = 0;
    for (size_t row = 0; row < 8; row++) {
        column |= (uint64_t)multiply(first_row[(i + 8 - row) % 8], byte) << 8 * row;
    }
    return column;
}

static void prepare(void)
{
    for (size_t box = 0; box < 4; box++) {
        for (size_t x = 0; x < 256; x++) {
            inverse_sbox[box][SBOX[box][x]] = (uint8_t)x;
        }
    }
    for (size_t i = 0; i < 8; i++) {
        for (size_t x = 0; x < 256; x++) {
            forward_table[256 * i + x] = mixed(MATRIX, i, SBOX[i % 4][x]);
            backward_table[256 * i + x] = mixed(INVERSE_MATRIX, i, inverse_sbox[i % 4][x]);
        }
    }
}

/* From here on `n`, the number of columns, is a constant wherever a function is inlined: no loop over columns is left,
 * and no state in memory. */
#define EACH_COLUMN(DO)     \
    do {                    \
        DO(0);              \
        DO(1);              \
        if (n > 2) {        \
            DO(2);          \
            DO(3);          \
        }                   \
        if (n > 4) {        \
            DO(4);          \
            DO(5);          \
            DO(6);          \
            DO(7);          \
        }                   \
    } while (0)

INLINE uint64_t load_word(const uint8_t *from)
{
    return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 | (uint64_t)from[3] << 24 |
           (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 | (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

INLINE void store_word(uint8_t *to, uint64_t word)
{
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
    to[2] = (uint8_t)(word >> 16);
    to[3] = (uint8_t)(word >> 24);
    to[4] = (uint8_t)(word >> 32);
    to[5] = (uint8_t)(word >> 40);
    to[6] = (uint8_t)(word >> 48);
    to[7] = (uint8_t)(word >> 56);
}

INLINE void load(uint64_t *s, const uint8_t *from, size_t n)
{
#define LOAD(i) s[i] = load_word(from + 8 * i)
    EACH_COLUMN(LOAD);
#undef LOAD
}

INLINE void store(uint8_t *to, const uint64_t *s, size_t n)
{
#define STORE(i) store_word(to + 8 * i, s[i])
    EACH_COLUMN(STORE);
#undef STORE
}

INLINE void add(uint64_t *s, const uint64_t *key, size_t n)
{
#define ADD(i) s[i] += key[i]
    EACH_COLUMN(ADD);
#undef ADD
}

INLINE void subtract(uint64_t *s, const uint64_t *key, size_t n)
{
#define SUBTRACT(i) s[i] -= key[i]
    EACH_COLUMN(SUBTRACT);
#undef SUBTRACT
}

INLINE void xor(uint64_t *s, const uint64_t *key, size_t n)
{
#define XOR(i) s[i] ^= key[i]
    EACH_COLUMN(XOR);
#undef XOR
}

/* The byte in a row that the row shift brings to column c; `back`, its inverse. */
INLINE uint8_t shifted(const uint64_t *s, size_t row, size_t c, bool back, size_t n)
{
    const size_t shift = row * n / 8;
    return (uint8_t)(s[(c + (back ? shift : n - shift)) % n] >> 8 * row);
}

/* What that byte brings to the column. */
INLINE uint64_t look_up(const uint64_t *s, size_t row, size_t c, bool back, size_t n)
{
    return (back ? backward_table : forward_table)[256 * row + shifted(s, row, c, back, n)];
}

/* A round without its key: S-boxes, row shift, matrix; `back`, the inverses of row shift, S-boxes, matrix. */
INLINE void round_of(uint64_t *s, bool back, size_t n)
{
    uint64_t t[MOST_COLUMNS];
#define LOOK_UP(c)                                                          \
    t[c] = look_up(s, 0, c, back, n) ^ look_up(s, 1, c, back, n) ^          \
           look_up(s, 2, c, back, n) ^ look_up(s, 3, c, back, n) ^          \
           look_up(s, 4, c, back, n) ^ look_up(s, 5, c, back, n) ^          \
           look_up(s, 6, c, back, n) ^ look_up(s, 7, c, back, n)
    EACH_COLUMN(LOOK_UP);
#undef LOOK_UP
#define COPY(c) s[c] = t[c]
    EACH_COLUMN(COPY);
#undef COPY
}

/* The column times the inverse matrix: the inverse S-boxes in the table are undone by the S-boxes. */
INLINE uint64_t unmix(uint64_t column)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < 8; row++) {
        sum ^= backward_table[256 * row + SBOX[row % 4][(uint8_t)(column >> 8 * row)]];
    }
    return sum;
}

/* The inverse row shift and S-boxes without the matrix, for the end. */
INLINE void last_back(uint64_t *s, size_t n)
{
    uint64_t t[MOST_COLUMNS];
#define BYTE(row, c) (uint64_t)inverse_sbox[row % 4][shifted(s, row, c, true, n)] << 8 * row
#define LOOK_UP(c)                                                  \
    t[c] = BYTE(0, c) | BYTE(1, c) | BYTE(2, c) | BYTE(3, c) |      \
           BYTE(4, c) | BYTE(5, c) | BYTE(6, c) | BYTE(7, c)
    EACH_COLUMN(LOOK_UP);
#undef LOOK_UP
#undef BYTE
#define COPY(c) s[c] = t[c]
    EACH_COLUMN(COPY);
#undef COPY
}

INLINE void encrypt_words(const struct kalyna *k, uint64_t *s, size_t n)
{
    add(s, k->round_keys[0], n);
    for (size_t round = 1; round < k->rounds; round++) {
        round_of(s, false, n);
        xor(s, k->round_keys[round], n);
    }
    round_of(s, false, n);
    add(s, k->round_keys[k->rounds], n);
}

INLINE void decrypt_words(const struct kalyna *k, uint64_t *s, size_t n)
{
    subtract(s, k->round_keys[k->rounds], n);
#define UNMIX(c) s[c] = unmix(s[c])
    EACH_COLUMN(UNMIX);
#undef UNMIX
    for (size_t round = k->rounds - 1; round > 0; round--) {
        round_of(s, true, n);
        xor(s, k->round_keys[round], n);
    }
    last_back(s, n);
    subtract(s, k->round_keys[0], n);
}

INLINE void set_key_of(struct kalyna *k, const uint8_t *key_bytes, bool decrypt, size_t n)
{
    /* Twice, so that a part of the rotated key is a slice. */
    uint64_t key[2 * MOST_COLUMNS];
    for (size_t i = 0; i < k->key_words; i++) {
        key[i] = key[i + k->key_words] = load_word(key_bytes + 8 * i);
    }

    uint64_t intermediate[MOST_COLUMNS] = {n + k->key_words + 1};
    add(intermediate, key, n);
    round_of(intermediate, false, n);
    xor(intermediate, key + (k->key_words - n), n);
    round_of(intermediate, false, n);
    add(intermediate, key, n);
    round_of(intermediate, false, n);

    const size_t parts = k->key_words / n;
    for (size_t even = 0; 2 * even <= k->rounds; even++) {
        const uint64_t *part = key + even / parts % k->key_words + even % parts * n;
        const uint64_t number = UINT64_C(0x0001000100010001) << even;
        uint64_t added[MOST_COLUMNS], s[MOST_COLUMNS];
#define BEGIN(i) s[i] = part[i] + (added[i] = intermediate[i] + number)
        EACH_COLUMN(BEGIN);
#undef BEGIN
        round_of(s, false, n);
        xor(s, added, n);
        round_of(s, false, n);
        add(s, added, n);
#define END(i) k->round_keys[2 * even][i] = s[i]
        EACH_COLUMN(END);
#undef END
        if (2 * even == k->rounds) {
            break;
        }
        /* The bytes of the next are these, rotated to the left by 2 n + 3: so many words, and bits of a word. */
        const size_t words = (2 * n + 3) / 8, bits = (2 * n + 3) % 8 * 8;
#define ROTATE(i) k->round_keys[2 * even + 1][i] = s[(i + words) % n] >> bits | s[(i + words + 1) % n] << (64 - bits)
        EACH_COLUMN(ROTATE);
#undef ROTATE
    }

    if (decrypt) {
        for (size_t round = 1; round < k->rounds; round++) {
            for (size_t i = 0; i < n; i++) {
                k->round_keys[round][i] = unmix(k->round_keys[round][i]);
            }
        }
    }
}

INLINE void encrypt_blocks(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len, size_t n)
{
    for (size_t at = 0; at < len; at += 8 * n) {
        uint64_t s[MOST_COLUMNS];
        load(s, from + at, n);
        encrypt_words(k, s, n);
        store(to + at, s, n);
    }
}

INLINE void decrypt_blocks(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len, size_t n)
{
    for (size_t at = 0; at < len; at += 8 * n) {
        uint64_t s[MOST_COLUMNS];
        load(s, from + at, n);
        decrypt_words(k, s, n);
        store(to + at, s, n);
    }
}

/* As in the reference: the encrypted IV, plus one before each use. */
INLINE void ctr_of(const struct kalyna *k, const uint8_t *iv, const uint8_t *from, uint8_t *to, size_t len, size_t n)
{
    uint64_t counter[MOST_COLUMNS], s[MOST_COLUMNS];
    load(counter, iv, n);
    encrypt_words(k, counter, n);
    while (len > 0) {
        for (size_t i = 0; i < n && ++counter[i] == 0; i++) {
        }
#define COPY(i) s[i] = counter[i]
        EACH_COLUMN(COPY);
#undef COPY
        encrypt_words(k, s, n);
        if (len < 8 * n) {
            uint8_t gamma[8 * MOST_COLUMNS];
            store(gamma, s, n);
            for (size_t i = 0; i < len; i++) {
                to[i] = from[i] ^ gamma[i];
            }
            return;
        }
#define APPLY(i) store_word(to + 8 * i, load_word(from + 8 * i) ^ s[i])
        EACH_COLUMN(APPLY);
#undef APPLY
        from += 8 * n;
        to += 8 * n;
        len -= 8 * n;
    }
}

/* Here the number of columns becomes a constant. */
#define WITH_COLUMNS(function, ...)                     \
    switch (k->columns) {                               \
    case 2: function(k, __VA_ARGS__, 2); break;         \
    case 4: function(k, __VA_ARGS__, 4); break;         \
    default: function(k, __VA_ARGS__, 8);               \
    }

static void set_key(struct kalyna *k, const uint8_t *key, bool decrypt)
{
    WITH_COLUMNS(set_key_of, key, decrypt)
}

static void encrypt(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len)
{
    WITH_COLUMNS(encrypt_blocks, from, to, len)
}

static void decrypt(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len)
{
    WITH_COLUMNS(decrypt_blocks, from, to, len)
}

static void ctr(const struct kalyna *k, const uint8_t *iv, const uint8_t *from, uint8_t *to, size_t len)
{
    WITH_COLUMNS(ctr_of, iv, from, to, len)
}

static struct kalyna *create(size_t block_len, size_t key_len)
{
    struct kalyna *k = malloc(sizeof(struct kalyna));
    if (k == NULL) {
        abort();
    }
    k->columns = block_len / 8;
    k->key_words = key_len / 8;
    k->rounds = k->key_words == 2 ? 10 : k->key_words == 4 ? 14 : 18;
    return k;
}

static void destroy(struct kalyna *k)
{
    free(k);
}

const struct kalyna_api KALYNA_API = {prepare, create, set_key, encrypt, decrypt, ctr, destroy};
