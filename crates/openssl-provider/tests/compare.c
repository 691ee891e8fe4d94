/* Compares the provider with OpenSSL's own through EVP: all lengths, in one piece and in many, in place and not; and
 * with published answers where OpenSSL 3.0 has none. Prints how much it compared; exits with 1 on a difference. */
#include "check.h"
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char message[2000];
static long compared;

static void digest(const char *name) {
    EVP_MD *ours = EVP_MD_fetch(NULL, name, "provider=fairlane");
    EVP_MD *theirs = EVP_MD_fetch(NULL, name, "provider=default");
    CHECK(ours);
    /* From 3.4 on, OpenSSL's SHAKE has no length by itself. */
    if (!theirs || EVP_MD_get_size(theirs) <= 0) {
        printf("%s: not in this OpenSSL%s\n", name, theirs ? " without a length" : "");
        EVP_MD_free(ours);
        EVP_MD_free(theirs);
        return;
    }
    CHECK(EVP_MD_get_size(ours) == EVP_MD_get_size(theirs));
    CHECK(EVP_MD_get_block_size(ours) == EVP_MD_get_block_size(theirs));
    for (size_t length = 0; length <= 600; length++) {
        unsigned char a[64], b[64];
        unsigned int size, expected;
        CHECK(EVP_Digest(message, length, b, &expected, theirs, NULL));
        for (size_t piece = 1; piece <= 601; piece += 60) {
            EVP_MD_CTX *context = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
            CHECK(EVP_DigestInit_ex2(context, ours, NULL));
            for (size_t at = 0; at < length; at += piece)
                CHECK(EVP_DigestUpdate(context, message + at, at + piece > length ? length - at : piece));
            CHECK(EVP_MD_CTX_copy_ex(copy, context));
            CHECK(EVP_DigestFinal_ex(context, a, &size) && size == expected && !memcmp(a, b, size));
            CHECK(EVP_DigestFinal_ex(copy, a, &size) && size == expected && !memcmp(a, b, size));
            EVP_MD_CTX_free(context);
            EVP_MD_CTX_free(copy);
            compared++;
        }
    }
    EVP_MD_free(ours);
    EVP_MD_free(theirs);
}

/* One message through one cipher; returns the length of the output, or -1 if the end fails. */
static int crypt(EVP_CIPHER *cipher, int encrypt, int padding, size_t piece, const unsigned char *in, size_t length,
                 unsigned char *out, unsigned char *tag) {
    static const unsigned char key[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, iv[16] = {9, 0, 0, 0, 5, 4, 3};
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, now = 0, aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
    CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, encrypt, NULL));
    EVP_CIPHER_CTX_set_padding(context, padding);
    if (aead) {
        CHECK(EVP_CipherUpdate(context, NULL, &now, message, (int)(length % 40)));
        if (!encrypt) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) > 0);
    }
    for (size_t at = 0; at < length; at += piece) {
        size_t next = at + piece > length ? length - at : piece;
        CHECK(EVP_CipherUpdate(context, out + written, &now, in + at, (int)next));
        written += now;
    }
    int ended = EVP_CipherFinal_ex(context, out + written, &now);
    if (ended && aead && encrypt) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
    EVP_CIPHER_CTX_free(context);
    return ended ? written + now : -1;
}

static void cipher(const char *name, int padding) {
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, "provider=fairlane");
    EVP_CIPHER *theirs = EVP_CIPHER_fetch(NULL, name, "provider=default");
    CHECK(ours);
    /* OpenSSL 3.0 has none; the examples of RFC 8998 are published. */
    CHECK(theirs || !strcmp(name, "SM4-GCM"));
    if (!theirs) printf("%s: not in this OpenSSL; compared with itself\n", name);
    int block = EVP_CIPHER_get_block_size(ours);
    for (size_t length = 0; length <= 600; length++) {
        if (!padding && length % (size_t)block) continue;
        unsigned char a[700], b[700], back[700], tag[16] = {0}, expected[16] = {0};
        int size = crypt(theirs ? theirs : ours, 1, padding, 1000, message, length, b, expected);
        CHECK(size >= (int)length);
        for (size_t piece = 1; piece <= 601; piece += 50) {
            CHECK(crypt(ours, 1, padding, piece, message, length, a, tag) == size && !memcmp(a, b, (size_t)size));
            CHECK(!memcmp(tag, expected, 16));
            CHECK(crypt(ours, 0, padding, piece, a, (size_t)size, back, tag) == (int)length);
            CHECK(!memcmp(back, message, length));
            compared += 2;
        }
        memcpy(a, message, length);
        CHECK(crypt(ours, 1, padding, 1000, a, length, a, tag) == size && !memcmp(a, b, (size_t)size));
        if (EVP_CIPHER_get_flags(ours) & EVP_CIPH_FLAG_AEAD_CIPHER) {
            tag[length % 16] ^= 1;
            CHECK(crypt(ours, 0, padding, 1000, b, (size_t)size, back, tag) == -1);
        }
    }
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

