/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_orphans.c - what commands leave behind, and whose it is. */
#include "server/guest/guest_orphans.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/file.h"

/* The variable whose value is the agent's pid, a dot, and the owner. */
#define MARK "AGENTSH_GUEST"

#define END_MS      20     /* against a process that forks without end */
#define PAUSE_NS    200000 /* for what was killed to die */
#define ENVIRON_MAX (1u << 20)

struct orphan {
    pid_t pid, group; /* as it was found */
    uint64_t owner;
    bool unsure; /* whose it is: no variable was there, as while it executes a
                    program */
    bool killed;
    bool inherited; /* the agent had it when it began: is only reaped */
};

struct guest_orphans {
    struct guest_shared *shared;
    struct watch *ended; /* SIGCHLD */
    struct orphan *list; /* by pid */
    size_t n, room;
};

static bool
is_command(const struct guest_orphans *o, pid_t pid)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->pid != pid)
        c = c->next;
    return c != NULL;
}

/* Where an orphan of this pid is in the list, or would be. */
static size_t
find_orphan(const struct guest_orphans *o, pid_t pid)
{
    size_t low = 0, high = o->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (o->list[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
is_orphan(const struct guest_orphans *o, pid_t pid)
{
    size_t at = find_orphan(o, pid);

    return at < o->n && o->list[at].pid == pid;
}

static struct orphan *
add_orphan(struct guest_orphans *o, pid_t pid)
{
    size_t at = find_orphan(o, pid);
    struct orphan *list;

    if (o->n == o->room) {
        size_t room = o->room > 0 ? 2 * o->room : 16;

        list = realloc(o->list, room * sizeof(*list));
        if (!list)
            return NULL;
        o->list = list;
        o->room = room;
    }
    memmove(o->list + at + 1, o->list + at, (o->n - at) * sizeof(*o->list));
    o->n++;
    o->list[at] = (struct orphan){.pid = pid};
    return o->list + at;
}

/* Reaps the orphans that have ended. */
static void
reap_orphans(struct guest_orphans *o)
{
    size_t kept = 0;

    for (size_t i = 0; i < o->n; i++) {
        if (waitpid(o->list[i].pid, NULL, WNOHANG) == 0)
            o->list[kept++] = o->list[i];
    }
    o->n = kept;
}

/* The owner of the command that leads a process group or session. */
static bool
find_leader(const struct guest_orphans *o, pid_t group, pid_t session,
            uint64_t *owner)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->pid != group && c->pid != session)
        c = c->next;
    if (c)
        *owner = c->owner;
    return c != NULL;
}

/* The owner whose variable a process has. False: it has none, or it belongs to
 * another user. */
static bool
find_marked(pid_t pid, uint64_t *owner)
{
    CLEANUP_BUF struct buf all = buf_of(ENVIRON_MAX);
    char path[32], start[GUEST_MARK_BYTES];
    int n = snprintf(start, sizeof(start), MARK "=%d.", (int)getpid());
    struct err e = {0};

    snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
    if (file_read(path, &all, &e) < 0)
        return false;
    for (const char *at = all.p, *end = all.p + all.len; at < end;
         at += strlen(at) + 1) {
        if (strncmp(at, start, (size_t)n) != 0)
            continue;
        *owner = strtoull(at + n, NULL, 10);
        return true;
    }
    return false;
}

/* Whether a command of another owner than this one runs. */
static bool
is_shared_now(const struct guest_orphans *o, uint64_t owner)
{
    const struct guest_running *c = o->shared->running;

    while (c && c->owner == owner)
        c = c->next;
    return c != NULL;
}

/* The command that has just ended, and what is found of it. */
struct orphan_scan {
    struct guest_orphans *orphans;
    uint64_t owner;
    pid_t group;
    bool kills; /* what is its own */
};

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

static void
note_child(void *arg, pid_t pid)
{
    const struct orphan_scan *scan = arg;
    struct guest_orphans *o = scan->orphans;
    struct orphan *p;

    if (is_orphan(o, pid) || is_command(o, pid) || children_is_started(pid) ||
        !(p = add_orphan(o, pid)))
        return;
    p->group = getpgid(pid);
    if (p->group == scan->group)
        p->owner = scan->owner;
    else if (!find_leader(o, p->group, getsid(pid), &p->owner) &&
             !find_marked(pid, &p->owner)) {
        p->unsure = is_shared_now(o, scan->owner);
        p->owner = p->unsure ? GUEST_AGENT : scan->owner;
    }
    if (scan->kills && p->owner == scan->owner)
        kill_orphan(o, p);
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
           si.si_pid > 0 && !is_orphan(o, si.si_pid) &&
           !is_command(o, si.si_pid) && !children_is_started(si.si_pid)) {
        (void)waitpid(si.si_pid, NULL, WNOHANG);
        si = (siginfo_t){0};
    }
}

