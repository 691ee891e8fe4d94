/* The eXtended Keccak Code Package as a plug-in, for AVX-512: one message, also of trees, and eight of one length at a
 * time.
 *
 * Its sponge of eight states is made here from its functions of eight states, as its documentation describes them. */
#include "rival.h"

#include <KangarooTwelve.h>
#include <KeccakP-1600-times8-SnP.h>
#include <KeccakSponge.h>
#include <SP800-185.h>

enum { DIGEST = 32, BLOCK = 8192, RATE = 136, KECCAK = 0x01, SHA3 = 0x06, SHAKE = 0x1f };

static int message(state *s, const uint8_t *input, uint8_t *output) {
    unsigned rate = s->rival->parameter == SHAKE ? 168 : RATE;
    return KeccakWidth1600_Sponge(8 * rate, 1600 - 8 * rate, input, s->job.bytes, (uint8_t)s->rival->parameter, output,
                                  s->job.output_len);
}

/* Trees: its functions take eight, four or two chunks of the message at a time. */
static int kangaroo(state *s, const uint8_t *input, uint8_t *output) {
    return KangarooTwelve(s->rival->parameter, input, s->job.bytes, output, s->job.output_len, NULL, 0);
}

static int parallel_hash(state *s, const uint8_t *input, uint8_t *output) {
    return ParallelHash128(input, 8 * s->job.bytes, BLOCK, output, 8 * s->job.output_len, NULL, 0);
}

static void eight(KeccakP1600times8_states *states, const uint8_t *input, size_t bytes, uint8_t *output) {
    size_t done = 0;
    KeccakP1600times8_InitializeAll(states);
    if (bytes % 8 == 0) {
        unsigned apart = (unsigned)(bytes / 8);
        done = KeccakF1600times8_FastLoop_Absorb(states, RATE / 8, apart, RATE / 8, input, 8 * bytes);
        KeccakP1600times8_AddLanesAll(states, input + done, (unsigned)(bytes - done) / 8, apart);
    } else {
        for (; bytes - done >= RATE; done += RATE) {
            for (unsigned i = 0; i < 8; i++)
                KeccakP1600times8_AddBytes(states, i, input + i * bytes + done, 0, RATE);
            KeccakP1600times8_PermuteAll_24rounds(states);
        }
        for (unsigned i = 0; i < 8; i++)
            KeccakP1600times8_AddBytes(states, i, input + i * bytes + done, 0, (unsigned)(bytes - done));
    }
    for (unsigned i = 0; i < 8; i++) {
        KeccakP1600times8_AddByte(states, i, KECCAK, (unsigned)(bytes - done));
        KeccakP1600times8_AddByte(states, i, 0x80, RATE - 1);
    }
    KeccakP1600times8_PermuteAll_24rounds(states);
    KeccakP1600times8_ExtractLanesAll(states, output, DIGEST / 8, DIGEST / 8);
}

static int batch_set_up(state *s) { return !rival_own(s, sizeof(KeccakP1600times8_states)); }

static int batch(state *s, const uint8_t *input, uint8_t *output) {
    size_t bytes = s->job.bytes, left = s->job.count;
    int failed = 0;
    for (; left >= 8; left -= 8, input += 8 * bytes, output += 8 * DIGEST) eight(s->own, input, bytes, output);
    for (; left; left--, input += bytes, output += DIGEST)
        failed |= KeccakWidth1600_Sponge(8 * RATE, 1600 - 8 * RATE, input, bytes, KECCAK, output, DIGEST);
    return failed;
}

#define XKCP(of, calls) \
    {.contest = of, .name = "XKCP", .library = "XKCP", .backend = "avx512", \
     .labels = "constant-time", .how_to_use = "target AVX512; " calls}
static const rival ENTRIES[] = {
    {XKCP("keccak256/batch", "KeccakP1600times8_*"), .once = batch, .set_up = batch_set_up},
    {XKCP("keccak256/message", "KeccakWidth1600_Sponge"), .once = message, .parameter = KECCAK},
    {XKCP("sha3-256/message", "KeccakWidth1600_Sponge"), .once = message, .parameter = SHA3},
    {XKCP("shake128/message", "KeccakWidth1600_Sponge"), .once = message, .parameter = SHAKE},
    {XKCP("kt128/message", "KangarooTwelve"), .once = kangaroo, .parameter = 128},
    {XKCP("kt256/message", "KangarooTwelve"), .once = kangaroo, .parameter = 256},
    {XKCP("parallel-hash128/message", "ParallelHash128"), .once = parallel_hash},
};
RIVALS(ENTRIES)
