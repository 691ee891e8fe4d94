/* What all files of this test need. */
#ifndef CHECK_H
#define CHECK_H

#include "fairlane.h"
#include <stdlib.h>
#include <string.h>

/* Counts a check, and reports one that failed. */
void check(int right, const char *file, int line, const char *what);
#define CHECK(condition) check(condition, __FILE__, __LINE__, #condition)
#define OK(call) check((call) == FAIRLANE_OK, __FILE__, __LINE__, #call)
#define FAILS(status, call) check((call) == FAIRLANE_ERROR_##status, __FILE__, __LINE__, #status ": " #call)

static inline void from_hex(uint8_t *bytes, const char *hex) {
    for (; *hex; hex += 2, bytes++) {
        char digits[3] = {hex[0], hex[1], 0};
        *bytes = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static inline int is_hex(const uint8_t *bytes, const char *hex) {
    uint8_t expected[256];
    from_hex(expected, hex);
    return memcmp(bytes, expected, strlen(hex) / 2) == 0;
}

static inline int all(const uint8_t *bytes, size_t length, uint8_t value) {
    size_t i;
    for (i = 0; i < length; i++)
        if (bytes[i] != value) return 0;
    return 1;
}

/* Bytes that look random: xorshift. */
static inline void fill(uint8_t *bytes, size_t length, uint32_t seed) {
    uint32_t x = seed * 2654435761u + 1;
    size_t i;
    for (i = 0; i < length; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        bytes[i] = (uint8_t)x;
    }
}

static inline fairlane_key key_of(const uint8_t *bytes, size_t length) {
    fairlane_key key;
    key.bytes = bytes;
    key.length = length;
    return key;
}

static inline fairlane_nonce nonce_of(const uint8_t *bytes, size_t length) {
    fairlane_nonce nonce;
    nonce.bytes = bytes;
    nonce.length = length;
    return nonce;
}

static inline fairlane_seed seed_of(const uint8_t *bytes, size_t length) {
    fairlane_seed seed;
    seed.bytes = bytes;
    seed.length = length;
    return seed;
}

static inline const uint8_t *text(const char *string) { return (const uint8_t *)string; }

/* The tests, by file. */
void lists(void);
void hash_answers(void);
void hash_shapes(void);
void bad_hashes(void);
void aead_answers(void);
void aeads(void);
void ciphers(void);
void block_modes(void);
void kems(void);
void hashes_in_room(void);
void keyed_in_room(void);
void objects_apart(void);

#endif
