/* Contexts of the provider in orders that programs seldom choose: beside OpenSSL's own, wherever it has the algorithm,
 * and what a call that fails must leave alone. Takes the folder of the provider; exits with 1 on a difference. */
#define _GNU_SOURCE
#include "check.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const unsigned char keys[2][64] = {{1, 2, 3}, {3, 2, 1}}, ivs[2][64] = {{4, 5, 6}, {6, 5, 4}};
static unsigned char message[1000];
static long checked;

#ifdef __GLIBC__
/* While `watching`, whether memory was freed that held `secret`. */
static unsigned char secret[16];
static int watching, leaked;

void __libc_free(void *);

/* In place of that of glibc. */
void free(void *pointer) {
    if (watching && pointer && memmem(pointer, malloc_usable_size(pointer), secret, sizeof secret)) leaked = 1;
    __libc_free(pointer);
}
#endif

/* fairlane's, and OpenSSL's; the latter is NULL where there is none. */
static EVP_CIPHER *fetched(int theirs, const char *name) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, theirs ? "provider=default" : "provider=fairlane");
    CHECK(cipher || theirs);
    return cipher;
}

/* A context in the middle of nothing, with the cipher, and a key and an IV unless they are NULL. */
static EVP_CIPHER_CTX *begun(EVP_CIPHER *cipher, int encrypt, const unsigned char *key, const unsigned char *iv) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, encrypt, NULL));
    return context;
}

/* An update that fails and writes nothing. */
static void refused(EVP_CIPHER_CTX *context, const unsigned char *in, int length) {
    unsigned char out[200], before[200];
    int now;
    memset(out, 0xAA, sizeof out);
    memcpy(before, out, sizeof out);
    CHECK(!EVP_CipherUpdate(context, out, &now, in, length));
    CHECK(!memcmp(out, before, sizeof out));
    checked++;
}

static void failed_updates(const char *name) {
    EVP_CIPHER *cipher = fetched(0, name);
    for (int encrypt = 0; encrypt < 2; encrypt++) {
        unsigned char out[100];
        int now;
        EVP_CIPHER_CTX *context = begun(cipher, encrypt, NULL, NULL);
        refused(context, message, 100);
        CHECK(EVP_CipherInit_ex2(context, NULL, keys[0], NULL, encrypt, NULL));
        refused(context, message, 100);
        CHECK(EVP_CipherInit_ex2(context, NULL, NULL, ivs[0], encrypt, NULL));
        CHECK(EVP_CipherUpdate(context, out, &now, message, 100));
        /* Of no bytes, an update changes nothing; associated data come first. */
        CHECK(EVP_CipherUpdate(context, NULL, &now, message, 0) == 1 && now == 0);
        CHECK(!EVP_CipherUpdate(context, NULL, &now, message, 1));
        CHECK(EVP_CipherFinal_ex(context, out, &now) == encrypt);
        refused(context, message, 100);
        EVP_CIPHER_CTX_free(context);
    }
    EVP_CIPHER_free(cipher);
}

#ifdef __GLIBC__
/* What masks the tag of SM4-GCM is erased before its memory is freed. */
static void erased(void) {
    static const unsigned char counter[16] = {4, 5, 6, [15] = 1};
    unsigned char out[100], tag[16];
    int now;
    EVP_CIPHER *block = fetched(1, "SM4-ECB"), *cipher = fetched(0, "SM4-GCM");
    EVP_CIPHER_CTX *context = begun(block, 1, keys[0], NULL);
    CHECK(EVP_Cipher(context, secret, counter, 16) == 16);
    EVP_CIPHER_CTX_free(context);
    for (int messages = 0; messages < 3; messages++) {
        context = begun(cipher, 1, keys[0], ivs[0]);
        watching = 1;
        if (messages) CHECK(EVP_EncryptUpdate(context, out, &now, message, 100));
        /* Ended, or left in the middle. */
        if (messages > 1) CHECK(EVP_EncryptFinal_ex(context, out, &now));
        if (messages > 1) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
        EVP_CIPHER_CTX_free(context);
        watching = 0;
        CHECK(!leaked);
        checked++;
    }
    EVP_CIPHER_free(block);
    EVP_CIPHER_free(cipher);
}
#endif

