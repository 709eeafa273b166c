/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun.c - runs the last command again, to see what it shows. */
#include "ui/rerun.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/message.h"
#include "base/proc.h"
#include "base/str.h"
#include "sandbox/launch/launch.h"
#include "term/menu.h"
#include "ui/plain_text.h"
#include "ui/rerun_place.h"
#include "ui/sandbox_denial.h"
#include "ui/stop_signals.h"

#define LIMIT_MS   10000       /* for the command */
#define QUIET_MS   400         /* before it is said that one waits for it */
#define END_MS     2000        /* for the launcher to end everything */
#define KEPT_MAX   (64u << 10) /* bytes of its output, the last ones */
#define OUTPUT_MAX (16u << 20) /* bytes of which these are the end */
#define READ_BYTES 65536

struct rerun {
    struct app *app;
    const struct last_command *last;
    rerun_cb *cb;
    void *arg;
    struct rerun_place place;
    struct menu *menu; /* asks first */
    struct proc *proc; /* the launcher */
    int output, notes; /* what it shows; what the launcher says */
    struct watch *readable, *ended, *limit, *quiet;
    struct stop_signals stops;
    struct buf kept;
    size_t bytes; /* that were read */
    bool ending;  /* it was told to end, because of: */
    struct err ended_by;
    int status;
};

static void
unwatch(struct rerun *r)
{
    struct watch **all[] = {&r->readable, &r->ended, &r->limit, &r->quiet};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        watch_free(*all[i]);
        *all[i] = NULL;
    }
    stop_signals_done(&r->stops);
}

void
rerun_free(struct rerun *r)
{
    int status;

    if (!r)
        return;
    unwatch(r);
    menu_close(r->menu);
    if (r->proc) { /* the launcher ends what it started */
        proc_signal(r->proc, SIGTERM);
        (void)proc_wait(r->proc, END_MS, &status, NULL);
    }
    proc_free(r->proc);
    fd_close_p(&r->output);
    fd_close_p(&r->notes);
    buf_done(&r->kept);
    rerun_place_done(&r->place);
    free(r);
}

/* The end */

/* Appends the text without what a shell puts before its own messages only where
 * it runs a line that was not typed: "bash: line 1: x" is "bash: x". */
static void
put_as_typed(struct buf *out, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n"), digits, from = 0;

        n += text[n] == '\n';
        if (str_begins(text, "bash: line "))
            from = strlen("bash: line ");
        else if (str_begins(text, "zsh:"))
            from = strlen("zsh:");
        digits = from ? strspn(text + from, "0123456789") : 0;
        if (digits > 0 && str_begins(text + from + digits, ": ")) {
            buf_str(out, text[0] == 'b' ? "bash: " : "zsh: ");
            text += from + digits + 2;
            n -= from + digits + 2;
        }
        buf_add(out, text, n);
        text += n;
    }
}

/* Whether what it showed counts; else e says why not. */
static bool
counts(struct rerun *r, const struct buf *text, struct err *e)
{
    if (r->ended_by.code != ERR_NONE) {
        *e = r->ended_by;
        return false;
    }
    if (r->status == LAUNCH_FAILED) {
        err_set(e, ERR_SANDBOX, "no sandbox could be made for it: %.150s",
                text->p);
        return false;
    }
    if (r->status != r->last->exit_code) {
        err_set(e, ERR_TOOL, "it ended with the status %d this time",
                r->status);
        return false;
    }
    return !rerun_place_limited(&r->place, text, r->notes, e);
}

static void
record_rerun_end(struct rerun *r, const struct err *why)
{
    app_record_later(
        r->app, "rerun end",
        (const struct journal_member[]){
            JOURNAL_NUM("exit_code", r->status),
            JOURNAL_FLAG("counts", why->code == ERR_NONE),
            JOURNAL_STR("why", why->code != ERR_NONE ? why->text : NULL),
            JOURNAL_NUM("shown_bytes", (int64_t)r->bytes),
            {0},
        });
}

