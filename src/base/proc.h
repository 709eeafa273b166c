/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.h - a child process as a resource: its handle kills its tree and reaps.
 *
 * A child leads a process group of its own and dies with us (PDEATHSIG; the
 * leader of a session is hung up on, when the last who holds the other side of
 * its terminal is gone: a second signal would keep a shell from doing the same
 * to its jobs). What
 * it started is killed with it as far as it stayed in the group, and beyond
 * that where `adopt` is set. The parent's signal mask and ignored
 * signals do not reach the child. */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* What a child's descriptor is, where it is not a descriptor of ours. */
#define PROC_NULL    (-1) /* /dev/null */
#define PROC_PIPE    (-2) /* a new pipe: proc_fd() gives our end */
#define PROC_INHERIT (-3) /* the same as ours */

struct proc_spec {
    const char *const *argv; /* argv[0] is a path, not searched for */
    const char *const *envp; /* NULL: ours */
    const char *cwd;         /* NULL: ours */
    int fds[3];              /* a descriptor, or one of the above */
    int pass_fd;             /* given to the child as descriptor 3; -1 none */
    bool adopt;              /* what it leaves behind comes to us, and is
                                ended with it even when it left its group; so
                                are orphans of others that run beside it */
    bool foreground;         /* stay in our process group, on the terminal */
    bool session; /* a session of its own, its terminal the first of fds that
                     is one */
    bool job;     /* with `session`: not its leader, but the job in its
                     foreground, which Ctrl-Z can stop: proc_was_stopped tells,
                     and SIGCONT by proc_signal continues it */
};

struct proc; /* a child that was started and is not yet released */

/* Starts it. A program that cannot be executed is an error here (its errno
 * is e->sys), not an exit status 127 later. */
struct proc *proc_start(const struct proc_spec *spec, struct err *e);

/* The same for a child of ours that somebody else made (CLONE_PARENT): it leads
 * a process group of its own. Takes the descriptors, our ends of its streams,
 * but on failure; then the child is ended. */
struct proc *proc_take(pid_t pid, const int ours[3], struct err *e);

/* For who signals or looks at it from outside, as tests do. */
pid_t proc_pid(const struct proc *p);
/* Our end of a PROC_PIPE (0: we write; 1, 2: we read), else -1. Stays p's. */
int proc_fd(const struct proc *p, int which);
void proc_close_fd(struct proc *p, int which); /* early, once */
/* Readable when the child has ended: for loop_fd. Stays p's. */
int proc_pidfd(const struct proc *p);

void proc_signal(struct proc *p, int signo); /* to the whole group */

/* 0 when it has ended, *status as a shell has it (128 + signal); 1 when it
 * still runs after timeout_ms (-1: wait for ever); -1 on error. The group's
 * leftovers are killed before the child is reaped. */
int proc_wait(struct proc *p, int timeout_ms, int *status, struct err *e);

/* Whether it was stopped (as by Ctrl-Z) since this was asked last. */
bool proc_was_stopped(const struct proc *p);

/* With `adopt`: what it left behind when it ends by itself stays, as a daemon
 * that it started for later would. */
void proc_spare(struct proc *p);

/* The signal that ended it, once proc_wait has said so; else 0. */
int proc_killed_by(const struct proc *p);

/* Kills the group if the child still runs, reaps, closes. Accepts NULL. */
void proc_free(struct proc *p);
DEFINE_CLEANUP(struct proc, proc_free)

/* Runs it to its end with what it writes to standard output appended to out
 * (the spec's fds[1] is ignored). It is killed when timeout_ms passes, and when
 * SIGINT, SIGTERM or SIGHUP comes, which then takes its course: with `adopt`
 * everything that it started is killed too. ERR_TIMEOUT, ERR_INTERRUPTED. When
 * it ends by itself, what left its group stays. */
int proc_output(const struct proc_spec *spec, int timeout_ms, struct buf *out,
                int *status, struct err *e);

#endif
