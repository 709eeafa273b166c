/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.c - the event loop on epoll, a heap of timers, and signalfd. */
#include "base/loop.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/linux_calls.h"
#include "base/timer_heap.h"

#define EVENTS_A_TURN 32
#define NS_A_MS       INT64_C(1000000)
#define NS_A_SECOND   INT64_C(1000000000)

enum watch_kind { FD, TIMER, SIGNAL };

struct watch {
    struct loop *loop;
    struct watch *prev, *next; /* all live ones of the loop */
    enum watch_kind kind;
    int fd; /* of a timer -1; of a signal owned here */
    int signo;
    struct timer timer;
    uint64_t turn; /* the last in which its callback was called */
    loop_cb *cb;
    void *arg;
    bool due; /* its signal has arrived, its callback is still to be called */
    unsigned events; /* of a descriptor */
    bool paused;     /* it has no events, and is not in the epoll set */
    bool dead; /* freed within a turn: its memory is freed at the end of the
                  turn */
};

/* For how long callbacks hold the loop, by one of the clocks. */
struct hold_time {
    int64_t since_ns; /* when the one that runs began, or went on */
    struct loop_hold longest;
};

struct loop {
    int epoll;
    bool coarse; /* the kernel has no epoll_pwait2: it waits whole ms */
    bool stop;
    int depth; /* nested turns: a callback may call loop_turn */
    uint64_t turns;
    struct timer_heap timers;
    loop_cb *running; /* the callback that holds the loop */
    struct hold_time clock, processor;
    struct watch *live;
    struct watch *dead;
    bool shared;
    struct loop_exit *exits;
};

struct loop_exit {
    struct loop_exit **at, *next;
    void (*cb)(void *arg);
    void *arg;
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
loop_share(struct loop *l)
{
    l->shared = true;
}

bool
loop_is_shared(const struct loop *l)
{
    return l->shared;
}

struct loop_exit *
loop_at_free(struct loop *l, void (*cb)(void *arg), void *arg, struct err *e)
{
    struct loop_exit *x = calloc(1, sizeof(*x));

    if (!x) {
        err_nomem(e);
        return NULL;
    }
    *x = (struct loop_exit){
        .at = &l->exits, .next = l->exits, .cb = cb, .arg = arg};
    if (x->next)
        x->next->at = &x->next;
    l->exits = x;
    return x;
}

void
loop_exit_free(struct loop_exit *x)
{
    if (!x)
        return;
    *x->at = x->next;
    if (x->next)
        x->next->at = x->at;
    free(x);
}

void
loop_free(struct loop *l)
{
    if (!l)
        return;
    while (l->exits) {
        struct loop_exit *x = l->exits;

        x->cb(x->arg); /* it frees x */
        if (l->exits == x)
            loop_exit_free(x);
    }
    while (l->live)
        watch_free(l->live);
    free_dead(l);
    timer_heap_done(&l->timers);
    close(l->epoll);
    free(l);
}

static uint32_t
to_epoll(unsigned events)
{
    return (events & LOOP_READ ? EPOLLIN | EPOLLRDHUP : 0u) |
           (events & LOOP_LEFT ? (uint32_t)EPOLLRDHUP : 0u) |
           (events & LOOP_WRITE ? (uint32_t)EPOLLOUT : 0u);
}

static unsigned
from_epoll(uint32_t events)
{
    return (events & EPOLLIN ? LOOP_READ : 0) |
           (events & EPOLLOUT ? LOOP_WRITE : 0) |
           (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR) ? LOOP_HUP : 0);
}

/* Makes a watch of the loop, which waits for nothing yet. */
static struct watch *
add_watch(struct loop *l, struct watch init, struct err *e)
{
    struct watch *w = malloc(sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    *w = init;
    w->loop = l;
    w->timer.owner = w;
    w->next = l->live;
    if (l->live)
        l->live->prev = w;
    l->live = w;
    return w;
}

static void
unlink_watch(struct watch *w)
{
    if (w->prev)
        w->prev->next = w->next;
    else
        w->loop->live = w->next;
    if (w->next)
        w->next->prev = w->prev;
}

/* Adds a watch with a descriptor, which stays the caller's on failure. */
static struct watch *
add_fd_watch(struct loop *l, struct watch init, unsigned events, struct err *e)
{
    struct epoll_event ev = {.events = to_epoll(events)};
    struct watch *w = add_watch(l, init, e);

    if (!w)
        return NULL;
    w->events = events;
    ev.data.ptr = w;
    if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, w->fd, &ev) < 0) {
        err_sys(e, "watch descriptor %d", w->fd);
        unlink_watch(w);
        free(w);
        return NULL;
    }
    return w;
}

