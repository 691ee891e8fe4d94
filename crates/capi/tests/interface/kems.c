/* KEMs: known answers, every one in a round trip and in batches, and bad calls; random bytes. */
#include "check.h"

void kems(void) {
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
