/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_view.c - ai explain without a model: prints an explanation. */
#include "ui/explain_view.h"

#include <string.h>

#include "action/aiaction.h"
#include "action/run_audit.h"
#include "offline/explain/explain.h"
#include "ui/app.h"
#include "ui/report_json.h"
#include "json/write.h"

#define TEXT_MAX   (8u << 20)
#define JSON_WIDTH 80 /* columns of the text inside JSON */

/* Appends an AiAction, with the explained parts as a member of it. */
static void
put_explanation_json(struct app *a, const struct explain *x, int status,
                     struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct json_writer w;

    explain_text(x, JSON_WIDTH, &text);
    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "kind", aiaction_kind_name(ANSWER_ONLY));
    json_member_str(&w, "summary", text.p);
    json_key(&w, "steps");
    json_open_array(&w);
    json_close_array(&w);
    json_key(&w, "explain");
    explain_json(x, &w);
    report_json_put_reason(&w, a);
    if (a->output == OUTPUT_JSON)
        json_member_int(&w, "exit_status", status);
    json_close_object(&w);
    buf_ch(out, '\n');
}

/* Writes the explanation to the journal as plain text, in English. */
static void
audit_explanation(struct app *a, const struct explain *x, int status)
{
    CLEANUP(explain_done) struct explain english = {0};
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (!app_journal(a))
        return;
    if (x->person && explain_line(a->seat, x->line, &english, NULL) == 0)
        x = &english;
    explain_text(x, JSON_WIDTH, &text);
    run_audit_answer(a->audit, text.p, NULL, NULL);
    run_audit_end(a->audit, NULL, status);
}

int
explain_view_show(struct app *a, const char *text)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    struct err e = {0};
    int status;

    if (explain_for(a->output == OUTPUT_TEXT, a->seat, text, &x, &e) < 0)
        return app_fail(a, &e);
    status = x.known ? 0 : 1;
    if (a->output == OUTPUT_TEXT)
        explain_text(&x, a->result.plain ? EXPLAIN_PLAIN : a->result.columns,
                     &out);
    else
        put_explanation_json(a, &x, status, &out);
    if (buf_ok(&out, "the explanation", &e) < 0)
        return app_fail(a, &e);
    audit_explanation(a, &x, status);
    app_put_result(a, &out);
    if (x.source && x.source[0] && a->screen.tty)
        app_note(a, "\nfrom %s; no model was asked", x.source);
    return status;
}
