/* The C interface: known answers, every algorithm in a round trip, and bad calls. Compiles as C99 and as C++. */
#include "fairlane.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
static int checks = 0;

static void check(int right, int line, const char *what) {
    checks++;
    if (!right) {
        failures++;
        printf("main.c:%d: %s\n", line, what);
    }
}
#define CHECK(condition) check(condition, __LINE__, #condition)
#define OK(call) check((call) == FAIRLANE_OK, __LINE__, #call)
#define FAILS(status, call) check((call) == FAIRLANE_ERROR_##status, __LINE__, #status ": " #call)

static void from_hex(uint8_t *bytes, const char *hex) {
    for (; *hex; hex += 2, bytes++) {
        char digits[3] = {hex[0], hex[1], 0};
        *bytes = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static int is_hex(const uint8_t *bytes, const char *hex) {
    uint8_t expected[256];
    from_hex(expected, hex);
    return memcmp(bytes, expected, strlen(hex) / 2) == 0;
}

static int all(const uint8_t *bytes, size_t length, uint8_t value) {
    size_t i;
    for (i = 0; i < length; i++)
        if (bytes[i] != value) return 0;
    return 1;
}

/* Bytes that look random: xorshift. */
static void fill(uint8_t *bytes, size_t length, uint32_t seed) {
    uint32_t x = seed * 2654435761u + 1;
    size_t i;
    for (i = 0; i < length; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        bytes[i] = (uint8_t)x;
    }
}

static fairlane_key key_of(const uint8_t *bytes, size_t length) {
    fairlane_key key;
    key.bytes = bytes;
    key.length = length;
    return key;
}

static fairlane_nonce nonce_of(const uint8_t *bytes, size_t length) {
    fairlane_nonce nonce;
    nonce.bytes = bytes;
    nonce.length = length;
    return nonce;
}

static fairlane_seed seed_of(const uint8_t *bytes, size_t length) {
    fairlane_seed seed;
    seed.bytes = bytes;
    seed.length = length;
    return seed;
}

static const uint8_t *text(const char *string) { return (const uint8_t *)string; }

static void lists(void) {
    size_t i;
    CHECK(strcmp(fairlane_version(), FAIRLANE_VERSION) == 0);
    CHECK(strcmp(fairlane_status_message(FAIRLANE_OK), "no error") == 0);
    for (i = 1; i <= FAIRLANE_ERROR_NOT_MADE; i++) CHECK(strlen(fairlane_status_message((int32_t)i)) > 8);
    CHECK(strstr(fairlane_status_message(-7), "no status") != NULL);
    CHECK(strstr(fairlane_status_message(12345), "no status") != NULL);
    CHECK(strcmp(fairlane_backend_name(0), "scalar") == 0);
    CHECK(fairlane_backend_available("scalar"));
    CHECK(!fairlane_backend_available("mmx") && !fairlane_backend_available(NULL));
    CHECK(strcmp(fairlane_primitive_name(0), "keccak") == 0);
    CHECK(fairlane_backend_available(fairlane_primitive_backend("keccak")));
    CHECK(fairlane_primitive_backend("rot13") == NULL && fairlane_primitive_backend(NULL) == NULL);
    for (i = 0; fairlane_hash_name(i); i++) CHECK(fairlane_hash_size(fairlane_hash_name(i)) > 0);
    CHECK(i == 15 && fairlane_hash_name(i) == NULL && fairlane_hash_name((size_t)-1) == NULL);
    for (i = 0; fairlane_aead_name(i); i++) CHECK(fairlane_aead_tag_size(fairlane_aead_name(i)) > 0);
    for (i = 0; fairlane_cipher_name(i); i++) CHECK(fairlane_cipher_nonce_size(fairlane_cipher_name(i)) > 0);
    for (i = 0; fairlane_block_mode_name(i); i++)
        CHECK(fairlane_block_mode_block_size(fairlane_block_mode_name(i)) > 0);
    for (i = 0; fairlane_kem_name(i); i++) CHECK(fairlane_kem_ciphertext_size(fairlane_kem_name(i)) > 0);
    CHECK(fairlane_hash_size("sha3_256") == 0 && fairlane_hash_size(NULL) == 0 && fairlane_hash_size("") == 0);
    CHECK(fairlane_hash_size(FAIRLANE_SHA3_512) == FAIRLANE_SHA3_512_SIZE);
    CHECK(fairlane_hash_block_size(FAIRLANE_KECCAK256) == FAIRLANE_KECCAK256_BLOCK_SIZE);
    CHECK(fairlane_aead_key_size(FAIRLANE_SM4_GCM) == FAIRLANE_SM4_GCM_KEY_SIZE);
    CHECK(fairlane_kem_decapsulation_key_size("ml-kem-1024") == FAIRLANE_ML_KEM_1024_DECAPSULATION_KEY_SIZE);
    CHECK(fairlane_hash_is_extendable("shake128") && !fairlane_hash_is_extendable("sm3"));
    CHECK(!fairlane_hash_is_extendable(NULL));
}

static void hash_answers(void) {
    static const struct {
        const char *name, *message, *hash;
    } answers[] = {
        {"keccak256", "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
        {"sha3-256", "abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
        {"sm3", "abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
        {"shake128", "", "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"},
    };
    size_t i, b;
    for (i = 0; i < sizeof answers / sizeof *answers; i++) {
        for (b = 0; b == 0 || fairlane_backend_name(b - 1); b++) {
            const char *backend = b == 0 ? NULL : fairlane_backend_name(b - 1);
            uint8_t output[32];
            fairlane_hasher *hasher = NULL;
            fairlane_status status = fairlane_hash(answers[i].name, text(answers[i].message),
                                                   strlen(answers[i].message), output, 32, backend);
            if (status == FAIRLANE_ERROR_UNSUPPORTED_BACKEND) {
                FAILS(UNSUPPORTED_BACKEND, fairlane_hasher_new(&hasher, answers[i].name, backend));
                CHECK(hasher == NULL);
                continue;
            }
            CHECK(status == FAIRLANE_OK && is_hex(output, answers[i].hash));
            OK(fairlane_hasher_new(&hasher, answers[i].name, backend));
            OK(fairlane_hasher_update(hasher, text(answers[i].message), strlen(answers[i].message)));
            memset(output, 0, 32);
            OK(fairlane_hasher_finalize(hasher, output, 32));
            CHECK(is_hex(output, answers[i].hash));
            fairlane_hasher_free(hasher);
        }
    }
}

/* Every hash: one message, pieces, a copy, a list and rows give the same. */
static void hash_shapes(void) {
    enum { COUNT = 50, LENGTH = 300, STRIDE = 310 };
    static uint8_t rows[COUNT * STRIDE], one[COUNT * 64], many[COUNT * 64];
    size_t i, a;
    fill(rows, sizeof rows, 1);
    for (a = 0; fairlane_hash_name(a); a++) {
        const char *name = fairlane_hash_name(a);
        size_t size = fairlane_hash_size(name), length;
        fairlane_bytes list[COUNT];
        fairlane_hasher *hasher, *copy;
        for (i = 0; i < COUNT; i++) {
            OK(fairlane_hash(name, rows + i * STRIDE, LENGTH, one + i * size, size, NULL));
        }
        memset(many, 0, sizeof many);
        OK(fairlane_hash_rows(name, rows, LENGTH, STRIDE, COUNT, many, size, NULL));
        CHECK(memcmp(one, many, COUNT * size) == 0);
        for (i = 0; i < COUNT; i++) {
            length = i * 7 % LENGTH;
            list[i].bytes = rows + i * STRIDE;
            list[i].length = length;
            OK(fairlane_hash(name, rows + i * STRIDE, length, one + i * size, size, NULL));
        }
        list[0].bytes = NULL;
        memset(many, 0, sizeof many);
        OK(fairlane_hash_many(name, list, COUNT, many, size, NULL));
        CHECK(memcmp(one, many, COUNT * size) == 0);
        OK(fairlane_hash(name, rows, 1000, one, size, "scalar"));
        OK(fairlane_hasher_new(&hasher, name, NULL));
        OK(fairlane_hasher_update(hasher, rows, 5));
        OK(fairlane_hasher_reset(hasher));
        OK(fairlane_hasher_update(hasher, rows, 137));
        OK(fairlane_hasher_copy(&copy, hasher));
        OK(fairlane_hasher_update(hasher, rows + 137, 863));
        OK(fairlane_hasher_finalize(hasher, many, size));
        CHECK(memcmp(one, many, size) == 0);
        OK(fairlane_hasher_update(copy, rows + 137, 863));
        memset(many, 0xa5, sizeof many);
        if (fairlane_hash_is_extendable(name)) {
            fairlane_hasher *none = hasher;
            OK(fairlane_hasher_squeeze(copy, many, 7));
            FAILS(SQUEEZED, fairlane_hasher_update(copy, rows, 1));
            FAILS(SQUEEZED, fairlane_hasher_finalize(copy, many, 1));
            FAILS(SQUEEZED, fairlane_hasher_copy(&none, copy));
            CHECK(none == NULL);
            OK(fairlane_hasher_squeeze(copy, many + 7, size - 7));
            CHECK(memcmp(one, many, size) == 0);
            OK(fairlane_hasher_reset(copy));
            OK(fairlane_hasher_update(copy, rows, 1000));
            OK(fairlane_hasher_finalize(copy, many, size));
        } else {
            FAILS(NOT_EXTENDABLE, fairlane_hasher_squeeze(copy, many, 7));
            FAILS(LENGTH, fairlane_hasher_finalize(copy, many, size - 1));
            FAILS(LENGTH, fairlane_hash(name, rows, 9, many, size + 1, NULL));
            FAILS(LENGTH, fairlane_hash_many(name, list, 3, many, size + 1, NULL));
            FAILS(LENGTH, fairlane_hash_rows(name, rows, 3, 3, 3, many, size - 1, NULL));
            CHECK(all(many, sizeof many, 0xa5));
            OK(fairlane_hasher_finalize(copy, many, size));
        }
        CHECK(memcmp(one, many, size) == 0);
        fairlane_hasher_free(hasher);
        fairlane_hasher_free(copy);
    }
}

/* A hasher in the caller's room is like one of the heap, and leaves nothing there. */
static void hashes_in_room(void) {
    struct {
        char before;
        fairlane_hasher_room room;
        uint8_t behind[64];
    } place;
    fairlane_hasher_room other;
    fairlane_hasher *hasher, *copy, *heap;
    uint8_t message[1000], expected[64], output[64];
    size_t a, size, length, needed = fairlane_hasher_size();
    CHECK(needed > 200 && needed <= FAIRLANE_HASHER_SIZE && sizeof place.room == FAIRLANE_HASHER_SIZE);
    CHECK((uintptr_t)&place.room % FAIRLANE_HASHER_ALIGNMENT == 0);
    fill(message, sizeof message, 2);
    for (a = 0; fairlane_hash_name(a); a++) {
        const char *name = fairlane_hash_name(a);
        size = fairlane_hash_size(name);
        OK(fairlane_hash(name, message, sizeof message, expected, size, NULL));
        memset(&place, 0xa5, sizeof place);
        /* Not a byte more than is needed. */
        OK(fairlane_hasher_init(&hasher, &place.room, needed, name, NULL));
        CHECK((void *)hasher == (void *)&place.room);
        OK(fairlane_hasher_update(hasher, message, 500));
        OK(fairlane_hasher_init_copy(&copy, &other, sizeof other, hasher));
        OK(fairlane_hasher_copy(&heap, copy));
        OK(fairlane_hasher_update(hasher, message + 500, 500));
        OK(fairlane_hasher_finalize(hasher, output, size));
        CHECK(memcmp(output, expected, size) == 0);
        memset(output, 0, size);
        OK(fairlane_hasher_update(copy, message + 500, 500));
        if (fairlane_hash_is_extendable(name)) {
            OK(fairlane_hasher_squeeze(copy, output, 3));
            FAILS(SQUEEZED, fairlane_hasher_init_copy(&hasher, &place.room, sizeof place.room, copy));
            CHECK(hasher == NULL);
            hasher = (fairlane_hasher *)&place.room;
            OK(fairlane_hasher_squeeze(copy, output + 3, size - 3));
        } else {
            OK(fairlane_hasher_finalize(copy, output, size));
        }
        CHECK(memcmp(output, expected, size) == 0);
        fairlane_hasher_free(copy);
        OK(fairlane_hasher_init_copy(&copy, &other, needed, heap));
        fairlane_hasher_free(heap);
        OK(fairlane_hasher_update(copy, message + 500, 500));
        OK(fairlane_hasher_finalize(copy, output, size));
        CHECK(memcmp(output, expected, size) == 0);
        OK(fairlane_hasher_update(copy, message, 99));
        fairlane_hasher_free(copy);
        fairlane_hasher_free(hasher);
        CHECK(all(place.room.bytes, needed, 0) && all(other.bytes, needed, 0));
        length = sizeof place.room.bytes - needed;
        CHECK(all(place.room.bytes + needed, length, 0xa5) && all(place.behind, sizeof place.behind, 0xa5));
    }
    memset(&place, 0xa5, sizeof place);
    hasher = copy = (fairlane_hasher *)&other;
    FAILS(LENGTH, fairlane_hasher_init(&hasher, &place.room, needed - 1, "sm3", NULL));
    CHECK(hasher == NULL);
    FAILS(LENGTH, fairlane_hasher_init(&hasher, &place.room, (size_t)-1, "sm3", NULL));
    FAILS(NULL, fairlane_hasher_init(&hasher, NULL, needed, "sm3", NULL));
    FAILS(NULL, fairlane_hasher_init(NULL, &place.room, needed, "sm3", NULL));
    FAILS(NULL, fairlane_hasher_init(&hasher, &place.room, needed, NULL, NULL));
    FAILS(ALIGNMENT, fairlane_hasher_init(&hasher, place.room.bytes + 4, needed, "sm3", NULL));
    FAILS(UNKNOWN_ALGORITHM, fairlane_hasher_init(&hasher, &place.room, needed, "md5", NULL));
    FAILS(UNKNOWN_BACKEND, fairlane_hasher_init(&hasher, &place.room, needed, "sm3", "mmx"));
    FAILS(NULL, fairlane_hasher_init_copy(&copy, &place.room, needed, NULL));
    CHECK(copy == NULL && all(place.room.bytes, sizeof place.room, 0xa5));
    OK(fairlane_hasher_init(&hasher, &place.room, needed, "sm3", NULL));
    FAILS(OVERLAP, fairlane_hasher_init_copy(&copy, place.room.bytes + 64, needed, hasher));
    FAILS(OVERLAP, fairlane_hasher_init_copy(&copy, &place.room, needed, hasher));
    FAILS(OVERLAP, fairlane_hasher_init((fairlane_hasher **)(void *)&other.bytes[8], &other, needed, "sm3", NULL));
    memcpy(&other, &place.room, sizeof other);
    FAILS(NOT_MADE, fairlane_hasher_reset((fairlane_hasher *)&other));
    OK(fairlane_hasher_finalize(hasher, output, 32));
    fairlane_hasher_free(hasher);
}

static void bad_hashes(void) {
    uint8_t buffer[256], big[2048];
    fairlane_bytes list[2];
    fairlane_hasher *hasher = NULL;
    char name[200];
    size_t huge = (size_t)-1;
    memset(buffer, 0xa5, sizeof buffer);
    memset(big, 7, sizeof big);
    memset(name, 'a', sizeof name);
    FAILS(UNKNOWN_ALGORITHM, fairlane_hash(name, big, 1, buffer, 32, NULL)); /* no zero in reach: 64 bytes are read */
    FAILS(UNKNOWN_ALGORITHM, fairlane_hash("KECCAK256", big, 1, buffer, 32, NULL));
    FAILS(UNKNOWN_ALGORITHM, fairlane_hash("\xff\xfe", big, 1, buffer, 32, NULL));
    FAILS(UNKNOWN_BACKEND, fairlane_hash("sm3", big, 1, buffer, 32, "mmx"));
    FAILS(UNKNOWN_BACKEND, fairlane_hash("sm3", big, 1, buffer, 32, ""));
    FAILS(UNSUPPORTED_BACKEND, fairlane_hash("sm3", big, 1, buffer, 32, "neon-sha3"));
    FAILS(NULL, fairlane_hash(NULL, big, 1, buffer, 32, NULL));
    FAILS(NULL, fairlane_hash("sm3", NULL, 1, buffer, 32, NULL));
    FAILS(NULL, fairlane_hash("sm3", big, 1, NULL, 32, NULL));
    FAILS(LENGTH, fairlane_hash("sm3", big, huge, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash("sm3", big, huge / 2 + 1, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash("sm3", (const uint8_t *)(huge - 5), 10, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash("shake128", big, 1, buffer, huge, NULL));
    FAILS(LENGTH, fairlane_hash("sm3", NULL, 0, NULL, 0, NULL));
    FAILS(OVERLAP, fairlane_hash("sm3", buffer, 32, buffer, 32, NULL));
    FAILS(OVERLAP, fairlane_hash("sm3", buffer, 33, buffer + 32, 32, NULL));
    FAILS(OVERLAP, fairlane_hash("sm3", buffer + 31, 1, buffer, 32, NULL));
    CHECK(all(buffer, sizeof buffer, 0xa5));
    list[0].bytes = list[1].bytes = big;
    list[0].length = list[1].length = 10;
    FAILS(NULL, fairlane_hash_many("sm3", NULL, 2, buffer, 32, NULL));
    FAILS(NULL, fairlane_hash_many("sm3", list, 2, NULL, 32, NULL));
    FAILS(LENGTH, fairlane_hash_many("sm3", list, huge, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash_many("sm3", list, huge / 16, buffer, 32, NULL));
    FAILS(ALIGNMENT, fairlane_hash_many("sm3", (const fairlane_bytes *)((char *)list + 1), 1, buffer, 32, NULL));
    list[1].bytes = NULL;
    FAILS(NULL, fairlane_hash_many("sm3", list, 2, buffer, 32, NULL));
    list[1].bytes = buffer + 63;
    FAILS(OVERLAP, fairlane_hash_many("sm3", list, 2, buffer, 32, NULL));
    list[1].length = huge;
    FAILS(LENGTH, fairlane_hash_many("sm3", list, 2, buffer, 32, NULL));
    list[1].bytes = big;
    list[1].length = 10;
    FAILS(OVERLAP, fairlane_hash_many("sm3", list, 2, (uint8_t *)list, 32, NULL));
    OK(fairlane_hash_many("sm3", NULL, 0, NULL, 32, NULL));
    FAILS(LENGTH, fairlane_hash_rows("sm3", big, 10, 9, 2, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash_rows("sm3", big, 10, huge, 3, buffer, 32, NULL));
    FAILS(LENGTH, fairlane_hash_rows("sm3", big, huge, huge, 2, buffer, 32, NULL));
    FAILS(OVERLAP, fairlane_hash_rows("sm3", buffer, 1, 100, 2, buffer + 10, 32, NULL));
    FAILS(NULL, fairlane_hash_rows("sm3", NULL, 1, 1, 2, buffer, 32, NULL));
    OK(fairlane_hash_rows("sm3", NULL, 1, 1, 0, NULL, 32, NULL));
    CHECK(all(buffer, sizeof buffer, 0xa5));
    OK(fairlane_hash_rows("sm3", NULL, 0, 0, 2, buffer, 32, NULL));
    CHECK(memcmp(buffer, buffer + 32, 32) == 0);
    FAILS(NULL, fairlane_hasher_new(NULL, "sm3", NULL));
    FAILS(NULL, fairlane_hasher_new(&hasher, NULL, NULL));
    FAILS(UNKNOWN_ALGORITHM, fairlane_hasher_new(&hasher, "md5", NULL));
    FAILS(NULL, fairlane_hasher_update(NULL, big, 1));
    FAILS(ALIGNMENT, fairlane_hasher_update((fairlane_hasher *)(big + 1 + ((uintptr_t)big & 1)), big, 1));
    FAILS(NULL, fairlane_hasher_finalize(NULL, buffer, 32));
    FAILS(NULL, fairlane_hasher_squeeze(NULL, buffer, 32));
    FAILS(NULL, fairlane_hasher_reset(NULL));
    FAILS(NULL, fairlane_hasher_copy(&hasher, NULL));
    CHECK(hasher == NULL);
    fairlane_hasher_free(NULL);
}

static void aead_answers(void) {
    /* RFC 8439, section 2.8.2. */
    static const char *plain = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
                               "future, sunscreen would be it.";
    uint8_t key[32], nonce[12], aad[12], sealed[130], opened[114];
    fairlane_aead *aead;
    size_t length = strlen(plain);
    from_hex(key, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    from_hex(nonce, "070000004041424344454647");
    from_hex(aad, "50515253c0c1c2c3c4c5c6c7");
    CHECK(length == 114);
    OK(fairlane_aead_new(&aead, FAIRLANE_CHACHA20_POLY1305, key_of(key, 32), NULL));
    OK(fairlane_aead_seal(aead, nonce_of(nonce, 12), aad, 12, text(plain), length, sealed, 130));
    CHECK(is_hex(sealed, "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"));
    CHECK(is_hex(sealed + 114, "1ae10b594f09e26a7e902ecbd0600691"));
    OK(fairlane_aead_open(aead, nonce_of(nonce, 12), aad, 12, sealed, 130, opened, 114));
    CHECK(memcmp(opened, plain, 114) == 0);
    fairlane_aead_free(aead);
}

static void aeads(void) {
    uint8_t key[64], nonce[64], plain[100], sealed[200], other[200], tag[64];
    size_t a;
    fill(key, sizeof key, 2);
    fill(nonce, sizeof nonce, 3);
    fill(plain, sizeof plain, 4);
    for (a = 0; fairlane_aead_name(a); a++) {
        const char *name = fairlane_aead_name(a);
        size_t k = fairlane_aead_key_size(name), n = fairlane_aead_nonce_size(name);
        size_t t = fairlane_aead_tag_size(name), s = 100 + t;
        fairlane_nonce right = nonce_of(nonce, n);
        fairlane_aead *aead = NULL, *none = NULL;
        FAILS(LENGTH, fairlane_aead_new(&none, name, key_of(key, k - 1), NULL));
        FAILS(LENGTH, fairlane_aead_new(&none, name, key_of(NULL, 0), NULL));
        FAILS(NULL, fairlane_aead_new(&none, name, key_of(NULL, k), NULL));
        CHECK(none == NULL);
        OK(fairlane_aead_new(&aead, name, key_of(key, k), NULL));
        OK(fairlane_aead_seal(aead, right, nonce, 20, plain, 100, sealed, s));
        OK(fairlane_aead_open(aead, right, nonce, 20, sealed, s, other, 100));
        CHECK(memcmp(other, plain, 100) == 0);
        /* In place, with the tag behind and apart. */
        OK(fairlane_aead_seal(aead, right, nonce, 20, other, 100, other, s));
        CHECK(memcmp(other, sealed, s) == 0);
        OK(fairlane_aead_open(aead, right, nonce, 20, other, s, other, 100));
        CHECK(memcmp(other, plain, 100) == 0);
        OK(fairlane_aead_seal_detached(aead, right, nonce, 20, other, 100, tag, t));
        CHECK(memcmp(other, sealed, 100) == 0 && memcmp(tag, sealed + 100, t) == 0);
        FAILS(LENGTH, fairlane_aead_seal_detached(aead, right, nonce, 20, other, 100, tag, t - 1));
        FAILS(OVERLAP, fairlane_aead_seal_detached(aead, right, nonce, 20, other, 100, other + 99, t));
        tag[0] ^= 1;
        FAILS(AUTHENTICATION, fairlane_aead_open_detached(aead, right, nonce, 20, other, 100, tag, t));
        FAILS(OVERLAP, fairlane_aead_open_detached(aead, right, nonce, 20, other, 100, other + 90, t));
        CHECK(memcmp(other, sealed, 100) == 0);
        tag[0] ^= 1;
        OK(fairlane_aead_open_detached(aead, right, nonce, 20, other, 100, tag, t));
        CHECK(memcmp(other, plain, 100) == 0);
        /* Changed: nothing is written. */
        memset(other, 0xa5, sizeof other);
        sealed[3] ^= 1;
        FAILS(AUTHENTICATION, fairlane_aead_open(aead, right, nonce, 20, sealed, s, other, 100));
        sealed[3] ^= 1;
        FAILS(AUTHENTICATION, fairlane_aead_open(aead, right, nonce, 19, sealed, s, other, 100));
        FAILS(LENGTH, fairlane_aead_open(aead, right, nonce, 20, sealed, s - 1, other, 100));
        FAILS(LENGTH, fairlane_aead_open(aead, right, nonce, 20, sealed, t - 1, other, 0));
        FAILS(LENGTH, fairlane_aead_seal(aead, right, nonce, 20, plain, 100, other, s - 1));
        FAILS(LENGTH, fairlane_aead_seal(aead, nonce_of(nonce, n - 1), nonce, 20, plain, 100, other, s));
        FAILS(LENGTH, fairlane_aead_seal(aead, nonce_of(nonce, 0), nonce, 20, plain, 100, other, s));
        FAILS(NULL, fairlane_aead_seal(aead, nonce_of(NULL, n), nonce, 20, plain, 100, other, s));
        FAILS(NULL, fairlane_aead_seal(aead, right, NULL, 20, plain, 100, other, s));
        FAILS(NULL, fairlane_aead_seal(aead, right, nonce, 20, NULL, 100, other, s));
        FAILS(NULL, fairlane_aead_seal(aead, right, nonce, 20, plain, 100, NULL, s));
        FAILS(NULL, fairlane_aead_seal(NULL, right, nonce, 20, plain, 100, other, s));
        FAILS(OVERLAP, fairlane_aead_seal(aead, right, nonce, 20, other + 1, 100, other, s));
        FAILS(OVERLAP, fairlane_aead_seal(aead, nonce_of(other, n), nonce, 20, plain, 100, other, s));
        FAILS(OVERLAP, fairlane_aead_seal(aead, right, other + s - 1, 20, plain, 100, other, s));
        CHECK(all(other, sizeof other, 0xa5));
        fairlane_aead_free(aead);
    }
    {
        fairlane_aead *aead, *none = NULL;
        OK(fairlane_aead_new(&aead, FAIRLANE_KALYNA128_128_CCM, key_of(key, 16), NULL));
        FAILS(EMPTY, fairlane_aead_seal(aead, nonce_of(nonce, 16), NULL, 0, NULL, 0, sealed, 16));
        fairlane_aead_free(aead);
        FAILS(UNKNOWN_ALGORITHM, fairlane_aead_new(&none, "aes-gcm", key_of(key, 16), NULL));
        FAILS(NULL, fairlane_aead_new(NULL, "sm4-gcm", key_of(key, 16), NULL));
        fairlane_aead_free(NULL);
    }
}

static void ciphers(void) {
    uint8_t key[64], nonce[64], plain[1000], one[1000], two[1000];
    uint64_t position = 99;
    fairlane_cipher *cipher = NULL;
    size_t a;
    fill(key, sizeof key, 2);
    fill(nonce, sizeof nonce, 3);
    fill(plain, sizeof plain, 4);
    for (a = 0; fairlane_cipher_name(a); a++) {
        const char *name = fairlane_cipher_name(a);
        fairlane_key right = key_of(key, fairlane_cipher_key_size(name));
        fairlane_nonce iv = nonce_of(nonce, fairlane_cipher_nonce_size(name));
        OK(fairlane_cipher_new(&cipher, name, right, iv, NULL));
        OK(fairlane_cipher_apply(cipher, plain, one, 1000));
        OK(fairlane_cipher_position(cipher, &position));
        CHECK(position == 1000 && memcmp(plain, one, 1000) != 0);
        OK(fairlane_cipher_seek(cipher, 0));
        memcpy(two, plain, 1000);
        OK(fairlane_cipher_apply(cipher, two, two, 333));
        OK(fairlane_cipher_apply(cipher, two + 333, two + 333, 667));
        CHECK(memcmp(one, two, 1000) == 0);
        FAILS(OVERLAP, fairlane_cipher_apply(cipher, one, one + 1, 900));
        FAILS(NULL, fairlane_cipher_apply(cipher, NULL, one, 900));
        FAILS(NULL, fairlane_cipher_apply(cipher, one, NULL, 900));
        FAILS(NULL, fairlane_cipher_position(cipher, NULL));
        OK(fairlane_cipher_apply(cipher, NULL, NULL, 0));
        CHECK(memcmp(one, two, 1000) == 0);
        fairlane_cipher_free(cipher);
        right.length--;
        FAILS(LENGTH, fairlane_cipher_new(&cipher, name, right, iv, NULL));
        CHECK(cipher == NULL);
        right.length++;
        iv.length++;
        FAILS(LENGTH, fairlane_cipher_new(&cipher, name, right, iv, NULL));
    }
    FAILS(NULL, fairlane_cipher_apply(NULL, plain, one, 1));
    FAILS(NULL, fairlane_cipher_seek(NULL, 1));
    OK(fairlane_cipher_new(&cipher, FAIRLANE_CHACHA20, key_of(key, 32), nonce_of(nonce, 12), NULL));
    FAILS(TOO_LONG, fairlane_cipher_seek(cipher, (uint64_t)1 << 40));
    OK(fairlane_cipher_seek(cipher, ((uint64_t)1 << 38) - 1));
    FAILS(TOO_LONG, fairlane_cipher_apply(cipher, plain, one, 2));
    CHECK(memcmp(one, two, 1000) == 0);
    fairlane_cipher_free(cipher);
    fairlane_cipher_free(NULL);
}

static void block_modes(void) {
    uint8_t key[64], iv[64], plain[4096], one[4096], two[4096];
    fairlane_block_mode *mode = NULL;
    size_t a;
    fill(iv, sizeof iv, 3);
    fill(plain, sizeof plain, 4);
    /* GB/T 32907-2016, example 1; DSTU 7624:2014, annex B. */
    from_hex(key, "0123456789abcdeffedcba9876543210");
    OK(fairlane_block_mode_new(&mode, "sm4-ecb", key_of(key, 16), NULL));
    OK(fairlane_block_mode_encrypt(mode, nonce_of(NULL, 0), key, one, 16));
    CHECK(is_hex(one, "681edf34d206965e86b3e94f536e4246"));
    fairlane_block_mode_free(mode);
    for (a = 0; a < 32; a++) key[a] = (uint8_t)a;
    OK(fairlane_block_mode_new(&mode, "kalyna128-128-ecb", key_of(key, 16), NULL));
    OK(fairlane_block_mode_encrypt(mode, nonce_of(NULL, 0), key + 16, one, 16));
    CHECK(is_hex(one, "81bf1c7d779bac20e1c9ea39b4d2ad06"));
    fairlane_block_mode_free(mode);

    fill(key, sizeof key, 2);
    for (a = 0; fairlane_block_mode_name(a); a++) {
        const char *name = fairlane_block_mode_name(a);
        fairlane_key right = key_of(key, fairlane_block_mode_key_size(name));
        fairlane_nonce nonce = nonce_of(iv, fairlane_block_mode_iv_size(name));
        size_t block = fairlane_block_mode_block_size(name);
        OK(fairlane_block_mode_new(&mode, name, right, NULL));
        OK(fairlane_block_mode_encrypt(mode, nonce, plain, one, 4096));
        memcpy(two, plain, 4096);
        OK(fairlane_block_mode_encrypt(mode, nonce, two, two, 4096));
        CHECK(memcmp(one, two, 4096) == 0 && memcmp(one, plain, 4096) != 0);
        OK(fairlane_block_mode_decrypt(mode, nonce, one, two, 4096));
        CHECK(memcmp(plain, two, 4096) == 0);
        OK(fairlane_block_mode_decrypt(mode, nonce, one, one, 4096));
        CHECK(memcmp(plain, one, 4096) == 0);
        FAILS(LENGTH, fairlane_block_mode_encrypt(mode, nonce, plain, one, block - 1));
        FAILS(OVERLAP, fairlane_block_mode_decrypt(mode, nonce, one, one + block, 2 * block));
        FAILS(NULL, fairlane_block_mode_encrypt(mode, nonce, NULL, one, 128));
        FAILS(NULL, fairlane_block_mode_encrypt(NULL, nonce, plain, one, 128));
        nonce.length++;
        FAILS(LENGTH, fairlane_block_mode_encrypt(mode, nonce, plain, one, 128));
        if (nonce.length > 1) {
            nonce.length--;
            nonce.bytes = one;
            FAILS(OVERLAP, fairlane_block_mode_encrypt(mode, nonce, plain, one, 128));
        }
        CHECK(memcmp(plain, one, 4096) == 0);
        fairlane_block_mode_free(mode);
        right.length--;
        FAILS(LENGTH, fairlane_block_mode_new(&mode, name, right, NULL));
        CHECK(mode == NULL);
    }
    memset(key, 1, 32);
    FAILS(INVALID_KEY, fairlane_block_mode_new(&mode, "sm4-xts", key_of(key, 32), NULL));
    FAILS(UNKNOWN_ALGORITHM, fairlane_block_mode_new(&mode, "sm4-ctr", key_of(key, 16), NULL));
    fairlane_block_mode_free(NULL);
}

static void kems(void) {
    enum { COUNT = 20 };
    static uint8_t ek[2000], dk[4000], bytes[4000], sent[COUNT * 2000], again[2000], seeds[64 * COUNT], m[64 * COUNT];
    static uint8_t shared[32 * COUNT], received[32 * COUNT];
    fairlane_decapsulation_key *own = NULL, *prepared = NULL, *keys[COUNT], *few[2];
    fairlane_encapsulation_key *theirs = NULL, *ready = NULL, *to[COUNT], *few_to[2];
    size_t a, i;
    /* ACVP-Server 1.1.0.40, ML-KEM-768 key generation. */
    from_hex(seeds, "a2b4bca315a6ea4600b4a316e09a2578aa1e8bce919c8df3a96c71c843f5b38b"
                    "d6bf055cb7b375e3271ed131f1ba31f83fef533a239878a71074578b891265d1");
    OK(fairlane_decapsulation_key_from_seeds(&own, "ml-kem-768", seed_of(seeds, 64), NULL));
    OK(fairlane_decapsulation_key_public(own, ek, FAIRLANE_ML_KEM_768_ENCAPSULATION_KEY_SIZE));
    OK(fairlane_decapsulation_key_bytes(own, dk, FAIRLANE_ML_KEM_768_DECAPSULATION_KEY_SIZE));
    OK(fairlane_hash("sha3-256", ek, FAIRLANE_ML_KEM_768_ENCAPSULATION_KEY_SIZE, shared, 32, NULL));
    CHECK(is_hex(shared, "7ca0c2cbbf4fbf28de8c479d4473c339d96b89c34a4e5fcbcf7728bdfb43b945"));
    OK(fairlane_hash("sha3-256", dk, FAIRLANE_ML_KEM_768_DECAPSULATION_KEY_SIZE, shared, 32, NULL));
    CHECK(is_hex(shared, "aeccd54112dbda9b5dabeca6051a06068f09ec719f36cdc59a46e1960f7d3758"));
    fairlane_decapsulation_key_free(own);

    fill(seeds, sizeof seeds, 5);
    fill(m, sizeof m, 6);
    for (a = 0; fairlane_kem_name(a); a++) {
        const char *name = fairlane_kem_name(a);
        size_t e = fairlane_kem_encapsulation_key_size(name), d = fairlane_kem_decapsulation_key_size(name);
        size_t c = fairlane_kem_ciphertext_size(name);
        size_t n = fairlane_kem_seeds_size(name), r = fairlane_kem_randomness_size(name);
        int x_wing = strcmp(name, FAIRLANE_X_WING) == 0;
        OK(fairlane_decapsulation_key_generate(&own, name, NULL));
        OK(fairlane_decapsulation_key_public(own, ek, e));
        OK(fairlane_encapsulation_key_from_bytes(&theirs, name, ek, e, NULL));
        OK(fairlane_encapsulation_key_bytes(theirs, bytes, e));
        CHECK(memcmp(ek, bytes, e) == 0);
        OK(fairlane_encapsulate(theirs, sent, c, shared, 32));
        OK(fairlane_decapsulate(own, sent, c, received, 32));
        CHECK(memcmp(shared, received, 32) == 0);
        OK(fairlane_encapsulate(theirs, again, c, shared, 32));
        CHECK(memcmp(sent, again, c) != 0);
        sent[5] ^= 1;
        OK(fairlane_decapsulate(own, sent, c, shared, 32));
        CHECK(memcmp(shared, received, 32) != 0);
        OK(fairlane_encapsulate_with(theirs, seed_of(m, r), sent, c, shared, 32));
        OK(fairlane_encapsulation_key_prepare(&ready, theirs));
        OK(fairlane_encapsulate_with(ready, seed_of(m, r), again, c, received, 32));
        CHECK(memcmp(sent, again, c) == 0 && memcmp(shared, received, 32) == 0);
        OK(fairlane_decapsulation_key_prepare(&prepared, own));
        memset(received, 0, 32);
        OK(fairlane_decapsulate(prepared, sent, c, received, 32));
        CHECK(memcmp(shared, received, 32) == 0);
        OK(fairlane_decapsulation_key_bytes(own, dk, d));
        fairlane_decapsulation_key_free(prepared);
        OK(fairlane_decapsulation_key_from_bytes(&prepared, name, key_of(dk, d), NULL));
        memset(received, 0, 32);
        OK(fairlane_decapsulate(prepared, sent, c, received, 32));
        CHECK(memcmp(shared, received, 32) == 0);

        /* Batches. */
        memset(keys, 0, sizeof keys);
        FAILS(LENGTH, fairlane_generate_many(name, keys, COUNT, seed_of(seeds, n * COUNT - 1), NULL));
        FAILS(OVERLAP, fairlane_generate_many(name, keys, COUNT, seed_of((uint8_t *)keys, n * COUNT), NULL));
        FAILS(NULL, fairlane_generate_many(name, NULL, COUNT, seed_of(seeds, n * COUNT), NULL));
        CHECK(all((uint8_t *)keys, sizeof keys, 0));
        OK(fairlane_generate_many(name, keys, COUNT, seed_of(seeds, n * COUNT), NULL));
        for (i = 0; i < COUNT; i++) {
            OK(fairlane_decapsulation_key_public(keys[i], ek, e));
            OK(fairlane_encapsulation_key_from_bytes(&to[i], name, ek, e, NULL));
        }
        OK(fairlane_encapsulate_many(name, to, COUNT, seed_of(m, r * COUNT), sent, c * COUNT, shared, 32 * COUNT));
        OK(fairlane_encapsulate_with(to[9], seed_of(m + 9 * r, r), again, c, received, 32));
        CHECK(memcmp(again, sent + 9 * c, c) == 0 && memcmp(received, shared + 9 * 32, 32) == 0);
        OK(fairlane_decapsulate_many(name, keys, COUNT, sent, c * COUNT, received, 32 * COUNT));
        CHECK(memcmp(shared, received, sizeof shared) == 0);
        memset(received, 0xa5, sizeof received);
        FAILS(LENGTH, fairlane_decapsulate_many(name, keys, COUNT, sent, c * COUNT - 1, received, 32 * COUNT));
        FAILS(LENGTH, fairlane_decapsulate_many(name, keys, COUNT - 1, sent, c * COUNT, received, 32 * COUNT));
        FAILS(OVERLAP, fairlane_decapsulate_many(name, keys, 2, received, c * 2, received, 64));
        FAILS(OTHER_ALGORITHM, fairlane_decapsulate_many(a ? "ml-kem-768" : "ml-kem-512", keys, 2, sent,
                                                         2 * (a ? 1088 : 768), received, 64));
        CHECK(all(received, sizeof received, 0xa5));
        /* Lengths are checked before the list is read, which may have fewer keys than `count` says. */
        few[0] = keys[0];
        few_to[0] = to[0];
        few[1] = (fairlane_decapsulation_key *)(void *)((char *)keys[0] + 1);
        few_to[1] = (fairlane_encapsulation_key *)(void *)((char *)to[0] + 1);
        FAILS(LENGTH, fairlane_decapsulate_many(name, few, 2, sent, c, received, 32));
        FAILS(LENGTH, fairlane_encapsulate_many(name, few_to, 2, seed_of(m, r), sent, c, received, 32));
        fairlane_decapsulation_key_free(keys[3]);
        keys[3] = NULL;
        FAILS(NULL, fairlane_decapsulate_many(name, keys, COUNT, sent, c * COUNT, received, 32 * COUNT));
        for (i = 0; i < COUNT; i++) {
            fairlane_decapsulation_key_free(keys[i]);
            fairlane_encapsulation_key_free(to[i]);
        }

        /* Bad calls. */
        FAILS(LENGTH, fairlane_decapsulate(own, sent, c - 1, received, 32));
        FAILS(LENGTH, fairlane_decapsulate(own, sent, c, received, 31));
        FAILS(NULL, fairlane_decapsulate(own, NULL, c, received, 32));
        FAILS(NULL, fairlane_decapsulate(NULL, sent, c, received, 32));
        FAILS(OVERLAP, fairlane_decapsulate(own, received, c, received, 32));
        FAILS(LENGTH, fairlane_encapsulate(theirs, sent, c + 1, received, 32));
        FAILS(OVERLAP, fairlane_encapsulate(theirs, sent, c, sent + c - 1, 32));
        FAILS(LENGTH, fairlane_encapsulate_with(theirs, seed_of(m, r - 1), sent, c, received, 32));
        FAILS(OVERLAP, fairlane_encapsulate_with(theirs, seed_of(received, r), sent, c, received, 32));
        CHECK(all(received, sizeof received, 0xa5));
        fairlane_encapsulation_key_free(ready);
        fairlane_decapsulation_key_free(prepared);
        fairlane_encapsulation_key_free(theirs);
        fairlane_decapsulation_key_free(own);
        FAILS(LENGTH, fairlane_decapsulation_key_from_bytes(&own, name, key_of(dk, d - 1), NULL));
        CHECK(own == NULL);
        /* Any 32 bytes are a key of X-Wing. */
        if (!x_wing) {
            dk[d - 33] ^= 1;
            FAILS(INVALID_KEY, fairlane_decapsulation_key_from_bytes(&own, name, key_of(dk, d), NULL));
        }
        FAILS(LENGTH, fairlane_decapsulation_key_from_seeds(&own, name, seed_of(seeds, n - 1), NULL));
        FAILS(LENGTH, fairlane_encapsulation_key_from_bytes(&theirs, name, ek, e - 1, NULL));
        memset(ek, 0xff, 10);
        FAILS(INVALID_KEY, fairlane_encapsulation_key_from_bytes(&theirs, name, ek, e, NULL));
        CHECK(theirs == NULL);
    }
    memset(bytes, 0, 64);
    OK(fairlane_random(bytes, 64));
    CHECK(!all(bytes, 64, 0));
    FAILS(NULL, fairlane_random(NULL, 1));
    FAILS(UNKNOWN_ALGORITHM, fairlane_decapsulation_key_generate(&own, "x25519", NULL));
}

/* What holds of every kind of object with a key in room of the caller's: `INIT(place, room, length)` makes one of
 * algorithm `NAME`, whose key lies in KEY, and USE(object) is a call that it allows. */
#define IN_ROOM(kind, NAME, INIT, USE, KEY)                                                                            \
    do {                                                                                                               \
        struct {                                                                                                       \
            char before;                                                                                               \
            fairlane_##kind##_room room;                                                                               \
            uint8_t behind[64];                                                                                        \
        } place;                                                                                                       \
        fairlane_##kind##_room other;                                                                                  \
        fairlane_##kind *object = (fairlane_##kind *)&other, *in_room = (fairlane_##kind *)&place.room;                \
        size_t needed = fairlane_##kind##_size(NAME);                                                                  \
        CHECK(needed > 40 && needed <= sizeof place.room && fairlane_##kind##_size("none") == 0);                      \
        memset(&place, 0xa5, sizeof place);                                                                            \
        FAILS(LENGTH, INIT(&object, &place.room, needed - 1));                                                         \
        CHECK(object == NULL);                                                                                         \
        FAILS(LENGTH, INIT(&object, &place.room, (size_t)-1));                                                         \
        FAILS(NULL, INIT(&object, NULL, needed));                                                                      \
        FAILS(NULL, INIT(NULL, &place.room, needed));                                                                  \
        FAILS(ALIGNMENT, INIT(&object, place.room.bytes + 4, needed));                                                 \
        FAILS(OVERLAP, INIT((fairlane_##kind **)(void *)&place.room.bytes[8], &place.room, needed));                   \
        memset(place.room.bytes + 8, 0xa5, 8);                                                                         \
        CHECK(all(place.room.bytes, sizeof place.room, 0xa5));                                                         \
        FAILS(NOT_MADE, USE(in_room));                                                                                 \
        OK(INIT(&object, &place.room, needed));                                                                        \
        CHECK(object == in_room);                                                                                      \
        OK(USE(object));                                                                                               \
        memcpy(&other, &place.room, sizeof other);                                                                     \
        FAILS(NOT_MADE, USE((fairlane_##kind *)&other));                                                               \
        fairlane_##kind##_free((fairlane_##kind *)&other);                                                             \
        OK(USE(object));                                                                                               \
        fairlane_##kind##_free(object);                                                                                \
        CHECK(all(place.room.bytes, needed, 0) && all(place.behind, sizeof place.behind, 0xa5));                       \
        CHECK(all(place.room.bytes + needed, sizeof place.room - needed, 0xa5));                                       \
        FAILS(NOT_MADE, USE(object));                                                                                  \
        fairlane_##kind##_free(object);                                                                                \
        memcpy(other.bytes + 200, KEY.bytes, KEY.length);                                                              \
        KEY.bytes = other.bytes + 200;                                                                                 \
        FAILS(OVERLAP, INIT(&object, &other, sizeof other));                                                           \
        KEY.length--;                                                                                                  \
        FAILS(LENGTH, INIT(&object, &place.room, sizeof place.room));                                                  \
        CHECK(object == NULL);                                                                                         \
    } while (0)

static void keyed_in_room(void) {
    uint8_t bytes[64], nonce_bytes[64], plain[256], one[400], two[400];
    size_t a, sum = 0;
    fill(bytes, sizeof bytes, 2);
    fill(nonce_bytes, sizeof nonce_bytes, 3);
    fill(plain, sizeof plain, 4);
    for (a = 0; fairlane_aead_name(a); a++) {
        const char *name = fairlane_aead_name(a);
        size_t s = 256 + fairlane_aead_tag_size(name);
        fairlane_key key = key_of(bytes, fairlane_aead_key_size(name));
        fairlane_nonce nonce = nonce_of(nonce_bytes, fairlane_aead_nonce_size(name));
        fairlane_aead *aead;
        OK(fairlane_aead_new(&aead, name, key, NULL));
        OK(fairlane_aead_seal(aead, nonce, NULL, 0, plain, 256, one, s));
        fairlane_aead_free(aead);
#define INIT(place, room, length) fairlane_aead_init(place, room, length, name, key, NULL)
#define USE(aead) fairlane_aead_seal(aead, nonce, NULL, 0, plain, 256, two, s)
        IN_ROOM(aead, name, INIT, USE, key);
#undef INIT
#undef USE
        CHECK(memcmp(one, two, s) == 0);
        sum += fairlane_aead_size(name);
    }
    CHECK(sum < a * FAIRLANE_AEAD_SIZE);
    for (a = 0; fairlane_cipher_name(a); a++) {
        const char *name = fairlane_cipher_name(a);
        fairlane_key key = key_of(bytes, fairlane_cipher_key_size(name));
        fairlane_nonce nonce = nonce_of(nonce_bytes, fairlane_cipher_nonce_size(name));
        fairlane_cipher *cipher;
        OK(fairlane_cipher_new(&cipher, name, key, nonce, NULL));
        OK(fairlane_cipher_apply(cipher, plain, one, 256));
        OK(fairlane_cipher_apply(cipher, plain, one, 256));
        fairlane_cipher_free(cipher);
#define INIT(place, room, length) fairlane_cipher_init(place, room, length, name, key, nonce, NULL)
#define USE(cipher) fairlane_cipher_apply(cipher, plain, two, 256)
        IN_ROOM(cipher, name, INIT, USE, key);
#undef INIT
#undef USE
        CHECK(memcmp(one, two, 256) == 0);
    }
    for (a = 0; fairlane_block_mode_name(a); a++) {
        const char *name = fairlane_block_mode_name(a);
        fairlane_key key = key_of(bytes, fairlane_block_mode_key_size(name));
        fairlane_nonce iv = nonce_of(nonce_bytes, fairlane_block_mode_iv_size(name));
        fairlane_block_mode *mode;
        OK(fairlane_block_mode_new(&mode, name, key, NULL));
        OK(fairlane_block_mode_encrypt(mode, iv, plain, one, 256));
        fairlane_block_mode_free(mode);
#define INIT(place, room, length) fairlane_block_mode_init(place, room, length, name, key, NULL)
#define USE(mode) fairlane_block_mode_encrypt(mode, iv, plain, two, 256)
        IN_ROOM(block_mode, name, INIT, USE, key);
#undef INIT
#undef USE
        CHECK(memcmp(one, two, 256) == 0);
    }
}

/* The place of an object overlaps nothing that the object is made of, nor an output the object's room. */
static void objects_apart(void) {
    union {
        uint8_t bytes[1184];
        uint64_t alignment;
    } in, before;
    fairlane_hasher_room hasher_room;
    fairlane_aead_room aead_room;
    fairlane_cipher_room cipher_room;
    fairlane_block_mode_room mode_room;
    fairlane_hasher *hasher, *other;
    fairlane_aead *aead;
    fairlane_cipher *cipher;
    fairlane_block_mode *mode;
    fairlane_decapsulation_key *own;
    uint8_t one[200], two[200], plain[64];
    fairlane_nonce nonce = nonce_of(plain, 12);
    size_t i;
    fill(plain, sizeof plain, 4);
    fill(in.bytes, sizeof in.bytes, 5);
    OK(fairlane_decapsulation_key_generate(&own, "ml-kem-768", NULL));
    OK(fairlane_decapsulation_key_public(own, in.bytes, 1184));
    memcpy(&before, &in, sizeof in);
    for (i = 0; i < 32; i += 8) {
        void *place = in.bytes + i;
        FAILS(OVERLAP, fairlane_aead_new((fairlane_aead **)place, "chacha20-poly1305", key_of(in.bytes, 32), NULL));
        FAILS(OVERLAP, fairlane_aead_init((fairlane_aead **)place, &aead_room, sizeof aead_room, "chacha20-poly1305",
                                          key_of(in.bytes, 32), NULL));
        FAILS(OVERLAP, fairlane_cipher_new((fairlane_cipher **)place, "chacha20", key_of(in.bytes, 32), nonce, NULL));
        FAILS(OVERLAP, fairlane_cipher_new((fairlane_cipher **)place, "chacha20", key_of(plain, 32),
                                           nonce_of(in.bytes + i, 12), NULL));
        FAILS(OVERLAP, fairlane_block_mode_new((fairlane_block_mode **)place, "sm4-xts", key_of(in.bytes, 32), NULL));
        FAILS(OVERLAP, fairlane_decapsulation_key_from_seeds((fairlane_decapsulation_key **)place, "ml-kem-768",
                                                             seed_of(in.bytes, 64), NULL));
        FAILS(OVERLAP, fairlane_decapsulation_key_from_bytes((fairlane_decapsulation_key **)place, "x-wing",
                                                             key_of(in.bytes, 32), NULL));
        FAILS(OVERLAP, fairlane_encapsulation_key_from_bytes((fairlane_encapsulation_key **)place, "ml-kem-768",
                                                             in.bytes, 1184, NULL));
        CHECK(memcmp(&before, &in, sizeof in) == 0);
    }
    FAILS(OVERLAP, fairlane_decapsulation_key_prepare((fairlane_decapsulation_key **)(void *)own, own));
    OK(fairlane_decapsulation_key_public(own, in.bytes, 1184));
    CHECK(memcmp(&before, &in, sizeof in) == 0);

    OK(fairlane_hasher_init(&hasher, &hasher_room, sizeof hasher_room, "sha3-256", NULL));
    OK(fairlane_hasher_update(hasher, plain, 64));
    OK(fairlane_aead_init(&aead, &aead_room, sizeof aead_room, "sm4-gcm", key_of(plain, 16), NULL));
    OK(fairlane_aead_seal(aead, nonce, NULL, 0, plain, 0, two, 16));
    OK(fairlane_cipher_init(&cipher, &cipher_room, sizeof cipher_room, "chacha20", key_of(plain, 32), nonce, NULL));
    OK(fairlane_block_mode_init(&mode, &mode_room, sizeof mode_room, "sm4-ecb", key_of(plain, 16), NULL));
    for (i = 0; i < 40; i += 8) {
        uint8_t *room = aead_room.bytes + i;
        FAILS(OVERLAP, fairlane_hasher_copy((fairlane_hasher **)(void *)(hasher_room.bytes + i), hasher));
        FAILS(OVERLAP, fairlane_hasher_update(hasher, hasher_room.bytes + i, 8));
        FAILS(OVERLAP, fairlane_hasher_finalize(hasher, hasher_room.bytes + i, 32));
        FAILS(OVERLAP, fairlane_hasher_squeeze(hasher, hasher_room.bytes + i, 8));
        FAILS(OVERLAP, fairlane_aead_seal(aead, nonce, NULL, 0, NULL, 0, room, 16));
        FAILS(OVERLAP, fairlane_aead_open(aead, nonce, NULL, 0, one, 24, room, 8));
        FAILS(OVERLAP, fairlane_aead_seal_detached(aead, nonce, NULL, 0, room, 8, one, 16));
        FAILS(OVERLAP, fairlane_aead_seal_detached(aead, nonce, NULL, 0, one, 8, room, 16));
        FAILS(OVERLAP, fairlane_aead_open_detached(aead, nonce, NULL, 0, room, 8, two, 16));
        FAILS(OVERLAP, fairlane_cipher_apply(cipher, plain, cipher_room.bytes + i, 8));
        FAILS(OVERLAP, fairlane_cipher_apply(cipher, cipher_room.bytes + i, one, 8));
        FAILS(OVERLAP, fairlane_cipher_position(cipher, (uint64_t *)(void *)(cipher_room.bytes + i)));
        FAILS(OVERLAP, fairlane_block_mode_encrypt(mode, nonce_of(NULL, 0), plain, mode_room.bytes + i, 16));
        FAILS(OVERLAP, fairlane_block_mode_decrypt(mode, nonce_of(NULL, 0), plain, mode_room.bytes + i, 16));
    }
    OK(fairlane_hasher_finalize(hasher, one, 32));
    OK(fairlane_hash("sha3-256", plain, 64, two, 32, NULL));
    CHECK(memcmp(one, two, 32) == 0);
    OK(fairlane_cipher_apply(cipher, plain, one, 64));
    OK(fairlane_block_mode_encrypt(mode, nonce_of(NULL, 0), plain, one, 64));
    OK(fairlane_aead_seal(aead, nonce, NULL, 0, plain, 64, one, 80));

    /* An object of another kind. */
    OK(fairlane_hasher_new(&other, "sm3", NULL));
    FAILS(NOT_MADE, fairlane_hasher_reset((fairlane_hasher *)(void *)own));
    FAILS(NOT_MADE, fairlane_aead_seal((fairlane_aead *)(void *)mode, nonce, NULL, 0, plain, 64, one, 80));
    FAILS(NOT_MADE, fairlane_cipher_apply((fairlane_cipher *)(void *)aead, plain, one, 64));
    FAILS(NOT_MADE, fairlane_block_mode_encrypt((fairlane_block_mode *)(void *)cipher, nonce_of(NULL, 0), plain, one,
                                                64));
    FAILS(NOT_MADE, fairlane_decapsulation_key_public((fairlane_decapsulation_key *)(void *)other, in.bytes, 1184));
    FAILS(NOT_MADE, fairlane_encapsulation_key_bytes((fairlane_encapsulation_key *)(void *)own, in.bytes, 1184));
    fairlane_aead_free((fairlane_aead *)(void *)cipher);
    fairlane_encapsulation_key_free((fairlane_encapsulation_key *)(void *)own);
    OK(fairlane_cipher_apply(cipher, plain, one, 64));
    OK(fairlane_decapsulation_key_public(own, in.bytes, 1184));
    fairlane_hasher_free(other);
    fairlane_hasher_free(hasher);
    fairlane_aead_free(aead);
    fairlane_cipher_free(cipher);
    fairlane_block_mode_free(mode);
    fairlane_decapsulation_key_free(own);
}

int main(void) {
    lists();
    hash_answers();
    hash_shapes();
    hashes_in_room();
    bad_hashes();
    aead_answers();
    aeads();
    ciphers();
    block_modes();
    keyed_in_room();
    kems();
    objects_apart();
    printf("%d passed, %d failed\n", checks - failures, failures);
    return failures != 0;
}
