/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_process.h - a plugin's process, the lines from and to it, its log.
 *
 * What is sent is written as the pipe takes it, and lines are delivered as they
 * come: no function waits but plugin_process_free. A line over 16 MiB, or a
 * plugin that reads nothing for 5 s, is ERR_PEER. Only tool/ uses it. */
#ifndef TOOL_PLUGIN_PROCESS_H
#define TOOL_PLUGIN_PROCESS_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/proc.h"
#include "tool/spawn.h"

struct plugin_process;

struct plugin_process_events {
    /* A line without its newline, never empty. It may free the process, or set
     * who gets the next one. Returns false when no more of them are wanted
     * now. */
    bool (*line)(void *arg, const char *line, size_t n);
    /* End of its output; `gone` tells how the process itself ends. May be
     * NULL. */
    void (*closed)(void *arg);
    /* The process has ended, or broke a rule; called once, last. why is
     * ERR_NONE where it only ended: plugin_process_explain says how. */
    void (*gone)(void *arg, struct err *why);
};

/* Takes ownership of `started`, on failure too. The loop watches it. */
struct plugin_process *
plugin_process_new(struct loop *l, struct spawned *started, struct err *e);
/* Ends the process tree, which may take 2 s; accepts NULL. To end several at
 * a time, terminate all of them before the first is freed. */
void plugin_process_free(struct plugin_process *p);
DEFINE_CLEANUP(struct plugin_process, plugin_process_free)
/* Sends SIGTERM and starts the 2 s; accepts NULL. */
void plugin_process_terminate(struct plugin_process *p);
/* On a loop that is shared (loop_share) plugin_process_free waits for nothing:
 * the loop does (proc_end.h). Not for a process that runs commands, since the
 * next one must find what the launcher cleans up. */
void plugin_process_set_later(struct plugin_process *p);
/* From now on it has so many milliseconds to end by itself after its input has
 * ended, before all of the above begins. */
void plugin_process_set_leave(struct plugin_process *p, int ms);
/* Ends the process tree without waiting: cb is called once, from the loop, when
 * that is done or the 2 s are over, and may free the process. No other event
 * follows. ERR_NOMEM: nothing has changed. */
int plugin_process_end(struct plugin_process *p, loop_cb *cb, void *arg,
                       struct err *e);

/* Who gets the events from now on. */
void plugin_process_set_events(struct plugin_process *p,
                               const struct plugin_process_events *ev,
                               void *arg);

/* Queues a line. last: its standard input is closed after it. */
int plugin_process_send(struct plugin_process *p, const char *line, size_t n,
                        bool last, struct err *e);
/* The same, without a copy of a long line: its bytes are taken, and it is empty
 * then, in an error too. */
int plugin_process_take(struct plugin_process *p, struct buf *line, bool last,
                        struct err *e);

/* Closes its standard input after what is queued. */
void plugin_process_end_input(struct plugin_process *p);

/* While paused its output is not read: it blocks when its pipe is full. */
void plugin_process_pause(struct plugin_process *p, bool paused);
/* Sends a signal to its process group. */
void plugin_process_signal(struct plugin_process *p, int signo);

/* Whether it has written something that was not delivered. That is lost. */
bool plugin_process_has_more(struct plugin_process *p);

/* Whether it can take another request: it runs, has read all that was sent,
 * and has written nothing more. */
bool plugin_process_is_quiet(struct plugin_process *p);

/* Whether it runs and its output is open. */
bool plugin_process_is_alive(const struct plugin_process *p);

/* Whether it has read no byte of what was sent last. */
bool plugin_process_is_untouched(const struct plugin_process *p);

/* What the launcher reported as denied since the last time (sandbox/). */
void plugin_process_read_denials(struct plugin_process *p, struct denials *out);

/* The end of its standard error, at most 4 KiB; borrowed until the next turn
 * of the loop. */
const char *plugin_process_log(const struct plugin_process *p);

/* Sets e to how it ended without an answer. ERR_SANDBOX: the launcher started
 * nothing; ERR_TIMEOUT: its time limit; ERR_PEER: the rest, and the kind of the
 * error says how. */
int plugin_process_explain(const struct plugin_process *p, struct err *e);

#endif
