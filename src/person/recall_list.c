/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_list.c - the newest runs, a line each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "person/recall_in.h"
#include "person/result.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define ENOUGH    20  /* runs where there is no screen to fill */
#define ENDING    5   /* letters that a run's name ends with */
#define TEXT_CUT  400 /* bytes of a text that are looked at for its line */
#define SHOWN_MAX (64u << 10)
#define ALL_RUNS  1000000 /* that a filter looks at */
#define AGE_WIDTH 4

struct list {
    struct app *app;
    struct journal_reader *history;
    struct buf out;
    struct json_writer json;
    size_t n;
    int64_t max; /* runs that are listed */
    const struct recall_filter *filter;
    char *word_text; /* the words are in it; owned */
    const char *words[RECALL_WORDS_MAX];
    size_t n_words;
    char *directory; /* of the filter, absolute; owned; NULL: any */
    int64_t now_s;
    char day[16];   /* of the run before; "" */
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

struct sign {
    const char *status;
    enum style style;
    enum symbol symbol;
};

static const struct sign signs[] = {
    {"ran", STYLE_GOOD, SYMBOL_GOOD},
    {"failed", STYLE_ERROR, SYMBOL_BAD},
    {"shown", STYLE_DIM, SYMBOL_CHOICE},
    {"denied", STYLE_WARNING, SYMBOL_DENIED},
    {"stopped", STYLE_DIM, SYMBOL_DENIED},
    {"unfinished", STYLE_DIM, SYMBOL_ELLIPSIS},
};

#define N_SIGNS (sizeof(signs) / sizeof(*signs))

static const struct sign *
find_sign(const char *status)
{
    for (size_t i = 0; i < N_SIGNS; i++)
        if (strcmp(signs[i].status, status) == 0)
            return &signs[i];
    return NULL;
}

static void
put_sign(struct buf *out, const struct term *t, const struct recall_item *item)
{
    const struct sign *s = find_sign(recall_status(item));
    const char *text = style_symbol(t, s->symbol);
    size_t wide = width_str(style_symbol(t, SYMBOL_BAD));

    buf_printf(out, "%s%s%s%*s", style_on(t, s->style), text,
               style_off(t, s->style), (int)(wide - width_str(text)), "");
}

/* In one line, whatever it holds. */
static void
put_words(struct buf *out, const char *s)
{
    size_t n = strlen(s);

    (void)escape_text(out, NULL, s, n < TEXT_CUT ? n : TEXT_CUT,
                      ESCAPE_PROSE | ESCAPE_LINES);
}

/* A heading where another day begins. */
static void
put_day(struct list *l, const struct recall_item *item)
{
    char day[16];

    recall_day(item->time, l->now_s, day);
    if (strcmp(day, l->day) == 0)
        return;
    memcpy(l->day, day, sizeof(day));
    style_str(&l->out, &l->app->result, STYLE_HEADING, day);
    buf_ch(&l->out, '\n');
}

/* Sign, age, request, name: the request is cut where the screen ends. */
static void
put_text(struct list *l, const struct recall_item *item)
{
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf words = buf_of(SHOWN_MAX);
    const struct term *t = &l->app->result;
    const char *name = short_name(item->run);
    size_t used, room = TEXT_CUT;
    char age[8];

    put_day(l, item);
    recall_age(item->time, l->now_s, age);
    put_sign(&line, t, item);
    buf_printf(&line, " %*s  ", AGE_WIDTH, age);
    used = width_text(line.p, line.len) + 2 + width_str(name);
    if (t->tty)
        room = (size_t)t->columns > used ? (size_t)t->columns - used : 0;
    put_words(&words, item->text[0] ? item->text : item->verb);
    (void)width_truncate(&line, words.len ? words.p : "", words.len, room,
                         style_symbol(t, SYMBOL_ELLIPSIS));
    for (size_t n = width_text(words.p, words.len); t->tty && n < room; n++)
        buf_ch(&line, ' ');
    buf_printf(&line, "  %s", style_on(t, STYLE_DIM));
    put_words(&line, name);
    buf_printf(&line, "%s\n", style_off(t, STYLE_DIM));
    buf_add(&l->out, line.p, line.len);
}

static bool
fits(const struct list *l, const struct recall_item *item)
{
    const char *status = l->filter->status;

    if (status && strcmp(recall_status(item), status) != 0)
        return false;
    if (l->directory && !path_is_below(item->directory, l->directory))
        return false;
    return item->words == (1u << l->n_words) - 1;
}

static void
on_run(void *arg, const char *run)
{
    CLEANUP(recall_item_done) struct recall_item item = {0};
    struct list *l = arg;

    if (l->why.code != ERR_NONE || (int64_t)l->n == l->max ||
        recall_item_read(l->history, run, l->words, l->n_words, &item,
                         &l->why) < 0 ||
        !fits(l, &item))
        return;
    l->n++;
    if (l->app->output == OUTPUT_TEXT)
        put_text(l, &item);
    else
        put_json(l, &item);
}

static bool
has_filter(const struct list *l)
{
    return l->n_words > 0 || l->directory || l->filter->status;
}

static int
go_through(struct list *l, int64_t n, struct err *e)
{
    l->max = n;
    if (!l->history)
        return 0;
    if (has_filter(l))
        n = ALL_RUNS;
    if (l->some &&
        journal_read_runs(l->history, n, "request", on_run, l, e) < 0)
        return -1;
    if (l->n > 0 || (l->some && has_filter(l)) || l->why.code != ERR_NONE)
        return 0;
    return journal_read_runs(l->history, n, NULL, on_run, l, e);
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
    journal_read_close(l->history);
    free(l->word_text);
    free(l->directory);
}

static int
read_words(struct list *l, const char *text, struct err *e)
{
    char *save = NULL;

    l->word_text = strdup(text);
    if (!l->word_text)
        return err_nomem(e);
    for (char *w = strtok_r(l->word_text, " \t\n", &save); w;
         w = strtok_r(NULL, " \t\n", &save)) {
        if (l->n_words == RECALL_WORDS_MAX)
            return err_set(e, ERR_USAGE, "-s takes at most %d words",
                           RECALL_WORDS_MAX);
        l->words[l->n_words++] = w;
    }
    return 0;
}

/* A directory that is gone is looked for by its name. */
static int
read_filter(struct list *l, struct err *e)
{
    const struct recall_filter *f = l->filter;

    if (f->words && read_words(l, f->words, e) < 0)
        return -1;
    if (!f->directory)
        return 0;
    l->directory = realpath(f->directory, NULL);
    if (!l->directory) {
        CLEANUP(free_p) char *here = getcwd(NULL, 0);
        bool whole = f->directory[0] == '/' || !here;

        l->directory = whole ? strdup(f->directory)
                             : path_join(here, f->directory);
        if (l->directory && l->directory[0] == '/')
            path_clean(l->directory);
    }
    return l->directory ? 0 : err_nomem(e);
}

int
recall_list(struct app *a, int64_t n, bool tools,
            const struct recall_filter *filter)
{
    CLEANUP(list_done)
    struct list l = {.app = a,
                     .filter = filter,
                     .now_s = (int64_t)time(NULL),
                     .out = buf_of(RECALL_MAX),
                     .some = !tools && a->output == OUTPUT_TEXT};
    struct err e = {0};

    if (n < 1)
        n = a->result.tty && a->result.rows > 3 ? a->result.rows - 3 : ENOUGH;
    if (read_filter(&l, &e) < 0)
        return app_fail(a, &e);
    l.history = journal_read_open(&e);
    if (!l.history && e.code != ERR_NOT_FOUND)
        return app_fail(a, &e);
    if (list(&l, n, &e) < 0)
        return app_fail(a, &e);
    result_put(a, &l.out);
    if (l.n == 0 && a->output == OUTPUT_TEXT)
        app_note(a, has_filter(&l) && l.history ? "No run matches."
                                                : "Nothing is recorded yet.");
    return 0;
}
