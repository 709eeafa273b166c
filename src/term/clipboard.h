/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clipboard.h - copies text to the clipboard through the terminal (OSC 52).
 *
 * It works over ssh and needs no X server; but a terminal may ignore it
 * silently, and tmux accepts it only where set-clipboard is on. The result says
 * what is known. */
#ifndef TERM_CLIPBOARD_H
#define TERM_CLIPBOARD_H

#include <stddef.h>

#include "term/term.h"

/* Terminals ignore longer sequences: base64 of this, and the sequence round it,
 * have 100,000 bytes. */
#define CLIPBOARD_MAX 74994u

enum clipboard_result {
    CLIPBOARD_SENT,  /* the terminal does not tell whether it has a clipboard */
    CLIPBOARD_TAKEN, /* it reports a clipboard that programs may fill */
    CLIPBOARD_TMUX,  /* in tmux's buffer, which passes it to its terminal */
};

/* ERR_UNSUPPORTED: t is no terminal, a dumb one or the console, or tmux would
 * drop it. ERR_INVALID: more than CLIPBOARD_MAX bytes. */
int clipboard_copy(struct term *t, const char *text, size_t n,
                   enum clipboard_result *end, struct err *e);

/* The result as a message. */
const char *clipboard_result_text(enum clipboard_result end);

#endif
