/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_cost.c - totals what models cost, by day and model. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "model/cost.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"
#include "ui/app.h"
#include "ui/audit_log.h"
#include "ui/report_json.h"

#define ALL_RUNS   1000000
#define GROUPS_MAX 65536 /* 100 models a day for nearly two years */
#define SUMS_MAX   16    /* currencies; the rest is not summed */
#define NAME_SIZE  128
#define DAY_SIZE   11 /* "2026-01-02" */
#define SHOWN_MAX  (64u << 10)

enum count { COUNT_IN, COUNT_CACHED, COUNT_WRITTEN, COUNT_OUT, COUNT_N };

static const char *const count_names[COUNT_N] = {
    [COUNT_IN] = "tokens_in",
    [COUNT_CACHED] = "tokens_cached",
    [COUNT_WRITTEN] = "tokens_cache_written",
    [COUNT_OUT] = "tokens_out",
};

/* What a run cost, and with `runs` what those of a day and model did. */
struct bill {
    char day[DAY_SIZE], provider[NAME_SIZE], model[NAME_SIZE];
    int64_t tokens[COUNT_N];
    int64_t runs, unpriced;
    struct cost cost; /* of those runs that have a price */
    bool lost;        /* the amount is too large */
};

static void
copy_bill_name(char to[NAME_SIZE], const char *from)
{
    if (from && *from)
        snprintf(to, NAME_SIZE, "%s", from);
}

/* Each row of a run that has counts has those of all its answers so far: the
 * last one counts. A count that nobody told is 0. */
static void
read_bill_counts(struct bill *b, const struct json *body)
{
    const char *cost = json_get_str(body, "cost");
    int64_t n;

    if (!json_get(body, count_names[COUNT_IN]) &&
        !json_get(body, count_names[COUNT_OUT]))
        return;
    for (size_t i = 0; i < COUNT_N; i++) {
        bool told = json_int(json_get(body, count_names[i]), &n) && n > 0;

        b->tokens[i] = told ? n : 0;
    }
    b->runs = 1;
    b->cost = (struct cost){0};
    b->unpriced = !cost || !cost_read(cost, &b->cost);
}

static void
on_bill_row(void *arg, const struct ledger_row *r)
{
    struct bill *b = arg;
    char when[AUDIT_LOG_TIME_SIZE];
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    if (!b->day[0])
        snprintf(b->day, sizeof(b->day), "%.10s",
                 audit_log_time(r->time, when));
    if (strcmp(r->kind, "request") == 0)
        copy_bill_name(b->provider, json_get_str(body, "provider"));
    read_bill_counts(b, body);
    if (strcmp(r->kind, "request") == 0 || b->runs > 0)
        copy_bill_name(b->model, json_get_str(body, "model"));
}

/* The bills of all runs. */
struct bills {
    struct app *app;
    struct journal_reader *history;
    struct bill *groups; /* the newest day first */
    size_t n, room;
    struct cost sums[SUMS_MAX]; /* by currency */
    size_t n_sums;
    bool lost; /* an amount that could not be added */
    struct err why;
};

static void
bills_done(struct bills *b)
{
    free(b->groups);
    journal_read_close(b->history);
}

/* Adds an amount to the sum of its currency. */
static void
add_to_sums(struct bills *b, const struct cost *c)
{
    size_t i = 0;

    while (i < b->n_sums && strcmp(b->sums[i].currency, c->currency) != 0)
        i++;
    if (i == SUMS_MAX) {
        b->lost = true;
        return;
    }
    if (i < b->n_sums) {
        cost_add(&b->sums[i], c);
        b->lost = b->lost || !b->sums[i].known;
        return;
    }
    b->sums[b->n_sums++] = *c;
}

static bool
is_same_group(const struct bill *a, const struct bill *b)
{
    return strcmp(a->model, b->model) == 0 &&
           strcmp(a->provider, b->provider) == 0 &&
           (!a->cost.known || !b->cost.known ||
            strcmp(a->cost.currency, b->cost.currency) == 0);
}

/* The group of a run: one of its day, since those come one after the other;
 * else a new one. */
