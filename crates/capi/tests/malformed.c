/* Calls with random pointers, lengths, names and objects, most of them wrong: malformed CALLS [SEED]
 *
 * Nothing may crash, and no byte may change but those of outputs of calls that succeed. All buffers lie at random
 * places of one arena, so that they overlap often. What the header leaves to the caller is kept: a length is either
 * that of bytes that are there, or so long that it cannot be. */
#include "fairlane.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, ARENA = 8192, OBJECTS = 4 };

static uint64_t state;
static uint8_t *arena, *shadow;
static uint8_t *written[2];
static size_t written_length[2];
static unsigned long long counts[32];

static uint32_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static uint32_t below(uint32_t n) { return next() % n; }

/* A length near the right one. */
static size_t length(size_t right) {
    switch (below(16)) {
    case 0: return 0;
    case 1: return right + 1;
    case 2: return right ? right - 1 : 0;
    case 3: return below(300);
    case 4: return (size_t)-1 - below(3);
    case 5: return (size_t)-1 / 2 + 1 + below(3);
    default: return right;
    }
}

/* A pointer to this many bytes of the arena. */
static uint8_t *pointer(size_t *bytes) {
    size_t here = *bytes;
    if (below(32) == 0) return NULL;
    if (here > (size_t)-1 / 2) return arena + GUARD + below(ARENA);
    if (here > ARENA) *bytes = here = ARENA;
    return arena + GUARD + below((uint32_t)(ARENA - here + 1));
}

static uint8_t *output(int i, size_t *bytes) {
    written[i] = pointer(bytes);
    written_length[i] = *bytes;
    return written[i];
}

static const char *const bad_names[] = {"", "sha3_256", "SM3", "\xff", "sm3 ", "kalyna", "aes-gcm",
    "a name of more than sixty-four bytes, which is longer than any name that there is"};

typedef const char *(*name_of)(size_t);

static const char *name(name_of list) {
    static uint32_t sizes[8];
    static name_of lists[8];
    int i;
    if (below(24) == 0) return NULL;
    if (below(24) == 0) return bad_names[below(8)];
    for (i = 0; lists[i] && lists[i] != list; i++) {}
    if (!lists[i]) {
        lists[i] = list;
        while (list(sizes[i])) sizes[i]++;
    }
    return list(below(sizes[i]));
}

static const char *backend(void) { return below(3) ? NULL : name(fairlane_backend_name); }

static fairlane_key some_key(size_t right) {
    fairlane_key key;
    key.length = length(right);
    key.bytes = pointer(&key.length);
    return key;
}

static fairlane_nonce some_nonce(size_t right) {
    fairlane_nonce nonce;
    nonce.length = length(right);
    nonce.bytes = pointer(&nonce.length);
    return nonce;
}

static fairlane_seed some_seed(size_t right) {
    fairlane_seed seed;
    seed.length = length(right);
    seed.bytes = pointer(&seed.length);
    return seed;
}

static fairlane_hasher *hashers[OBJECTS];
static fairlane_hasher_room hasher_rooms[OBJECTS];
static fairlane_aead_room aead_rooms[OBJECTS];
static fairlane_cipher_room cipher_rooms[OBJECTS];
static fairlane_block_mode_room mode_rooms[OBJECTS];
static fairlane_aead *aeads[OBJECTS];
static fairlane_cipher *ciphers[OBJECTS];
static fairlane_block_mode *modes[OBJECTS];
static fairlane_decapsulation_key *owns[OBJECTS];
static fairlane_encapsulation_key *theirs[OBJECTS];
/* The names of the objects. */
static const char *aead_names[OBJECTS], *mode_names[OBJECTS], *own_names[OBJECTS], *their_names[OBJECTS];

/* A room, or no good one. */
static void *room(uint8_t *bytes) { return below(30) == 0 ? NULL : below(30) == 0 ? bytes + 1 + below(7) : bytes; }

static size_t kem_secret(void) { return FAIRLANE_KEM_SECRET_SIZE; }

