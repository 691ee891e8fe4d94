/* Intel's Multi-Buffer Crypto for IPsec as a plug-in: ChaCha20-Poly1305, SHA3-256 and SHAKE128, SM3 and SM4.
 *
 * A job is filled in once and copied into the manager's queue for every operation, without its checks of arguments.
 * Its ChaCha20 alone always begins at block 1, and so has no place in `chacha20/encrypt`. */
#include "rival.h"

#include <intel-ipsec-mb.h>

#if IMB_VERSION_NUM >= IMB_VERSION(2, 0, 0)
#define HAS_SM
#endif
#if IMB_VERSION_NUM >= IMB_VERSION(3, 0, 0)
#define HAS_SHA3
#endif

enum { TAG = 16 };

typedef struct {
    IMB_MGR *mgr;
    IMB_JOB job;
    uint8_t tag[TAG];
#ifdef HAS_SM
    uint32_t enc[IMB_SM4_KEY_SCHEDULE_ROUNDS], dec[IMB_SM4_KEY_SCHEDULE_ROUNDS];
    struct gcm_key_data gcm;
#endif
} ipsec_mb;

static void end(state *s) { free_mb_mgr(((ipsec_mb *)s->own)->mgr); }

static ipsec_mb *begin(state *s) {
    ipsec_mb *o = rival_own(s, sizeof *o);
    if (!o) return NULL;
    o->mgr = alloc_mb_mgr(0);
    if (!o->mgr) return NULL;
    init_mb_mgr_auto(o->mgr, NULL);
    o->job = (IMB_JOB){.cipher_mode = IMB_CIPHER_NULL, .hash_alg = IMB_AUTH_NULL, .cipher_direction = IMB_DIR_ENCRYPT,
                       .chain_order = IMB_ORDER_CIPHER_HASH, .msg_len_to_cipher_in_bytes = s->job.bytes,
                       .iv = s->job.iv, .iv_len_in_bytes = s->job.iv_len, .key_len_in_bytes = s->job.key_len};
    return o;
}

/* Does the job at once; these algorithms wait for no others. */
static int submit(ipsec_mb *o, const uint8_t *input, uint8_t *output, uint8_t *tag) {
    IMB_JOB *job = IMB_GET_NEXT_JOB(o->mgr);
    *job = o->job;
    job->src = input;
    job->dst = output;
    job->auth_tag_output = tag;
    job = IMB_SUBMIT_JOB_NOCHECK(o->mgr);
    if (!job) job = IMB_FLUSH_JOB(o->mgr);
    return !job || job->status != IMB_STATUS_COMPLETED;
}

static int seal(state *s, const uint8_t *input, uint8_t *output) {
    return submit(s->own, input, output, output + s->job.bytes);
}

static int open(state *s, const uint8_t *input, uint8_t *output) {
    ipsec_mb *o = s->own;
    if (submit(o, input, output, o->tag)) return 1;
    unsigned differ = 0;
    for (int i = 0; i < TAG; i++) differ |= o->tag[i] ^ input[s->job.bytes + i];
    return (int)differ;
}

/* A job of an AEAD under `key`; opening checks the tag first. */
static void aead(state *s, IMB_CIPHER_MODE cipher, IMB_HASH_ALG hash, const void *key) {
    ipsec_mb *o = s->own;
    o->job.cipher_mode = cipher;
    o->job.hash_alg = hash;
    o->job.enc_keys = o->job.dec_keys = key;
    o->job.msg_len_to_hash_in_bytes = s->job.bytes;
    o->job.auth_tag_output_len_in_bytes = TAG;
    if (s->rival->once == open) {
        o->job.cipher_direction = IMB_DIR_DECRYPT;
        o->job.chain_order = IMB_ORDER_HASH_CIPHER;
    }
}

static int chacha20_poly1305(state *s) {
    ipsec_mb *o = begin(s);
    if (!o) return 1;
    aead(s, IMB_CIPHER_CHACHA20_POLY1305, IMB_AUTH_CHACHA20_POLY1305, s->job.key);
    o->job.u.CHACHA20_POLY1305.aad = s->job.aad;
    o->job.u.CHACHA20_POLY1305.aad_len_in_bytes = s->job.aad_len;
    return 0;
}

#ifdef HAS_SM
static int cipher(state *s, const uint8_t *input, uint8_t *output) { return submit(s->own, input, output, NULL); }

