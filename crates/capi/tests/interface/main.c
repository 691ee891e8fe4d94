/* The C interface: known answers, every algorithm in a round trip, and bad calls. Compiles as C99 and as C++. */
#include "check.h"
#include <stdio.h>

static int failures = 0;
static int checks = 0;

void check(int right, const char *file, int line, const char *what) {
    checks++;
    if (!right) {
        failures++;
        printf("%s:%d: %s\n", file, line, what);
    }
}

int main(void) {
    lists();
    hash_answers();
    hash_shapes();
    hashes_in_room();
    bad_hashes();
    aead_answers();
    aeads();
    ciphers();
    block_modes();
    keyed_in_room();
    kems();
    objects_apart();
    printf("%d passed, %d failed\n", checks - failures, failures);
    return failures != 0;
}
