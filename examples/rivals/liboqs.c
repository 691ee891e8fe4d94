/* liboqs, linked statically, as a plug-in: ML-KEM, and the SHA-3 functions that it has for itself.
 *
 * Only builds with OQS_DIST_BUILD, the default, choose their vector code of Keccak, at run time. */
#include "rival.h"

#include <oqs/oqs.h>

/* Not in its public headers: from its src/common/sha3/sha3.h. */
void OQS_SHA3_sha3_256(uint8_t *output, const uint8_t *input, size_t len);
void OQS_SHA3_shake128(uint8_t *output, size_t output_len, const uint8_t *input, size_t len);

static int sha3_256(state *s, const uint8_t *input, uint8_t *output) {
    OQS_SHA3_sha3_256(output, input, s->job.input_len);
    return 0;
}

static int shake128(state *s, const uint8_t *input, uint8_t *output) {
    OQS_SHA3_shake128(output, s->job.output_len, input, s->job.input_len);
    return 0;
}

/* "ml-kem-512/keygen" is of OQS_KEM_alg_ml_kem_512. */
static int kem(state *s) {
    static const char *const LEVELS[] = {OQS_KEM_alg_ml_kem_512, OQS_KEM_alg_ml_kem_768, OQS_KEM_alg_ml_kem_1024};
    OQS_init();
    s->own = OQS_KEM_new(LEVELS[s->rival->parameter]);
    return !s->own;
}

static void end(state *s) {
    OQS_KEM_free(s->own);
    s->own = NULL;
}

static int keygen(state *s, const uint8_t *input, uint8_t *output) {
    const OQS_KEM *k = s->own;
    return OQS_KEM_keypair_derand(k, output, output + k->length_public_key, input) != OQS_SUCCESS;
}

static int encaps(state *s, const uint8_t *input, uint8_t *output) {
    const OQS_KEM *k = s->own;
    return OQS_KEM_encaps_derand(k, output, output + k->length_ciphertext, input, input + k->length_public_key) !=
        OQS_SUCCESS;
}

static int decaps(state *s, const uint8_t *input, uint8_t *output) {
    const OQS_KEM *k = s->own;
    return OQS_KEM_decaps(k, output, input + k->length_secret_key, input) != OQS_SUCCESS;
}

#define LIBOQS(of, calls) \
    {.contest = of, .name = "liboqs", .library = "liboqs", .version = OQS_VERSION_TEXT, \
     .backend = "its own choice", .labels = "constant-time", .how_to_use = "OQS_DIST_BUILD; " calls}
#define KEM(of, calls, level, function) \
    {LIBOQS(of, calls), .once = function, .set_up = kem, .end = end, .parameter = level}
#define KEMS(suite, level) \
    KEM(suite "/keygen", "OQS_KEM_keypair_derand", level, keygen), \
    KEM(suite "/encaps", "OQS_KEM_encaps_derand", level, encaps), \
    KEM(suite "/decaps", "OQS_KEM_decaps", level, decaps)
static const rival ENTRIES[] = {
    {LIBOQS("sha3-256/message", "OQS_SHA3_sha3_256"), .once = sha3_256},
    {LIBOQS("shake128/message", "OQS_SHA3_shake128"), .once = shake128},
    KEMS("ml-kem-512", 0), KEMS("ml-kem-768", 1), KEMS("ml-kem-1024", 2),
};
RIVALS(ENTRIES)
