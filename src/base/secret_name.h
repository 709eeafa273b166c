/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_name.h - which names say that their value is a secret.
 *
 * One table for the redactor and for the environment of commands, so that
 * what is not sent is not given away either. */
#ifndef BASE_SECRET_NAME_H
#define BASE_SECRET_NAME_H

#include <stdbool.h>
#include <stddef.h>

#define SECRET_NAME_MAX 64 /* longer is no name; bounds the work a byte */

struct secret_name {
    const char *suffix; /* lower case, parts joined by "_" */
    const char *kind;   /* what the redactor puts in its place */
    bool part;          /* only as a part of its own: "_pass", not "compass" */
    bool weak;          /* in a text only when the value looks random */
};

/* The row that the end of a name matches, or NULL. Case does not matter, "-"
 * and "." count as "_", digits at the end as nothing (TOKEN2). Of a name
 * longer than SECRET_NAME_MAX its end is looked at. PWD is a directory. */
const struct secret_name *secret_name_find(const char *name, size_t n);

#endif
