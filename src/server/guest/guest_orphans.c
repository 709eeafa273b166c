/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_orphans.c - what commands leave behind, and whose it is. */
#include "server/guest/guest_orphans.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"

#define END_MS   20     /* against a process that forks without end */
#define PAUSE_NS 200000 /* for what was killed to die */

struct orphan {
    struct orphan *next;
    pid_t pid, group;                  /* as it was found */
    const struct guest_connection *of; /* NULL: of the agent */
    bool killed;
};

struct guest_orphans {
    struct guest_shared *shared;
    struct watch *ended;        /* SIGCHLD */
    pid_t before[CHILDREN_MAX]; /* children that the agent itself has */
    size_t n_before;
    struct orphan *first;
};

static bool
is_command(const struct guest_orphans *o, pid_t pid)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->pid != pid)
        c = c->next;
    return c != NULL;
}

static bool
is_known_child(const struct guest_orphans *o, pid_t pid)
{
    const struct orphan *p = o->first;

    for (size_t i = 0; i < o->n_before; i++) {
        if (o->before[i] == pid)
            return true;
    }
    while (p && p->pid != pid)
        p = p->next;
    return p || is_command(o, pid);
}

/* Reaps the orphans that have ended. */
static void
reap_orphans(struct guest_orphans *o)
{
    struct orphan **at = &o->first;

    while (*at) {
        struct orphan *p = *at;

        if (waitpid(p->pid, NULL, WNOHANG) == 0) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p);
    }
}

/* The connection of the command that leads a process group or session. */
static bool
find_leader(const struct guest_orphans *o, pid_t group, pid_t session,
            const struct guest_connection **of)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->pid != group && c->pid != session)
        c = c->next;
    if (c)
        *of = c->owner;
    return c != NULL;
}

/* Whether a command of another connection than this one runs. */
static bool
is_shared_now(const struct guest_orphans *o, const struct guest_connection *of)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->owner == of)
        c = c->next;
    return c != NULL;
}

/* Notes the orphans that are new. `group` is that of a command of `of` which
 * has just ended. */
static void
scan_orphans(struct guest_orphans *o, const struct guest_connection *of,
             pid_t group)
{
    pid_t pids[CHILDREN_MAX];
    size_t n = children_list(pids, CHILDREN_MAX);
    bool shared = is_shared_now(o, of);

    for (size_t i = 0; i < n; i++) {
        struct orphan *p;
        pid_t its;

        if (is_known_child(o, pids[i]) || !(p = malloc(sizeof(*p))))
            continue;
        its = getpgid(pids[i]);
        *p = (struct orphan){.next = o->first, .pid = pids[i], .group = its};
        if (its == group)
            p->of = of;
        else if (!find_leader(o, its, getsid(pids[i]), &p->of))
            p->of = shared ? NULL : of;
        o->first = p;
    }
}

/* A zombie that nobody knows yet is an orphan too. */
static void
on_child_ended(void *arg, unsigned signo)
{
    struct guest_orphans *o = arg;
    siginfo_t si = {0};

    (void)signo;
    reap_orphans(o);
    while (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           si.si_pid > 0 && !is_known_child(o, si.si_pid)) {
        (void)waitpid(si.si_pid, NULL, WNOHANG);
        si = (siginfo_t){0};
    }
}

struct guest_orphans *
guest_orphans_new(struct guest_shared *sh, struct err *e)
{
    struct guest_orphans *o = calloc(1, sizeof(*o));

    if (!o) {
        err_nomem(e);
        return NULL;
    }
    o->shared = sh;
    children_adopt();
    o->n_before = children_list(o->before, CHILDREN_MAX);
    o->ended = loop_signal(sh->loop, SIGCHLD, on_child_ended, o, e);
    if (!o->ended) {
        free(o);
        return NULL;
    }
    return o;
}

/* Kills an orphan with its process group, which is a command's that has ended
 * or its own. */
static void
kill_orphan(const struct guest_orphans *o, struct orphan *p)
{
    pid_t group = getpgid(p->pid);

    if (group > 1 && group != getpgrp() && !is_command(o, group))
        (void)kill(-group, SIGKILL);
    (void)kill(p->pid, SIGKILL); /* which one that runs as root survives */
    p->killed = true;
}

/* Kills those of a connection, or, with all, everybody's. Returns whether there
 * were any that had not been killed before. */
static bool
kill_orphans(struct guest_orphans *o, const struct guest_connection *of,
             bool all)
{
    bool any = false;

    for (struct orphan *p = o->first; p; p = p->next) {
        if (p->killed || (!all && p->of != of))
            continue;
        kill_orphan(o, p);
        any = true;
    }
    return any;
}

/* Kills and reaps until nothing new comes of what has died, for END_MS at most.
 */
static void
end_orphans(struct guest_orphans *o, const struct guest_connection *of,
            bool all)
{
    int64_t until = clock_ms() + END_MS;
    bool any;

    do {
        const struct timespec pause = {.tv_nsec = PAUSE_NS};

        scan_orphans(o, of, 0);
        any = kill_orphans(o, of, all);
        reap_orphans(o);
        if (any)
            (void)nanosleep(&pause, NULL);
    } while (any && clock_ms() < until);
    for (struct orphan *p = o->first; p; p = p->next)
        p->of = p->of == of ? NULL : p->of;
}

void
guest_orphans_note(struct guest_orphans *o, const struct guest_connection *of,
                   pid_t group, bool ends)
{
    const struct orphan *before = o->first;

    scan_orphans(o, of, group);
    for (struct orphan *p = o->first; ends && p && p != before; p = p->next) {
        if (p->of == of)
            kill_orphan(o, p);
    }
}

void
guest_orphans_end(struct guest_orphans *o, const struct guest_connection *of)
{
    end_orphans(o, of, false);
}

void
guest_orphans_signal_group(struct guest_orphans *o, pid_t group, int signo)
{
    for (const struct orphan *p = o->first; p; p = p->next) {
        if (p->group == group)
            (void)kill(p->pid, signo);
    }
}

void
guest_orphans_free(struct guest_orphans *o)
{
    if (!o)
        return;
    watch_free(o->ended);
    end_orphans(o, NULL, true);
    while (o->first) {
        struct orphan *p = o->first;

        o->first = p->next;
        free(p);
    }
    free(o);
}
