/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.h - starts child processes; freeing the handle kills and reaps the tree.
 *
 * A child leads a process group of its own and dies with this process: the
 * kernel sends it SIGKILL (PR_SET_PDEATHSIG), or, where it leads a session,
 * SIGHUP when the last descriptor of the other side of its terminal is closed;
 * a SIGKILL would keep a shell from hanging up on its own jobs. Its descendants
 * are killed with it as far as they stayed in the group, and all of them where
 * `adopt` is set. The child does not inherit the signal mask and ignored
 * signals. */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/seat.h"

/* Values of proc_spec.fds that are no descriptors. */
#define PROC_NULL    (-1) /* /dev/null */
#define PROC_PIPE    (-2) /* a new pipe: proc_fd() gives our end */
#define PROC_INHERIT (-3) /* the same as ours */

/* A limit of setrlimit(2). */
struct proc_limit {
    int resource;
    uint64_t value; /* 0: as it is */
};

#define PROC_LIMITS 2

struct proc_spec {
    const char *const *argv; /* argv[0] is a path, not searched for */
    const char *program;     /* the path, where argv[0] is another name; or
                                NULL */
    const char *const *envp; /* NULL: ours */
    const char *cwd;         /* NULL: that of the seat, or ours */
    const struct seat *seat; /* NULL: that of this process */
    int fds[3];              /* descriptors of ours, or the values above */
    int pass_fd;             /* the child's descriptor 3; -1: none */
    bool adopt;              /* become the subreaper: descendants are killed
                                even where they left the group, and so are
                                orphans of other children that run meanwhile */
    bool foreground;         /* stay in our process group, on the terminal */
    /* it gets the terminal: its group is in the foreground from its first
     * moment on. One of fds is that terminal, whose foreground group
     * is ours; who started it takes the terminal back */
    bool takes_terminal;
    bool session; /* a session of its own, its terminal the first of fds that
                     is one */
    struct proc_limit limits[PROC_LIMITS];
    bool job; /* with `session`: not its leader, but the job in its
                 foreground, which Ctrl-Z can stop: proc_was_stopped tells,
                 and SIGCONT by proc_signal continues it */
    /* blocked from its first moment on, for a program that receives it later;
     * 0: none */
    int held_signal;
};

struct proc; /* a child that was started and is not yet released */

/* Starts a child. A program that cannot be executed is an error here, with its
 * errno in e->sys, and not an exit status of 127 later. */
struct proc *proc_start(const struct proc_spec *spec, struct err *e);

/* A handle for a child that another process made for us (CLONE_PARENT), and
 * that leads a process group of its own. Takes the descriptors, which are our
 * ends of its streams. On failure they stay the caller's, and the child is
 * killed. */
struct proc *proc_take(pid_t pid, const int ours[3], struct err *e);

/* Our end of a PROC_PIPE (0: for writing; 1, 2: for reading), else -1.
 * Borrowed. */
int proc_fd(const struct proc *p, int which);
void proc_close_fd(struct proc *p, int which); /* before proc_free */
/* A descriptor that is readable once the child has ended: for loop_fd.
 * Borrowed. */
int proc_pidfd(const struct proc *p);

void proc_signal(struct proc *p, int signo); /* its whole process group */

/* Waits at most timeout_ms (-1: no limit). Returns 0 when the child has ended,
 * *status as in a shell (128 + signal); 1 when it still runs; -1 on error. The
 * rest of the group is killed before the child is reaped. */
int proc_wait(struct proc *p, int timeout_ms, int *status, struct err *e);

/* Whether it was stopped, as by Ctrl-Z, since the last call. */
bool proc_was_stopped(const struct proc *p);

/* The signal that killed it, once proc_wait has returned 0; else 0. */
int proc_killed_by(const struct proc *p);

/* With `adopt`, for a child that ended by itself: descendants that left its
 * group stay, as a daemon that it started would. Before proc_wait. */
void proc_keep_descendants(struct proc *p);

/* The same for what it left in its group: a caller that ends it later by the
 * group's number, which is proc_pid. Before proc_wait. */
void proc_keep_group(struct proc *p);

/* The child's number, also that of its process group. */
pid_t proc_pid(const struct proc *p);

/* Kills the group if the child still runs, reaps it, closes the descriptors.
 * Accepts NULL. */
void proc_free(struct proc *p);
DEFINE_CLEANUP(struct proc, proc_free)

/* Runs a child to its end and appends its standard output to out; the spec's
 * fds[1] is ignored. It is killed after timeout_ms (ERR_TIMEOUT), and when
 * SIGINT, SIGTERM or SIGHUP arrives (ERR_INTERRUPTED), which then has its usual
 * effect; with `adopt` all descendants are killed too. When it ends by itself,
 * descendants that left its group stay. */
int proc_output(const struct proc_spec *spec, int timeout_ms, struct buf *out,
                int *status, struct err *e);

#endif
