/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_name.h - which names of variables and fields mean a secret value.
 *
 * One table for the redactor and for the environment of commands, so that what
 * is not sent to a model is not passed to a command either. */
#ifndef BASE_SECRET_NAME_H
#define BASE_SECRET_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pair_index.h"

#define SECRET_NAME_MAX 64 /* no name is longer; bounds the work per byte */

struct secret_name {
    const char *suffix; /* lower case, parts joined by "_" */
    const char *kind;   /* KIND of the redactor's "[redacted:KIND]" */
    bool part;          /* only as a separate part: "_pass", not "compass" */
    bool weak;          /* in text only where the value looks random */
};

/* The row whose suffix matches a name of n bytes, or NULL. Case is ignored, "-"
 * and "." count as "_", digits at the end are skipped (TOKEN2). Of a name
 * longer than SECRET_NAME_MAX only the end counts. PWD, the directory, is no
 * secret. */
const struct secret_name *secret_name_find(const char *name, size_t n);

/* The same for many names, by an index of the rows; NULL: without. */
void secret_name_index(struct pair_index *x);
const struct secret_name *secret_name_look_up(const struct pair_index *x,
                                              const char *name, size_t n);

#endif
