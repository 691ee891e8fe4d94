/* Kalyna (DSTU 7624:2014), written to be read: the standard's steps one by one, in its order.
 *
 * The state is an array of columns. A column is a 64-bit word, because keys are added to it as a number; its least
 * significant byte is row 0. Steps that need the bytes make a copy of them on the heap, as references of this kind do:
 * what that costs is what this file is raced for. kalyna_optimised.c is the same cipher without it.
 */

#include "kalyna.h"
#include "kalyna_constants.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 8

struct kalyna {
    size_t columns;       /* of the state: 2, 4 or 8 */
    size_t key_words;     /* of the key: 2, 4 or 8 */
    size_t rounds;        /* 10, 14 or 18 */
    uint64_t *round_keys; /* rounds + 1 of `columns` words */
};

static uint8_t inverse_sbox[4][256];

static void prepare(void)
{
    for (size_t box = 0; box < 4; box++) {
        for (size_t x = 0; x < 256; x++) {
            inverse_sbox[box][SBOX[box][x]] = (uint8_t)x;
        }
    }
}

/* The address of memory that malloc gave, or no program. */
static void *given(void *memory)
{
    if (memory == NULL) {
        abort();
    }
    return memory;
}

#ifdef ARENA
/* Built so, a step has its memory from an array: the difference is what malloc costs. What was allocated last is
 * released first. */
static _Thread_local uint64_t arena[256];
static _Thread_local size_t used;

static void *allocate(size_t len)
{
    void *memory = arena + used;
    used += len / sizeof(uint64_t);
    return memory;
}

static void release(void *memory)
{
    used = (size_t)((uint64_t *)memory - arena);
}
#else
static void *allocate(size_t len)
{
    return given(malloc(len));
}

static void release(void *memory)
{
    free(memory);
}
#endif

/* A new array of the bytes of so many words. */
static uint8_t *bytes_of(const uint64_t *words, size_t count)
{
    uint8_t *bytes = allocate(ROWS * count);
    for (size_t i = 0; i < ROWS * count; i++) {
        bytes[i] = (uint8_t)(words[i / ROWS] >> (8 * (i % ROWS)));
    }
    return bytes;
}

/* So many words, from their bytes. */
static void set_words(uint64_t *words, const uint8_t *bytes, size_t count)
{
    memset(words, 0, sizeof(uint64_t) * count);
    for (size_t i = 0; i < ROWS * count; i++) {
        words[i / ROWS] |= (uint64_t)bytes[i] << (8 * (i % ROWS));
    }
}

/* The same as a new array. */
static uint64_t *words_of(const uint8_t *bytes, size_t count)
{
    uint64_t *words = allocate(sizeof(uint64_t) * count);
    set_words(words, bytes, count);
    return words;
}

/* A new array with the same words. */
static uint64_t *copy_of(const uint64_t *words, size_t count)
{
    uint64_t *copy = allocate(sizeof(uint64_t) * count);
    memcpy(copy, words, sizeof(uint64_t) * count);
    return copy;
}

/* Each byte through the S-box of its row, or back. */
static void sub_bytes(uint64_t *state, size_t columns, bool back)
{
    for (size_t column = 0; column < columns; column++) {
        uint64_t substituted = 0;
        for (size_t row = 0; row < ROWS; row++) {
            const uint8_t *box = back ? inverse_sbox[row % 4] : SBOX[row % 4];
            substituted |= (uint64_t)box[(uint8_t)(state[column] >> (8 * row))] << (8 * row);
        }
        state[column] = substituted;
    }
}

/* Row i moves i * columns / 8 columns to the right, or back to the left. */
static void shift_rows(uint64_t *state, size_t columns, bool back)
{
    uint8_t *bytes = bytes_of(state, columns);
    uint8_t *shifted = allocate(ROWS * columns);
    for (size_t row = 0; row < ROWS; row++) {
        const size_t shift = row * columns / ROWS;
        for (size_t column = 0; column < columns; column++) {
            const size_t to = (column + (back ? columns - shift : shift)) % columns;
            shifted[ROWS * to + row] = bytes[ROWS * column + row];
        }
    }
    set_words(state, shifted, columns);
    release(shifted);
    release(bytes);
}

