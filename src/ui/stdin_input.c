/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stdin_input.c - reads what was piped in. */
#include "ui/stdin_input.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/run_audit.h"
#include "base/utf8.h"
#include "term/progress_line.h"

struct stdin_input {
    struct app *app;
    struct buf *out;
    struct buf raw;
    struct progress_line *live;
    struct watch *interrupt, *in;
    struct watch *file; /* in place of `in`: it is always ready, or empty */
    stdin_input_cb *cb;
    void *arg;
};

static void
stop_reading(struct stdin_input *r)
{
    progress_line_close(r->live);
    r->live = NULL;
    watch_free(r->interrupt);
    watch_free(r->in);
    watch_free(r->file);
    r->interrupt = r->in = r->file = NULL;
}

void
stdin_input_close(struct stdin_input *r)
{
    if (!r)
        return;
    stop_reading(r);
    buf_done(&r->raw);
    free(r);
}

/* why NULL: it was read to its end. */
static void
end_reading(struct stdin_input *r, const struct err *why)
{
    struct err e = {0};

    stop_reading(r);
    if (why)
        e = *why;
    else
        utf8_repair(r->out, r->raw.p, r->raw.len);
    if (!why)
        (void)buf_ok(r->out, "standard input", &e);
    if (e.code == ERR_NONE && r->raw.bad)
        app_note(r->app,
                 "standard input is too long: only its first %u KiB are used",
                 STDIN_INPUT_MAX >> 10);
    if (e.code == ERR_NONE)
        run_audit_input(r->app->audit, r->out->p, r->out->len);
    r->cb(r->arg, e.code == ERR_NONE ? NULL : &e);
}

/* Returns whether there may be more. *why: reading broke off in the middle. */
static bool
read_some(struct stdin_input *r, struct err *why)
{
    char bytes[16384];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    /* a descriptor that cannot be read counts as empty: nohup(1) leaves one
     * that can only be written */
    if (n < 0 && r->raw.len > 0)
        err_sys(why, "standard input");
    if (n <= 0)
        return false;
    buf_add(&r->raw, bytes, (size_t)n);
    return !r->raw.bad;
}

static void
on_readable(void *arg, unsigned events)
{
    struct stdin_input *r = arg;
    struct err why = {0};

    (void)events;
    if (!read_some(r, &why))
        end_reading(r, why.code == ERR_NONE ? NULL : &why);
}

static void
on_file(void *arg, unsigned events)
{
    struct stdin_input *r = arg;
    struct err why = {0};
    struct stat st;

    (void)events;
    if (!isatty(STDIN_FILENO) && fstat(STDIN_FILENO, &st) == 0) {
        while (read_some(r, &why))
            ;
    }
    end_reading(r, why.code == ERR_NONE ? NULL : &why);
}

static void
on_interrupt(void *arg, unsigned signo)
{
    struct err why = {0};

    (void)signo;
    err_set(&why, ERR_INTERRUPTED, "interrupted");
    end_reading(arg, &why);
}

/* `make | ai explain` may take hours. What epoll cannot wait for is read at
 * once. */
static int
watch_input(struct stdin_input *r, struct err *e)
{
    struct loop *l = r->app->loop;
    struct stat st;

    if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st) < 0 ||
        !(r->in = loop_fd(l, STDIN_FILENO, LOOP_READ, on_readable, r, NULL))) {
        r->file = loop_soon(l, on_file, r, e);
        return r->file ? 0 : -1;
    }
    r->live = progress_line_open(l, &r->app->screen, "reading standard input",
                                 NULL);
    r->interrupt = loop_signal(l, SIGINT, on_interrupt, r, e);
    return r->interrupt ? 0 : -1;
}

struct stdin_input *
stdin_input_open(struct app *a, struct buf *out, stdin_input_cb *cb, void *arg,
                 struct err *e)
{
    CLEANUP(stdin_input_close_p) struct stdin_input *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    *r = (struct stdin_input){.app = a, .out = out, .cb = cb, .arg = arg};
    buf_init(&r->raw, STDIN_INPUT_MAX);
    return watch_input(r, e) < 0 ? NULL : TAKE_PTR(r);
}

bool
stdin_input_is_waiting(void)
{
    int n = 0;

    return !isatty(STDIN_FILENO) && ioctl(STDIN_FILENO, FIONREAD, &n) == 0 &&
           n > 0;
}

bool
stdin_input_is_piped(void)
{
    struct stat st;

    return fstat(STDIN_FILENO, &st) == 0 &&
           (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) ||
            S_ISSOCK(st.st_mode));
}
