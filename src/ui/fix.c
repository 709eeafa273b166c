/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix.c - finds what failed and what it showed, and has a rule or a model
 * repair it. */
#include "ui/fix.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/message.h"
#include "model/prompt/last_command.h"
#include "offline/repair/repair.h"
#include "ui/fix_request.h"
#include "ui/plain_text.h"
#include "ui/rerun.h"
#include "ui/tmux_text.h"

#define STATUS_MAX  255
#define FILE_MAX    (16u << 20) /* bytes of a file whose end is read */
#define REQUEST_MAX (64u << 10)

/* A run, from the options to the plan: a chain of callbacks. It ends where the
 * assistant takes over. */
struct fix {
    struct app *app;
    struct assist_request request; /* its text is the next */
    char *hint;
    struct last_command last;
    struct fix_failure failure;
    struct buf text; /* what it showed */
    struct tmux_text *tmux;
    struct rerun *rerun;
};

static void
fix_free(struct fix *x)
{
    if (!x)
        return;
    tmux_text_free(x->tmux);
    rerun_free(x->rerun);
    last_command_done(&x->last);
    buf_done(&x->text);
    free(x->hint);
    free(x);
}
DEFINE_CLEANUP(struct fix, fix_free)

/* The end: everything that a source held is closed before the assistant
 * begins. */

static int
propose_fix(struct fix *x)
{
    struct fix_failure *f = &x->failure;

    tmux_text_free(x->tmux);
    rerun_free(x->rerun);
    x->tmux = NULL;
    x->rerun = NULL;
    x->app->source = f->source;
    f->command = x->last.command.p;
    f->status = x->last.exit_code;
    f->directory = x->last.cwd.p;
    fix_request_note(x->app, f);
    return fix_request_start(x->app, &x->request, f);
}

/* From the loop. */
static void
propose_later(struct fix *x)
{
    struct app *a = x->app;
    int status = propose_fix(x);

    fix_free(x);
    if (status != APP_GOES_ON)
        app_over(a, status);
}

static void
found_text(struct fix *x, const char *source, const char *text)
{
    buf_clear(&x->text);
    buf_str(&x->text, text);
    x->failure.source = source;
    x->failure.text = x->text.p;
}

static void
found_none(struct fix *x, const char *why)
{
    x->failure.source = "none";
    x->failure.text = NULL;
    snprintf(x->app->source_reason, sizeof(x->app->source_reason), "%s", why);
}

/* The last source: it is run again, or was already. */

static void
on_rerun(void *arg, const char *text, const struct err *why)
{
    struct fix *x = arg;
    struct app *a = x->app;

    if (text) {
        found_text(x, FIX_SOURCE_RERUN, text);
    } else if (why->code == ERR_INTERRUPTED) {
        struct err e = *why;

        fix_free(x);
        app_over(a, app_fail(a, &e));
        return;
    } else {
        found_none(x, why->text);
    }
    propose_later(x);
}

/* What a run of before came to. False: there was none. */
static bool
recall_rerun(struct fix *x)
{
    struct last_rerun r;

    last_rerun_read(x->app->seat, &x->last, &r);
    if (r.known && r.why.len == 0) {
        found_text(x, FIX_SOURCE_RERUN, r.text.p);
    } else if (r.known) {
        CLEANUP_BUF struct buf why = buf_of(2 * LAST_RERUN_WHY_MAX);

        buf_printf(&why, "it was run again before, and %s", r.why.p);
        found_none(x, why.p);
    }
    last_rerun_done(&r);
    return r.known;
}

/* Returns APP_GOES_ON where the callback comes. */
static int
try_rerun(struct fix *x)
{
    struct err e = {0};

    if (recall_rerun(x))
        return 0;
    x->rerun = rerun_start(x->app, &x->last, on_rerun, x, &e);
    if (x->rerun)
        return APP_GOES_ON;
    found_none(x, e.text);
    return 0;
}

static void
on_tmux(void *arg, const char *text)
{
    struct fix *x = arg;

    if (text)
        found_text(x, FIX_SOURCE_TMUX, text);
    else if (try_rerun(x) == APP_GOES_ON)
        return;
    propose_later(x);
}