static void
finish_rerun(struct rerun *r)
{
    CLEANUP_BUF struct buf plain = buf_of(KEPT_MAX);
    CLEANUP_BUF struct buf text = buf_of(KEPT_MAX);
    struct err why = {0}, e = {0};
    bool good;

    unwatch(r);
    plain_text_put(&plain, r->kept.p, r->kept.len);
    put_as_typed(&text, plain.p);
    good = counts(r, &text, &why);
    record_rerun_end(r, &why);
    if (last_rerun_write(r->app->seat, r->last, good ? NULL : why.text,
                         good ? text.p : NULL, &e) < 0)
        app_print_err(r->app, &e);
    r->cb(r->arg, good ? text.p : NULL, &why);
}

static void
read_output(struct rerun *r)
{
    char bytes[READ_BYTES];
    ssize_t n;

    while ((n = read(r->output, bytes, sizeof(bytes))) > 0) {
        size_t len = (size_t)n;

        r->bytes += len;
        if (r->kept.len + len > KEPT_MAX)
            buf_drop(&r->kept, r->kept.len + len - KEPT_MAX);
        buf_add(&r->kept, bytes, len);
        if (r->bytes > OUTPUT_MAX)
            return;
    }
    if (n == 0) {
        watch_free(r->readable);
        r->readable = NULL;
    }
}

/* The launcher ends everything that it started, or is killed with it. */
static void
end_rerun(struct rerun *r)
{
    if (r->ending)
        return;
    r->ending = true;
    proc_signal(r->proc, SIGTERM);
    watch_again(r->limit, END_MS);
}

static void
on_rerun_output(void *arg, unsigned events)
{
    struct rerun *r = arg;

    (void)events;
    read_output(r);
    if (r->bytes <= OUTPUT_MAX || r->ending)
        return;
    err_set(&r->ended_by, ERR_TOOL, "it wrote more than 16 MiB");
    end_rerun(r);
}

static void
on_rerun_ended(void *arg, unsigned events)
{
    struct rerun *r = arg;
    struct err e = {0};

    (void)events;
    if (proc_wait(r->proc, 0, &r->status, &e) < 0)
        r->ended_by = e;
    read_output(r); /* all that wrote has ended */
    proc_free(r->proc);
    r->proc = NULL;
    finish_rerun(r);
}

static void
on_rerun_limit(void *arg, unsigned events)
{
    struct rerun *r = arg;

    (void)events;
    if (r->ending) {
        proc_signal(r->proc, SIGKILL);
        return;
    }
    err_set(&r->ended_by, ERR_TIMEOUT, "it did not end within %d s",
            LIMIT_MS / 1000);
    end_rerun(r);
}

static void
on_rerun_quiet(void *arg, unsigned events)
{
    struct rerun *r = arg;

    (void)events;
    app_note(r->app, "runs it again in a view, of which nothing is kept "
                     "(Ctrl-C ends it)");
}

static void
on_rerun_stop(void *arg, unsigned signo)
{
    struct rerun *r = arg;

    (void)signo;
    err_set(&r->ended_by, ERR_INTERRUPTED, "interrupted");
    end_rerun(r);
}

/* The begin */

static void
record_rerun_begin(struct rerun *r)
{
    const struct sandbox_spec *spec = &r->place.setup.spec;

    app_record(r->app, "rerun",
               (const struct journal_member[]){
                   JOURNAL_STR("verb", "fix"),
                   JOURNAL_STR("text", r->last->command.p),
                   JOURNAL_STR("directory", seat_dir(r->place.seat)),
                   JOURNAL_STR("profile", profile_row(spec->profile)->name),
                   JOURNAL_STR("shell", r->place.program),
                   JOURNAL_NUM("recorded_exit_code", r->last->exit_code),
                   {0},
               });
}