#define SET_TAG(context, tag) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) > 0)

/* A context that has seen a message is used for others: empty ones with right and wrong tags, and none. */
static void reused(const char *name) {
    static const unsigned char key[32] = {1}, iv[2][16] = {{1}, {2}};
    unsigned char sealed[2][40], tag[2][16], back[40];
    int now;
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, "provider=fairlane");
    CHECK(ours);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    for (int i = 0; i < 2; i++) {
        /* 40 bytes, then none. */
        CHECK(EVP_EncryptInit_ex2(context, i ? NULL : ours, i ? NULL : key, iv[i], NULL));
        if (!i) CHECK(EVP_EncryptUpdate(context, sealed[i], &now, message, 40));
        CHECK(EVP_EncryptFinal_ex(context, sealed[i], &now) && now == 0);
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag[i]) > 0);
    }
    /* With the same key once more, but no other IV, there is no message. */
    CHECK(EVP_EncryptInit_ex2(context, NULL, key, NULL, NULL));
    CHECK(!EVP_EncryptUpdate(context, back, &now, message, 40));
    CHECK(!EVP_EncryptFinal_ex(context, back, &now));
    EVP_CIPHER_CTX_reset(context);
    for (int wrong = 0; wrong < 2; wrong++) {
        CHECK(EVP_DecryptInit_ex2(context, ours, key, iv[0], NULL));
        SET_TAG(context, tag[0]);
        CHECK(EVP_DecryptUpdate(context, back, &now, sealed[0], 40) && now == 40);
        CHECK(EVP_DecryptFinal_ex(context, back, &now));
        CHECK(EVP_DecryptInit_ex2(context, NULL, NULL, iv[1], NULL));
        unsigned char given[16];
        memcpy(given, tag[1], 16);
        given[3] ^= (unsigned char)wrong;
        SET_TAG(context, given);
        CHECK(EVP_DecryptFinal_ex(context, back, &now) == !wrong);
        CHECK(EVP_DecryptInit_ex2(context, NULL, NULL, iv[0], NULL));
        CHECK(!EVP_DecryptFinal_ex(context, back, &now));
        compared++;
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(ours);
}

/* Records of TLS 1.2, each with its header, one after the other in one context; the last one with a wrong tag. */
static void records(void) {
    static const unsigned char key[32] = {1}, fixed[12] = {5};
    EVP_CIPHER *ciphers[2];
    EVP_CIPHER_CTX *contexts[2];
    unsigned char record[2][100];
    for (int encrypt = 1; encrypt >= 0; encrypt--) {
        for (int i = 0; i < 2; i++) {
            ciphers[i] = EVP_CIPHER_fetch(NULL, "ChaCha20-Poly1305", i ? "provider=default" : "provider=fairlane");
            contexts[i] = EVP_CIPHER_CTX_new();
            CHECK(EVP_CipherInit_ex2(contexts[i], ciphers[i], key, NULL, encrypt, NULL));
            CHECK(EVP_CIPHER_CTX_ctrl(contexts[i], EVP_CTRL_AEAD_SET_IV_FIXED, 12, (void *)fixed) > 0);
        }
        for (unsigned char number = 0; number < 3; number++) {
            static unsigned char sealed[3][100];
            int length = 20 + number;
            unsigned char header[13] = {[7] = number, 23, 3, 3, 0, (unsigned char)(encrypt ? length : length + 16)};
            int wrong = !encrypt && number == 2;
            for (int i = 0; i < 2; i++) {
                memcpy(record[i], encrypt ? message : sealed[number], 100);
                record[i][length] ^= (unsigned char)wrong;
                CHECK(EVP_CIPHER_CTX_ctrl(contexts[i], EVP_CTRL_AEAD_TLS1_AAD, 13, header) == 16);
                CHECK((EVP_Cipher(contexts[i], record[i], record[i], (unsigned)length + 16) > 0) == !wrong);
            }
            CHECK(!memcmp(record[0], record[1], (size_t)(encrypt ? length + 16 : length)));
            CHECK(encrypt || wrong || !memcmp(record[0], message, (size_t)length));
            if (encrypt) memcpy(sealed[number], record[0], 100);
            compared++;
        }
        for (int i = 0; i < 2; i++) {
            EVP_CIPHER_CTX_free(contexts[i]);
            EVP_CIPHER_free(ciphers[i]);
        }
    }
}

