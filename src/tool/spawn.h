/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spawn.h - starts a tool's program by the launcher, in its confinement. */
#ifndef TOOL_SPAWN_H
#define TOOL_SPAWN_H

#include "base/proc.h"
#include "sandbox/launch/zygote_client.h"
#include "tool/call.h"

#define SPAWN_LAUNCHER "agentsh-launch" /* a program of libexec */
#define SPAWN_KEY_MAX  (4u << 20) /* words and environment: twice ARG_MAX */
#define SPAWN_END_MS   2000       /* for the launcher to end what it started */
#define SPAWN_LATE_MS  200        /* for the output of what has ended */

/* All that a process depends on. Two equal ones make processes that are
 * interchangeable, which is how pool.h finds one. */
struct spawn {
    struct buf words; /* the launcher's arguments, then the program's */
    size_t n_words;
    char **env;
    const struct seat *seat; /* borrowed: it starts in its directory … */
    const char *cwd; /* … or in this one; borrowed; NULL: the seat's */
};

struct spawned {
    struct proc *proc;
    int report; /* pipe with the launcher's report of denials; -1: none */
};

/* argv: the absolute path of the program, and its arguments. l needs
 * spawn_done in any case. */
int spawn_prepare(struct spawn *l, const char *const *argv,
                  const struct tool_setting *s, struct err *e);
/* The same for a tool: its program, or `words` where that speaks the API for
 * it. */
int spawn_prepare_tool(struct spawn *l, const struct tool *t,
                       const struct tool_setting *s, struct err *e);
void spawn_done(struct spawn *l);

/* Appends a key: everything that l holds, and the version of the tool (its
 * hash). Equal keys mean interchangeable processes. */
void spawn_key(const struct spawn *l, const char *version, struct buf *out);

/* What starts the processes of one tool in one confinement, made once and
 * shared: by calls, and by processes that wait for one. */
struct spawn_plan {
    unsigned users;
    struct spawn is;
    struct buf key; /* spawn_key; "": its processes wait for no other call */
};

/* waits: they do. One user, the caller. */
struct spawn_plan *spawn_plan_new(const struct tool *t,
                                  const struct tool_setting *s, bool waits,
                                  struct err *e);
struct spawn_plan *spawn_plan_share(struct spawn_plan *p); /* one user more */
void spawn_plan_free(struct spawn_plan *p); /* one less; accepts NULL */
DEFINE_CLEANUP(struct spawn_plan, spawn_plan_free)
bool spawn_plan_is_same(const struct spawn_plan *a, const struct spawn_plan *b);

/* Starts it with pipes for its three streams. The zygote is used, unless it is
 * NULL or l has a directory of its own. On success out needs spawned_done. */
int spawn_start(const struct spawn *l, struct zygote_client *zygote,
                struct spawned *out, struct err *e);
/* Starts it in a directory, without a report of denials. tty: a terminal that
 * it gets as its standard input, or, where `whole`, as all three streams, with
 * its foreground; -1: it has no input, and pipes for the others. */
int spawn_start_alone(const struct spawn *l, const char *cwd, int tty,
                      bool whole, struct spawned *out, struct err *e);
/* Sends what the launcher runs, a process of spawn_prepare's words, a signal:
 * to the program's process group. */
void spawn_signal(struct proc *launcher, int signo);
void spawned_done(struct spawned *l); /* kills it */

#endif
