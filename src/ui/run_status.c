/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_status.c - turns the end of a run into its exit status. */
#include "ui/app.h"
#include "ui/report_json.h"

#include <signal.h>
#include <unistd.h>

#include "action/run_audit.h"
#include "base/buf.h"
#include "base/fd.h"
#include "json/write.h"

#define ERROR_JSON_MAX (512u << 20) /* bytes: the prior results, and a line */

/* Writes the error with the prior results: steps that ran stay done, even when
 * the model that was to see their results is gone. */
static void
put_error_json(const struct app *a, const struct err *e, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_str(&w, "code", err_tool_code(e->code));
    json_member_str(&w, "message", e->text);
    json_close_object(&w);
    app_put_prior_results(a, &w);
    report_json_put_reason(&w, a);
    json_member_int(&w, "exit_status", err_exit_status(e->code));
    json_close_object(&w);
    buf_ch(out, '\n');
}

void
app_over(struct app *a, int status)
{
    a->over = true;
    a->status = status;
}

int
app_wait(struct app *a)
{
    struct err e = {0};

    while (!a->over) {
        if (loop_turn(a->loop, -1, &e) < 0)
            return app_fail(a, &e);
    }
    return a->status;
}

int
app_fail(struct app *a, const struct err *e)
{
    CLEANUP_BUF struct buf json = buf_of(ERROR_JSON_MAX);

    run_audit_end(a->audit, e, err_exit_status(e->code));
    if (e->kind == ERR_KIND_NO_READER) {
        a->reader_left = true;
        return 0; /* app_exit_status makes 141 of it */
    }
    app_print_err(a, e);
    if (a->output != OUTPUT_TEXT) {
        put_error_json(a, e, &json);
        (void)fd_write_all(STDOUT_FILENO, json.p, json.len, -1, NULL);
    }
    return err_exit_status(e->code);
}

int
app_exit_status(struct app *a, int status)
{
    bool ended = status == 0 || status == err_exit_status(ERR_INTERRUPTED);

    if (a->reader_left && ended && a->unwritten.code == ERR_NONE)
        return 128 + SIGPIPE;
    if (a->unwritten.code == ERR_NONE)
        return status;
    app_print_err(a, &a->unwritten);
    return status ? status : err_exit_status(a->unwritten.code);
}