/* A context that has encrypted decrypts, with a tag that comes with the call. */
static void turned(const char *name) {
    for (int theirs = 0; theirs < 2; theirs++) {
        EVP_CIPHER *cipher = fetched(theirs, name);
        if (!cipher) return;
        EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], ivs[0]);
        unsigned char sealed[50], opened[50], tag[16];
        OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16),
                               OSSL_PARAM_construct_end()};
        int now;
        CHECK(EVP_EncryptUpdate(context, sealed, &now, message, 50) && EVP_EncryptFinal_ex(context, sealed, &now));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
        CHECK(EVP_DecryptInit_ex2(context, NULL, NULL, ivs[0], params));
        CHECK(EVP_DecryptUpdate(context, opened, &now, sealed, 50) && EVP_DecryptFinal_ex(context, opened, &now));
        CHECK(!memcmp(opened, message, 50));
        EVP_CIPHER_CTX_free(context);
        EVP_CIPHER_free(cipher);
        checked++;
    }
}

/* A key without an IV, or neither, after so many bytes: the keystream goes on, and does not begin again. */
static void counted_on(const char *name) {
    for (int length = 0; length <= 200; length++)
        for (int key = -1; key < 2; key++) {
            /* With a key, OpenSSL's ChaCha20 repeats a block that has begun, before 4.0. */
            if (key >= 0 && length % 64 && !strcmp(name, "ChaCha20") && OPENSSL_version_major() < 4) continue;
            unsigned char out[2][300];
            for (int theirs = 0; theirs < 2; theirs++) {
                EVP_CIPHER *cipher = fetched(theirs, name);
                EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], ivs[0]);
                int now;
                CHECK(EVP_EncryptUpdate(context, out[theirs], &now, message, length));
                CHECK(EVP_EncryptInit_ex2(context, NULL, key < 0 ? NULL : keys[key], NULL, NULL));
                CHECK(EVP_EncryptUpdate(context, out[theirs] + length, &now, message, 100));
                EVP_CIPHER_CTX_free(context);
                EVP_CIPHER_free(cipher);
            }
            CHECK(!memcmp(out[0], out[1], (size_t)length + 100));
            checked++;
        }
}

