/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - what a program wrote, as a response may carry it. */
#ifndef PLUGINS_LIB_TEXT_H
#define PLUGINS_LIB_TEXT_H

#include <stdbool.h>

#include "plugins/lib/reply.h"

/* A bad byte becomes three. */
#define TEXT_MAX (3 * REPLY_TEXT_MAX)

/* Appends the bytes as valid UTF-8, cut at a character: the first
 * REPLY_TEXT_MAX, or where the request streams, and they went out already,
 * the last REPLY_TAIL_MAX. With room for a note. Returns whether something
 * was left out. out holds
 * TEXT_MAX and begins empty. */
bool text_fit(struct buf *out, const struct buf *raw, const struct request *r);

/* A line of our own after what is there. */
void text_note(struct buf *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