/* Kalyna's GCM takes a message in one call; its end is a success only after one with the right tag. */
static void kalyna(void) {
    static const unsigned char key[32] = {1}, iv[16] = {2};
    unsigned char sealed[40], tag[16], back[40];
    int now;
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "Kalyna128-256-GCM", "provider=fairlane");
    CHECK(cipher);
    for (int length = 0; length <= 40; length += 20) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        CHECK(EVP_EncryptInit_ex2(context, cipher, key, iv, NULL));
        CHECK(EVP_EncryptUpdate(context, NULL, &now, message, 30));
        CHECK(EVP_EncryptUpdate(context, sealed, &now, message, length) && now == length);
        CHECK(EVP_EncryptFinal_ex(context, sealed, &now));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
        for (int wrong = 0; wrong < 2; wrong++) {
            tag[15] ^= (unsigned char)wrong;
            CHECK(EVP_DecryptInit_ex2(context, cipher, key, iv, NULL));
            SET_TAG(context, tag);
            CHECK(EVP_DecryptUpdate(context, NULL, &now, message, 30));
            if (length) CHECK(EVP_DecryptUpdate(context, back, &now, sealed, length) == !wrong);
            CHECK(EVP_DecryptFinal_ex(context, back, &now) == !wrong);
            if (!wrong) CHECK(!memcmp(back, message, (size_t)length));
            compared++;
        }
        EVP_CIPHER_CTX_free(context);
    }
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(context, cipher, key, NULL, NULL));
    CHECK(!EVP_DecryptFinal_ex(context, back, &now));
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

/* The IV that a context tells after every length, from which another one goes on at whole blocks. */
static void current_iv(const char *name) {
    static const unsigned char key[32] = {1}, first[16] = {9, [8] = 255, 255, 255, 255, 255, 255, 255, 254};
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, "provider=fairlane");
    EVP_CIPHER *theirs = EVP_CIPHER_fetch(NULL, name, "provider=default");
    CHECK(ours && theirs);
    for (int length = 0; length <= 100; length++) {
        if (EVP_CIPHER_get_block_size(ours) > 1 && length % 16) continue;
        EVP_CIPHER *ciphers[] = {ours, theirs};
        unsigned char out[200], iv[2][2][16];
        int now;
        for (int i = 0; i < 2; i++) {
            EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
            CHECK(EVP_EncryptInit_ex2(context, ciphers[i], key, first, NULL));
            CHECK(EVP_EncryptUpdate(context, out, &now, message, length));
            CHECK(EVP_CIPHER_CTX_get_updated_iv(context, iv[i][0], 16));
            CHECK(EVP_CIPHER_CTX_get_original_iv(context, iv[i][1], 16));
            /* By pointers, as programs for OpenSSL 1.1 ask. */
            OSSL_PARAM asked[3];
            void *pointers[2] = {NULL, NULL};
            asked[0] = OSSL_PARAM_construct_octet_ptr("updated-iv", &pointers[0], 16);
            asked[1] = OSSL_PARAM_construct_octet_ptr("iv", &pointers[1], 16);
            asked[2] = OSSL_PARAM_construct_end();
            CHECK(EVP_CIPHER_CTX_get_params(context, asked));
            for (int k = 0; k < 2; k++) CHECK(pointers[k] && !memcmp(pointers[k], iv[i][k], 16));
            EVP_CIPHER_CTX_free(context);
        }
        CHECK(!memcmp(iv[0], iv[1], sizeof iv[0]));
        compared++;
    }
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