/* The product of two elements of the field, bit by bit of the second. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    while (b != 0) {
        if (b & 1) {
            product ^= a;
        }
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? POLYNOMIAL : 0));
        b >>= 1;
    }
    return product;
}

/* Each column, as a vector of bytes, times a matrix. */
static void mix_columns(uint64_t *state, size_t columns, const uint8_t first_row[ROWS])
{
    uint8_t *bytes = bytes_of(state, columns);
    for (size_t column = 0; column < columns; column++) {
        state[column] = 0;
        for (size_t row = 0; row < ROWS; row++) {
            uint8_t sum = 0;
            for (size_t i = 0; i < ROWS; i++) {
                sum ^= multiply(bytes[ROWS * column + i], first_row[(i + ROWS - row) % ROWS]);
            }
            state[column] |= (uint64_t)sum << (8 * row);
        }
    }
    release(bytes);
}

static void round_forward(uint64_t *state, size_t columns)
{
    sub_bytes(state, columns, false);
    shift_rows(state, columns, false);
    mix_columns(state, columns, MATRIX);
}

static void round_backward(uint64_t *state, size_t columns)
{
    mix_columns(state, columns, INVERSE_MATRIX);
    shift_rows(state, columns, true);
    sub_bytes(state, columns, true);
}

/* Column by column, modulo 2^64. */
static void add_key(uint64_t *state, const uint64_t *key, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        state[i] += key[i];
    }
}

static void subtract_key(uint64_t *state, const uint64_t *key, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        state[i] -= key[i];
    }
}

static void xor_key(uint64_t *state, const uint64_t *key, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        state[i] ^= key[i];
    }
}

static uint64_t *round_key(const struct kalyna *k, size_t round)
{
    return k->round_keys + round * k->columns;
}

/* A new array: the intermediate key, from which with the key all round keys are made. */
static uint64_t *intermediate_key(const struct kalyna *k, const uint64_t *key)
{
    const uint64_t *first = key;
    const uint64_t *second = k->key_words == k->columns ? key : key + k->columns;
    uint64_t *state = allocate(sizeof(uint64_t) * k->columns);
    memset(state, 0, sizeof(uint64_t) * k->columns);
    state[0] = k->columns + k->key_words + 1;
    add_key(state, first, k->columns);
    round_forward(state, k->columns);
    xor_key(state, second, k->columns);
    round_forward(state, k->columns);
    add_key(state, first, k->columns);
    round_forward(state, k->columns);
    return state;
}

/* The key of an even round, from a part of the key. */
static void even_round_key(const struct kalyna *k, const uint64_t *intermediate, const uint64_t *part, size_t round)
{
    uint64_t *added = copy_of(intermediate, k->columns);
    for (size_t i = 0; i < k->columns; i++) {
        added[i] += UINT64_C(0x0001000100010001) << (round / 2);
    }
    uint64_t *state = copy_of(part, k->columns);
    add_key(state, added, k->columns);
    round_forward(state, k->columns);
    xor_key(state, added, k->columns);
    round_forward(state, k->columns);
    add_key(state, added, k->columns);
    memcpy(round_key(k, round), state, sizeof(uint64_t) * k->columns);
    release(state);
    release(added);
}

/* The key of an odd round: the one before, its bytes rotated to the left. */
static void odd_round_key(const struct kalyna *k, size_t round)
{
    const size_t len = ROWS * k->columns;
    uint8_t *bytes = bytes_of(round_key(k, round - 1), k->columns);
    uint8_t *rotated = allocate(len);
    for (size_t i = 0; i < len; i++) {
        rotated[i] = bytes[(i + 2 * k->columns + 3) % len];
    }
    set_words(round_key(k, round), rotated, k->columns);
    release(rotated);
    release(bytes);
}

