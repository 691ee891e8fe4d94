/* AEADs: known answers, every one in a round trip, and bad calls. */
#include "check.h"

void aead_answers(void) {
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

void aeads(void) {
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
