/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_run.c - everything of one run. */
#include <stdio.h>
#include <string.h>

#include "person/recall_in.h"
#include "person/result.h"
#include "term/style.h"

struct telling {
    struct app *app;
    struct buf *out;
    struct json_writer *json;
};

void
recall_row_json(struct json_writer *w, const struct ledger_row *r)
{
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    json_open_object(w);
    json_member_int(w, "seq", r->seq);
    json_member_str(w, "time", r->time);
    json_member_str(w, "kind", r->kind);
    json_key(w, "event");
    if (body)
        json_put_value(w, body);
    else
        json_put_strn(w, r->body, r->body_len);
    json_member_str(w, "hash", r->hash);
    json_close_object(w);
}

static void
on_row(void *arg, const struct ledger_row *r)
{
    struct telling *t = arg;

    if (t->app->output == OUTPUT_TEXT) {
        recall_row_text(t->out, &t->app->result, r);
        return;
    }
    recall_row_json(t->json, r);
    if (t->app->output == OUTPUT_JSONL) {
        buf_ch(t->out, '\n');
        json_write_init(t->json, t->out);
    }
}

static int
tell(struct app *a, struct journal_reader *h, const char *run, struct buf *out,
     struct err *e)
{
    struct json_writer w;
    struct telling t = {.app = a, .out = out, .json = &w};
    bool json = a->output == OUTPUT_JSON;

    json_write_init(&w, out);
    if (json) {
        json_open_object(&w);
        json_member_str(&w, "run", run);
        json_key(&w, "rows");
        json_open_array(&w);
    } else if (a->output == OUTPUT_TEXT) {
        buf_printf(out, "%srun %s%s\n", style_on(&a->result, STYLE_TITLE), run,
                   style_off(&a->result, STYLE_TITLE));
    }
    if (journal_read_rows(h, run, on_row, &t, e) < 0)
        return -1;
    if (json) {
        json_close_array(&w);
        json_close_object(&w);
        buf_ch(out, '\n');
    }
    return buf_ok(out, "the run", e);
}

int
recall_run(struct app *a, const char *word)
{
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    CLEANUP_BUF struct buf out = buf_of(RECALL_MAX);
    CLEANUP_BUF struct buf run = buf_of(RECALL_TIME_SIZE);
    struct err e = {0};

    h = journal_read_open(&e);
    if (!h || journal_read_find_run(h, word, &run, &e) < 0 ||
        tell(a, h, run.p, &out, &e) < 0)
        return app_fail(a, &e);
    result_put(a, &out);
    return 0;
}
