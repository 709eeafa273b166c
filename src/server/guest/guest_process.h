/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_process.h - commands that outlive their call and their connection.
 *
 * A process has an id, its own for as long as the agent lives. Of each of its
 * streams the last GUEST_PROCESS_KEPT bytes are kept, and numbered from the
 * stream's start: who attaches gets what follows an offset, without a gap.
 * While somebody is attached the process waits for the slowest of them, as a
 * program waits for its terminal; while nobody is, older output is dropped. */
#ifndef SERVER_GUEST_GUEST_PROCESS_H
#define SERVER_GUEST_GUEST_PROCESS_H

#include "server/guest/guest_command.h"
#include "server/guest/guest_connection.h"
#include "server/guest/guest_spool.h"

#define GUEST_PROCESS_KEPT  (16u << 20)
#define GUEST_PROCESSES_MAX 64 /* that run, or have ended and are kept */

struct guest_process;
struct guest_waiter;

/* Who is told of a process's output; guest_attachment.c embeds it. */
struct guest_listener {
    struct guest_listener *next; /* of its process */
    /* There is more output, or room for it, or the process has ended. True: the
     * listener has all, and is gone. */
    bool (*advance)(struct guest_listener *l);
    /* Whether it would miss bytes if the process went on. */
    bool (*lags)(const struct guest_listener *l);
    void (*leave)(struct guest_listener *l); /* the process is being freed */
};

struct guest_process {
    struct guest_process *next; /* newest first */
    struct guest_shared *shared;
    int64_t id;
    char *title;      /* the command line */
    int64_t began_ms; /* since the epoch */
    pid_t pid;
    bool terminal;                 /* all its output is of GUEST_STDOUT */
    struct guest_command *command; /* NULL: it has ended */
    int status, killed_by;
    struct guest_spool streams[GUEST_STREAMS];
    struct guest_listener *listeners;
    struct guest_waiter *waiters;
};

/* Methods: process.start, .input, .close_input, .resize, .signal, .wait, .list.
 */
rpc_request_cb guest_process_start, guest_process_input,
    guest_process_close_input, guest_process_resize, guest_process_signal,
    guest_process_wait, guest_process_list;

/* The process that a param names. NULL: ERR_INVALID. */
struct guest_process *guest_process_find(const struct guest_shared *sh,
                                         const struct json *id, struct err *e);

/* Tells its listeners, and lets it go on, or wait for the slowest of them. */
void guest_process_advance(struct guest_process *p);
void guest_process_unlisten(struct guest_process *p, struct guest_listener *l);

/* Writes the members exit_code and signal of one that has ended. */
void guest_process_put_end(const struct guest_process *p,
                           struct json_writer *w);

/* Ends all of them. */
void guest_process_end_all(struct guest_shared *sh);

#endif