/* Of Kalyna no IV continues the keystream: a key needs another one. */
static void not_counted_on(void) {
    EVP_CIPHER *cipher = fetched(0, "Kalyna128-128-CTR");
    EVP_CIPHER_CTX *context = begun(cipher, 1, NULL, ivs[0]);
    unsigned char out[20];
    int now;
    CHECK(EVP_EncryptInit_ex2(context, NULL, keys[1], NULL, NULL));
    CHECK(EVP_EncryptInit_ex2(context, NULL, keys[0], NULL, NULL));
    CHECK(EVP_EncryptUpdate(context, out, &now, message, 20));
    CHECK(EVP_EncryptInit_ex2(context, NULL, keys[0], NULL, NULL));
    refused(context, message, 20);
    CHECK(!EVP_CIPHER_CTX_get_original_iv(context, out, 16));
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

/* ChaCha20 where the number of the block has no more than 32 bits, in two pieces, and from the IV that is told. */
static void numbers_end(void) {
    static const unsigned char nearly[2][16] = {{0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 9},
                                                {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 9}};
    EVP_CIPHER *ours = fetched(0, "ChaCha20"), *theirs = fetched(1, "ChaCha20");
    for (int i = 0; i < 2; i++)
        for (int first = 0; first <= 300; first++) {
            unsigned char a[300], b[300], iv[16];
            int now, told = (first + 63) / 64 * 64;
            EVP_CIPHER_CTX *context = begun(theirs, 1, keys[0], nearly[i]);
            CHECK(EVP_EncryptUpdate(context, b, &now, message, 300));
            EVP_CIPHER_CTX_free(context);
            context = begun(ours, 1, keys[0], nearly[i]);
            CHECK(EVP_EncryptUpdate(context, a, &now, message, first));
            CHECK(EVP_CIPHER_CTX_get_updated_iv(context, iv, 16));
            memcpy(a + first, message + first, 300 - (size_t)first);
            CHECK(EVP_EncryptUpdate(context, a + first, &now, a + first, 300 - first));
            CHECK(!memcmp(a, b, 300));
            EVP_CIPHER_CTX_free(context);
            context = begun(ours, 1, keys[0], iv);
            if (told < 300) CHECK(EVP_EncryptUpdate(context, a, &now, message + told, 300 - told));
            CHECK(told >= 300 || !memcmp(a, b + told, 300 - (size_t)told));
            EVP_CIPHER_CTX_free(context);
            checked++;
        }
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

/* Pointers to the IV lead to bytes of the context as long as it lives. */
static void told_ivs(const char *name) {
    EVP_CIPHER *cipher = fetched(0, name);
    EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], NULL);
    unsigned char out[100], iv[16];
    int now;
    void *first = NULL;
    CHECK(!EVP_CIPHER_CTX_get_original_iv(context, iv, sizeof iv));
    CHECK(EVP_EncryptInit_ex2(context, NULL, NULL, ivs[0], NULL));
    for (int i = 0; i < 20; i++) {
        void *pointer = NULL;
        OSSL_PARAM asked[] = {OSSL_PARAM_construct_octet_ptr("updated-iv", &pointer, 16), OSSL_PARAM_construct_end()};
        CHECK(EVP_CIPHER_CTX_get_params(context, asked) && pointer && (!first || first == pointer));
        CHECK(EVP_CIPHER_CTX_get_updated_iv(context, iv, sizeof iv));
        CHECK(!memcmp(pointer, iv, (size_t)EVP_CIPHER_CTX_get_iv_length(context)));
        CHECK(EVP_EncryptUpdate(context, out, &now, message, 80));
        first = pointer;
        checked++;
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

/* EVP_Cipher neither keeps bytes nor pads. */
static void in_one_call(const char *name) {
    unsigned char out[2][2][48], kept[48];
    for (int theirs = 0; theirs < 2; theirs++)
        for (int encrypt = 0; encrypt < 2; encrypt++) {
            EVP_CIPHER *cipher = fetched(theirs, name);
            EVP_CIPHER_CTX *context = begun(cipher, encrypt, keys[0], ivs[0]);
            unsigned char *to = out[theirs][encrypt];
            CHECK(EVP_Cipher(context, to, message, 32) == 32);
            CHECK(EVP_Cipher(context, to + 32, message + 32, 16) == 16);
            memcpy(kept, to, 48);
            if (!theirs) CHECK(EVP_Cipher(context, to, message, 20) <= 0 && !memcmp(to, kept, 48));
            EVP_CIPHER_CTX_free(context);
            EVP_CIPHER_free(cipher);
        }
    CHECK(!memcmp(out[0], out[1], sizeof out[0]));
    checked++;
}

/* Pieces for which no output is due, with nowhere to put it; a buffer as long as the message; padding that is turned
 * off when the last block has come. */
static void blocks(const char *name) {
    unsigned char sealed[2][32], opened[2][40];
    for (int theirs = 0; theirs < 2; theirs++) {
        EVP_CIPHER *cipher = fetched(theirs, name);
        EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], ivs[0]);
        int now, end;
        CHECK(EVP_EncryptUpdate(context, NULL, &now, message, 5) && now == 0);
        CHECK(EVP_EncryptUpdate(context, sealed[theirs], &now, message + 5, 15) && now == 16);
        CHECK( EVP_EncryptFinal_ex(context, sealed[theirs] + 16, &now) && now == 16);
        for (int padding = 0; padding < 2; padding++) {
            unsigned char *to = opened[theirs];
            memset(to, 0xAA, 40);
            CHECK(EVP_DecryptInit_ex2(context, cipher, keys[0], ivs[0], NULL));
            EVP_CIPHER_CTX_set_padding(context, 1);
            CHECK(EVP_DecryptUpdate(context, to, &now, sealed[theirs], 32) && now == 16);
            EVP_CIPHER_CTX_set_padding(context, padding);
            CHECK(EVP_DecryptFinal_ex(context, to + now, &end) && now + end == (padding ? 20 : 32));
            CHECK(!memcmp(to, message, 20) && (!padding || to[20] == 0xAA) && to[32] == 0xAA);
            checked++;
        }
        EVP_CIPHER_CTX_free(context);
        EVP_CIPHER_free(cipher);
    }
    CHECK(!memcmp(sealed[0], sealed[1], 32) && !memcmp(opened[0], opened[1], 40));
}

