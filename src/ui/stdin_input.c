/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stdin_input.c - reads what was piped in. */
#include "ui/stdin_input.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/run_audit.h"
#include "base/utf8.h"
#include "term/progress_line.h"

struct stdin_reader {
    struct buf raw;
    bool done, interrupted;
    struct err why; /* why reading broke off in the middle */
};

static void
on_readable(void *arg, unsigned events)
{
    struct stdin_reader *r = arg;
    char bytes[16384];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    (void)events;
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    /* a descriptor that cannot be read counts as empty: nohup(1) leaves one
     * that can only be written */
    if (n < 0 && r->raw.len > 0)
        err_sys(&r->why, "standard input");
    if (n <= 0 || r->raw.len + (size_t)n > r->raw.max)
        r->done = true;
    if (n > 0)
        buf_add(&r->raw, bytes, (size_t)n);
}

static void
on_interrupt(void *arg, unsigned events)
{
    struct stdin_reader *r = arg;

    (void)events;
    r->interrupted = r->done = true;
}

/* Turns the loop until the writer is done: `make | ai explain` may take hours.
 */
static int
read_to_end(struct app *a, struct stdin_reader *r, struct err *e)
{
    CLEANUP(progress_line_close_p)
    struct progress_line *live = progress_line_open(
        a->loop, &a->screen, "reading standard input", e);
    struct watch *sig = loop_signal(a->loop, SIGINT, on_interrupt, r, e);
    struct watch *in = loop_fd(a->loop, STDIN_FILENO, LOOP_READ, on_readable, r,
                               NULL);
    int rc = 0;

    while (!r->done && rc >= 0) {
        if (in)
            rc = loop_turn(a->loop, -1, e);
        else
            on_readable(r, LOOP_READ); /* a file is always ready */
    }
    watch_free(in);
    watch_free(sig);
    if (r->interrupted)
        return err_set(e, ERR_INTERRUPTED, "interrupted");
    if (r->why.code != ERR_NONE && e)
        *e = r->why;
    return rc < 0 || r->why.code != ERR_NONE ? -1 : 0;
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

static int
read_stdin(struct app *a, struct buf *out, bool *cut, struct err *e)
{
    struct stdin_reader r = {0};
    struct stat st;
    int rc;

    *cut = false;
    if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st) < 0)
        return 0;
    buf_init(&r.raw, STDIN_INPUT_MAX);
    rc = read_to_end(a, &r, e);
    *cut = r.raw.bad;
    if (rc == 0)
        utf8_repair(out, r.raw.p, r.raw.len);
    buf_done(&r.raw);
    return rc < 0 ? -1 : buf_ok(out, "standard input", e);
}

int
stdin_input_read(struct app *a, struct buf *out, struct err *e)
{
    bool cut = false;

    if (read_stdin(a, out, &cut, e) < 0)
        return -1;
    if (cut)
        app_note(a,
                 "standard input is too long: only its first %u KiB are used",
                 STDIN_INPUT_MAX >> 10);
    run_audit_input(a->audit, out->p, out->len);
    return 0;
}