/* Both directions take the same round keys. */
static void set_key(struct kalyna *k, const uint8_t *key_bytes, bool decrypt)
{
    (void)decrypt;
    uint64_t *key = words_of(key_bytes, k->key_words);
    uint64_t *intermediate = intermediate_key(k, key);
    const size_t parts = k->key_words / k->columns;
    for (size_t round = 0; round <= k->rounds; round += 2) {
        const size_t part = round / 2 % parts;
        even_round_key(k, intermediate, key + part * k->columns, round);
        if (part == parts - 1) {
            /* All parts were used: the words of the key rotate by one. */
            const uint64_t first = key[0];
            memmove(key, key + 1, sizeof(uint64_t) * (k->key_words - 1));
            key[k->key_words - 1] = first;
        }
    }
    for (size_t round = 1; round < k->rounds; round += 2) {
        odd_round_key(k, round);
    }
    release(intermediate);
    release(key);
}

static struct kalyna *create(size_t block_len, size_t key_len)
{
    struct kalyna *k = given(malloc(sizeof(struct kalyna)));
    k->columns = block_len / sizeof(uint64_t);
    k->key_words = key_len / sizeof(uint64_t);
    k->rounds = k->key_words == 2 ? 10 : k->key_words == 4 ? 14 : 18;
    k->round_keys = given(malloc(sizeof(uint64_t) * k->columns * (k->rounds + 1)));
    return k;
}

static void destroy(struct kalyna *k)
{
    free(k->round_keys);
    free(k);
}

static void store(uint8_t *to, const uint64_t *state, size_t columns)
{
    uint8_t *bytes = bytes_of(state, columns);
    memcpy(to, bytes, ROWS * columns);
    release(bytes);
}

static void encrypt_block(const struct kalyna *k, const uint8_t *from, uint8_t *to)
{
    uint64_t *state = words_of(from, k->columns);
    add_key(state, round_key(k, 0), k->columns);
    for (size_t round = 1; round < k->rounds; round++) {
        round_forward(state, k->columns);
        xor_key(state, round_key(k, round), k->columns);
    }
    round_forward(state, k->columns);
    add_key(state, round_key(k, k->rounds), k->columns);
    store(to, state, k->columns);
    release(state);
}

static void decrypt_block(const struct kalyna *k, const uint8_t *from, uint8_t *to)
{
    uint64_t *state = words_of(from, k->columns);
    subtract_key(state, round_key(k, k->rounds), k->columns);
    for (size_t round = k->rounds - 1; round >= 1; round--) {
        round_backward(state, k->columns);
        xor_key(state, round_key(k, round), k->columns);
    }
    round_backward(state, k->columns);
    subtract_key(state, round_key(k, 0), k->columns);
    store(to, state, k->columns);
    release(state);
}

static void encrypt(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len)
{
    const size_t block_len = ROWS * k->columns;
    for (size_t at = 0; at < len; at += block_len) {
        encrypt_block(k, from + at, to + at);
    }
}

static void decrypt(const struct kalyna *k, const uint8_t *from, uint8_t *to, size_t len)
{
    const size_t block_len = ROWS * k->columns;
    for (size_t at = 0; at < len; at += block_len) {
        decrypt_block(k, from + at, to + at);
    }
}

/* The counter is the encrypted IV, a number whose least significant byte is the first. One is added before each use. */
static void ctr(const struct kalyna *k, const uint8_t *iv, const uint8_t *from, uint8_t *to, size_t len)
{
    const size_t block_len = ROWS * k->columns;
    uint8_t *counter = allocate(block_len);
    uint8_t *gamma = allocate(block_len);
    encrypt_block(k, iv, counter);
    for (size_t i = 0; i < len; i++) {
        if (i % block_len == 0) {
            size_t digit = 0;
            while (digit < block_len && ++counter[digit] == 0) {
                digit++;
            }
            encrypt_block(k, counter, gamma);
        }
        to[i] = from[i] ^ gamma[i % block_len];
    }
    release(gamma);
    release(counter);
}

const struct kalyna_api KALYNA_API = {prepare, create, set_key, encrypt, decrypt, ctr, destroy};
