/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - each row carries the hash of the row before.
 *
 * The hash of a row is the SHA-256 over the hash before it and the row's
 * canonical form, in which each part is preceded by its length, so that no
 * byte can move from one part to the next. Who can write the file can write
 * all hashes anew: the chain shows what was changed by mistake, by a program
 * or by somebody who does not go that far. */
#ifndef RECORD_CHAIN_H
#define RECORD_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"

/* The hash before the first row of all. */
#define CHAIN_START                                                            \
    "0000000000000000000000000000000000000000000000000000000000000000"

/* A row as it is stored; texts are borrowed. */
struct chain_row {
    int64_t seq; /* 1 and up, without gaps */
    const char *run, *time, *kind, *body, *hash;
    size_t run_len, time_len, kind_len, body_len, hash_len;
};

/* The hash that the row must have after the row with the hash prev. */
int chain_hash(const char *prev, const struct chain_row *r,
               char hex[SHA256_HEX_SIZE], struct err *e);

#endif
