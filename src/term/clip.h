/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clip.h - text into the person's clipboard, by the terminal itself (OSC 52).
 *
 * Works over ssh and needs no X; but a terminal may refuse silently, so a
 * door says that it was sent to the clipboard, not that it is there. */
#ifndef TERM_CLIP_H
#define TERM_CLIP_H

#include <stddef.h>

#include "term/term.h"

/* Terminals ignore longer ones: base64 of this and the frame are 100,000. */
#define CLIP_MAX 74994u

/* ERR_UNSUPPORTED where t is no terminal or dumb; ERR_INVALID beyond
 * CLIP_MAX. */
int clip_copy(const struct term *t, const char *text, size_t n, struct err *e);

#endif
