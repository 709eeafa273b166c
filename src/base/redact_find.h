/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_find.h - what redact.c and the finders of secrets share. */
#ifndef BASE_REDACT_FIND_H
#define BASE_REDACT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ascii.h"
#include "base/pair_index.h"

#define REDACT_MARK "[redacted:"

/* Sets of characters in tokens. */
enum redact_set {
    REDACT_HEX,   /* 0-9a-f, either case */
    REDACT_UPPER, /* A-Z0-9 */
    REDACT_ALNUM,
    REDACT_WORD, /* and _ - */
    REDACT_DOTS, /* and . too: tokens of several parts */
    REDACT_B64,  /* WORD and + / = */
    REDACT_SETS
};

/* Where in the tables of secrets a word of the text may stand. */
struct redact_index {
    struct pair_index tokens, names, commands;
};
void redact_index_tokens(struct pair_index *x);
void redact_index_commands(struct pair_index *x);

struct redact_text {
    const char *p;
    size_t n;
    const struct redact_index *index; /* NULL: the text is short */
    /* The run of characters of each set that was measured last: no byte is
     * measured twice, which keeps the whole walk linear. */
    size_t run_from[REDACT_SETS], run_end[REDACT_SETS];
};

/* A secret: the bytes from..to, and its kind for the message. */
struct redact_span {
    size_t from, to;
    const char *kind;
};

/* Each tells whether a secret, with what introduces it, begins at i, where a
 * word or a punctuation mark begins. */
bool redact_token(struct redact_text *t, size_t i, struct redact_span *s);
bool redact_pem(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_url(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_crypt(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_named(const struct redact_text *t, size_t i, struct redact_span *s);

/* A program with an option for a password whose name does not say so (-p): NULL
 * when the word at i is none. */
struct redact_command;
const struct redact_command *redact_command_at(const struct redact_text *t,
                                               size_t i);
bool redact_option(const struct redact_text *t, size_t i,
                   const struct redact_command *c, struct redact_span *s);

/* Whether the bytes look like a generated secret. */
bool redact_looks_random(const char *p, size_t n);

/* Whether it is a reference, a placeholder or empty: no secret, whatever its
 * name. */
bool redact_is_harmless(const char *p, size_t n);

static inline int
redact_at(const struct redact_text *t, size_t i)
{
    return i < t->n ? (unsigned char)t->p[i] : -1;
}

#endif
