/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.h - a running model process, as lines to it and from it. */
#ifndef MODEL_LINK_H
#define MODEL_LINK_H

#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct link;

struct link_events {
    /* One line, without its end. The link may be freed from inside; the line
     * goes with it. */
    void (*line)(void *arg, const char *line, size_t n);
    /* The process has ended, with this status as a shell has it. The caller
     * frees the link. */
    void (*gone)(void *arg, int status);
};

/* Starts the process; ev is copied. */
struct link *link_start(struct loop *l, const struct link_events *ev, void *arg,
                        struct err *e);
void link_free(struct link *k); /* ends the process; accepts NULL */
DEFINE_CLEANUP(struct link, link_free)

/* Sends the bytes as the pipe takes them, and wipes what was sent: a key may
 * be in it. -1: too much is waiting. */
int link_send(struct link *k, const struct buf *lines, struct err *e);

#endif
