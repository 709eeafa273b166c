/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.c - the event loop on epoll, timerfd and signalfd. */
#include "base/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define EVENTS_A_TURN 32

enum kind { FD, TIMER, SIGNAL };

struct watch {
    struct loop *loop;
    struct watch *prev, *next; /* all live ones of the loop */
    enum kind kind;
    int fd; /* ours for timers and signals */
    int signo;
    loop_cb *cb;
    void *arg;
    bool due;    /* its signal came in this turn, it is not yet told */
    bool paused; /* it waits for nothing, and is not in the epoll */
    bool dead;   /* freed inside a turn: its memory goes at the turn's end */
};

struct loop {
    int epoll;
    bool stop;
    int depth; /* turns under way: a callback may turn the loop itself */
    struct watch *live;
    struct watch *dead;
};

struct loop *
loop_new(struct err *e)
{
    struct loop *l = calloc(1, sizeof(*l));

    if (!l) {
        err_sys(e, "event loop");
        return NULL;
    }
    l->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (l->epoll < 0) {
        err_sys(e, "event loop");
        free(l);
        return NULL;
    }
    return l;
}

static void
bury(struct loop *l)
{
    while (l->dead) {
        struct watch *w = l->dead;

        l->dead = w->next;
        free(w);
    }
}

void
loop_free(struct loop *l)
{
    if (!l)
        return;
    while (l->live)
        watch_free(l->live);
    bury(l);
    close(l->epoll);
    free(l);
}

static uint32_t
to_epoll(unsigned events)
{
    return (events & LOOP_READ ? EPOLLIN | EPOLLRDHUP : 0u) |
           (events & LOOP_WRITE ? (uint32_t)EPOLLOUT : 0u);
}

static unsigned
from_epoll(uint32_t events)
{
    return (events & EPOLLIN ? LOOP_READ : 0) |
           (events & EPOLLOUT ? LOOP_WRITE : 0) |
           (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR) ? LOOP_HUP : 0);
}

/* Takes fd when kind is not FD, also on failure. */
static struct watch *
add(struct loop *l, struct watch init, unsigned events, struct err *e)
{
    struct epoll_event ev = {.events = to_epoll(events)};
    struct watch *w = malloc(sizeof(*w));

    if (w) {
        *w = init;
        w->loop = l;
        ev.data.ptr = w;
    }
    if (!w || epoll_ctl(l->epoll, EPOLL_CTL_ADD, w->fd, &ev) < 0) {
        err_sys(e, "watch descriptor %d", init.fd);
        if (init.kind != FD)
            close(init.fd);
        free(w);
        return NULL;
    }
    w->prev = NULL;
    w->next = l->live;
    if (l->live)
        l->live->prev = w;
    l->live = w;
    return w;
}

struct watch *
loop_fd(struct loop *l, int fd, unsigned events, loop_cb *cb, void *arg,
        struct err *e)
{
    return add(l, (struct watch){.kind = FD, .fd = fd, .cb = cb, .arg = arg},
               events, e);
}

void
watch_events(struct watch *w, unsigned events)
{
    struct epoll_event ev = {.events = to_epoll(events), .data.ptr = w};

    int op = w->paused ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

    if (w->dead || (w->paused && events == 0))
        return;
    /* epoll tells of a hang-up whatever it was asked for, again and again:
     * only a descriptor that is not in it is quiet */
    if (events == 0)
        op = EPOLL_CTL_DEL;
    /* fails only for a descriptor that was closed too early: a bug */
    (void)epoll_ctl(w->loop->epoll, op, w->fd, &ev);
    w->paused = events == 0;
}

void
watch_again(struct watch *w, int64_t ms)
{
    struct itimerspec its = {
        .it_value = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}};

    if (ms <= 0)
        its.it_value = (struct timespec){.tv_nsec = 1}; /* 0 would disarm */
    (void)timerfd_settime(w->fd, 0, &its, NULL);
}

