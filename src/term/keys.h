/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - decodes the bytes from a keyboard into keys.
 *
 * Arrow and function keys, Alt, the mouse and pasted text arrive as sequences
 * of bytes that contain letters; none of these letters counts as a key. */
#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What keys_decode returns besides printable ASCII characters. */
enum key {
    KEY_NONE = 0, /* nothing yet, or a sequence that is ignored */
    KEY_EOF = 4,  /* Ctrl-D */
    KEY_ENTER = '\n',
    KEY_OTHER = 256, /* a control or non-ASCII character */
    KEY_MANY,        /* several at once: pasted, or sent by a program */
};

struct keys {
    int state; /* of keys.c */
    unsigned number;
    bool pasting;
    int64_t last_ms;
};

void keys_init(struct keys *k);

/* Decodes the bytes of one read. now_ms is the time by any monotonic clock:
 * only time tells the Escape key from the start of a sequence. One key, with at
 * most an Enter behind it, is that key; more are KEY_MANY. */
int keys_decode(struct keys *k, const char *bytes, size_t n, int64_t now_ms);

#endif
