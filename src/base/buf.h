/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buf.h - a byte buffer that grows up to a maximum.
 *
 * No addition needs a check of its own: the first one that would exceed the
 * maximum, or finds no memory, marks the buffer as bad, later ones do nothing,
 * and buf_ok() reports it once at the end. The bytes are always followed by a
 * NUL, which is not counted. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct buf {
    char *p;     /* never NULL after buf_init; "" when empty */
    size_t len;  /* bytes held, without the NUL */
    size_t cap;  /* bytes allocated */
    size_t max;  /* len never exceeds this */
    bool bad;    /* an addition was lost */
    bool secret; /* memory is wiped before it is freed */
};

/* An empty buffer in the caller's storage; max is a limit in bytes that has a
 * reason. With CLEANUP_BUF it is initialized on its own line, before any
 * return: `CLEANUP_BUF struct buf b = buf_of(PATH_MAX);` */
struct buf buf_of(size_t max);
void buf_init(struct buf *b, size_t max);
/* For a key or a text that holds one: old memory is wiped when the buffer grows
 * or is done. */
struct buf buf_of_secret(size_t max);
void buf_done(struct buf *b); /* accepts NULL; b is empty and usable then */
#define CLEANUP_BUF CLEANUP(buf_done)

/* Each appends, and returns 0, or -1 when the buffer is bad; buf_ok() has the
 * error. */
int buf_add(struct buf *b, const void *bytes, size_t n);
int buf_str(struct buf *b, const char *s);
int buf_ch(struct buf *b, char c);
int buf_blanks(struct buf *b, size_t n);
int buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int buf_vprintf(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* 0 while nothing was lost; else -1, ERR_NOMEM and "WHAT is larger than …". */
int buf_ok(const struct buf *b, const char *what, struct err *e);

void buf_clear(struct buf *b);           /* empty, and no longer bad */
void buf_drop(struct buf *b, size_t n);  /* removes the first n bytes */
void buf_cut(struct buf *b, size_t len); /* keeps the first len bytes */
int buf_room(struct buf *b, size_t n);   /* makes room for n bytes at p + len */

/* Gives memory beyond the bytes back, where there is some to copy them to. A
 * secret one is then wiped in less time. */
void buf_fit(struct buf *b);

/* Hands the bytes over as a string, which the caller frees; b is empty
 * afterwards. NULL when b is bad, or without memory. */
char *buf_take(struct buf *b);

#endif
