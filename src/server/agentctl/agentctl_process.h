/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_process.h - the process of an agent: its lines, its end.
 *
 * The agent is started by the launcher (sandbox/launch), unconfined: that is
 * the parent of whatever the agent leaves behind, ends all of it with the
 * agent, and ends the agent when this process is killed. */
#ifndef SERVER_AGENTCTL_AGENTCTL_PROCESS_H
#define SERVER_AGENTCTL_AGENTCTL_PROCESS_H

#include <sys/types.h>

#include "base/loop.h"
#include "base/seat.h"
#include "server/agentctl/agentctl_output.h"
#include "wire/read_buffer.h"

struct agentctl_process;

struct agentctl_process_events {
    /* A line of n bytes, without its newline. */
    void (*line)(void *arg, enum agentctl_stream which, const char *line,
                 size_t n);
    /* A line was too long, and is skipped. */
    void (*too_long)(void *arg, enum agentctl_stream which);
    /* The process and all that it started have ended, and all lines were handed
     * out. The callee frees it. */
    void (*ended)(void *arg);
};

/* All is borrowed until agentctl_process_start returns, but for the loop and
 * the buffer. */
struct agentctl_process_setup {
    struct loop *loop;
    struct read_buffer *buffer;
    const struct seat *seat;
    const char *const *words;
    const char *const *environment;
    const char *work_dir;
};

/* ERR_NOT_FOUND, ERR_PERMISSION: there is no such program or directory. That it
 * cannot be executed for another reason is an exit status of 126 or 127, with
 * the reason on standard error. */
struct agentctl_process *
agentctl_process_start(const struct agentctl_process_setup *set,
                       const struct agentctl_process_events *ev, void *arg,
                       struct err *e);
/* Kills the tree; no event follows. Accepts NULL. */
void agentctl_process_free(struct agentctl_process *p);
DEFINE_CLEANUP(struct agentctl_process, agentctl_process_free)

/* Writes a line and its newline, and takes its memory. ERR_NOMEM: it does not
 * read what was written before; ERR_PEER: it has closed its input. */
int agentctl_process_write(struct agentctl_process *p, struct buf *line,
                           struct err *e);

/* During `line`, of standard output: out takes the memory of the line. False:
 * there is none of its own. */
bool agentctl_process_take_line(struct agentctl_process *p, struct buf *out);

/* Reads no more of its standard output, or goes on. */
void agentctl_process_pause(struct agentctl_process *p, bool paused);

/* Ends it: its input is closed, then it gets SIGTERM, and in the end all of its
 * tree is killed, after 1.5 s at most; with force at once. `ended` follows. */
void agentctl_process_stop(struct agentctl_process *p, bool force);

/* The number of the agent's own process; that of the launcher while that has
 * not started it. */
pid_t agentctl_process_pid(struct agentctl_process *p);

/* Whether it waits, and has used no processor since this was asked last: it has
 * come to read its input, most likely. */
bool agentctl_process_is_idle(struct agentctl_process *p);

/* When it has ended: its exit status, 128 and the signal that killed it. */
int agentctl_process_status(const struct agentctl_process *p);
int agentctl_process_killed_by(const struct agentctl_process *p); /* 0: none */

/* Whether it was ended by agentctl_process_stop. */
bool agentctl_process_was_stopped(const struct agentctl_process *p);

#endif
