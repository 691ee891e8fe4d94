/* Uses the provider's ML-KEM and X25519MLKEM768 through EVP: published answers, keys that go out and come back, and
 * what must be refused. Takes the folder of the provider; prints how much it checked, and exits with 1 on a difference.
 *
 * The answers are those of github.com/C2SP/CCTV (ML-KEM, accumulated, 10 000 runs; see crates/vectors/README.md). */
#include "check.h"
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 10000, MOST = 3200 };

struct algorithm {
    const char *name;
    size_t public, private, ciphertext, secret;
    const char *accumulated;
};

static const struct algorithm algorithms[] = {
    {"ML-KEM-512", 800, 1632, 768, 32, "705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13"},
    {"ML-KEM-768", 1184, 2400, 1088, 32, "f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1"},
    {"ML-KEM-1024", 1568, 3168, 1568, 32, "e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5"},
    {"X25519MLKEM768", 1216, 2432, 1120, 64, NULL},
};

/* The key of one or two parameters that are octets; NULL if it is refused. */
static EVP_PKEY *from(const char *name, int selection, const char *first, const void *bytes, size_t length,
                      const char *second, const void *more, size_t more_length) {
    OSSL_PARAM params[3] = {OSSL_PARAM_construct_octet_string(first, (void *)bytes, length), OSSL_PARAM_construct_end(),
                            OSSL_PARAM_construct_end()};
    if (second) params[1] = OSSL_PARAM_construct_octet_string(second, (void *)more, more_length);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, name, "provider=fairlane");
    EVP_PKEY *key = NULL;
    CHECK(context && EVP_PKEY_fromdata_init(context) > 0);
    if (EVP_PKEY_fromdata(context, &key, selection, params) <= 0) key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static EVP_PKEY *generated(const char *name) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, name, "provider=fairlane");
    EVP_PKEY *key = NULL;
    CHECK(context && EVP_PKEY_keygen_init(context) > 0 && EVP_PKEY_generate(context, &key) > 0);
    EVP_PKEY_CTX_free(context);
    return key;
}

static void octets(EVP_PKEY *key, const char *name, unsigned char *out, size_t expected) {
    size_t length = 0;
    CHECK(EVP_PKEY_get_octet_string_param(key, name, out, MOST, &length) && length == expected);
}

/* Encapsulates, with randomness if it is given; 0 if that fails. */
static int encapsulate(EVP_PKEY *key, const unsigned char *m, unsigned char *ciphertext, size_t size,
                       unsigned char *secret, size_t secret_size) {
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_octet_string("ikme", (void *)m, 32), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, "provider=fairlane");
    size_t written = 0, secret_written = 0;
    int done = EVP_PKEY_encapsulate_init(context, m ? params : NULL) > 0;
    if (done) {
        CHECK(EVP_PKEY_encapsulate(context, NULL, &written, NULL, &secret_written) > 0);
        CHECK(written == size && secret_written == secret_size);
        written--;
        CHECK(EVP_PKEY_encapsulate(context, ciphertext, &written, secret, &secret_written) <= 0);
        ERR_clear_error();
        written = size;
        done = EVP_PKEY_encapsulate(context, ciphertext, &written, secret, &secret_written) > 0;
        CHECK(!done || (written == size && secret_written == secret_size));
        /* Randomness that was set is for one encapsulation. */
        if (done && m) {
            unsigned char other[MOST], other_secret[64];
            CHECK(EVP_PKEY_encapsulate(context, other, &written, other_secret, &secret_written) > 0);
            CHECK(memcmp(other, ciphertext, size) && memcmp(other_secret, secret, secret_size));
        }
    }
    EVP_PKEY_CTX_free(context);
    return done;
}

