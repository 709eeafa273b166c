/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.h - inside tool/: a plugin's process, its lines, its log.
 *
 * Bytes for it are written as its pipe takes them, lines from it are handed
 * on as they come; nothing here waits. A line over 16 MiB, or a plugin that
 * takes nothing for 5 s, is ERR_PEER. */
#ifndef TOOL_PEER_H
#define TOOL_PEER_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/proc.h"
#include "tool/launch.h"

struct peer;

struct peer_events {
    /* A line without its newline, never empty. False: no more of them now;
     * the peer may be gone. */
    bool (*line)(void *arg, const char *line, size_t n);
    /* Its output is at its end; how it ends itself is said by gone. */
    void (*closed)(void *arg);
    /* It has ended, or what it does cannot be used; comes once, last. why is
     * ERR_NONE where it only ended: peer_explain. */
    void (*gone)(void *arg, struct err *why);
};

/* Takes what was started, on failure too; its descriptors are watched by the
 * loop. */
struct peer *peer_new(struct loop *l, struct launched *started, struct err *e);
/* Ends its tree, which may take 2 s; accepts NULL. Where many are to end, all
 * are told first: then they end side by side. */
void peer_free(struct peer *p);
DEFINE_CLEANUP(struct peer, peer_free)
void peer_tell_end(struct peer *p); /* its time to end begins; accepts NULL */

/* Whose peer it is from now on. */
void peer_attend(struct peer *p, const struct peer_events *ev, void *arg);

/* Queues a line; last: nothing follows, its input ends after it. */
int peer_send(struct peer *p, const char *line, size_t n, bool last,
              struct err *e);

void peer_end_input(struct peer *p); /* after what is queued */

/* Held: nothing is read, so that it must wait when its pipe is full. */
void peer_hold(struct peer *p, bool held);
void peer_signal(struct peer *p, int signo); /* to its group */

/* Whether it has said something that was not handed on; which is lost. */
bool peer_has_more(struct peer *p);

/* Whether it has not, goes on, and has taken what was sent. */
bool peer_is_quiet(struct peer *p);

/* Whether it can be talked to, as far as is known. */
bool peer_is_alive(const struct peer *p);

/* Whether it has read nothing of what was sent last. */
bool peer_is_untouched(const struct peer *p);

/* What the launcher reported as refused since the last time (refused.h). */
void peer_refused(struct peer *p, struct denials *out);

/* The end of its log, at most 4 KiB; borrowed until the loop turns. */
const char *peer_log(const struct peer *p);

/* How it ended, or that it goes on without a word: what is wrong with it. */
int peer_explain(const struct peer *p, struct err *e);

#endif
