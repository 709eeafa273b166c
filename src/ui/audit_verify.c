/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_verify.c - ai log --verify: checks the journal's hash chain. */
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "base/message_put.h"
#include "record/journal_verify.h"
#include "term/style.h"
#include "ui/app.h"
#include "ui/audit_log.h"

#define OUT_MAX    (1u << 20)
#define FAULTS_MAX 100 /* named; the others are counted */

struct fault_list {
    struct app *app;
    struct buf *out;
    struct json_writer *json;
    int64_t n;
};

static void
on_fault(void *arg, int64_t row, const char *what)
{
    struct fault_list *f = arg;
    const struct term *t = &f->app->result;

    if (f->n++ >= FAULTS_MAX)
        return;
    if (f->app->output == OUTPUT_TEXT) {
        buf_printf(f->out, "%s%s%s ", style_on(t, STYLE_ERROR),
                   style_symbol(t, SYMBOL_BAD), style_off(t, STYLE_ERROR));
        (void)message_put(f->out, what);
        buf_ch(f->out, '\n');
        return;
    }
    json_open_object(f->json);
    json_member_int(f->json, "row", row);
    json_member_str(f->json, "what", what);
    json_close_object(f->json);
}

static void
put_verify_text(struct buf *out, const struct term *t,
                const struct journal_verify *v)
{
    char when[AUDIT_LOG_TIME_SIZE];

    if (v->faults == 0)
        buf_printf(out, "%s%s%s ", style_on(t, STYLE_GOOD),
                   style_symbol(t, SYMBOL_GOOD), style_off(t, STYLE_GOOD));
    buf_printf(out, P_("%lld row of ", "%lld rows of ", v->rows),
               (long long)v->rows);
    buf_printf(out, P_("%lld run", "%lld runs", v->runs), (long long)v->runs);
    if (v->since[0])
        buf_printf(out, _(" since %.*s"), AUDIT_LOG_MINUTES,
                   audit_log_time(v->since, when));
    if (v->faults == 0)
        buf_str(out, _(": no change found"));
    else
        buf_printf(out, P_(": %lld fault", ": %lld faults", v->faults),
                   (long long)v->faults);
    buf_ch(out, '\n');
    if (v->removed > 0)
        buf_printf(out,
                   P_("%lld older row, until %.*s, removed on purpose "
                      "(keep_days, keep_mb)\n",
                      "%lld older rows, until %.*s, removed on purpose "
                      "(keep_days, keep_mb)\n",
                      v->removed),
                   (long long)v->removed, AUDIT_LOG_MINUTES,
                   audit_log_time(v->removed_until, when));
}

static void
put_verify_json(struct json_writer *w, const struct journal_verify *v)
{
    json_member_bool(w, "ok", v->faults == 0);
    json_member_int(w, "rows", v->rows);
    json_member_int(w, "runs", v->runs);
    if (v->since[0])
        json_member_str(w, "since", v->since);
    if (v->removed > 0) {
        json_key(w, "removed");
        json_open_object(w);
        json_member_int(w, "rows", v->removed);
        json_member_str(w, "until", v->removed_until);
        json_close_object(w);
    }
}

int
audit_log_verify(struct app *a)
{
    CLEANUP_BUF struct buf out = buf_of(OUT_MAX);
    bool json = a->output != OUTPUT_TEXT;
    struct json_writer w;
    struct fault_list f = {.app = a, .out = &out, .json = &w};
    struct journal_verify found = {0};
    struct err e = {0};

    json_write_init(&w, &out);
    if (json) {
        json_open_object(&w);
        json_key(&w, "faults");
        json_open_array(&w);
    }
    if (journal_verify(&found, on_fault, &f, &e) < 0) {
        if (e.code != ERR_NOT_FOUND)
            return app_fail(a, &e);
        app_note(a, "Nothing is recorded yet.");
        if (!json)
            return 0;
    }
    if (json) {
        json_close_array(&w);
        put_verify_json(&w, &found);
        json_close_object(&w);
        buf_ch(&out, '\n');
    } else {
        put_verify_text(&out, &a->result, &found);
    }
    app_put_result(a, &out);
    return found.faults == 0 ? 0 : 1;
}