struct watch *
loop_fd(struct loop *l, int fd, unsigned events, loop_cb *cb, void *arg,
        struct err *e)
{
    return add_fd_watch(
        l, (struct watch){.kind = FD, .fd = fd, .cb = cb, .arg = arg}, events,
        e);
}

void
watch_events(struct watch *w, unsigned events)
{
    struct epoll_event ev = {.events = to_epoll(events), .data.ptr = w};
    int op = w->paused ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

    if (w->kind == TIMER && events == 0)
        watch_stop(w);
    if (w->dead || w->kind == TIMER ||
        (w->events == events && w->paused == (events == 0)))
        return;
    /* epoll reports a hang-up whatever events are set, again and again: so a
     * paused descriptor is removed from the epoll set */
    if (events == 0)
        op = EPOLL_CTL_DEL;
    /* fails only for a descriptor that was closed too early, which is a bug */
    (void)epoll_ctl(w->loop->epoll, op, w->fd, &ev);
    w->events = events;
    w->paused = events == 0;
}

/* The time that is ms from now, or as good as never. */
static int64_t
due_in(int64_t ms)
{
    int64_t now = clock_ns();

    if (ms <= 0)
        return now;
    return ms < (INT64_MAX - now) / NS_A_MS ? now + ms * NS_A_MS : INT64_MAX;
}

void
watch_again(struct watch *w, int64_t ms)
{
    if (!w->dead)
        timer_heap_arm(&w->loop->timers, &w->timer, due_in(ms));
}

void
watch_stop(struct watch *w)
{
    timer_heap_stop(&w->loop->timers, &w->timer);
}

struct watch *
loop_timer(struct loop *l, int64_t ms, loop_cb *cb, void *arg, struct err *e)
{
    struct watch *w;

    if (timer_heap_reserve(&l->timers, e) < 0)
        return NULL;
    w = add_watch(
        l, (struct watch){.kind = TIMER, .fd = -1, .cb = cb, .arg = arg}, e);
    if (w)
        watch_again(w, ms);
    else
        timer_heap_release(&l->timers);
    return w;
}

struct watch *
loop_soon(struct loop *l, loop_cb *cb, void *arg, struct err *e)
{
    return loop_timer(l, 0, cb, arg, e);
}

static void
set_blocked(int signo, int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signo);
    sigprocmask(how, &set, NULL);
}

/* Unblocks a signal, unless a watch waits for it. */
static void
unblock_unwatched(const struct loop *l, int signo)
{
    const struct watch *w = l->live;

    while (w && (w->kind != SIGNAL || w->signo != signo))
        w = w->next;
    if (!w)
        set_blocked(signo, SIG_UNBLOCK);
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
        unblock_unwatched(l, signo);
        return NULL;
    }
    w = add_fd_watch(
        l,
        (struct watch){
            .kind = SIGNAL, .fd = fd, .signo = signo, .cb = cb, .arg = arg},
        LOOP_READ, e);
    if (!w) {
        close(fd);
        unblock_unwatched(l, signo);
    }
    return w;
}

void
watch_free(struct watch *w)
{
    struct loop *l;

    if (!w || w->dead)
        return;
    l = w->loop;
    if (w->kind == TIMER) {
        watch_stop(w);
        timer_heap_release(&l->timers);
    } else {
        (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, w->fd, NULL);
    }
    if (w->kind == SIGNAL)
        close(w->fd);
    unlink_watch(w);
    if (w->kind == SIGNAL)
        unblock_unwatched(l, w->signo);
    w->dead = true;
    w->next = l->dead;
    l->dead = w;
    if (l->depth == 0)
        free_dead(l);
}

/* 0 where nobody asks for it, since it is a system call. */
static int64_t
processor_ns(void)
{
    struct timespec ts;

    if (!LOOP_REPORT)
        return 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * NS_A_SECOND + ts.tv_nsec;
}

static void
note_hold_time(struct hold_time *t, int64_t now, loop_cb *running)
{
    if (now - t->since_ns > t->longest.ns)
        t->longest = (struct loop_hold){now - t->since_ns, running};
    t->since_ns = now;
}

/* Ends the time for which the callback that runs has held the loop, and begins
 * the next. */
static void
note_hold(struct loop *l)
{
    note_hold_time(&l->clock, clock_ns(), l->running);
    note_hold_time(&l->processor, processor_ns(), l->running);
}

static void
call_back(struct watch *w, unsigned events)
{
    struct loop *l = w->loop;
    loop_cb *outer = l->running;

    l->running = w->cb;
    w->cb(w->arg, events);
    note_hold(l);
    l->running = outer;
}