static struct bill *
find_bill_group(struct bills *b, const struct bill *run)
{
    for (size_t i = b->n; i-- > 0;) {
        if (strcmp(b->groups[i].day, run->day) != 0)
            break;
        if (is_same_group(&b->groups[i], run))
            return &b->groups[i];
    }
    if (b->n == GROUPS_MAX) {
        err_set(&b->why, ERR_NOMEM, "more than %d days and models", GROUPS_MAX);
        return NULL;
    }
    if (b->n == b->room) {
        size_t room = b->room ? 2 * b->room : 64;
        struct bill *more = reallocarray(b->groups, room, sizeof(*more));

        if (!more) {
            err_nomem(&b->why);
            return NULL;
        }
        b->groups = more;
        b->room = room;
    }
    b->groups[b->n] = (struct bill){0};
    memcpy(b->groups[b->n].day, run->day, sizeof(run->day));
    memcpy(b->groups[b->n].model, run->model, sizeof(run->model));
    memcpy(b->groups[b->n].provider, run->provider, sizeof(run->provider));
    return &b->groups[b->n++];
}

/* Counts are of a file that others could have written: a sum that is too large
 * stays at the largest. */
static void
add_count(int64_t *sum, int64_t n)
{
    if (__builtin_add_overflow(*sum, n, sum))
        *sum = INT64_MAX;
}

static void
add_run_bill(struct bills *b, const struct bill *run)
{
    struct bill *group = find_bill_group(b, run);

    if (!group)
        return;
    for (size_t i = 0; i < COUNT_N; i++)
        add_count(&group->tokens[i], run->tokens[i]);
    group->runs++;
    group->unpriced += run->unpriced;
    if (!run->cost.known)
        return;
    if (!group->cost.known && !group->lost)
        group->cost = run->cost;
    else
        cost_add(&group->cost, &run->cost);
    group->lost = !group->cost.known;
    add_to_sums(b, &run->cost);
}

static void
on_billed_run(void *arg, const char *run)
{
    struct bills *b = arg;
    struct bill bill = {0};

    if (b->why.code != ERR_NONE ||
        journal_read_rows(b->history, run, on_bill_row, &bill, &b->why) < 0 ||
        bill.runs == 0)
        return;
    if (bill.tokens[COUNT_IN] > 0 || bill.tokens[COUNT_OUT] > 0)
        add_run_bill(b, &bill);
}

/* Appends the counts as text: "14210 in (8000 cached), 1203 out". */
static void
put_bill_counts(struct buf *out, const struct bill *g)
{
    buf_printf(out, "%" PRId64 " in", g->tokens[COUNT_IN]);
    if (g->tokens[COUNT_CACHED] > 0)
        buf_printf(out, " (%" PRId64 " cached", g->tokens[COUNT_CACHED]);
    if (g->tokens[COUNT_WRITTEN] > 0)
        buf_printf(out, "%s%" PRId64 " written",
                   g->tokens[COUNT_CACHED] > 0 ? ", " : " (",
                   g->tokens[COUNT_WRITTEN]);
    if (g->tokens[COUNT_CACHED] > 0 || g->tokens[COUNT_WRITTEN] > 0)
        buf_ch(out, ')');
    buf_printf(out, ", %" PRId64 " out", g->tokens[COUNT_OUT]);
}

/* Appends "0.0021 USD", "no price", or what both say of some of the runs. */
static void
put_bill_amount(struct buf *out, const struct bill *g)
{
    if (g->cost.known)
        cost_put_short(out, &g->cost);
    if (g->cost.known && g->unpriced > 0)
        buf_printf(out, ", and %" PRId64 " without a price", g->unpriced);
    if (!g->cost.known)
        buf_str(out, g->lost ? _("too large") : _("no price"));
}

static void
put_padded(struct buf *out, const struct buf *text, size_t columns)
{
    size_t n = width_text(text->p, text->len);

    buf_add(out, text->p, text->len);
    for (; n < columns; n++)
        buf_ch(out, ' ');
}

/* The columns of a line: model, runs, tokens; the amount is the last. */
enum column { COLUMN_MODEL, COLUMN_RUNS, COLUMN_TOKENS, COLUMN_N };

static void
put_cost_column(struct buf *out, const struct bill *g, enum column column)
{
    switch (column) {
    case COLUMN_MODEL:
        (void)escape_str(out, NULL, g->model[0] ? g->model : "?",
                         ESCAPE_PROSE | ESCAPE_LINES);
        break;
    case COLUMN_RUNS:
        buf_printf(out, P_("%lld run", "%lld runs", g->runs),
                   (long long)g->runs);
        break;
    default:
        put_bill_counts(out, g);
        break;
    }
}

static void
measure_cost_columns(const struct bills *b, size_t widest[COLUMN_N])
{
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < COLUMN_N; k++) {
            CLEANUP_BUF struct buf text = buf_of(SHOWN_MAX);
            size_t n;

            put_cost_column(&text, &b->groups[i], (enum column)k);
            n = width_text(text.p, text.len);
            widest[k] = n > widest[k] ? n : widest[k];
        }
    }
}

