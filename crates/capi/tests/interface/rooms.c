/* Objects in room of the caller's: they are like those of the heap, and leave nothing there. */
#include "check.h"

/* A hasher in the caller's room is like one of the heap, and leaves nothing there. */
void hashes_in_room(void) {
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

void keyed_in_room(void) {
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