static fairlane_status call(void) {
    uint32_t i = below(OBJECTS), j = below(OBJECTS);
    const char *n;
    size_t a, b, c;
    uint8_t *in, *in2;
    switch (below(37)) {
    case 0: case 1: case 2:
        n = name(fairlane_hash_name);
        a = length(below(600));
        in = pointer(&a);
        b = length(fairlane_hash_size(n));
        output(0, &b);
        return fairlane_hash(n, in, a, written[0], b, backend());
    case 3: case 4: {
        static fairlane_bytes list[40];
        uint32_t count = below(40), m;
        n = name(fairlane_hash_name);
        for (m = 0; m < count; m++) {
            list[m].length = below(20) ? below(300) : length(20);
            list[m].bytes = pointer(&list[m].length);
        }
        b = length(fairlane_hash_size(n));
        c = b > ARENA ? b : b * count;
        in = output(0, &c);
        if (b <= ARENA && c != b * count) return 99;
        if (count == 0) written_length[0] = 0;
        return fairlane_hash_many(n, below(50) ? list : NULL, count, in, b, backend());
    }
    case 5: case 6: {
        size_t row = length(below(200)), stride = row + below(20) - (below(8) == 0), count = below(30);
        n = name(fairlane_hash_name);
        b = length(fairlane_hash_size(n));
        c = b > ARENA ? b : b * count;
        in2 = output(0, &c);
        if (b <= ARENA && c != b * count) return 99;
        if (count == 0) written_length[0] = 0;
        a = row > ARENA || stride > ARENA ? (size_t)-1 : stride * count + row;
        if (a > ARENA && a != (size_t)-1) return 99;
        in = pointer(&a);
        if (a == (size_t)-1 && (count == 0 || (row <= ARENA && count == 1))) return 99;
        return fairlane_hash_rows(n, in, row, stride, count, in2, b, backend());
    }
    case 7:
        fairlane_hasher_free(hashers[i]);
        hashers[i] = NULL;
        if (below(2)) return fairlane_hasher_new(below(30) ? &hashers[i] : NULL, name(fairlane_hash_name), backend());
        a = length(fairlane_hasher_size());
        return fairlane_hasher_init(below(30) ? &hashers[i] : NULL, room(hasher_rooms[i].bytes), a,
                                    name(fairlane_hash_name), backend());
    case 8: case 9:
        a = length(below(600));
        in = pointer(&a);
        return fairlane_hasher_update(hashers[i], in, a);
    case 10: case 11:
        a = length(32);
        in = output(0, &a);
        return fairlane_hasher_finalize(hashers[i], in, a);
    case 12:
        a = length(below(300));
        in = output(0, &a);
        return fairlane_hasher_squeeze(hashers[i], in, a);
    case 13: return fairlane_hasher_reset(hashers[i]);
    case 14:
        if (i == j) return 99;
        fairlane_hasher_free(hashers[j]);
        hashers[j] = NULL;
        if (below(2)) return fairlane_hasher_copy(&hashers[j], hashers[i]);
        return fairlane_hasher_init_copy(&hashers[j], room(hasher_rooms[j].bytes), length(fairlane_hasher_size()),
                                         hashers[i]);
    case 15:
        fairlane_aead_free(aeads[i]);
        aead_names[i] = name(fairlane_aead_name);
        aeads[i] = NULL;
        n = aead_names[i];
        a = length(fairlane_aead_size(n));
        b = fairlane_aead_key_size(n);
        if (below(2)) return fairlane_aead_new(below(30) ? &aeads[i] : NULL, n, some_key(b), backend());
        return fairlane_aead_init(below(30) ? &aeads[i] : NULL, room(aead_rooms[i].bytes), a, n, some_key(b),
                                  backend());
    case 16: case 17: {
        fairlane_nonce nonce = some_nonce(fairlane_aead_nonce_size(aead_names[i]));
        a = length(below(100));
        in = pointer(&a);
        b = length(below(300));
        in2 = pointer(&b);
        c = length((b > ARENA ? 0 : b) + fairlane_aead_tag_size(aead_names[i]));
        output(0, &c);
        /* In place, if the plaintext is still within the arena. */
        if (below(3) == 0 && written[0] && b <= ARENA && written[0] + b <= arena + GUARD + ARENA) in2 = written[0];
        return fairlane_aead_seal(aeads[i], nonce, in, a, in2, b, written[0], c);
    }
    case 18: case 19: {
        fairlane_nonce nonce = some_nonce(fairlane_aead_nonce_size(aead_names[i]));
        a = length(below(100));
        in = pointer(&a);
        b = length(below(300));
        output(0, &b);
        c = length((b > ARENA ? 0 : b) + fairlane_aead_tag_size(aead_names[i]));
        in2 = pointer(&c);
        if (below(3) == 0 && in2 && b <= ARENA && in2 + b <= arena + GUARD + ARENA) written[0] = in2;
        return fairlane_aead_open(aeads[i], nonce, in, a, in2, c, written[0], b);
    }
    case 20: {
        fairlane_nonce nonce = some_nonce(fairlane_aead_nonce_size(aead_names[i]));
        a = length(below(100));
        in = pointer(&a);
        b = length(below(300));
        output(0, &b);
        c = length(fairlane_aead_tag_size(aead_names[i]));
        output(1, &c);
        return fairlane_aead_seal_detached(aeads[i], nonce, in, a, written[0], b, written[1], c);
    }
    case 21: {
        fairlane_nonce nonce = some_nonce(fairlane_aead_nonce_size(aead_names[i]));
        a = length(below(100));
        in = pointer(&a);
        b = length(below(300));
        output(0, &b);
        c = length(fairlane_aead_tag_size(aead_names[i]));
        in2 = pointer(&c);
        return fairlane_aead_open_detached(aeads[i], nonce, in, a, written[0], b, in2, c);
    }
    case 22:
        fairlane_cipher_free(ciphers[i]);
        ciphers[i] = NULL;
        n = name(fairlane_cipher_name);
        a = length(fairlane_cipher_size(n));
        b = fairlane_cipher_key_size(n);
        c = fairlane_cipher_nonce_size(n);
        if (below(2)) return fairlane_cipher_new(&ciphers[i], n, some_key(b), some_nonce(c), backend());
        return fairlane_cipher_init(below(30) ? &ciphers[i] : NULL, room(cipher_rooms[i].bytes), a, n, some_key(b),
                                    some_nonce(c), backend());
    case 23: case 24:
        a = length(below(600));
        in = pointer(&a);
        written[0] = below(2) ? in : pointer(&a);
        written_length[0] = a;
        return fairlane_cipher_apply(ciphers[i], in, written[0], a);
    case 25: {
        uint64_t position;
        if (below(2)) return fairlane_cipher_position(ciphers[i], below(9) ? &position : NULL);
        return fairlane_cipher_seek(ciphers[i], state >> below(64));
    }
    case 26:
        fairlane_block_mode_free(modes[i]);
        mode_names[i] = name(fairlane_block_mode_name);
        modes[i] = NULL;
        n = mode_names[i];
        a = length(fairlane_block_mode_size(n));
        b = fairlane_block_mode_key_size(n);
        if (below(2)) return fairlane_block_mode_new(&modes[i], n, some_key(b), backend());
        return fairlane_block_mode_init(below(30) ? &modes[i] : NULL, room(mode_rooms[i].bytes), a, n, some_key(b),
                                        backend());
    case 27: case 28: {
        fairlane_nonce iv = some_nonce(fairlane_block_mode_iv_size(mode_names[i]));
        a = length(below(2) ? 64 * below(10) : below(600));
        in = pointer(&a);
        written[0] = below(2) ? in : pointer(&a);
        written_length[0] = a;
        return (below(2) ? fairlane_block_mode_encrypt : fairlane_block_mode_decrypt)(modes[i], iv, in, written[0], a);
    }
    case 29:
        if (below(8)) return 99;
        fairlane_decapsulation_key_free(owns[i]);
        n = own_names[i] = name(fairlane_kem_name);
        a = length(fairlane_kem_decapsulation_key_size(n));
        switch (below(4)) {
        case 0: return fairlane_decapsulation_key_generate(&owns[i], n, backend());
        case 1: return fairlane_decapsulation_key_from_bytes(&owns[i], n, some_key(a), backend());
        default:
            return fairlane_decapsulation_key_from_seeds(&owns[i], n, some_seed(fairlane_kem_seeds_size(n)), backend());
        }
    case 30:
        if (i == j || below(8)) return 99;
        if (below(2)) {
            fairlane_decapsulation_key_free(owns[j]);
            own_names[j] = own_names[i];
            return fairlane_decapsulation_key_prepare(&owns[j], owns[i]);
        }
        fairlane_encapsulation_key_free(theirs[j]);
        their_names[j] = their_names[i];
        return fairlane_encapsulation_key_prepare(&theirs[j], theirs[i]);
    case 31: {
        /* A right key half of the time. */
        uint8_t right[2000];
        n = own_names[i];
        a = length(fairlane_kem_encapsulation_key_size(n));
        if (below(8)) return 99;
        fairlane_encapsulation_key_free(theirs[j]);
        their_names[j] = n;
        if (below(2) && a <= sizeof right && fairlane_decapsulation_key_public(owns[i], right, a) == FAIRLANE_OK)
            return fairlane_encapsulation_key_from_bytes(&theirs[j], n, right, a, backend());
        in = pointer(&a);
        return fairlane_encapsulation_key_from_bytes(&theirs[j], n, in, a, backend());
    }
    case 32:
        n = own_names[i];
        a = length(below(2) ? fairlane_kem_encapsulation_key_size(n) : fairlane_kem_decapsulation_key_size(n));
        in = output(0, &a);
        switch (below(3)) {
        case 0: return fairlane_decapsulation_key_bytes(owns[i], in, a);
        case 1: return fairlane_decapsulation_key_public(owns[i], in, a);
        default: return fairlane_encapsulation_key_bytes(theirs[i], in, a);
        }
    case 33:
        if (below(4)) return 99;
        a = length(fairlane_kem_ciphertext_size(their_names[i]));
        output(0, &a);
        b = length(kem_secret());
        output(1, &b);
        if (below(2)) return fairlane_encapsulate(theirs[i], written[0], a, written[1], b);
        c = fairlane_kem_randomness_size(their_names[i]);
        return fairlane_encapsulate_with(theirs[i], some_seed(c), written[0], a, written[1], b);
    case 34:
        if (below(4)) return 99;
        a = length(fairlane_kem_ciphertext_size(own_names[i]));
        in = pointer(&a);
        b = length(kem_secret());
        output(0, &b);
        return fairlane_decapsulate(owns[i], in, a, written[0], b);
    case 35: {
        /* Room where no object is. */
        static fairlane_aead_room none;
        a = below(sizeof none.bytes);
        none.bytes[a / 2] = (uint8_t)next();
        fairlane_aead_free((fairlane_aead *)(void *)none.bytes);
        return below(2) ? fairlane_hasher_reset((fairlane_hasher *)(void *)none.bytes)
                        : fairlane_cipher_seek((fairlane_cipher *)(void *)none.bytes, a);
    }
    default:
        if (below(8)) return 99;
        n = name(fairlane_kem_name);
        c = fairlane_kem_ciphertext_size(n);
        switch (below(3)) {
        case 0: {
            fairlane_decapsulation_key *keys[OBJECTS] = {NULL, NULL, NULL, NULL};
            fairlane_seed seeds = some_seed(j * fairlane_kem_seeds_size(n));
            fairlane_status status = fairlane_generate_many(n, below(20) ? keys : NULL, j, seeds, backend());
            for (i = 0; i < OBJECTS; i++) fairlane_decapsulation_key_free(keys[i]);
            return status;
        }
        case 1:
            a = length(j * c);
            output(0, &a);
            b = length((size_t)j * 32);
            output(1, &b);
            c = j * fairlane_kem_randomness_size(n);
            return fairlane_encapsulate_many(n, theirs, j, some_seed(c), written[0], a, written[1], b);
        default:
            a = length(j * c);
            in = pointer(&a);
            b = length((size_t)j * 32);
            output(0, &b);
            return fairlane_decapsulate_many(n, owns, j, in, a, written[0], b);
        }
    }
}

