/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clip.h - text into the person's clipboard, by the terminal itself (OSC 52).
 *
 * Works over ssh and needs no X; but a terminal may refuse silently, and tmux
 * takes it from programs only where set-clipboard is on: what is known of that
 * is the result. */
#ifndef TERM_CLIP_H
#define TERM_CLIP_H

#include <stddef.h>

#include "term/term.h"

/* Terminals ignore longer ones: base64 of this and the frame are 100,000. */
#define CLIP_MAX 74994u

enum clip_end {
    CLIP_SENT,  /* the terminal does not say whether it has a clipboard */
    CLIP_TAKEN, /* it says that it has one that programs may fill */
    CLIP_TMUX,  /* in tmux's buffer, and sent on to its terminal */
};

/* ERR_UNSUPPORTED where t is no terminal, dumb or the console, or where tmux
 * would drop it; ERR_INVALID beyond CLIP_MAX. */
int clip_copy(struct term *t, const char *text, size_t n, enum clip_end *end,
              struct err *e);

/* What happened, in words. */
const char *clip_end_text(enum clip_end end);

#endif
