/* A contestant for `fairlane race --plugin ./mine.so`: include this page, export its six functions, and build a shared
 * library. Nothing of fairlane is linked. docs/plugins.md says what each contest's input and output hold.
 *
 * The library is first tried in a process of its own. If that crashes or hangs, the contestant is disqualified and the
 * race goes on. Then the library is loaded into the race. It prints nothing. Several states may be in use at once, each
 * by one thread at a time, which need not be the thread that set it up. */
#ifndef FAIRLANE_CONTESTANT_H
#define FAIRLANE_CONTESTANT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this page. */
#define FAIRLANE_ABI 1

/* One contestant of one contest. All text is UTF-8 on one line and lives as long as the library; NULL is unknown. */
typedef struct fairlane_contestant {
    const char *contest;    /* as `fairlane race --list` prints it: "sha3-256/message" */
    const char *function;   /* which of the functions, in a contest of one job ("ChaCha20" in arx/encrypt-in-place) */
    const char *name;       /* "my-keccak": what tables call it */
    const char *library;    /* the library that it is of: "libkeccak" */
    const char *version;    /* "1.4.2" */
    const char *backend;    /* the path that it takes on this machine: "avx2" */
    const char *labels;     /* separated by spaces: constant-time, not-constant-time, reference, one-by-one,
                               key-schedule-inside, key-not-prepared, draws-randomness */
    const char *how_to_use; /* how a program takes this path: "gcc -O3 -mavx2; keccak256()" */
} fairlane_contestant;

/* What `fairlane_run` does with its buffers. */
enum {
    FAIRLANE_TO_OUTPUT = 0, /* reads the whole input, fills the whole output */
    FAIRLANE_IN_PLACE = 1,  /* changes the output where it lies, again and again; input is the same address */
    FAIRLANE_KEY_SETUP = 2  /* expands the key that is the input; if output is not NULL, then writes a block of zeros
                               encrypted under it there */
};

/* What is to be set up. All pointers are valid during the call only. */
typedef struct fairlane_job {
    const char *contest;
    const char *function;   /* "SHA3-256" */
    uint32_t shape;         /* FAIRLANE_TO_OUTPUT, ... */
    size_t count;           /* messages, blocks or keys an operation; 1 unless the contest is one of batches */
    size_t bytes;           /* bytes of each */
    size_t input_len;       /* bytes of input of one operation */
    size_t output_len;      /* bytes of output */
    const uint8_t *key;     /* the contest's fixed key, or one for each message; NULL if it has none */
    size_t key_len;
    const uint8_t *iv;      /* likewise its IV, nonce, counter block or tweak */
    size_t iv_len;
    const uint8_t *aad;     /* likewise its additional data */
    size_t aad_len;
} fairlane_job;

/* A language that declares its own functions defines this and takes the types alone. */
#ifndef FAIRLANE_TYPES_ONLY

/* FAIRLANE_ABI. */
uint32_t fairlane_abi(void);

/* The contestants, and how many there are. The array lives as long as the library. */
const fairlane_contestant *fairlane_contestants(size_t *count);

/* Makes ready, for one job, the contestant at this place of the array. Everything that the contest does not time is
 * done here. NULL if that is impossible; fairlane_error() then says why. */
void *fairlane_set_up(size_t contestant, const fairlane_job *job);

/* Does the job `times` times, each time in full: what a compiler would move out of this loop must stay in. Returns 0,
 * or anything else if it failed. */
int fairlane_run(void *state, const uint8_t *input, uint8_t *output, uint64_t times);

/* Ends a state. */
void fairlane_tear_down(void *state);

/* Why the last call failed, in one line, or NULL. */
const char *fairlane_error(void);

#endif

#ifdef __cplusplus
}
#endif
#endif