struct watch *
loop_timer(struct loop *l, int64_t ms, loop_cb *cb, void *arg, struct err *e)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    struct watch *w;

    if (fd < 0) {
        err_sys(e, "timer");
        return NULL;
    }
    w = add(l, (struct watch){.kind = TIMER, .fd = fd, .cb = cb, .arg = arg},
            LOOP_READ, e);
    if (w)
        watch_again(w, ms);
    return w;
}

static void
block(int signo, int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signo);
    sigprocmask(how, &set, NULL);
}

struct watch *
loop_signal(struct loop *l, int signo, loop_cb *cb, void *arg, struct err *e)
{
    struct watch *w;
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, signo);
    block(signo, SIG_BLOCK);
    fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) {
        err_sys(e, "signal %d", signo);
        block(signo, SIG_UNBLOCK);
        return NULL;
    }
    w = add(l,
            (struct watch){
                .kind = SIGNAL, .fd = fd, .signo = signo, .cb = cb, .arg = arg},
            LOOP_READ, e);
    if (!w)
        block(signo, SIG_UNBLOCK);
    return w;
}

/* Any watch of the signal that is left. */
static struct watch *
find_signal(const struct loop *l, int signo)
{
    struct watch *w = l->live;

    while (w && (w->kind != SIGNAL || w->signo != signo))
        w = w->next;
    return w;
}

void
watch_free(struct watch *w)
{
    struct loop *l;

    if (!w || w->dead)
        return;
    l = w->loop;
    (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, w->fd, NULL);
    if (w->kind != FD)
        close(w->fd);
    if (w->prev)
        w->prev->next = w->next;
    else
        l->live = w->next;
    if (w->next)
        w->next->prev = w->prev;
    if (w->kind == SIGNAL && !find_signal(l, w->signo))
        block(w->signo, SIG_UNBLOCK);
    w->dead = true;
    w->next = l->dead;
    l->dead = w;
    if (l->depth == 0)
        bury(l);
}

/* The one that read the signal took it from the others. */
static int
tell_signal(struct loop *l, int signo)
{
    struct watch *w;
    int told = 0;

    for (w = l->live; w; w = w->next)
        w->due = w->kind == SIGNAL && w->signo == signo;
    for (w = l->live; w; w = w ? w->next : l->live) {
        if (!w->due)
            continue;
        w->due = false;
        w->cb(w->arg, (unsigned)signo);
        told++;
        w = NULL; /* it may be freed, and the list another one: once more */
    }
    return told;
}

/* Runs what is due for w. Returns the number of callbacks run. */
static int
tell(struct watch *w, unsigned events)
{
    struct signalfd_siginfo si;
    uint64_t count;

    if (w->kind == SIGNAL)
        return read(w->fd, &si, sizeof(si)) == (ssize_t)sizeof(si)
                   ? tell_signal(w->loop, w->signo)
                   : 0;
    if (w->kind == TIMER && read(w->fd, &count, sizeof(count)) < 0)
        return 0; /* started anew since it was due */
    w->cb(w->arg, w->kind == TIMER ? 0 : events);
    return 1;
}

int
loop_turn(struct loop *l, int timeout_ms, struct err *e)
{
    struct epoll_event ev[EVENTS_A_TURN];
    int n = epoll_wait(l->epoll, ev, EVENTS_A_TURN, timeout_ms);
    int ran = 0;

    if (n < 0)
        return errno == EINTR ? 0 : err_sys(e, "epoll");
    l->depth++;
    for (int i = 0; i < n; i++) {
        struct watch *w = ev[i].data.ptr;

        if (!w->dead)
            ran += tell(w, from_epoll(ev[i].events));
    }
    if (--l->depth == 0)
        bury(l);
    return ran;
}

int
loop_run(struct loop *l, struct err *e)
{
    l->stop = false;
    while (!l->stop) {
        if (loop_turn(l, -1, e) < 0)
            return -1;
    }
    return 0;
}

void
loop_stop(struct loop *l)
{
    l->stop = true;
}
