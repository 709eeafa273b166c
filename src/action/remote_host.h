/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_host.h - runs commands on another host, one at a time.
 *
 * The guest agent of that host runs them (remote_link.h). A command gets
 * nothing to read, as one of here does. Its output is data from outside. */
#ifndef ACTION_REMOTE_HOST_H
#define ACTION_REMOTE_HOST_H

#include "action/remote_link.h"

#define REMOTE_HOST_KEPT (64u << 10) /* bytes of the end of a stream */

struct remote_host;

struct remote_command {
    const char *line;        /* for bash; NULL: the next */
    const char *const *argv; /* a program, found in PATH there, and its
                                arguments; NULL at the end */
    bool owners; /* in the profile observe: owners are shown as they are */
    const char *directory; /* absolute, or below the home there; NULL: that */
    const char *profile;   /* of the sandbox there; NULL: the agent's default */
};

/* How it ended; the streams are the host's, until its next command. */
struct remote_end {
    int exit_code;  /* as a shell says it; -1: it did not run to its end */
    struct err why; /* of -1 */
    int64_t ms;
    const struct buf *out, *err;
    bool truncated; /* these are only the end of what it wrote */
};

/* From the loop. `ended` is the last of a command. */
struct remote_host_events {
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    void (*ended)(void *arg, const struct remote_end *end);
};

/* The profile of the params is that of each command. */
struct remote_host *remote_host_new(const struct remote_link_params *p,
                                    const struct remote_host_events *ev,
                                    void *arg, struct err *e);
/* Ends what runs there. Accepts NULL. */
void remote_host_free(struct remote_host *h);

/* Starts a command, when none runs; it is borrowed until it has ended. What
 * goes wrong is told by `ended`: so is an agent there that runs commands in
 * another profile. */
void remote_host_start(struct remote_host *h, const struct remote_command *c);

/* Ends the command, if one runs, and the connection; no event of it comes. */
void remote_host_stop(struct remote_host *h);

void remote_host_signal(struct remote_host *h, int signo);
void remote_host_pause(struct remote_host *h, bool paused);

#endif
