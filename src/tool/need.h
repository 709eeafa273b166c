/* SPDX-License-Identifier: GPL-3.0-or-later */
/* need.h - inside call.c: what a plugin asks the front to run as root.
 *
 * Only a program that the manifest names, only its words, never a shell, and
 * only for root with a yes that covers it: anyone else is told what to type.
 * Who gives the yes is told the words first. */
#ifndef TOOL_NEED_H
#define TOOL_NEED_H

#include "base/buf.h"
#include "tool/call.h"

struct need; /* a program under way */

struct need_events {
    /* of tool_events; from need_start */
    enum tool_need (*ask)(void *arg, const char *const *argv);
    /* a piece of its output, UTF-8; only when the request streams */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* The line for the plugin; last. The need may be freed in it. */
    void (*done)(void *arg, const char *line, size_t n);
};

/* argv: of a need event, checked (response.h). The setting is borrowed while
 * the need lives. ERR_PEER: the manifest does
 * not name its program. A refusal is an answer: done comes from the loop. */
struct need *need_start(struct loop *l, const struct tool *t,
                        const struct json *argv,
                        const struct tool_setting *setting, bool stream,
                        const struct need_events *ev, void *arg, struct err *e);
bool need_waits(const struct need *n); /* for need_agree */
int need_agree(struct need *n, bool yes, struct err *e);
void need_free(struct need *n); /* ends its tree; accepts NULL */
DEFINE_CLEANUP(struct need, need_free)

void need_signal(struct need *n, int signo);
void need_hold(struct need *n, bool held);

#endif
