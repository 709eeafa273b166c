/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - one key out of the bytes that a keyboard sends.
 *
 * Arrow and function keys, Alt, mouse and paste arrive as sequences of bytes
 * that hold letters; none of those letters is a key. */
#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What keys_take returns, besides a printable ASCII character. */
enum key {
    KEY_NONE = 0, /* nothing yet, or a sequence that is swallowed */
    KEY_EOF = 4,  /* Ctrl-D */
    KEY_ENTER = '\n',
    KEY_OTHER = 256, /* a key that no row can have: control, not ASCII */
    KEY_MANY,        /* several at once: pasted, or sent by a program */
};

struct keys {
    int state; /* keys.c's */
    unsigned number;
    bool pasting;
    int64_t last_ms;
};

void keys_init(struct keys *k);

/* What one read brought, at now_ms on any clock: only time tells a lone
 * Escape from the beginning of a sequence. One key, then at most Enter, is
 * that key; more are KEY_MANY. */
int keys_take(struct keys *k, const char *bytes, size_t n, int64_t now_ms);

#endif
