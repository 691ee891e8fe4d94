/* Intel's ISA-L crypto as a plug-in: SM3 of many messages, sixteen at a time. */
#include "rival.h"

#include <isa-l_crypto.h>

typedef struct {
    ISAL_SM3_HASH_CTX_MGR mgr;
    ISAL_SM3_HASH_CTX *contexts;
} isal;

static int set_up(state *s) {
    isal *o = rival_own(s, sizeof *o);
    if (!o || isal_sm3_ctx_mgr_init(&o->mgr)) return 1;
    o->contexts = aligned_alloc(64, (s->job.count * sizeof *o->contexts + 63) & ~(size_t)63);
    if (!o->contexts) return 1;
    memset(o->contexts, 0, s->job.count * sizeof *o->contexts);
    for (size_t i = 0; i < s->job.count; i++) isal_hash_ctx_init(&o->contexts[i]);
    return 0;
}

static void end(state *s) { free(((isal *)s->own)->contexts); }

static int sm3(state *s, const uint8_t *input, uint8_t *output) {
    isal *o = s->own;
    ISAL_SM3_HASH_CTX *done;
    for (size_t i = 0; i < s->job.count; i++)
        if (isal_sm3_ctx_mgr_submit(&o->mgr, &o->contexts[i], &done, input + i * s->job.bytes, (uint32_t)s->job.bytes,
                                    ISAL_HASH_ENTIRE))
            return 1;
    do {
        if (isal_sm3_ctx_mgr_flush(&o->mgr, &done)) return 1;
    } while (done);
    for (size_t i = 0; i < s->job.count; i++) {
        if (o->contexts[i].error) return 1;
        memcpy(output + 32 * i, o->contexts[i].job.result_digest, 32); /* bytes in the standard's order */
    }
    return 0;
}

#define ENTRY(of) \
    {{.contest = of, .name = "isa-l_crypto", .library = "isa-l_crypto", .version = ISAL_CRYPTO_VERSION_STR, \
      .backend = "its own choice", .labels = "constant-time", .how_to_use = "isal_sm3_ctx_mgr_submit, flush"}, \
     .once = sm3, .set_up = set_up, .end = end}
static const rival ENTRIES[] = {ENTRY("sm3/batch"), ENTRY("sm3/message")};
RIVALS(ENTRIES)