/* A message ends once; its IV can be asked for afterwards. */
static void ended_once(void) {
    EVP_CIPHER *cipher = fetched(0, "Kalyna128-256-GCM");
    EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], ivs[0]);
    unsigned char out[20], iv[16];
    int now;
    for (int key = 0; key < 2; key++) {
        CHECK(EVP_EncryptInit_ex2(context, NULL, NULL, ivs[key], NULL));
        CHECK(EVP_EncryptUpdate(context, out, &now, message, 20));
        CHECK(EVP_CIPHER_CTX_get_original_iv(context, iv, 16) && !memcmp(iv, ivs[key], 16));
        if (key) CHECK(EVP_EncryptInit_ex2(context, NULL, keys[1], NULL, NULL));
        CHECK(EVP_EncryptFinal_ex(context, out, &now) == !key);
        CHECK(!EVP_EncryptFinal_ex(context, out, &now));
        refused(context, message, 20);
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

/* Without a tag a decryption fails, and the message can come again with one, as with OpenSSL's own. */
static void tag_later(const char *name) {
    for (int theirs = 0; theirs < 2; theirs++) {
        /* AES is theirs alone. */
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, theirs ? "provider=default" : "provider=fairlane");
        if (!cipher) continue;
        int ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE, now;
        unsigned char sealed[40], opened[40], tag[16];
        EVP_CIPHER_CTX *context = begun(cipher, 1, NULL, NULL);
        if (ccm) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, NULL) > 0);
        CHECK(EVP_EncryptInit_ex2(context, NULL, keys[0], ivs[0], NULL));
        if (ccm) CHECK(EVP_EncryptUpdate(context, NULL, &now, NULL, 40));
        CHECK(EVP_EncryptUpdate(context, NULL, &now, message, 30));
        CHECK(EVP_EncryptUpdate(context, sealed, &now, message, 40) && now == 40);
        CHECK(EVP_EncryptFinal_ex(context, sealed, &now));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
        EVP_CIPHER_CTX_free(context);
        context = begun(cipher, 0, NULL, NULL);
        if (ccm) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, NULL) > 0);
        CHECK(EVP_DecryptInit_ex2(context, NULL, keys[0], ivs[0], NULL));
        if (ccm) CHECK(EVP_DecryptUpdate(context, NULL, &now, NULL, 40));
        CHECK(EVP_DecryptUpdate(context, NULL, &now, message, 30));
        refused(context, sealed, 40);
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) > 0);
        CHECK(EVP_DecryptUpdate(context, opened, &now, sealed, 40) && now == 40 && !memcmp(opened, message, 40));
        CHECK(EVP_DecryptFinal_ex(context, opened, &now));
        /* Its IV has had its message now. */
        refused(context, sealed, 40);
        EVP_CIPHER_CTX_free(context);
        EVP_CIPHER_free(cipher);
    }
}