static int sm4(state *s) {
    ipsec_mb *o = begin(s);
    if (!o) return 1;
    IMB_SM4_KEYEXP(o->mgr, s->job.key, o->enc, o->dec);
    o->job.cipher_mode = (IMB_CIPHER_MODE)s->rival->parameter;
    o->job.enc_keys = o->enc;
    o->job.dec_keys = o->dec;
    if (strstr(s->job.contest, "decrypt")) o->job.cipher_direction = IMB_DIR_DECRYPT;
    return 0;
}

static int sm4_gcm(state *s) {
    ipsec_mb *o = begin(s);
    if (!o) return 1;
    imb_sm4_gcm_pre(o->mgr, s->job.key, &o->gcm);
    aead(s, IMB_CIPHER_SM4_GCM, IMB_AUTH_SM4_GCM, &o->gcm);
    o->job.u.GCM.aad = s->job.aad;
    o->job.u.GCM.aad_len_in_bytes = s->job.aad_len;
    return 0;
}

static int hash(state *s, const uint8_t *input, uint8_t *output) { return submit(s->own, input, NULL, output); }

static int hash_job(state *s) {
    ipsec_mb *o = begin(s);
    if (!o) return 1;
    o->job.hash_alg = (IMB_HASH_ALG)s->rival->parameter;
    o->job.chain_order = IMB_ORDER_HASH_CIPHER;
    o->job.msg_len_to_hash_in_bytes = s->job.bytes;
    o->job.auth_tag_output_len_in_bytes = s->job.output_len;
    return 0;
}
#endif

#ifdef HAS_SHA3
static int direct(state *s) { return !begin(s); }

static int sha3_256(state *s, const uint8_t *input, uint8_t *output) {
    ((ipsec_mb *)s->own)->mgr->sha3_256(input, s->job.input_len, output);
    return 0;
}

static int shake128(state *s, const uint8_t *input, uint8_t *output) {
    ((ipsec_mb *)s->own)->mgr->shake128(input, s->job.input_len, output, s->job.output_len);
    return 0;
}
#endif

#define ENTRY(job, calls, function, first, value) \
    {{.contest = job, .name = "intel-ipsec-mb", .library = "intel-ipsec-mb", .version = IMB_VERSION_STR, \
      .backend = "its own choice", .labels = "constant-time", .how_to_use = calls}, \
     .once = function, .set_up = first, .end = end, .parameter = value}
static const rival ENTRIES[] = {
    ENTRY("chacha20-poly1305/seal", "IMB_SUBMIT_JOB_NOCHECK", seal, chacha20_poly1305, 0),
    ENTRY("chacha20-poly1305/open", "IMB_SUBMIT_JOB_NOCHECK, then the tag is compared", open, chacha20_poly1305, 0),
#ifdef HAS_SHA3
    ENTRY("sha3-256/message", "the manager's sha3_256", sha3_256, direct, 0),
    ENTRY("shake128/message", "the manager's shake128", shake128, direct, 0),
#endif
#ifdef HAS_SM
    ENTRY("sm3/message", "IMB_SUBMIT_JOB_NOCHECK", hash, hash_job, IMB_AUTH_SM3),
    ENTRY("sm4/ecb-encrypt", "IMB_SUBMIT_JOB_NOCHECK", cipher, sm4, IMB_CIPHER_SM4_ECB),
    ENTRY("sm4/ecb-decrypt", "IMB_SUBMIT_JOB_NOCHECK", cipher, sm4, IMB_CIPHER_SM4_ECB),
    ENTRY("sm4/cbc-encrypt", "IMB_SUBMIT_JOB_NOCHECK", cipher, sm4, IMB_CIPHER_SM4_CBC),
    ENTRY("sm4/cbc-decrypt", "IMB_SUBMIT_JOB_NOCHECK", cipher, sm4, IMB_CIPHER_SM4_CBC),
    ENTRY("sm4/ctr", "IMB_SUBMIT_JOB_NOCHECK", cipher, sm4, IMB_CIPHER_SM4_CNTR),
    ENTRY("sm4/gcm-seal", "IMB_SUBMIT_JOB_NOCHECK", seal, sm4_gcm, 0),
    ENTRY("sm4/gcm-open", "IMB_SUBMIT_JOB_NOCHECK, then the tag is compared", open, sm4_gcm, 0),
#endif
};
RIVALS(ENTRIES)
