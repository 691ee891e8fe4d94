/* What the programs of this folder have in common. */

#ifndef CHECK_H
#define CHECK_H

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program, and says where, unless the condition holds. */
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            ERR_print_errors_fp(stdout); \
            exit(1); \
        } \
    } while (0)

#endif
