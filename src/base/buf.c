/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buf.c - a byte buffer that grows up to a maximum. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 256

static char empty[1]; /* what p points to while nothing is allocated */

struct buf
buf_of(size_t max)
{
    return (struct buf){.p = empty, .max = max};
}

struct buf
buf_of_secret(size_t max)
{
    return (struct buf){.p = empty, .max = max, .secret = true};
}

void
buf_init(struct buf *b, size_t max)
{
    *b = buf_of(max);
}

/* Makes b empty and without memory, as it was created. */
static void
reset(struct buf *b)
{
    *b = (struct buf){.p = empty, .max = b->max, .secret = b->secret};
}

static void
wipe(struct buf *b, size_t from, size_t to)
{
    if (b->secret)
        explicit_bzero(b->p + from, to - from);
}

void
buf_done(struct buf *b)
{
    if (!b)
        return;
    if (b->cap) {
        wipe(b, 0, b->cap);
        free(b->p);
    }
    reset(b);
}

/* Like realloc(3), but memory of a secret buffer is wiped before it is freed.
 */
static char *
reallocate(struct buf *b, size_t cap)
{
    char *p;

    if (!b->secret || !b->cap)
        return realloc(b->cap ? b->p : NULL, cap);
    p = malloc(cap);
    if (!p)
        return NULL;
    memcpy(p, b->p, b->len + 1);
    wipe(b, 0, b->cap);
    free(b->p);
    return p;
}

int
buf_room(struct buf *b, size_t n)
{
    size_t cap = b->cap ? b->cap : FIRST_CAP;
    char *p;

    if (b->bad || n > b->max - b->len) {
        b->bad = true;
        return -1;
    }
    if (b->cap > b->len + n)
        return 0;
    while (cap <= b->len + n)
        cap *= 2;
    p = reallocate(b, cap);
    if (!p) {
        b->bad = true;
        return -1;
    }
    if (!b->cap)
        *p = '\0';
    b->p = p;
    b->cap = cap;
    return 0;
}

void
buf_fit(struct buf *b)
{
    char *p = b->cap > b->len + 1 ? reallocate(b, b->len + 1) : NULL;

    if (!p)
        return;
    b->p = p;
    b->cap = b->len + 1;
}

int
buf_add(struct buf *b, const void *bytes, size_t n)
{
    if (n == 0)
        return b->bad ? -1 : 0;
    if (buf_room(b, n) < 0)
        return -1;
    memcpy(b->p + b->len, bytes, n);
    b->len += n;
    b->p[b->len] = '\0';
    return 0;
}

int
buf_str(struct buf *b, const char *s)
{
    return buf_add(b, s, strlen(s));
}

int
buf_ch(struct buf *b, char c)
{
    return buf_add(b, &c, 1);
}

int
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    size_t left = b->cap - b->len; /* with its NUL it often fits */
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(left > 0 ? b->p + b->len : NULL, left, fmt, again);
    va_end(again);
    if (n < 0 || buf_room(b, (size_t)n) < 0) {
        if (left > 0)
            b->p[b->len] = '\0';
        b->bad = true;
        return -1;
    }
    if (n > 0 && (size_t)n >= left)
        vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
    b->len += (size_t)n;
    return 0;
}

int
buf_blanks(struct buf *b, size_t n)
{
    if (buf_room(b, n) < 0)
        return -1;
    memset(b->p + b->len, ' ', n);
    b->len += n;
    b->p[b->len] = '\0';
    return 0;
}

int
buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    int rc;

    va_start(ap, fmt);
    rc = buf_vprintf(b, fmt, ap);
    va_end(ap);
    return rc;
}

int
buf_ok(const struct buf *b, const char *what, struct err *e)
{
    if (!b->bad)
        return 0;
    return err_set(e, ERR_NOMEM, "%s is larger than %zu bytes", what, b->max);
}

void
buf_clear(struct buf *b)
{
    buf_cut(b, 0);
    b->bad = false;
}

void
buf_cut(struct buf *b, size_t len)
{
    if (len < b->len) {
        wipe(b, len, b->len);
        b->len = len;
        b->p[len] = '\0';
    }
}

void
buf_drop(struct buf *b, size_t n)
{
    if (n >= b->len) {
        buf_cut(b, 0);
        return;
    }
    memmove(b->p, b->p + n, b->len - n + 1);
    wipe(b, b->len - n, b->len);
    b->len -= n;
}

char *
buf_take(struct buf *b)
{
    char *p;

    if (b->bad)
        return NULL;
    p = b->cap ? b->p : strdup("");
    reset(b);
    return p;
}
