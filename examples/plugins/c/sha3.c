/* SHA3-256 and Keccak-256 in plain C, as a plug-in of fairlane's race.
 *
 *     cc -O3 -march=native -shared -fPIC -I ../../../crates/lab/include -o sha3.so sha3.c
 *     fairlane race --plugin ./sha3.so
 */
#include "fairlane_contestant.h"

#include <stdlib.h>
#include <string.h>

enum { RATE = 136, DIGEST = 32 };

static uint64_t rotl(uint64_t x, unsigned n) { return n ? x << n | x >> (64 - n) : x; }

/* Keccak-f[1600]. The offsets of rho and the constants of iota are computed along the way, as FIPS 202 defines them. */
static void permute(uint64_t a[25]) {
    unsigned lfsr = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], b[25];
        for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ rotl(c[(i + 1) % 5], 1);
        b[0] = a[0];
        for (int t = 0, x = 1, y = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            b[y + 5 * next] = rotl(a[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
            x = y;
            y = next;
        }
        for (int i = 0; i < 25; i++) a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
        for (int j = 0; j < 7; j++) {
            if (lfsr & 1) a[0] ^= 1ULL << ((1 << j) - 1);
            lfsr = lfsr & 0x80 ? lfsr << 1 ^ 0x171 : lfsr << 1;
        }
    }
}

static void absorb(uint64_t a[25], const uint8_t *block) {
    for (int i = 0; i < RATE / 8; i++) {
        uint64_t word = 0;
        for (int j = 7; j >= 0; j--) word = word << 8 | block[8 * i + j];
        a[i] ^= word;
    }
    permute(a);
}

static void hash(const uint8_t *message, size_t len, uint8_t *digest, uint8_t padding) {
    uint64_t a[25] = {0};
    uint8_t last[RATE] = {0};
    for (; len >= RATE; message += RATE, len -= RATE) absorb(a, message);
    memcpy(last, message, len);
    last[len] = padding;
    last[RATE - 1] |= 0x80;
    absorb(a, last);
    for (int i = 0; i < DIGEST; i++) digest[i] = (uint8_t)(a[i / 8] >> 8 * (i % 8));
}

/* Where the two hashes differ: the byte after the message. */
static const uint8_t PADDING[] = {0x06, 0x01};

static const fairlane_contestant CONTESTANTS[] = {
    {.contest = "sha3-256/message", .name = "plain C", .version = "1", .backend = "portable C",
     .labels = "constant-time", .how_to_use = "examples/plugins/c"},
    {.contest = "keccak256/message", .name = "plain C", .version = "1", .backend = "portable C",
     .labels = "constant-time", .how_to_use = "examples/plugins/c"},
};

typedef struct { size_t len; uint8_t padding; } state;

uint32_t fairlane_abi(void) { return FAIRLANE_ABI; }

const fairlane_contestant *fairlane_contestants(size_t *count) {
    *count = sizeof CONTESTANTS / sizeof *CONTESTANTS;
    return CONTESTANTS;
}

void *fairlane_set_up(size_t contestant, const fairlane_job *job) {
    state *s = malloc(sizeof *s);
    if (s) *s = (state){.len = job->input_len, .padding = PADDING[contestant]};
    return s;
}

int fairlane_run(void *s, const uint8_t *input, uint8_t *output, uint64_t times) {
    const state *job = s;
    for (; times; times--) {
        hash(input, job->len, output, job->padding);
        __asm__ volatile("" ::: "memory"); /* every time in full */
    }
    return 0;
}

void fairlane_tear_down(void *s) { free(s); }

const char *fairlane_error(void) { return NULL; }
