/* Stream ciphers and block modes: known answers, every one in a round trip, and bad calls. */
#include "check.h"

void ciphers(void) {
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

void block_modes(void) {
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
