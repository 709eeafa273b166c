/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_in.h - what the parts of the redactor share. */
#ifndef BASE_REDACT_IN_H
#define BASE_REDACT_IN_H

#include <stdbool.h>
#include <stddef.h>

#define REDACT_MARK "[redacted:"

/* Sets of characters that tokens are made of. */
enum redact_set {
    REDACT_HEX,   /* 0-9a-f, either case */
    REDACT_UPPER, /* A-Z0-9 */
    REDACT_ALNUM,
    REDACT_WORD, /* and _ - */
    REDACT_DOTS, /* and . too: tokens of several parts */
    REDACT_B64,  /* WORD and + / = */
    REDACT_SETS
};

struct redact_text {
    const char *p;
    size_t n;
    /* The run of each set's characters that was measured last: no byte is
     * measured twice, which keeps the whole walk linear. */
    size_t run_from[REDACT_SETS], run_end[REDACT_SETS];
};

/* A secret: bytes from..to, and what it is. */
struct redact_span {
    size_t from, to;
    const char *kind;
};

/* Each looks for a secret that begins, with whatever announces it, at i,
 * where a word or a mark begins. */
bool redact_token(struct redact_text *t, size_t i, struct redact_span *s);
bool redact_pem(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_url(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_crypt(const struct redact_text *t, size_t i, struct redact_span *s);
bool redact_named(const struct redact_text *t, size_t i, struct redact_span *s);

/* At the beginning of a line: what it, or what follows it, was read from a file
 * whose name says that it holds secrets. */
bool redact_file(const struct redact_text *t, size_t i, struct redact_span *s);

/* A program whose options take a password under a name that says nothing:
 * NULL when the word at i is none. */
struct redact_command;
const struct redact_command *redact_command_at(const struct redact_text *t,
                                               size_t i);
bool redact_option(const struct redact_text *t, size_t i,
                   const struct redact_command *c, struct redact_span *s);

/* The value that begins at i, quoted or not: its end, *i moved past a quote.
 * A backslash before the opening quote (JSON in JSON) is understood. Looks at
 * `most` bytes: to judge a value takes few, to remove it takes all. */
#define REDACT_JUDGE_BYTES 1024
size_t redact_value(const struct redact_text *t, size_t *i, size_t most);

/* Whether bytes have the mixture of a generated secret. */
bool redact_looks_random(const char *p, size_t n);

/* A reference, a placeholder or nothing: no secret, whatever the name. */
bool redact_is_harmless(const char *p, size_t n);

static inline int
redact_at(const struct redact_text *t, size_t i)
{
    return i < t->n ? (unsigned char)t->p[i] : -1;
}

static inline bool
redact_is_alnum(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static inline bool
redact_is_word(int c)
{
    return redact_is_alnum(c) || c == '_';
}

static inline bool
redact_is_blank(int c)
{
    return c == ' ' || c == '\t';
}

#endif
