/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc_end.c - leaves the end of a process to the event loop. */
#include "base/proc_end.h"

#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"

struct ending_process {
    struct proc *proc;
    struct watch *ended, *late;
    struct loop_exit *exit;
    int64_t term_by, kill_by; /* clock_ms */
    bool termed;              /* SIGTERM was sent */
};

static void
ending_free(struct ending_process *x)
{
    if (!x)
        return;
    watch_free(x->ended);
    watch_free(x->late);
    loop_exit_free(x->exit);
    proc_free(x->proc);
    free(x);
}
DEFINE_CLEANUP(struct ending_process, ending_free)

static void
send_term(struct ending_process *x)
{
    if (x->termed)
        return;
    x->termed = true;
    proc_signal(x->proc, SIGTERM);
    proc_signal(x->proc, SIGCONT);
}

static void
on_ended(void *arg, unsigned events)
{
    (void)events;
    ending_free(arg); /* which reaps it, and kills its group */
}

static void
on_late(void *arg, unsigned events)
{
    struct ending_process *x = arg;

    (void)events;
    if (x->termed) {
        ending_free(x);
        return;
    }
    send_term(x);
    watch_again(x->late, x->kill_by - clock_ms());
}

static void
wait_until(struct ending_process *x, int64_t until)
{
    int64_t left = until - clock_ms();
    int status;

    (void)proc_wait(x->proc, left > 0 ? (int)left : 0, &status, NULL);
}

/* The loop is freed: the rest of its time is waited for here. */
static void
on_loop_freed(void *arg)
{
    struct ending_process *x = arg;

    if (!x->termed)
        wait_until(x, x->term_by);
    send_term(x);
    wait_until(x, x->kill_by);
    ending_free(x);
}

int
proc_end_later(struct loop *l, struct proc *p, int64_t leave_ms,
               int64_t term_ms, struct err *e)
{
    CLEANUP(ending_free_p) struct ending_process *x = calloc(1, sizeof(*x));
    int64_t now = clock_ms();

    if (!x)
        return err_nomem(e);
    x->term_by = now + leave_ms;
    x->kill_by = x->term_by + term_ms;
    x->exit = loop_at_free(l, on_loop_freed, x, e);
    x->late = loop_timer(l, leave_ms > 0 ? leave_ms : term_ms, on_late, x, e);
    x->ended = loop_fd(l, proc_pidfd(p), LOOP_READ, on_ended, x, e);
    if (!x->exit || !x->late || !x->ended)
        return -1;
    x->proc = p;
    if (leave_ms <= 0)
        send_term(x);
    TAKE_PTR(x);
    return 0;
}
