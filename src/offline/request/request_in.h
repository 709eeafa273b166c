/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_in.h - what the files that read a request share.
 *
 * Bytes become tokens (request_scan.c, request_divide.c), tokens become words
 * and literals by their shape (request_shape.c, request_quantity.c), and words
 * around a literal say what it is (request_context.c, request_behind.c,
 * request_bound.c). */
#ifndef OFFLINE_REQUEST_IN_H
#define OFFLINE_REQUEST_IN_H

#include "offline/request/request.h"

/* Three tokens make one word at most: "1 May 2024". */
#define REQUEST_TOKENS_MAX (3 * REQUEST_WORDS_MAX)

/* Between blanks or in quotes; [in, end) is without quotes. */
struct request_token {
    size_t from, to, in, end;
    bool quoted;
};

struct request_reader {
    struct request *q;
    const struct request_world *world;
    struct request_token t[REQUEST_TOKENS_MAX];
    size_t n;
    unsigned looks; /* at the file system, so far */
};

#define TYPE(slot) (1u << SLOT_##slot)

size_t request_scan(const char *text, struct request_token *t, size_t max);
/* Where the text ends that stands in quotes from at on, quotes and all; at
 * itself: none does. */
size_t request_quoted(const char *text, size_t at);
/* Appends it in quotes that it does not hold. */
void request_put_quoted(struct buf *out, const char *text);

/* The text as one line of valid characters; NULL: no memory. A newline is a
 * blank, but in quotes and in the name of a file that is there; what $'…'
 * stands for is put in quotes. The caller frees it. */
char *request_line(struct request_reader *r, const char *text, struct err *e);

/* Cuts token t, `before` of which are behind it, into those that it is:
 * "read/write", "a.txt,b.txt". Returns how many there are, at most max. */
size_t request_divide(const char *text, struct request_token *t, size_t before,
                      size_t max);

/* What s[0..n) is by its looks alone: types (0: a plain word), is, amount and
 * unit. */
void request_shape(const char *s, size_t n, struct request_value *v);
bool request_is_ext(const char *s, size_t n);
bool request_is_mode(const char *s, size_t n);
bool request_is_host(const char *s, size_t n);
bool request_is_remote(const char *s, size_t n); /* box:/etc */

#define DIGITS "0123456789"
#define ALNUM  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* How many of the first bytes are of the set. */
size_t request_span(const char *s, size_t n, const char *set);
/* Whether a sorted table has s[0..n), whatever its case. */
bool request_in_table(const char *s, size_t n, const char *const *table,
                      size_t rows);

/* The size, age or date that begins at token i: how many tokens it takes; 0
 * when there is none. */
size_t request_quantity(const struct request_reader *r, size_t i,
                        struct request_value *v);
/* What is to be calculated and begins at token i, "17 * 23"; the same. */
size_t request_reckoned(const struct request_reader *r, size_t i,
                        struct request_value *v);
/* "10M", "5kb", "3d": amount and unit in one word */
bool request_joined(const char *s, size_t n, struct request_value *v);

/* What the words around say. -1: no memory. */
int request_context(struct request_reader *r, struct err *e);
int request_behind(struct request *q, size_t i, struct err *e);
/* "write hello world to a.txt": what is written becomes one text. */
int request_written(struct request *q, size_t i, struct err *e);
/* Plain words that are files here. -1: no memory. */
int request_paths(struct request_reader *r, struct err *e);
bool request_is_foreign(const struct request *q, size_t i);
const char *request_plain(const struct request *q, size_t i); /* "" */
/* Word i, plain or a literal, is what its neighbours say that it is. */
int request_become(struct request *q, size_t i, enum slot_type is,
                   uint32_t types, struct err *e);
/* Words that mean one thing together: "how many" is "count". */
void request_rows(struct request *q);
void request_bounds(struct request *q);

/* A value for word i, whose text is s[0..n). NULL: no memory. */
struct request_value *request_give(struct request *q, size_t i, const char *s,
                                   size_t n, struct err *e);
bool request_looks(struct request_reader *r, const char *path, bool *is_dir);

#endif
