/* What the plug-ins of this folder have in common: a list of entries, and the six functions of the interface over it.
 *
 * A plug-in includes this page, writes for each contest a function that does the job once, lists these functions in an
 * array of rivals, and ends with RIVALS(that array). */
#ifndef RIVAL_H
#define RIVAL_H

#include "fairlane_contestant.h"

#include <stdlib.h>
#include <string.h>

/* One job, ready to run. The job's key, IV and additional data are copies that live as long as it does. */
typedef struct state {
    fairlane_job job;
    const struct rival *rival;
    void *own; /* what the library keeps; freed at the end */
} state;

/* One entry: does its job once, after `set_up` (NULL if nothing is to do), and ends what free() does not. Functions
 * return 0, or anything else if they failed. */
typedef struct rival {
    fairlane_contestant contestant;
    int (*once)(state *, const uint8_t *input, uint8_t *output);
    int (*set_up)(state *);
    void (*end)(state *);
    int parameter; /* what entries with the same functions differ in */
} rival;

static inline void rival_free(state *s) {
    if (!s) return;
    free((void *)s->job.key);
    free((void *)s->job.iv);
    free((void *)s->job.aad);
    free(s->own);
    free(s);
}

static inline uint8_t *rival_copy(const uint8_t *from, size_t len) {
    uint8_t *to = from ? malloc(len + 1) : NULL; /* malloc(0) may be NULL */
    if (to) memcpy(to, from, len);
    return to;
}

/* A zeroed object of the library's own that starts at a cache line. */
static inline void *rival_own(state *s, size_t len) {
    s->own = aligned_alloc(64, (len + 63) & ~(size_t)63);
    if (s->own) memset(s->own, 0, len);
    return s->own;
}

static inline void *rival_set_up(const rival *r, const fairlane_job *job) {
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->job = *job;
    s->rival = r;
    s->job.key = rival_copy(job->key, job->key_len);
    s->job.iv = rival_copy(job->iv, job->iv_len);
    s->job.aad = rival_copy(job->aad, job->aad_len);
    if (!job->key == !s->job.key && !job->iv == !s->job.iv && !job->aad == !s->job.aad && (!r->set_up || !r->set_up(s)))
        return s;
    rival_free(s);
    return NULL;
}

#define RIVALS(ENTRIES) \
    enum { COUNT = sizeof ENTRIES / sizeof *ENTRIES }; \
    uint32_t fairlane_abi(void) { return FAIRLANE_ABI; } \
    const fairlane_contestant *fairlane_contestants(size_t *count) { \
        static fairlane_contestant list[COUNT]; \
        for (int i = 0; i < COUNT; i++) list[i] = ENTRIES[i].contestant; \
        *count = COUNT; \
        return list; \
    } \
    void *fairlane_set_up(size_t at, const fairlane_job *job) { return rival_set_up(&ENTRIES[at], job); } \
    int fairlane_run(void *state_, const uint8_t *input, uint8_t *output, uint64_t times) { \
        state *s = state_; \
        int (*once)(state *, const uint8_t *, uint8_t *) = s->rival->once; \
        int failed = 0; \
        for (; times && !failed; times--) failed = once(s, input, output); \
        return failed; \
    } \
    void fairlane_tear_down(void *state_) { \
        state *s = state_; \
        if (s->rival->end) s->rival->end(s); \
        rival_free(s); \
    } \
    const char *fairlane_error(void) { return "the library refused, or there is no memory"; }

#endif