static void
put_plain_group(struct buf *out, const struct bill *g)
{
    for (int k = 0; k < COLUMN_N; k++) {
        put_cost_column(out, g, (enum column)k);
        buf_str(out, ", ");
    }
    put_bill_amount(out, g);
    buf_ch(out, '\n');
}

static void
put_group_text(struct buf *out, const struct bill *g,
               const size_t widest[COLUMN_N])
{
    for (int k = 0; k < COLUMN_N; k++) {
        CLEANUP_BUF struct buf text = buf_of(SHOWN_MAX);

        put_cost_column(&text, g, (enum column)k);
        buf_str(out, "  ");
        put_padded(out, &text, widest[k]);
    }
    buf_str(out, "  ");
    put_bill_amount(out, g);
    buf_ch(out, '\n');
}

static void
put_sums_text(struct buf *out, const struct bills *b)
{
    for (size_t i = 0; i < b->n_sums; i++) {
        if (!b->sums[i].known)
            continue;
        buf_str(out, _("Total  "));
        cost_put_short(out, &b->sums[i]);
        buf_ch(out, '\n');
    }
    if (b->lost)
        buf_str(out, _("Some amounts are too large, or of too many currencies, "
                       "for a total.\n"));
}

static void
put_costs_text(struct buf *out, const struct bills *b)
{
    const struct term *t = &b->app->result;
    size_t widest[COLUMN_N] = {0};

    measure_cost_columns(b, widest);
    for (size_t i = 0; i < b->n; i++) {
        if (i == 0 || strcmp(b->groups[i].day, b->groups[i - 1].day) != 0) {
            style_str(out, t, STYLE_HEADING, b->groups[i].day);
            buf_ch(out, '\n');
        }
        if (t->plain)
            put_plain_group(out, &b->groups[i]);
        else
            put_group_text(out, &b->groups[i], widest);
    }
    put_sums_text(out, b);
}

static void
put_group_json(struct json_writer *w, const struct bill *g)
{
    json_open_object(w);
    json_member_str(w, "day", g->day);
    if (g->provider[0])
        json_member_str(w, "provider", g->provider);
    json_member_str(w, "model", g->model);
    json_member_int(w, "runs", g->runs);
    for (size_t i = 0; i < COUNT_N; i++)
        json_member_int(w, count_names[i], g->tokens[i]);
    report_json_put_cost(w, &g->cost);
    json_member_int(w, "runs_without_price", g->unpriced);
    json_close_object(w);
}

static void
put_costs_lines(struct buf *out, const struct bills *b)
{
    for (size_t i = 0; i < b->n; i++) {
        struct json_writer w;

        json_write_init(&w, out);
        put_group_json(&w, &b->groups[i]);
        buf_ch(out, '\n');
    }
}

static void
put_costs_json(struct buf *out, const struct bills *b)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "costs");
    json_open_array(&w);
    for (size_t i = 0; i < b->n; i++)
        put_group_json(&w, &b->groups[i]);
    json_close_array(&w);
    json_key(&w, "totals");
    json_open_array(&w);
    for (size_t i = 0; i < b->n_sums; i++) {
        if (!b->sums[i].known)
            continue;
        json_open_object(&w);
        report_json_put_cost(&w, &b->sums[i]);
        json_close_object(&w);
    }
    json_close_array(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static int
read_bills(struct bills *b, struct err *e)
{
    b->history = journal_read_open(e);
    if (!b->history)
        return e->code == ERR_NOT_FOUND ? 0 : -1;
    if (journal_read_runs(b->history, ALL_RUNS, "request", on_billed_run, b,
                          e) < 0)
        return -1;
    if (b->why.code != ERR_NONE)
        *e = b->why;
    return b->why.code != ERR_NONE ? -1 : 0;
}

int
audit_log_cost(struct app *a)
{
    static void (*const put[])(struct buf *, const struct bills *) = {
        [OUTPUT_TEXT] = put_costs_text,
        [OUTPUT_JSON] = put_costs_json,
        [OUTPUT_JSONL] = put_costs_lines,
    };
    CLEANUP(bills_done) struct bills b = {.app = a};
    CLEANUP_BUF struct buf out = buf_of(AUDIT_LOG_MAX);
    struct err e = {0};

    if (read_bills(&b, &e) < 0)
        return app_fail(a, &e);
    put[a->output](&out, &b);
    if (buf_ok(&out, "the costs", &e) < 0)
        return app_fail(a, &e);
    app_put_result(a, &out);
    if (b.n == 0 && a->output == OUTPUT_TEXT)
        app_note(a, "No tokens are recorded yet.");
    return 0;
}