int main(int argc, char **argv) {
    unsigned long long calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, i;
    unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int k;
    size_t all = GUARD + ARENA + GUARD;
    state = seed * 0x9e3779b97f4a7c15ull + 1;
    arena = (uint8_t *)malloc(all);
    shadow = (uint8_t *)malloc(all);
    if (!arena || !shadow) return 2;
    for (i = 0; i < all; i++) arena[i] = (uint8_t)next();
    memcpy(shadow, arena, all);
    for (i = 0; i < calls;) {
        fairlane_status status;
        written[0] = written[1] = NULL;
        written_length[0] = written_length[1] = 0;
        status = call();
        if (status == 99) continue; /* no call */
        i++;
        if (status < 0 || status > FAIRLANE_ERROR_NOT_MADE) status = FAIRLANE_ERROR_INTERNAL;
        counts[status]++;
        if (status == FAIRLANE_ERROR_INTERNAL) {
            printf("call %llu of seed %llu: an internal error\n", i, seed);
            return 1;
        }
        for (k = 0; k < 2 && status == FAIRLANE_OK; k++)
            if (written_length[k]) memcpy(shadow + (written[k] - arena), written[k], written_length[k]);
        if (memcmp(arena, shadow, all) != 0) {
            printf("call %llu of seed %llu: bytes have changed, status %d\n", i, seed, (int)status);
            return 1;
        }
    }
    for (k = 0; k < OBJECTS; k++) {
        fairlane_hasher_free(hashers[k]);
        fairlane_aead_free(aeads[k]);
        fairlane_cipher_free(ciphers[k]);
        fairlane_block_mode_free(modes[k]);
        fairlane_decapsulation_key_free(owns[k]);
        fairlane_encapsulation_key_free(theirs[k]);
    }
    for (k = 0; k <= FAIRLANE_ERROR_NOT_MADE; k++)
        if (counts[k]) printf("%12llu %s\n", counts[k], fairlane_status_message(k));
    printf("%llu calls, none crashed, none wrote what it must not\n", calls);
    free(arena);
    free(shadow);
    return 0;
}