static int decapsulate(EVP_PKEY *key, const unsigned char *ciphertext, size_t length, unsigned char *secret,
                       size_t size) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, "provider=fairlane"), *copy;
    unsigned char in_place[MOST];
    size_t written = 0;
    int done = EVP_PKEY_decapsulate_init(context, NULL) > 0;
    if (done) {
        CHECK((copy = EVP_PKEY_CTX_dup(context)));
        EVP_PKEY_CTX_free(context);
        context = copy;
        CHECK(EVP_PKEY_decapsulate(context, NULL, &written, ciphertext, length) > 0 && written == size);
        done = EVP_PKEY_decapsulate(context, secret, &written, ciphertext, length) > 0;
        CHECK(!done || written == size);
        memcpy(in_place, ciphertext, length);
        CHECK(EVP_PKEY_decapsulate(context, in_place, NULL, in_place, length) == done);
        CHECK(!done || !memcmp(in_place, secret, size));
    }
    EVP_PKEY_CTX_free(context);
    return done;
}

static int right(EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, "provider=fairlane");
    int answer = EVP_PKEY_check(context) > 0 && EVP_PKEY_pairwise_check(context) > 0;
    EVP_PKEY_CTX_free(context);
    return answer;
}

/* Whether a key gives out parameters, and with them its public and its private part or not. */
static int gives(EVP_PKEY *key, int selection, int public, int private) {
    OSSL_PARAM *params = NULL;
    int given = EVP_PKEY_todata(key, selection, &params) > 0;
    if (given) {
        CHECK((OSSL_PARAM_locate(params, "pub") != NULL) == public);
        CHECK((OSSL_PARAM_locate(params, "priv") != NULL) == private);
        OSSL_PARAM_free(params);
    }
    return given;
}

/* Two keys of one generation with seeds: the second is another. */
static void seeded(const struct algorithm *of) {
    static const unsigned char seeds[64] = {7};
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_octet_string("seed", (void *)seeds, 64), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, of->name, "provider=fairlane");
    EVP_PKEY *first = NULL, *second = NULL, *again, *whole;
    unsigned char public[MOST], private[MOST], found[MOST];
    CHECK(EVP_PKEY_keygen_init(context) > 0 && EVP_PKEY_CTX_set_params(context, params) > 0);
    CHECK(EVP_PKEY_generate(context, &first) > 0 && EVP_PKEY_generate(context, &second) > 0);
    CHECK((again = from(of->name, EVP_PKEY_KEYPAIR, "seed", seeds, 64, NULL, NULL, 0)));
    CHECK(EVP_PKEY_eq(first, again) && !EVP_PKEY_eq(first, second));
    octets(first, "seed", found, 64);
    CHECK(!memcmp(found, seeds, 64));
    octets(first, "pub", public, of->public);
    octets(first, "priv", private, of->private);
    CHECK((whole = from(of->name, EVP_PKEY_KEYPAIR, "seed", seeds, 64, "priv", private, of->private)));
    octets(second, "priv", private, of->private);
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "seed", seeds, 64, "priv", private, of->private));
    octets(second, "pub", public, of->public);
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "seed", seeds, 64, "pub", public, of->public));
    /* A key that is filled takes no other. */
    params[0] = OSSL_PARAM_construct_octet_string("encoded-pub-key", public, of->public);
    CHECK(EVP_PKEY_set_params(first, params) <= 0 && EVP_PKEY_eq(first, again));
    ERR_clear_error();
    EVP_PKEY_free(first);
    EVP_PKEY_free(second);
    EVP_PKEY_free(again);
    EVP_PKEY_free(whole);
    EVP_PKEY_CTX_free(context);
}

