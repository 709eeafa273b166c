/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_list.c - the newest runs, a line each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "person/recall_in.h"
#include "person/result.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define ENOUGH    20  /* runs where there is no screen to fill */
#define ENDING    5   /* letters that a run's name ends with */
#define TEXT_CUT  400 /* bytes of a text that are looked at for its line */
#define SHOWN_MAX (64u << 10)

struct list {
    struct app *app;
    struct history *history;
    struct buf out;
    struct json_writer json;
    size_t n;
    bool some;      /* without those of calls of tools alone */
    struct err why; /* the first failure */
};

static void
put_json(struct list *l, const struct recall_item *item)
{
    struct json_writer *w = &l->json;

    json_open_object(w);
    json_member_str(w, "run", item->run);
    json_member_str(w, "time", item->time);
    json_member_str(w, "verb", item->verb);
    json_member_str(w, "text", item->text);
    json_member_int(w, "steps", item->steps);
    json_member_str(w, "outcome", recall_outcome(item->status));
    if (item->status >= 0) {
        json_member_int(w, "exit_status", item->status);
        json_member_int(w, "ms", item->ms);
    }
    if (item->why[0])
        json_member_str(w, "why", item->why);
    json_close_object(w);
    if (l->app->output == OUTPUT_JSONL) {
        buf_ch(&l->out, '\n');
        json_write_init(w, &l->out);
    }
}

/* A name's ending is enough to call it by. */
static const char *
short_name(const char *run)
{
    size_t n = strlen(run);

    return n > ENDING && run[n - ENDING - 1] == '-' ? run + n - ENDING : run;
}

static void
put_outcome(struct buf *out, const struct term *t, const char *word)
{
    bool good = strcmp(word, "done") == 0;
    enum style s = good ? STYLE_GOOD : STYLE_WARNING;

    buf_printf(out, "%s%-11s%s  ", style_on(t, s), word, style_off(t, s));
}

/* In one line, whatever it holds. */
static void
put_words(struct buf *out, const char *s)
{
    size_t n = strlen(s);

    (void)escape_text(out, NULL, s, n < TEXT_CUT ? n : TEXT_CUT,
                      ESCAPE_PROSE | ESCAPE_LINES);
}

static void
put_text(struct list *l, const struct recall_item *item)
{
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);
    const struct term *t = &l->app->result;
    char when[RECALL_TIME_SIZE], steps[32] = "";

    put_words(&line, short_name(item->run));
    buf_printf(&line, "  %.*s  ", RECALL_MINUTES,
               recall_time(item->time, when));
    put_words(&line, item->verb);
    for (size_t n = strlen(item->verb); n < 7; n++)
        buf_ch(&line, ' ');
    buf_str(&line, "  ");
    put_outcome(&line, t, recall_outcome(item->status));
    if (item->steps > 0)
        snprintf(steps, sizeof(steps), "%" PRId64 " step%s", item->steps,
                 item->steps == 1 ? "" : "s");
    buf_printf(&line, "%-8s  ", steps);
    put_words(&line, item->text);
    (void)width_truncate(&l->out, line.p, line.len,
                         t->tty ? (size_t)t->columns : TEXT_CUT,
                         style_symbol(t, SYMBOL_ELLIPSIS));
    buf_ch(&l->out, '\n');
}

static void
on_run(void *arg, const char *run)
{
    CLEANUP(recall_item_done) struct recall_item item = {0};
    struct list *l = arg;

    if (l->why.code != ERR_NONE ||
        recall_item_read(l->history, run, &item, &l->why) < 0)
        return;
    l->n++;
    if (l->app->output == OUTPUT_TEXT)
        put_text(l, &item);
    else
        put_json(l, &item);
}

static int
go_through(struct list *l, int64_t n, struct err *e)
{
    if (!l->history)
        return 0;
    if (l->some && history_runs(l->history, n, "request", on_run, l, e) < 0)
        return -1;
    if (l->n > 0 || l->why.code != ERR_NONE)
        return 0;
    return history_runs(l->history, n, NULL, on_run, l, e);
}

static int
list(struct list *l, int64_t n, struct err *e)
{
    bool json = l->app->output == OUTPUT_JSON;

    json_write_init(&l->json, &l->out);
    if (json) {
        json_open_object(&l->json);
        json_key(&l->json, "runs");
        json_open_array(&l->json);
    }
    if (go_through(l, n, e) < 0)
        return -1;
    if (l->why.code != ERR_NONE) {
        *e = l->why;
        return -1;
    }
    if (json) {
        json_close_array(&l->json);
        json_close_object(&l->json);
        buf_ch(&l->out, '\n');
    }
    return buf_ok(&l->out, "the list", e);
}

static void
list_done(struct list *l)
{
    buf_done(&l->out);
    history_close(l->history);
}

int
recall_list(struct app *a, int64_t n, bool tools)
{
    CLEANUP(list_done)
    struct list l = {.app = a,
                     .out = buf_of(RECALL_MAX),
                     .some = !tools && a->output == OUTPUT_TEXT};
    struct err e = {0};

    if (n < 1)
        n = a->result.tty && a->result.rows > 2 ? a->result.rows - 2 : ENOUGH;
    l.history = history_open(&e);
    if (!l.history && e.code != ERR_NOT_FOUND)
        return app_fail(a, &e);
    if (list(&l, n, &e) < 0)
        return app_fail(a, &e);
    result_put(a, &l.out);
    if (l.n == 0 && a->output == OUTPUT_TEXT)
        app_note(a, "Nothing is recorded yet.");
    return 0;
}
