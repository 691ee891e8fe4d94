/* Objects: what their places and rooms may not overlap, and calls with an object of another kind. */
#include "check.h"

/* The place of an object overlaps nothing that the object is made of, nor an output the object's room. */
void objects_apart(void) {
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