/* The accumulated answers: a stream of SHAKE128 gives seeds, randomness and other ciphertexts. */
static void published(const struct algorithm *of) {
    EVP_MD *shake = EVP_MD_fetch(NULL, "SHAKE128", "provider=default");
    EVP_MD_CTX *context = EVP_MD_CTX_new(), *answers = EVP_MD_CTX_new();
    size_t each = 96 + of->ciphertext;
    unsigned char *stream = malloc(RUNS * each), public[MOST], private[MOST], sent[MOST], secret[32], output[32];
    CHECK(stream && EVP_DigestInit_ex2(context, shake, NULL) && EVP_DigestInit_ex2(answers, shake, NULL));
    CHECK(EVP_DigestFinalXOF(context, stream, RUNS * each));
    for (const unsigned char *now = stream; now != stream + RUNS * each; now += each) {
        EVP_PKEY *key = from(of->name, EVP_PKEY_KEYPAIR, "seed", now, 64, NULL, NULL, 0);
        CHECK(key && encapsulate(key, now + 64, sent, of->ciphertext, secret, 32));
        octets(key, OSSL_PKEY_PARAM_PUB_KEY, public, of->public);
        octets(key, OSSL_PKEY_PARAM_PRIV_KEY, private, of->private);
        CHECK(EVP_DigestUpdate(answers, public, of->public) && EVP_DigestUpdate(answers, private, of->private));
        CHECK(EVP_DigestUpdate(answers, sent, of->ciphertext) && EVP_DigestUpdate(answers, secret, 32));
        CHECK(decapsulate(key, sent, of->ciphertext, output, 32) && !memcmp(output, secret, 32));
        CHECK(decapsulate(key, now + 96, of->ciphertext, output, 32) && EVP_DigestUpdate(answers, output, 32));
        EVP_PKEY_free(key);
    }
    CHECK(EVP_DigestFinalXOF(answers, output, 32));
    for (size_t i = 0; i < 32; i++) {
        char hex[3];
        snprintf(hex, sizeof hex, "%02x", output[i]);
        CHECK(!memcmp(hex, of->accumulated + 2 * i, 2));
    }
    free(stream);
    EVP_MD_CTX_free(context);
    EVP_MD_CTX_free(answers);
    EVP_MD_free(shake);
}