/* Whether a list of parameters has one. */
static int listed(const OSSL_PARAM *params, const char *name) {
    return params && OSSL_PARAM_locate_const(params, name) != NULL;
}

/* Parameters are listed where they are taken, and nowhere else. */
static void lists(void) {
    static const struct {
        const char *name;
        int padding, tag, records, standard;
    } wanted[] = {{"SM4-ECB", 1, 0, 0, 0},           {"SM4-CBC", 1, 0, 0, 0}, {"SM4-CTR", 0, 0, 0, 0},
                  {"SM4-GCM", 0, 1, 0, 0},           {"SM4-CCM", 0, 1, 0, 0}, {"SM4-XTS", 0, 0, 0, 1},
                  {"ChaCha20-Poly1305", 0, 1, 1, 0}, {"ChaCha20", 0, 0, 0, 0}, {"Kalyna128-128-GCM", 0, 1, 0, 0},
                  {"Kalyna128-128-XTS", 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        EVP_CIPHER *cipher = fetched(0, wanted[i].name);
        const OSSL_PARAM *set = EVP_CIPHER_settable_ctx_params(cipher), *get = EVP_CIPHER_gettable_ctx_params(cipher);
        CHECK(listed(set, "keylen") && listed(get, "keylen") && listed(get, "iv") && listed(get, "updated-iv"));
        CHECK(listed(set, "padding") == wanted[i].padding && listed(get, "padding"));
        CHECK(listed(set, "tag") == wanted[i].tag && listed(set, "ivlen") == wanted[i].tag);
        CHECK(listed(get, "tag") == wanted[i].tag && listed(get, "taglen") == wanted[i].tag);
        CHECK(listed(set, "tlsaad") == wanted[i].records && listed(set, "tlsivfixed") == wanted[i].records);
        CHECK(listed(get, "tlsaadpad") == wanted[i].records);
        CHECK(listed(set, "xts_standard") == wanted[i].standard);
        EVP_CIPHER_free(cipher);
        checked++;
    }
    for (int xof = 0; xof < 2; xof++) {
        EVP_MD *hash = EVP_MD_fetch(NULL, xof ? "SHAKE-128" : "SM3", "provider=fairlane");
        const OSSL_PARAM *set = EVP_MD_settable_ctx_params(hash);
        CHECK(listed(set, "xoflen") == xof && listed(set, "size") == xof);
        EVP_MD_free(hash);
        checked++;
    }
}

/* What the provider does not have it refuses. */
static void unsupported(const char *name) {
    EVP_CIPHER *cipher = fetched(0, name);
    EVP_CIPHER_CTX *context = begun(cipher, 1, keys[0], ivs[0]);
    unsigned char bytes[13] = {0};
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IV_FIXED, 4, bytes) <= 0);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_IV_GEN, 8, bytes) <= 0);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IV_INV, 8, bytes) <= 0);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, 13, bytes) <= 0);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    checked++;
}

/* The standard of SM4-XTS, in small letters as well. */
static void standards(void) {
    EVP_CIPHER *cipher = fetched(0, "SM4-XTS");
    char names[3][5] = {"IEEE", "ieee", "gb"};
    unsigned char out[3][40];
    int now;
    for (int i = 0; i < 3; i++) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("xts_standard", names[i], 0),
                               OSSL_PARAM_construct_end()};
        CHECK(EVP_EncryptInit_ex2(context, cipher, message, ivs[0], params));
        CHECK(EVP_EncryptUpdate(context, out[i], &now, message, 40) && now == 40);
        EVP_CIPHER_CTX_free(context);
    }
    CHECK(!memcmp(out[0], out[1], 40) && memcmp(out[0], out[2], 40));
    EVP_CIPHER_free(cipher);
    checked++;
}

