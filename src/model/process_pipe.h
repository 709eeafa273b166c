/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_pipe.h - starts the model process and exchanges lines with it. */
#ifndef MODEL_PROCESS_PIPE_H
#define MODEL_PROCESS_PIPE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct process_pipe; /* the process and its pipes */

struct process_pipe_events {
    /* One line, without its newline, valid until this returns. The callback may
     * free the pipe. */
    void (*line)(void *arg, const char *line, size_t n);
    /* The process has ended with this status, as a shell reports it; -1: it
     * wrote a line that is too long. The callback frees the pipe. */
    void (*gone)(void *arg, int status);
};

/* Starts the process with what it may have of env (process_start.h); ev is
 * copied. */
struct process_pipe *process_pipe_start(struct loop *l, const char *const *env,
                                        const struct process_pipe_events *ev,
                                        void *arg, struct err *e);
/* Talks to a process of another's over a copy of its socket
 * (warm_process.h). ERR_PEER: the process has ended. */
struct process_pipe *process_pipe_borrow(struct loop *l, int socket,
                                         const struct process_pipe_events *ev,
                                         void *arg, struct err *e);
/* Ends the process, also one that was borrowed. */
void process_pipe_free(struct process_pipe *p);
/* The same, but leaves a borrowed process to its owner: no query runs, and none
 * is queued. */
void process_pipe_return(struct process_pipe *p);
DEFINE_CLEANUP(struct process_pipe, process_pipe_free)

/* Queues the bytes, which lines gives up: they are written when the loop turns
 * and as the pipe takes them. Bytes that were written are wiped: they may hold
 * a key. ERR_INVALID: the queue is full. SIGPIPE must be ignored. */
int process_pipe_send(struct process_pipe *p, struct buf *lines, struct err *e);

#endif
