/* What a build of Kalyna hands to the race: one table of functions.
 *
 * The same file is built more than once with different flags. All of its functions are static, so that builds do not
 * clash; the compiler is told the name of the table, -DKALYNA_API=NAME. The struct `Api` of kalyna_c.rs is this one.
 */

#ifndef KALYNA_H
#define KALYNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kalyna;

struct kalyna_api {
    /* Makes the tables that all ciphers share. To be called once, before anything else. */
    void (*prepare)(void);
    /* A cipher without a key, for blocks of 16, 32 or 64 bytes and a key as long or twice as long. */
    struct kalyna *(*create)(size_t block_len, size_t key_len);
    /* Makes it ready to encrypt, or to decrypt. */
    void (*set_key)(struct kalyna *, const uint8_t *key, bool decrypt);
    /* `len` bytes are whole blocks; `to` may be `from`. */
    void (*encrypt)(const struct kalyna *, const uint8_t *from, uint8_t *to, size_t len);
    void (*decrypt)(const struct kalyna *, const uint8_t *from, uint8_t *to, size_t len);
    /* The standard's counter mode, both ways, with an IV of a block: any `len`. It encrypts only. */
    void (*ctr)(const struct kalyna *, const uint8_t *iv, const uint8_t *from, uint8_t *to, size_t len);
    void (*destroy)(struct kalyna *);
};

extern const struct kalyna_api KALYNA_API;

#endif
