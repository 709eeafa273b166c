/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buf.h - growing bytes with a maximum.
 *
 * Additions never need a check each: the first one that would pass the
 * maximum, or finds no memory, makes the buffer bad, later ones do nothing,
 * and buf_ok() says so once at the end. The bytes are always followed by a
 * NUL that does not count. */
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
    size_t max;  /* len never passes this */
    bool bad;    /* an addition was lost */
    bool secret; /* no copy of the bytes stays in memory given back */
};

/* The caller's storage; max is a bound in bytes that has a reason. With
 * CLEANUP_BUF a buffer begins on its own line, before any return:
 * `CLEANUP_BUF struct buf b = buf_of(PATH_MAX);` */
struct buf buf_of(size_t max);
void buf_init(struct buf *b, size_t max);
/* For a key, or a text with one in it: wiped where it grows and at its end. */
struct buf buf_of_secret(size_t max);
void buf_done(struct buf *b); /* accepts NULL; b is then as after init */
#define CLEANUP_BUF CLEANUP(buf_done)

/* All return 0, or -1 when the buffer is bad (e is not set: buf_ok). */
int buf_add(struct buf *b, const void *bytes, size_t n);
int buf_str(struct buf *b, const char *s);
int buf_ch(struct buf *b, char c);
int buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int buf_vprintf(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* 0 while nothing was lost; else -1 and e says what (ERR_NOMEM). */
int buf_ok(const struct buf *b, const char *what, struct err *e);

void buf_clear(struct buf *b);           /* empty and good again */
void buf_drop(struct buf *b, size_t n);  /* removes n bytes in front */
void buf_cut(struct buf *b, size_t len); /* keeps the first len bytes */
int buf_room(struct buf *b, size_t n);   /* space for n more at p + len */

/* The bytes as a string that the caller frees; b is empty afterwards. NULL
 * when b is bad. */
char *buf_take(struct buf *b);

#endif