/* The same of ChaCha20, whose IV begins with the number of a block, of which OpenSSL tells the first one always. */
static void current_iv_of_chacha(void) {
    static const unsigned char key[32] = {1}, first[16] = {254, 1, [4] = 7};
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, "ChaCha20", "provider=fairlane");
    for (int length = 0; length <= 640; length++) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new(), *next = EVP_CIPHER_CTX_new();
        unsigned char out[1300], again[64], iv[16];
        int now, blocks = (length + 63) / 64;
        CHECK(EVP_EncryptInit_ex2(context, ours, key, first, NULL));
        CHECK(EVP_EncryptUpdate(context, out, &now, message, length));
        CHECK(EVP_CIPHER_CTX_get_updated_iv(context, iv, 16));
        CHECK(iv[0] + 256 * iv[1] == 254 + 256 + blocks && !memcmp(iv + 2, first + 2, 14));
        CHECK(EVP_EncryptUpdate(context, out + length, &now, message + length, 64 * blocks - length + 64));
        CHECK(EVP_EncryptInit_ex2(next, ours, key, iv, NULL));
        CHECK(EVP_EncryptUpdate(next, again, &now, message + 64 * blocks, 64));
        CHECK(!memcmp(again, out + 64 * blocks, 64));
        EVP_CIPHER_CTX_free(context);
        EVP_CIPHER_CTX_free(next);
        compared++;
    }
    EVP_CIPHER_free(ours);
}

/* Ciphers whose IVs are longer than programs expect are there if the configuration asks for them. */
static void long_ivs(int wanted) {
    const char *names[] = {"XChaCha20", "Threefish512-CTR", "Kalyna256-256-CBC", "Kalyna256-512-XTS",
                           "Kalyna512-512-GCM"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, names[i], "provider=fairlane");
        CHECK((cipher != NULL) == wanted);
        if (cipher) CHECK(EVP_CIPHER_get_iv_length(cipher) > EVP_MAX_IV_LENGTH);
        EVP_CIPHER_free(cipher);
    }
}

/* The examples of RFC 8998, appendix A. */
static void rfc8998(const char *name, const unsigned char *tag, const unsigned char *ciphertext) {
    static const unsigned char key[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF,
                                        0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10};
    static const unsigned char iv[] = {0, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0xAB, 0xCD};
    static const unsigned char associated[] = {0xFE, 0xED, 0xFA, 0xCE, 0xDE, 0xAD, 0xBE, 0xEF, 0xFE, 0xED,
                                               0xFA, 0xCE, 0xDE, 0xAD, 0xBE, 0xEF, 0xAB, 0xAD, 0xDA, 0xD2};
    static const unsigned char bytes[] = {0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0xEE, 0xAA};
    unsigned char plaintext[64], out[64], got[16];
    for (int i = 0; i < 64; i++) plaintext[i] = bytes[i / 8];
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, "provider=fairlane");
    CHECK(cipher);
    for (int encrypt = 1; encrypt >= 0; encrypt--) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        int now, ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
        CHECK(EVP_CipherInit_ex2(context, cipher, NULL, NULL, encrypt, NULL));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) > 0);
        if (!encrypt) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)tag) > 0);
        else if (ccm) CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, NULL) > 0);
        CHECK(EVP_CipherInit_ex2(context, NULL, key, iv, encrypt, NULL));
        if (ccm) CHECK(EVP_CipherUpdate(context, NULL, &now, NULL, 64));
        CHECK(EVP_CipherUpdate(context, NULL, &now, associated, sizeof associated));
        CHECK(EVP_CipherUpdate(context, out, &now, encrypt ? plaintext : ciphertext, 64) && now == 64);
        CHECK(!memcmp(out, encrypt ? ciphertext : plaintext, 64));
        CHECK(EVP_CipherFinal_ex(context, out, &now) && now == 0);
        if (encrypt) {
            CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, got) > 0);
            CHECK(!memcmp(got, tag, 16));
        }
        EVP_CIPHER_CTX_free(context);
        compared++;
    }
    EVP_CIPHER_free(cipher);
}

