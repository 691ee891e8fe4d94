/* cc example.c $(pkg-config --cflags --libs fairlane) && ./a.out */
#include <fairlane.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(fairlane_status status) {
    if (status == FAIRLANE_OK) return;
    fprintf(stderr, "fairlane: %s\n", fairlane_status_message(status));
    exit(1);
}

static void print(const char *what, const uint8_t *bytes, size_t length) {
    printf("%s: ", what);
    for (size_t i = 0; i < length; i++) printf("%02x", bytes[i]);
    putchar('\n');
}

int main(void) {
    uint8_t digest[FAIRLANE_KECCAK256_SIZE];
    must(fairlane_hash(FAIRLANE_KECCAK256, (const uint8_t *)"abc", 3, digest, sizeof digest, NULL));
    print("keccak256 of abc", digest, sizeof digest);

    /* A thousand rows of 32 bytes: the row's number, little-endian. */
    static uint8_t rows[1000][32], digests[1000][FAIRLANE_KECCAK256_SIZE];
    for (size_t i = 0; i < 1000; i++) {
        rows[i][0] = (uint8_t)(i & 0xff);
        rows[i][1] = (uint8_t)(i >> 8);
    }
    must(fairlane_hash_rows(FAIRLANE_KECCAK256, rows[0], 32, 32, 1000, digests[0], FAIRLANE_KECCAK256_SIZE, NULL));
    must(fairlane_hash(FAIRLANE_KECCAK256, digests[0], sizeof digests, digest, sizeof digest, NULL));
    print("keccak256 of 1000 hashes", digest, sizeof digest);

    /* A real key is random and secret, and a nonce is used once. */
    uint8_t key[FAIRLANE_XCHACHA20_POLY1305_KEY_SIZE], nonce[FAIRLANE_XCHACHA20_POLY1305_NONCE_SIZE];
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof nonce; i++) nonce[i] = (uint8_t)i;
    const uint8_t message[] = {'a', ' ', 'm', 'e', 's', 's', 'a', 'g', 'e'};
    uint8_t sealed[sizeof message + FAIRLANE_XCHACHA20_POLY1305_TAG_SIZE], opened[sizeof message];
    fairlane_aead *aead;
    must(fairlane_aead_new(&aead, FAIRLANE_XCHACHA20_POLY1305, (fairlane_key){key, sizeof key}, NULL));
    fairlane_nonce once = {nonce, sizeof nonce};
    must(fairlane_aead_seal(aead, once, NULL, 0, message, sizeof message, sealed, sizeof sealed));
    must(fairlane_aead_open(aead, once, NULL, 0, sealed, sizeof sealed, opened, sizeof opened));
    fairlane_aead_free(aead);
    print("sealed", sealed, sizeof sealed);
    return memcmp(opened, message, sizeof message) != 0;
}