/* New keys, and keys that went out and came back. */
static void keys(const struct algorithm *of) {
    unsigned char public[MOST], private[MOST], again[MOST], sent[MOST], secret[64], other[64];
    EVP_PKEY *key = generated(of->name), *second = generated(of->name);
    CHECK(!EVP_PKEY_eq(key, second) && EVP_PKEY_get_size(key) == (int)of->ciphertext);
    CHECK(EVP_PKEY_get_security_bits(key) >= 128 && EVP_PKEY_get_bits(key) >= 512);
    octets(key, OSSL_PKEY_PARAM_PUB_KEY, public, of->public);
    octets(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, again, of->public);
    CHECK(!memcmp(public, again, of->public));
    octets(key, OSSL_PKEY_PARAM_PRIV_KEY, private, of->private);

    EVP_PKEY *peer = from(of->name, EVP_PKEY_PUBLIC_KEY, "pub", public, of->public, NULL, NULL, 0);
    EVP_PKEY *same = from(of->name, EVP_PKEY_KEYPAIR, "priv", private, of->private, "pub", public, of->public);
    EVP_PKEY *copy = EVP_PKEY_dup(key);
    CHECK(peer && same && copy && EVP_PKEY_eq(key, peer) && EVP_PKEY_eq(key, same) && EVP_PKEY_eq(key, copy));
    CHECK(right(key) && right(same) && right(copy));
    CHECK(gives(key, EVP_PKEY_KEYPAIR, 1, 1) && gives(peer, EVP_PKEY_KEYPAIR, 1, 0));
    CHECK(gives(key, EVP_PKEY_PUBLIC_KEY, 1, 0));
    CHECK(encapsulate(peer, NULL, sent, of->ciphertext, secret, of->secret));
    EVP_PKEY *all[] = {key, same, copy};
    for (size_t i = 0; i < 3; i++) {
        memset(other, 0, sizeof other);
        CHECK(decapsulate(all[i], sent, of->ciphertext, other, of->secret) && !memcmp(secret, other, of->secret));
    }
    CHECK(decapsulate(second, sent, of->ciphertext, other, of->secret) && memcmp(secret, other, of->secret));
    sent[17] ^= 1;
    CHECK(decapsulate(key, sent, of->ciphertext, other, of->secret) && memcmp(secret, other, 32));

    /* What is refused: lengths, a public key where a private one is needed, keys that do not belong together. */
    CHECK(!decapsulate(peer, sent, of->ciphertext, other, of->secret));
    CHECK(!decapsulate(key, sent, of->ciphertext - 1, other, of->secret));
    CHECK(!decapsulate(key, sent, of->ciphertext + 1, other, of->secret));
    for (size_t length = 0; length < of->public; length += 31)
        CHECK(!from(of->name, EVP_PKEY_PUBLIC_KEY, "pub", public, length, NULL, NULL, 0));
    CHECK(!from(of->name, EVP_PKEY_PUBLIC_KEY, "pub", private, of->public + 1, NULL, NULL, 0));
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "priv", private, of->private - 1, NULL, NULL, 0));
    octets(second, OSSL_PKEY_PARAM_PUB_KEY, again, of->public);
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "priv", private, of->private, "pub", again, of->public));
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "seed", private, 63, NULL, NULL, 0));
    /* A coefficient that is not below q, and a hash that is not the key's. */
    memset(again, 0xff, 2);
    CHECK(!from(of->name, EVP_PKEY_PUBLIC_KEY, "pub", again, of->public, NULL, NULL, 0));
    private[of->private - (of->secret - 32) - 64] ^= 1;
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "priv", private, of->private, NULL, NULL, 0));
    private[of->private - (of->secret - 32) - 64] ^= 1;
    /* A secret part that is not of this public key. */
    memset(private, 0, 3);
    CHECK(!from(of->name, EVP_PKEY_KEYPAIR, "priv", private, of->private, NULL, NULL, 0));
    /* A point of X25519 whose secret everybody knows. */
    if (of->secret == 64) {
        memset(public + 1184, 0, 32);
        EVP_PKEY *low = from(of->name, EVP_PKEY_PUBLIC_KEY, "pub", public, of->public, NULL, NULL, 0);
        memcpy(again, sent, of->ciphertext);
        memcpy(other, secret, of->secret);
        CHECK(low && !encapsulate(low, NULL, sent, of->ciphertext, secret, of->secret));
        CHECK(!memcmp(again, sent, of->ciphertext) && !memcmp(other, secret, of->secret));
        EVP_PKEY_free(low);
        memset(sent + 1088, 0, 32);
        CHECK(!decapsulate(key, sent, of->ciphertext, secret, of->secret));
    }
    ERR_clear_error();
    /* A context outlives its key. */
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, peer, "provider=fairlane");
    size_t written = MOST, secret_written = 64;
    CHECK(EVP_PKEY_encapsulate_init(context, NULL) > 0);
    EVP_PKEY_free(peer);
    CHECK(EVP_PKEY_encapsulate(context, sent, &written, secret, &secret_written) > 0 && written == of->ciphertext);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    EVP_PKEY_free(second);
    EVP_PKEY_free(same);
    EVP_PKEY_free(copy);
}

int main(int count, char **arguments) {
    CHECK(count == 2 && OSSL_PROVIDER_set_default_search_path(NULL, arguments[1]));
    OSSL_PROVIDER *theirs = OSSL_PROVIDER_load(NULL, "default"), *ours = OSSL_PROVIDER_load(NULL, "fairlane");
    CHECK(theirs && ours);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        for (int run = 0; run < 100; run++) keys(&algorithms[i]);
        if (algorithms[i].accumulated) {
            seeded(&algorithms[i]);
            published(&algorithms[i]);
        }
        printf("%s: 100 keys%s\n", algorithms[i].name, algorithms[i].accumulated ? ", 10000 published answers" : "");
    }
    OSSL_PROVIDER_unload(ours);
    OSSL_PROVIDER_unload(theirs);
    return 0;
}
