/* wolfSSL as a plug-in: ChaCha20 and its AEAD, Keccak, ML-KEM. Contexts are made once, and used again. */
#include "rival.h"

#include <wolfssl/options.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/wc_mlkem.h>

enum { SEEDS = 64, SECRET = 32 };

static int chacha20_set_up(state *s) { return !rival_own(s, sizeof(ChaCha)); }

static int chacha20(state *s, const uint8_t *input, uint8_t *output) {
    return wc_Chacha_SetKey(s->own, s->job.key, 32) || wc_Chacha_SetIV(s->own, s->job.iv, 0) ||
        wc_Chacha_Process(s->own, output, input, s->job.input_len);
}

static int seal(state *s, const uint8_t *input, uint8_t *output) {
    const fairlane_job *j = &s->job;
    return wc_ChaCha20Poly1305_Encrypt(j->key, j->iv, j->aad, j->aad_len, input, j->bytes, output, output + j->bytes);
}

static int open(state *s, const uint8_t *input, uint8_t *output) {
    const fairlane_job *j = &s->job;
    return wc_ChaCha20Poly1305_Decrypt(j->key, j->iv, j->aad, j->aad_len, input, j->bytes, input + j->bytes, output);
}

static int sha3_set_up(state *s) {
    wc_Sha3 *c = rival_own(s, sizeof *c);
    return !c || wc_InitSha3_256(c, NULL, INVALID_DEVID);
}

/* Final leaves the context ready for the next message. */
static int sha3(state *s, const uint8_t *input, uint8_t *output) {
    return wc_Sha3_256_Update(s->own, input, s->job.input_len) || wc_Sha3_256_Final(s->own, output);
}

#ifdef WOLFSSL_HASH_FLAGS
/* Final forgets the padding, too. */
static int keccak(state *s, const uint8_t *input, uint8_t *output) {
    return wc_Sha3_SetFlags(s->own, WC_HASH_SHA3_KECCAK256) || sha3(s, input, output);
}
#endif

static int shake128_set_up(state *s) {
    wc_Shake *c = rival_own(s, sizeof *c);
    return !c || wc_InitShake128(c, NULL, INVALID_DEVID);
}

static int shake128(state *s, const uint8_t *input, uint8_t *output) {
    return wc_Shake128_Update(s->own, input, s->job.input_len) || wc_Shake128_Final(s->own, output, s->job.output_len);
}

/* A key object of one level; `parameter` says which. */
static int kem_set_up(state *s) {
    MlKemKey *key = rival_own(s, sizeof *key);
    return !key || wc_MlKemKey_Init(key, s->rival->parameter, NULL, INVALID_DEVID);
}

static void kem_end(state *s) { wc_MlKemKey_Free(s->own); }

static int keygen(state *s, const uint8_t *input, uint8_t *output) {
    word32 ek;
    return wc_MlKemKey_MakeKeyWithRandom(s->own, input, SEEDS) || wc_MlKemKey_PublicKeySize(s->own, &ek) ||
        wc_MlKemKey_EncodePublicKey(s->own, output, ek) ||
        wc_MlKemKey_EncodePrivateKey(s->own, output + ek, s->job.output_len - ek);
}

static int encaps(state *s, const uint8_t *input, uint8_t *output) {
    size_t ek = s->job.input_len - SECRET, sent = s->job.output_len - SECRET;
    return wc_MlKemKey_DecodePublicKey(s->own, input, ek) ||
        wc_MlKemKey_EncapsulateWithRandom(s->own, output, output + sent, input + ek, SECRET);
}

static int decaps(state *s, const uint8_t *input, uint8_t *output) {
    word32 dk, sent;
    return wc_MlKemKey_PrivateKeySize(s->own, &dk) || wc_MlKemKey_CipherTextSize(s->own, &sent) ||
        wc_MlKemKey_DecodePrivateKey(s->own, input, dk) || wc_MlKemKey_Decapsulate(s->own, output, input + dk, sent);
}

static int decode_public(state *s) {
    return kem_set_up(s) || wc_MlKemKey_DecodePublicKey(s->own, s->job.key, s->job.key_len);
}

static int encaps_prepared(state *s, const uint8_t *input, uint8_t *output) {
    size_t sent = s->job.output_len - SECRET;
    return wc_MlKemKey_EncapsulateWithRandom(s->own, output, output + sent, input, SECRET);
}

static int decode_private(state *s) {
    return kem_set_up(s) || wc_MlKemKey_DecodePrivateKey(s->own, s->job.key, s->job.key_len);
}

static int decaps_prepared(state *s, const uint8_t *input, uint8_t *output) {
    return wc_MlKemKey_Decapsulate(s->own, output, input, s->job.input_len);
}

#define WOLFSSL(job, calls) \
    {.contest = job, .name = "wolfSSL", .library = "wolfSSL", .version = LIBWOLFSSL_VERSION_STRING, \
     .backend = "its own choice", .labels = "constant-time", .how_to_use = "--enable-intelasm; " calls}
#define KEM(job, calls, level, function, first) \
    {WOLFSSL(job, calls), .once = function, .set_up = first, .end = kem_end, .parameter = level}
#define KEMS(suite, level) \
    KEM(suite "/keygen", "wc_MlKemKey_MakeKeyWithRandom", level, keygen, kem_set_up), \
    KEM(suite "/encaps", "wc_MlKemKey_EncapsulateWithRandom", level, encaps, kem_set_up), \
    KEM(suite "/decaps", "wc_MlKemKey_Decapsulate", level, decaps, kem_set_up), \
    KEM(suite "/encaps-prepared", "wc_MlKemKey_EncapsulateWithRandom", level, encaps_prepared, decode_public), \
    KEM(suite "/decaps-prepared", "wc_MlKemKey_Decapsulate", level, decaps_prepared, decode_private)

static const rival ENTRIES[] = {
    {WOLFSSL("chacha20/encrypt", "wc_Chacha_Process"), .once = chacha20, .set_up = chacha20_set_up},
    {WOLFSSL("chacha20-poly1305/seal", "wc_ChaCha20Poly1305_Encrypt"), .once = seal},
    {WOLFSSL("chacha20-poly1305/open", "wc_ChaCha20Poly1305_Decrypt"), .once = open},
    {WOLFSSL("sha3-256/message", "wc_Sha3_256_Update, Final"), .once = sha3, .set_up = sha3_set_up},
#ifdef WOLFSSL_HASH_FLAGS
    {WOLFSSL("keccak256/message", "-DWOLFSSL_HASH_FLAGS; wc_Sha3_SetFlags"), .once = keccak, .set_up = sha3_set_up},
#endif
    {WOLFSSL("shake128/message", "wc_Shake128_Update, Final"), .once = shake128, .set_up = shake128_set_up},
    KEMS("ml-kem-512", WC_ML_KEM_512), KEMS("ml-kem-768", WC_ML_KEM_768), KEMS("ml-kem-1024", WC_ML_KEM_1024),
};
RIVALS(ENTRIES)