/* The length of an output that was set by a parameter, at any end of the message. */
static void lengths(const char *name) {
    for (size_t length = 1; length <= 64; length++) {
        unsigned char out[2][64];
        for (int theirs = 0; theirs < 2; theirs++) {
            EVP_MD *hash = EVP_MD_fetch(NULL, name, theirs ? "provider=default" : "provider=fairlane");
            EVP_MD_CTX *context = EVP_MD_CTX_new();
            OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_XOFLEN, &length),
                                   OSSL_PARAM_construct_end()};
            unsigned int size;
            CHECK(EVP_DigestInit_ex2(context, hash, params) && EVP_DigestUpdate(context, message, 100));
            CHECK(EVP_DigestFinal_ex(context, out[theirs], &size) && size == length);
            EVP_MD_CTX_free(context);
            EVP_MD_free(hash);
        }
        CHECK(!memcmp(out[0], out[1], length));
        checked++;
    }
}

/* A length that was set is for one message: the next one has the usual length again. OpenSSL 3.5's own SHAKE writes as
 * much as before, whatever the buffer holds. */
static void lengths_end(const char *name) {
    unsigned char big[1000], small[64];
    EVP_MD *hash = EVP_MD_fetch(NULL, name, "provider=fairlane");
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned int size, usual = (unsigned int)EVP_MD_get_size(hash);
    CHECK(EVP_DigestInit_ex2(context, hash, NULL) && EVP_DigestUpdate(context, message, 100));
    CHECK(EVP_DigestFinalXOF(context, big, sizeof big));
    /* The same algorithm, named or not. */
    for (int named = 0; named < 2; named++) {
        memset(small, 0xAA, sizeof small);
        CHECK(EVP_DigestInit_ex2(context, named ? hash : NULL, NULL) && EVP_DigestUpdate(context, message, 100));
        CHECK(EVP_DigestFinal_ex(context, small, &size) && size == usual && !memcmp(small, big, size));
        for (size_t i = size; i < sizeof small; i++) CHECK(small[i] == 0xAA);
        checked++;
    }
    /* A parameter of the new message's own counts. */
    size_t length = 50;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_XOFLEN, &length), OSSL_PARAM_construct_end()};
    CHECK(EVP_DigestInit_ex2(context, NULL, params) && EVP_DigestUpdate(context, message, 100));
    CHECK(EVP_DigestFinal_ex(context, small, &size) && size == length && !memcmp(small, big, size));
    EVP_MD_CTX_free(context);
    EVP_MD_free(hash);
    checked++;
}

int main(int count, char **arguments) {
    CHECK(count == 2 && OSSL_PROVIDER_set_default_search_path(NULL, arguments[1]));
    OSSL_PROVIDER *fairlane = OSSL_PROVIDER_load(NULL, "fairlane");
    OSSL_PROVIDER *standard = OSSL_PROVIDER_load(NULL, "default");
    CHECK(fairlane && standard);
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(i * 31 + i / 256);
    failed_updates("ChaCha20-Poly1305");
    failed_updates("SM4-GCM");
#ifdef __GLIBC__
    erased();
#endif
    turned("ChaCha20-Poly1305");
    turned("SM4-GCM");
    counted_on("SM4-CTR");
    counted_on("ChaCha20");
    not_counted_on();
    numbers_end();
    told_ivs("SM4-CBC");
    told_ivs("SM4-CTR");
    told_ivs("SM4-GCM");
    told_ivs("ChaCha20-Poly1305");
    in_one_call("SM4-ECB");
    in_one_call("SM4-CBC");
    blocks("SM4-ECB");
    blocks("SM4-CBC");
    ended_once();
    tag_later("SM4-CCM");
    tag_later("AES-128-CCM");
    tag_later("Kalyna128-128-GCM");
    lists();
    unsupported("SM4-GCM");
    unsupported("SM4-CCM");
    standards();
    lengths("SHAKE-128");
    lengths("SHAKE-256");
    lengths_end("SHAKE-128");
    lengths_end("SHAKE-256");
    lengths_end("KT128");
    printf("%ld checks of contexts\n", checked);
    OSSL_PROVIDER_unload(fairlane);
    OSSL_PROVIDER_unload(standard);
}