static void
note_inherited(void *arg, pid_t pid)
{
    struct guest_orphans *o = arg;
    struct orphan *p = children_is_started(pid) ? NULL : add_orphan(o, pid);

    if (p)
        p->inherited = true;
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
    children_each(note_inherited, o);
    o->ended = loop_signal(sh->loop, SIGCHLD, on_child_ended, o, e);
    if (!o->ended) {
        free(o->list);
        free(o);
        return NULL;
    }
    return o;
}

/* Looks again at those that may have their variable by now. */
static void
find_owners(struct guest_orphans *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->list[i].unsure && find_marked(o->list[i].pid, &o->list[i].owner))
            o->list[i].unsure = false;
    }
}

/* Kills those of one owner, or, with all, everybody's. Returns whether there
 * were any that had not been killed before. */
static bool
kill_orphans(struct guest_orphans *o, uint64_t owner, bool all)
{
    bool any = false;

    for (size_t i = 0; i < o->n; i++) {
        struct orphan *p = o->list + i;

        if (p->killed || p->inherited || (!all && p->owner != owner))
            continue;
        kill_orphan(o, p);
        any = true;
    }
    return any;
}

/* Kills and reaps until nothing new comes of what has died, for END_MS at most.
 */
static void
end_orphans(struct guest_orphans *o, uint64_t owner, bool all)
{
    struct orphan_scan scan = {.orphans = o, .owner = owner};
    int64_t until = clock_ms() + END_MS;
    bool any;

    do {
        const struct timespec pause = {.tv_nsec = PAUSE_NS};

        children_each(note_child, &scan);
        find_owners(o);
        any = kill_orphans(o, owner, all);
        reap_orphans(o);
        if (any)
            (void)nanosleep(&pause, NULL);
    } while (any && clock_ms() < until);
    for (size_t i = 0; i < o->n; i++) {
        if (o->list[i].owner == owner)
            o->list[i].owner = GUEST_AGENT;
    }
}

void
guest_orphans_mark(uint64_t owner, char out[GUEST_MARK_BYTES])
{
    snprintf(out, GUEST_MARK_BYTES, MARK "=%d.%" PRIu64, (int)getpid(), owner);
}

bool
guest_orphans_is_mark(const char *variable)
{
    return strncmp(variable, MARK "=", sizeof(MARK)) == 0;
}

void
guest_orphans_note(struct guest_orphans *o, uint64_t owner, pid_t group,
                   bool ends)
{
    struct orphan_scan scan = {
        .orphans = o, .owner = owner, .group = group, .kills = ends};

    children_each(note_child, &scan);
    reap_orphans(o);
}

void
guest_orphans_end(struct guest_orphans *o, uint64_t owner)
{
    end_orphans(o, owner, false);
}

void
guest_orphans_signal_group(struct guest_orphans *o, pid_t group, int signo)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->list[i].group == group && getpgid(o->list[i].pid) == group)
            (void)kill(o->list[i].pid, signo);
    }
}

void
guest_orphans_free(struct guest_orphans *o)
{
    if (!o)
        return;
    watch_free(o->ended);
    end_orphans(o, GUEST_AGENT, true);
    free(o->list);
    free(o);
}