static int
watch_rerun(struct rerun *r, struct err *e)
{
    struct loop *l = r->app->loop;

    r->readable = loop_fd(l, r->output, LOOP_READ, on_rerun_output, r, e);
    r->ended = r->readable ? loop_fd(l, proc_pidfd(r->proc), LOOP_READ,
                                     on_rerun_ended, r, e)
                           : NULL;
    r->limit = r->ended ? loop_timer(l, LIMIT_MS, on_rerun_limit, r, e) : NULL;
    r->quiet = r->limit ? loop_timer(l, QUIET_MS, on_rerun_quiet, r, e) : NULL;
    return r->quiet ? stop_signals_init(&r->stops, l, on_rerun_stop, r, e) : -1;
}

/* Both its outputs go into one pipe, in their order. */
static int
start_rerun_command(struct rerun *r, struct err *e)
{
    CLEANUP(fd_close_p) int writes = -1;
    struct proc_spec spec = {.argv = r->place.argv,
                             .envp = r->place.envp,
                             .seat = r->place.seat,
                             .pass_fd = r->notes,
                             .adopt = true};
    int fds[2];

    if (fd_pipe(fds, e) < 0)
        return -1;
    r->output = fds[0];
    writes = fds[1];
    if (fd_set_nonblock(r->output, true, e) < 0)
        return -1;
    spec.fds[0] = PROC_NULL;
    spec.fds[1] = spec.fds[2] = writes;
    r->proc = proc_start(&spec, e);
    return r->proc ? watch_rerun(r, e) : -1;
}

/* It counts as run from here on, whatever becomes of it. */
static int
begin_rerun(struct rerun *r, struct err *e)
{
    if ((r->notes = sandbox_denial_notes(e)) < 0 ||
        last_rerun_write(r->app->seat, r->last, "it was interrupted", NULL, e) <
            0)
        return -1;
    record_rerun_begin(r);
    return start_rerun_command(r, e);
}

static void
fail_rerun(struct rerun *r, const struct err *why)
{
    struct err e = *why;

    unwatch(r);
    r->cb(r->arg, NULL, &e);
}

/* The question */

static void
on_rerun_answer(void *arg, char key, const struct err *why)
{
    struct rerun *r = arg;
    struct err e = {0};

    menu_close(r->menu);
    r->menu = NULL;
    if (why)
        e = *why;
    else if (key != 'y')
        err_set(&e, ERR_DENIED, "it was not run again");
    if (e.code != ERR_NONE || begin_rerun(r, &e) < 0)
        fail_rerun(r, &e);
}

static int
ask_to_run(struct rerun *r, struct err *e)
{
    r->menu = menu_open_yes_no(
        r->app->loop, &r->app->screen,
        N_("Run it again in a view, of which nothing is kept, to see what it "
           "shows?"),
        on_rerun_answer, r, e);
    if (r->menu)
        return 0;
    return err_set(e, ERR_DENIED, "nobody can be asked (fix_rerun = ask)");
}

/* A signal that its own fault sends comes again; that of another does not. */
static bool
ends_alike(int status)
{
    static const int faults[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

    if (status <= 128)
        return true;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (status == 128 + faults[i])
            return true;
    }
    return false;
}

struct rerun *
rerun_start(struct app *a, const struct last_command *last, rerun_cb *cb,
            void *arg, struct err *e)
{
    CLEANUP(rerun_free_p) struct rerun *r = NULL;
    const char *how;

    if (app_config(a, e) < 0)
        return NULL;
    how = config_text(a->config, CONFIG_SHELL_FIX_RERUN);
    if (strcmp(how, "never") == 0 || !ends_alike(last->exit_code)) {
        err_set(e, ERR_DENIED, "%s",
                strcmp(how, "never") == 0 ? "fix_rerun = never"
                                          : "a signal ended it");
        return NULL;
    }
    if (!(r = calloc(1, sizeof(*r)))) {
        err_nomem(e);
        return NULL;
    }
    r->app = a;
    r->last = last;
    r->cb = cb;
    r->arg = arg;
    r->output = r->notes = -1;
    buf_init(&r->kept, KEPT_MAX);
    if (rerun_place_make(&r->place, a, last, e) < 0)
        return NULL;
    if ((strcmp(how, "ask") == 0 ? ask_to_run(r, e) : begin_rerun(r, e)) < 0)
        return NULL;
    return TAKE_PTR(r);
}
