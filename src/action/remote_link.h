/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_link.h - the connection to the guest agent of another host.
 *
 * One ssh process, the messages on its pipes, and the watch over both: a host
 * that does not answer in time is lost, and so is one whose agent writes what
 * is no message. All that comes from there is bounded and untrusted. Nothing
 * waits, and closing ends the ssh process, with it the agent and what runs
 * there. */
#ifndef ACTION_REMOTE_LINK_H
#define ACTION_REMOTE_LINK_H

#include "base/loop.h"
#include "base/seat.h"
#include "wire/rpc.h"

struct remote_link;

/* All of it is borrowed while the link lives. */
struct remote_link_params {
    struct loop *loop;
    const struct seat *seat; /* where ssh runs */
    const char *host;
    const char *profile; /* of the agent; NULL: its default */
    struct read_buffer *buffer;
    int64_t wait_ms; /* for the first answer, and later for any sign of life */
};

/* From the loop. The params of the agent's notifications are valid until they
 * return. None of them may close the link but `lost`, which is the last. */
struct remote_link_events {
    void (*output)(void *arg, const struct json *params);
    void (*exited)(void *arg, const struct json *params);
    void (*lost)(void *arg, const struct err *why);
};

/* Starts ssh. Requests may be sent at once: they wait in its pipe. */
struct remote_link *remote_link_open(const struct remote_link_params *p,
                                     const struct remote_link_events *ev,
                                     void *arg, struct err *e);
/* Accepts NULL. */
void remote_link_close(struct remote_link *l);

/* See rpc_call_start; the link's own limits of time hold. An answer that does
 * not come any more (m NULL) is followed by `lost`. */
int remote_link_call(struct remote_link *l, const char *method,
                     const struct buf *params, rpc_answer_cb *cb, void *arg,
                     struct err *e);

/* Whether signs of life are waited for: while something runs there. */
void remote_link_watch(struct remote_link *l, bool on);

/* Nothing more is read, nor waited for; or it goes on. */
void remote_link_pause(struct remote_link *l, bool paused);

#endif
