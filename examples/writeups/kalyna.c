/* Kalyna-reference, or libkalyna-c, which has the same functions, as a plug-in. `race` builds it with their sources and
 * says by NAME and VERSION which it is.
 *
 * Their header defines uint64_t anew, so that their functions are declared here. */
#include "fairlane_contestant.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long word;
typedef struct kalyna kalyna;
kalyna *KalynaInit(size_t block_bits, size_t key_bits);
int KalynaDelete(kalyna *);
void KalynaKeyExpand(word *key, kalyna *);
void KalynaEncipher(word *plaintext, kalyna *, word *ciphertext);
void KalynaDecipher(word *ciphertext, kalyna *, word *plaintext);

#define JOB(variant, job) \
    {.contest = "kalyna-" variant "/" job, .name = NAME, .library = NAME, .version = VERSION, .backend = "portable C", \
     .labels = "not-constant-time", .how_to_use = "KalynaInit, KalynaKeyExpand, KalynaEncipher, KalynaDecipher"}
#define JOBS(variant) \
    JOB(variant, "ecb-encrypt"), JOB(variant, "ecb-decrypt"), JOB(variant, "block-encrypt"), \
    JOB(variant, "block-decrypt"), JOB(variant, "key-schedule")
enum { EACH = 5, KEY_SCHEDULE = 4 };
static const fairlane_contestant CONTESTANTS[] = {
    JOBS("128-128"), JOBS("128-256"), JOBS("256-256"), JOBS("256-512"), JOBS("512-512"),
};
static const struct { size_t block, key; } VARIANTS[] = {{16, 16}, {16, 32}, {32, 32}, {32, 64}, {64, 64}};

typedef struct {
    kalyna *cipher;
    size_t block, key, len;
    int decrypt, expand;
} state;

uint32_t fairlane_abi(void) { return FAIRLANE_ABI; }

const fairlane_contestant *fairlane_contestants(size_t *count) {
    *count = sizeof CONTESTANTS / sizeof *CONTESTANTS;
    return CONTESTANTS;
}

static void expand(const state *s, const uint8_t *key) {
    word words[8];
    memcpy(words, key, s->key);
    KalynaKeyExpand(words, s->cipher);
}

void *fairlane_set_up(size_t contestant, const fairlane_job *job) {
    size_t variant = contestant / EACH, at = contestant % EACH;
    state *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (state){.block = VARIANTS[variant].block, .key = VARIANTS[variant].key, .len = job->input_len,
                 .decrypt = at == 1 || at == 3, .expand = at == KEY_SCHEDULE};
    s->cipher = KalynaInit(8 * s->block, 8 * s->key);
    if (!s->cipher) { free(s); return NULL; }
    if (job->key) expand(s, job->key);
    return s;
}

static void each_block(const state *s, const uint8_t *input, uint8_t *output, size_t len) {
    word from[8], to[8];
    for (size_t at = 0; at < len; at += s->block) {
        memcpy(from, input + at, s->block);
        (s->decrypt ? KalynaDecipher : KalynaEncipher)(from, s->cipher, to);
        memcpy(output + at, to, s->block);
    }
}

int fairlane_run(void *state_, const uint8_t *input, uint8_t *output, uint64_t times) {
    const state *s = state_;
    static const uint8_t zeros[64];
    for (; times; times--) {
        if (s->expand) {
            expand(s, input);
            if (output) each_block(s, zeros, output, s->block);
        } else {
            each_block(s, input, output, s->len);
        }
        __asm__ volatile("" ::: "memory"); /* every time in full */
    }
    return 0;
}

void fairlane_tear_down(void *state_) {
    state *s = state_;
    KalynaDelete(s->cipher);
    free(s);
}

const char *fairlane_error(void) { return "KalynaInit refused, or there is no memory"; }
