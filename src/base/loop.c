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

enum watch_kind { FD, TIMER, SIGNAL };

struct watch {
    struct loop *loop;
    struct watch *prev, *next; /* all live ones of the loop */
    enum watch_kind kind;
    int fd; /* owned here for timers and signals */
    int signo;
    loop_cb *cb;
    void *arg;
    bool due; /* its signal has arrived, its callback is still to be called */
    bool paused; /* it has no events, and is not in the epoll set */
    bool dead;   /* freed within a turn: its memory is freed at the end of the
                    turn */
};

struct loop {
    int epoll;
    bool stop;
    int depth; /* nested turns: a callback may call loop_turn */
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
free_dead(struct loop *l)
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
    free_dead(l);
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

/* Adds a watch to the loop. Owns fd when kind is not FD, also on failure. */
static struct watch *
add_watch(struct loop *l, struct watch init, unsigned events, struct err *e)
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
    return add_watch(l,
                     (struct watch){.kind = FD, .fd = fd, .cb = cb, .arg = arg},
                     events, e);
}

void
watch_events(struct watch *w, unsigned events)
{
    struct epoll_event ev = {.events = to_epoll(events), .data.ptr = w};

    int op = w->paused ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

    if (w->dead || (w->paused && events == 0))
        return;
    /* epoll reports a hang-up whatever events are set, again and again: so a
     * paused descriptor is removed from the epoll set */
    if (events == 0)
        op = EPOLL_CTL_DEL;
    /* fails only for a descriptor that was closed too early, which is a bug */
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
    w = add_watch(l,
                  (struct watch){.kind = TIMER, .fd = fd, .cb = cb, .arg = arg},
                  LOOP_READ, e);
    if (w)
        watch_again(w, ms);
    return w;
}

static void
set_blocked(int signo, int how)
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
    set_blocked(signo, SIG_BLOCK);
    fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) {
        err_sys(e, "signal %d", signo);
        set_blocked(signo, SIG_UNBLOCK);
        return NULL;
    }
    w = add_watch(
        l,
        (struct watch){
            .kind = SIGNAL, .fd = fd, .signo = signo, .cb = cb, .arg = arg},
        LOOP_READ, e);
    if (!w)
        set_blocked(signo, SIG_UNBLOCK);
    return w;
}

/* A remaining watch of the signal, or NULL. */
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
        set_blocked(w->signo, SIG_UNBLOCK);
    w->dead = true;
    w->next = l->dead;
    l->dead = w;
    if (l->depth == 0)
        free_dead(l);
}

/* One watch has read the signal, so this calls all watches of it. */
static int
dispatch_signal(struct loop *l, int signo)
{
    struct watch *w;
    int called = 0;

    for (w = l->live; w; w = w->next)
        w->due = w->kind == SIGNAL && w->signo == signo;
    for (w = l->live; w; w = w ? w->next : l->live) {
        if (!w->due)
            continue;
        w->due = false;
        w->cb(w->arg, (unsigned)signo);
        called++;
        w = NULL; /* a callback may have changed the list: start again */
    }
    return called;
}

/* Runs the callbacks for an event of w. Returns how many. */
static int
dispatch(struct watch *w, unsigned events)
{
    struct signalfd_siginfo si;
    uint64_t count;

    if (w->kind == SIGNAL)
        return read(w->fd, &si, sizeof(si)) == (ssize_t)sizeof(si)
                   ? dispatch_signal(w->loop, w->signo)
                   : 0;
    if (w->kind == TIMER && read(w->fd, &count, sizeof(count)) < 0)
        return 0; /* restarted since it expired */
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
            ran += dispatch(w, from_epoll(ev[i].events));
    }
    if (--l->depth == 0)
        free_dead(l);
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