/* One watch has read the signal, so this calls all watches of it. */
static int
dispatch_signal(struct loop *l, int signo)
{
    struct watch *w;
    int called = 0;

    for (w = l->live; w; w = w->next)
        w->due |= w->kind == SIGNAL && w->signo == signo;
    for (w = l->live; w; w = w ? w->next : l->live) {
        if (!w->due || w->signo != signo) /* a nested turn has its own */
            continue;
        w->due = false;
        call_back(w, (unsigned)signo);
        called++;
        w = NULL; /* a callback may have changed the list: start again */
    }
    return called;
}

/* Runs the callbacks for an event of w, unless an earlier callback of this turn
 * made it void: w was freed or paused, or a nested turn has called it. Returns
 * how many ran. */
static int
dispatch(struct watch *w, uint64_t turn, unsigned events)
{
    struct signalfd_siginfo si;

    if (w->dead || w->paused || w->turn > turn)
        return 0;
    w->turn = turn;

    if (w->kind == SIGNAL)
        return read(w->fd, &si, sizeof(si)) == (ssize_t)sizeof(si)
                   ? dispatch_signal(w->loop, w->signo)
                   : 0;
    call_back(w, events);
    return 1;
}

/* Runs the timers that were due at now_ns. Those that were armed in this turn
 * have an order from `armed` on: they wait for the next, so that a timer that
 * arms itself starves nobody. Returns how many ran. */
static int
run_timers(struct loop *l, int64_t now_ns, uint64_t armed)
{
    struct timer *t;
    int ran = 0;

    while ((t = timer_heap_first(&l->timers)) != NULL && t->due_ns <= now_ns &&
           t->order < armed) {
        timer_heap_stop(&l->timers, t);
        call_back(t->owner, 0);
        ran++;
    }
    return ran;
}

/* For how long nothing is to be done; -1: until an event. */
static int64_t
idle_ns(const struct loop *l, int timeout_ms)
{
    const struct timer *first = timer_heap_first(&l->timers);
    int64_t limit = timeout_ms < 0 ? -1 : timeout_ms * NS_A_MS;
    int64_t left;

    if (!first || limit == 0)
        return limit;
    left = first->due_ns - clock_ns();
    if (left < 0)
        left = 0;
    return limit < 0 || left < limit ? left : limit;
}

/* epoll_wait(2) rounds its limit to milliseconds: up here, since a timer that
 * is not yet due would be waited for again and again. */
static int
wait_coarse(const struct loop *l, struct epoll_event *ev, int64_t ns)
{
    int64_t ms = ns < 0 ? -1 : ns / NS_A_MS + (ns % NS_A_MS > 0);

    return epoll_wait(l->epoll, ev, EVENTS_A_TURN,
                      ms < INT_MAX ? (int)ms : INT_MAX);
}

static int
wait_events(struct loop *l, struct epoll_event *ev, int64_t ns)
{
    struct __kernel_timespec limit = {.tv_sec = ns / NS_A_SECOND,
                                      .tv_nsec = ns % NS_A_SECOND};
    int n;

    if (l->coarse)
        return wait_coarse(l, ev, ns);
    n = linux_epoll_pwait2(l->epoll, ev, EVENTS_A_TURN, ns < 0 ? NULL : &limit);
    /* EPERM: a container's filter that does not know the call */
    if (n >= 0 || (errno != ENOSYS && errno != EPERM))
        return n;
    l->coarse = true;
    return wait_coarse(l, ev, ns);
}

int
loop_turn(struct loop *l, int timeout_ms, struct err *e)
{
    struct epoll_event ev[EVENTS_A_TURN];
    int64_t now_ns;
    uint64_t armed, turn;
    int n, ran = 0;

    if (l->depth > 0) /* a callback waits: that is no hold */
        note_hold(l);
    n = wait_events(l, ev, idle_ns(l, timeout_ms));
    if (n < 0 && errno != EINTR)
        return err_sys(e, "epoll");
    now_ns = l->clock.since_ns = clock_ns();
    l->processor.since_ns = processor_ns();
    armed = l->timers.next_order;
    turn = ++l->turns;
    l->depth++;
    for (int i = 0; i < n; i++)
        ran += dispatch(ev[i].data.ptr, turn, from_epoll(ev[i].events));
    ran += run_timers(l, now_ns, armed);
    if (--l->depth == 0)
        free_dead(l);
    return ran;
}

int64_t
loop_longest_hold(const struct loop *l)
{
    return l->clock.longest.ns;
}

struct loop_hold
loop_hold_by_clock(const struct loop *l)
{
    return l->clock.longest;
}

struct loop_hold
loop_hold_by_processor(const struct loop *l)
{
    return l->processor.longest;
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