/* What the shell has recorded. */
static int
start_from_shell(struct fix *x)
{
    if (x->last.captured) {
        found_text(x, FIX_SOURCE_TRANSCRIPT, x->last.shown.p);
        return propose_fix(x);
    }
    x->tmux = tmux_text_start(x->app, x->last.command.p, on_tmux, x);
    if (x->tmux || try_rerun(x) == APP_GOES_ON)
        return APP_GOES_ON;
    return propose_fix(x);
}

/* The first source: options, for other programs. */

static int
read_given_status(const char *text, int *status, struct err *e)
{
    char *end = NULL;
    long v = text ? strtol(text, &end, 10) : 1;

    if (text &&
        (text[strspn(text, "0123456789")] || end == text || v > STATUS_MAX))
        return err_set(e, ERR_USAGE,
                       "--status is a number from 0 to 255, not '%.40s'", text);
    *status = (int)v;
    return 0;
}

/* The end of a file is what counts of it. */
static int
read_stderr_file(struct fix *x, const char *path, struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(FILE_MAX);

    if (file_read(path, &bytes, e) < 0)
        return err_wrap(e, "--stderr-file");
    plain_text_put(&x->text, bytes.p, bytes.len);
    return 0;
}

static int
read_given(struct fix *x, const struct fix_given *g, struct err *e)
{
    if (!g->command)
        return err_set(e, ERR_USAGE,
                       "--status and --stderr-file go with --command");
    if (!g->command[strspn(g->command, " \t\n")])
        return err_set(e, ERR_USAGE, "--command is empty");
    if (strlen(g->command) > LAST_COMMAND_MAX)
        return err_set(e, ERR_USAGE, "--command is longer than %u bytes",
                       LAST_COMMAND_MAX);
    x->last = (struct last_command){.known = true,
                                    .command = buf_of(LAST_COMMAND_MAX),
                                    .cwd = buf_of(1),
                                    .shown = buf_of(1)};
    buf_str(&x->last.command, g->command);
    if (read_given_status(g->status, &x->last.exit_code, e) < 0 ||
        (g->stderr_file && read_stderr_file(x, g->stderr_file, e) < 0))
        return -1;
    x->failure.source = FIX_SOURCE_GIVEN;
    if (g->stderr_file)
        x->failure.text = x->text.p;
    else
        found_none(x, N_("there is no --stderr-file"));
    return buf_ok(&x->last.command, "the command", e);
}

/* The begin */

static struct fix *
new_fix(struct app *a, const struct assist_request *r, struct err *e)
{
    CLEANUP(fix_free_p) struct fix *x = calloc(1, sizeof(*x));

    if (!x || !(x->hint = strdup(r->text))) {
        err_nomem(e);
        return NULL;
    }
    x->app = a;
    x->request = *r;
    x->request.text = x->hint;
    buf_init(&x->text, REPAIR_TEXT_MAX);
    return TAKE_PTR(x);
}

static int
find_failure(struct fix *x, const struct fix_given *g, struct err *e)
{
    if (x->request.plan_in || x->request.on)
        return err_set(e, ERR_USAGE,
                       "fix makes its own plan, for here: --plan and --on are "
                       "for do and run");
    if (g->command || g->status || g->stderr_file)
        return read_given(x, g, e);
    last_command_read(x->app->seat, &x->last);
    if (!x->last.known)
        return err_set(
            e, ERR_NOT_FOUND,
            "no command is recorded here. To do: type it in the "
            "shell of agentsh, load the hook (agentsh init), or name "
            "it with --command");
    return 0;
}

int
fix_start(struct app *a, const struct assist_request *r,
          const struct fix_given *given)
{
    static const char succeeded[] = N_(
        "The command succeeded: there is nothing to repair");
    struct err e = {0};
    struct fix *x = new_fix(a, r, &e);
    int status;

    if (!x || find_failure(x, given, &e) < 0)
        status = app_fail(a, &e);
    else if (x->last.exit_code == 0)
        status = fix_request_none(a, x->last.command.p, succeeded,
                                  _(succeeded));
    else if (x->failure.source)
        status = propose_fix(x);
    else if ((status = start_from_shell(x)) == APP_GOES_ON &&
             (x->tmux || x->rerun))
        return status;
    fix_free(x);
    return status;
}
