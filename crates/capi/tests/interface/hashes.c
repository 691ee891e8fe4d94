/* Hashes: known answers, every hash in several shapes, and bad calls. */
#include "check.h"

void hash_answers(void) {
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
void hash_shapes(void) {
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

void bad_hashes(void) {
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