int main(int count, char **arguments) {
    CHECK(count >= 2 && OSSL_PROVIDER_set_default_search_path(NULL, arguments[1]));
    OSSL_PROVIDER *fairlane = OSSL_PROVIDER_load(NULL, "fairlane");
    OSSL_PROVIDER *standard = OSSL_PROVIDER_load(NULL, "default");
    CHECK(fairlane && standard);
    if (count > 2) {
        /* With a configuration, which asks for long IVs or says that they are not wanted. */
        long_ivs(!strcmp(arguments[2], "long"));
        return 0;
    }
    long_ivs(0);
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(i * 31 + i / 256);

    const char *digests[] = {"SM3",      "SHA3-224",  "SHA3-256",  "SHA3-384",
                             "SHA3-512", "SHAKE-128", "SHAKE-256", "KECCAK-256"};
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++) digest(digests[i]);
    cipher("SM4-ECB", 1);
    cipher("SM4-ECB", 0);
    cipher("SM4-CBC", 1);
    cipher("SM4-CBC", 0);
    cipher("SM4-CTR", 1);
    cipher("ChaCha20", 1);
    cipher("ChaCha20-Poly1305", 1);
    cipher("SM4-GCM", 1);
    reused("ChaCha20-Poly1305");
    reused("SM4-GCM");
    records();
    kalyna();
    current_iv("SM4-CTR");
    current_iv("SM4-CBC");
    current_iv_of_chacha();
    static const unsigned char gcm_tag[] = {0x83, 0xDE, 0x35, 0x41, 0xE4, 0xC2, 0xB5, 0x81,
                                            0x77, 0xE0, 0x65, 0xA9, 0xBF, 0x7B, 0x62, 0xEC};
    static const unsigned char gcm[] = {
        0x17, 0xF3, 0x99, 0xF0, 0x8C, 0x67, 0xD5, 0xEE, 0x19, 0xD0, 0xDC, 0x99, 0x69, 0xC4, 0xBB, 0x7D,
        0x5F, 0xD4, 0x6F, 0xD3, 0x75, 0x64, 0x89, 0x06, 0x91, 0x57, 0xB2, 0x82, 0xBB, 0x20, 0x07, 0x35,
        0xD8, 0x27, 0x10, 0xCA, 0x5C, 0x22, 0xF0, 0xCC, 0xFA, 0x7C, 0xBF, 0x93, 0xD4, 0x96, 0xAC, 0x15,
        0xA5, 0x68, 0x34, 0xCB, 0xCF, 0x98, 0xC3, 0x97, 0xB4, 0x02, 0x4A, 0x26, 0x91, 0x23, 0x3B, 0x8D};
    rfc8998("SM4-GCM", gcm_tag, gcm);
    static const unsigned char ccm_tag[] = {0x16, 0x84, 0x2D, 0x4F, 0xA1, 0x86, 0xF5, 0x6A,
                                            0xB3, 0x32, 0x56, 0x97, 0x1F, 0xA1, 0x10, 0xF4};
    static const unsigned char ccm[] = {
        0x48, 0xAF, 0x93, 0x50, 0x1F, 0xA6, 0x2A, 0xDB, 0xCD, 0x41, 0x4C, 0xCE, 0x60, 0x34, 0xD8, 0x95,
        0xDD, 0xA1, 0xBF, 0x8F, 0x13, 0x2F, 0x04, 0x20, 0x98, 0x66, 0x15, 0x72, 0xE7, 0x48, 0x30, 0x94,
        0xFD, 0x12, 0xE5, 0x18, 0xCE, 0x06, 0x2C, 0x98, 0xAC, 0xEE, 0x28, 0xD9, 0x5D, 0xF4, 0x41, 0x6B,
        0xED, 0x31, 0xA2, 0xF0, 0x44, 0x76, 0xC1, 0x8B, 0xB4, 0x0C, 0x84, 0xA7, 0x4B, 0x97, 0xDC, 0x5B};
    rfc8998("SM4-CCM", ccm_tag, ccm);
    printf("%ld comparisons\n", compared);
    OSSL_PROVIDER_unload(fairlane);
    OSSL_PROVIDER_unload(standard);
}
