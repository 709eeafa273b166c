/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_log.c - lists the newest runs of the journal, one on a line. */
#include "ui/audit_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/path.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"
#include "ui/app.h"

#define WORDS_MAX 16 /* of a filter */
/* The verb of a run that only calls tools (agentsh tool call). */
#define TOOL_VERB "tool"
#define ENOUGH    20  /* runs to list where there is no screen */
#define ENDING    5   /* letters at the end of a run's name */
#define TEXT_CUT  400 /* bytes of a text that go on its line */
#define SHOWN_MAX (64u << 10)
#define ALL_RUNS  1000000 /* that a filter reads */
#define AGE_WIDTH 4
#define N_SYMBOLS ARRAY_SIZE(run_symbols)

/* A run in one line. Strings are owned; "" where nothing is known. */
struct audit_log_item {
    char *run, *verb, *text, *why, *directory;
    unsigned words; /* a bit for each word of the filter that was found */
    char time[40];  /* of its first row, as stored */
    int64_t steps;  /* that ran */
    int64_t ms;
    int64_t status; /* -1: the run has no end */
    bool inserted;  /* the user took the commands to their own prompt */
};

static void
item_done(struct audit_log_item *item)
{
    if (!item)
        return;
    free(item->run);
    free(item->verb);
    free(item->text);
    free(item->why);
    free(item->directory);
    *item = (struct audit_log_item){0};
}

/* Sets *member, unless it is set, to the first text that the object has under
 * one of the names. */
static void
copy_text(char **member, const struct json *body, const char *const *names)
{
    const char *s = NULL;

    for (; *names && !s; names++)
        s = json_get_str(body, *names);
    if (!s || *member)
        return;
    *member = strdup(s);
}

/* The first row of a run. Runs of other frontends begin with a tool call, or
 * have other names in it. */
static void
read_first_row(struct audit_log_item *item, const struct ledger_row *r,
               const struct json *body)
{
    static const char *const verbs[] = {"verb", NULL};
    static const char *const texts[] = {"text", "tool", NULL};
    static const char *const plans[] = {"plan", NULL};
    static const char *const directories[] = {"directory", NULL};
    const char *text = json_get_str(body, "text");
    bool is_call = strcmp(r->kind, "call") == 0 ||
                   strcmp(r->kind, "result") == 0;

    snprintf(item->time, sizeof(item->time), "%s", r->time);
    copy_text(&item->verb, body, verbs);
    if (!item->verb)
        item->verb = strdup(is_call ? TOOL_VERB : r->kind);
    copy_text(&item->text, body, text && !text[0] ? plans : texts);
    copy_text(&item->directory, body, directories);
}

/* A run that is read row by row, and the words to look for. */
struct item_reader {
    struct audit_log_item *item;
    const char *const *words;
    size_t n;
};

/* Looks at every text in a value, at any depth: json_parse has bounded it. */
static void
find_words(const struct item_reader *r, const struct json *v)
{
    size_t len = 0;
    const char *text = json_type(v) == JSON_STRING ? json_str(v, &len) : NULL;

    for (size_t i = 0; text && i < r->n; i++)
        if (strcasestr(text, r->words[i]))
            r->item->words |= 1u << i;
    if (json_type(v) != JSON_OBJECT && json_type(v) != JSON_ARRAY)
        return;
    for (const struct json *c = json_first(v); c; c = json_next(c))
        find_words(r, c);
}

static bool
is_equal(const char *s, const char *other)
{
    return s && strcmp(s, other) == 0;
}

static void
on_item_row(void *arg, const struct ledger_row *r)
{
    static const char *const whys[] = {"why", NULL};
    const struct item_reader *reading = arg;
    struct audit_log_item *item = reading->item;
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    if (strcmp(r->kind, "result") != 0 && body)
        find_words(reading, body);
    if (!item->time[0] && strcmp(r->kind, "gap") != 0)
        read_first_row(item, r, body);
    if (strcmp(r->kind, "step") == 0)
        item->steps++;
    if (strcmp(r->kind, "decision") == 0)
        item->inserted = is_equal(json_get_str(body, "verdict"), "insert");
    if (strcmp(r->kind, "end") != 0)
        return;
    if (!json_int(json_get(body, "status"), &item->status))
        item->status = 1;
    (void)json_int(json_get(body, "ms"), &item->ms);
    copy_text(&item->why, body, whys);
}

/* A member that no row has becomes "". */
static int
fill_member(char **member, struct err *e)
{
    if (!*member)
        *member = strdup("");
    return *member ? 0 : err_nomem(e);
}

/* Reads a run; words, n of them, are looked for in it, in upper or lower case.
 */
static int
item_read(struct journal_reader *h, const char *run, const char *const *words,
          size_t n, struct audit_log_item *item, struct err *e)
{
    struct item_reader reading = {item, words, n};

    *item = (struct audit_log_item){.status = -1, .run = strdup(run)};
    if (journal_read_rows(h, run, on_item_row, &reading, e) < 0 ||
        fill_member(&item->run, e) < 0 || fill_member(&item->verb, e) < 0 ||
        fill_member(&item->text, e) < 0 || fill_member(&item->why, e) < 0 ||
        fill_member(&item->directory, e) < 0)
        return -1;
    return 0;
}

/* How a run ended, in a word. */
static const char *
status_word(int64_t status)
{
    static const struct {
        int64_t status;
        const char *word;
    } rows[] = {
        {-1, "unfinished"},  {0, "done"},          {1, "failed"},
        {2, "refused"},      {3, "no model"},      {4, "no answer"},
        {5, "denied"},       {6, "timed out"},     {7, "not fitting"},
        {125, "no sandbox"}, {130, "interrupted"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].status == status)
            return rows[i].word;
    }
    return "failed";
}

/* The word that --status has for it (struct audit_log_filter). */
static const char *
item_status(const struct audit_log_item *item)
{
    if (item->status == -1)
        return "unfinished";
    if (item->status == 130)
        return "stopped";
    if (item->status == 7 || (item->inserted && item->steps == 0))
        return "shown";
    if (item->status == 5)
        return "denied";
    if (item->status != 0)
        return "failed";
    return item->steps > 0 || strcmp(item->verb, TOOL_VERB) == 0 ? "ran"
                                                                 : "shown";
}

/* Reads a stored time, which is UTC, as seconds since the epoch. */
static bool
read_time(const char *time, time_t *out)
{
    struct tm tm = {0};

    if (sscanf(time, "%4d-%2d-%2dT%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon,
               &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    *out = timegm(&tm);
    return true;
}

/* How long ago, in at most four letters: "now", "5m", "3h", "2d"; "?". */
static void
age_text(const char *time, int64_t now_s, char out[8])
{
    static const struct {
        int64_t seconds;
        char unit;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}};
    time_t t;
    int64_t age;

    snprintf(out, 8, "?");
    if (!read_time(time, &t))
        return;
    age = now_s - t;
    snprintf(out, 8, _("now"));
    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
        if (age < units[i].seconds)
            continue;
        age /= units[i].seconds;
        snprintf(out, 8, "%d%c", age > 99999 ? 99999 : (int)age, units[i].unit);
        return;
    }
}

static void
date_of(time_t t, char out[16])
{
    struct tm tm;

    snprintf(out, 16, "?");
    if (localtime_r(&t, &tm))
        (void)strftime(out, 16, "%Y-%m-%d", &tm);
}

/* Noon minus a day is in the day before, even when the clocks were changed. */
static time_t
day_before(time_t t)
{
    struct tm tm;

    if (!localtime_r(&t, &tm))
        return t;
    tm.tm_hour = 12;
    tm.tm_mday--;
    tm.tm_isdst = -1;
    return mktime(&tm);
}

/* The local day of a stored time: "Today", "Yesterday", "2026-01-02". */
static void
day_text(const char *time, int64_t now_s, char out[16])
{
    char today[16], yesterday[16];
    time_t t;

    snprintf(out, 16, "?");
    if (!read_time(time, &t))
        return;
    date_of(t, out);
    date_of((time_t)now_s, today);
    date_of(day_before((time_t)now_s), yesterday);
    if (strcmp(out, today) == 0)
        snprintf(out, 16, _("Today"));
    else if (strcmp(out, yesterday) == 0)
        snprintf(out, 16, _("Yesterday"));
}

const char *
audit_log_time(const char *time, char out[AUDIT_LOG_TIME_SIZE])
{
    struct tm tm;
    time_t t;

    snprintf(out, AUDIT_LOG_TIME_SIZE, "%-19s", "?");
    if (read_time(time, &t) && localtime_r(&t, &tm))
        (void)strftime(out, AUDIT_LOG_TIME_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
    return out;
}

/* A list that is being written. */
struct run_list {
    struct app *app;
    struct journal_reader *history;
    struct buf out;
    struct json_writer json;
    size_t n;
    int64_t max; /* runs to list */
    const struct audit_log_filter *filter;
    char *word_text; /* the words point into it; owned */
    const char *words[WORDS_MAX];
    size_t n_words;
    char *directory; /* of the filter, absolute; owned; NULL: any */
    int64_t now_s;
    char day[16];   /* of the run above; "" at first */
    bool some;      /* without runs of `agentsh tool call` */
    struct err why; /* the first failure */
};

static void
put_run_json(struct run_list *l, const struct audit_log_item *item)
{
    struct json_writer *w = &l->json;

    json_open_object(w);
    json_member_str(w, "run", item->run);
    json_member_str(w, "time", item->time);
    json_member_str(w, "verb", item->verb);
    json_member_str(w, "text", item->text);
    json_member_int(w, "steps", item->steps);
    json_member_str(w, "outcome", status_word(item->status));
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

/* The end of a run's name is enough for `ai log RUN`. */
static const char *
short_name(const char *run)
{
    size_t n = strlen(run);

    return n > ENDING && run[n - ENDING - 1] == '-' ? run + n - ENDING : run;
}

/* The symbol in front of a run, by its status. */
struct run_symbol {
    const char *status;
    enum style style;
    enum symbol symbol;
};

static const struct run_symbol run_symbols[] = {
    {"ran", STYLE_GOOD, SYMBOL_GOOD},
    {"failed", STYLE_ERROR, SYMBOL_BAD},
    {"shown", STYLE_DIM, SYMBOL_CHOICE},
    {"denied", STYLE_WARNING, SYMBOL_DENIED},
    {"stopped", STYLE_DIM, SYMBOL_DENIED},
    {"unfinished", STYLE_DIM, SYMBOL_ELLIPSIS},
};

static const struct run_symbol *
find_symbol(const char *status)
{
    for (size_t i = 0; i < N_SYMBOLS; i++)
        if (strcmp(run_symbols[i].status, status) == 0)
            return &run_symbols[i];
    return NULL;
}

static void
put_symbol(struct buf *out, const struct term *t,
           const struct audit_log_item *item)
{
    const struct run_symbol *s = find_symbol(item_status(item));
    const char *text = style_symbol(t, s->symbol);
    size_t wide = width_str(style_symbol(t, SYMBOL_BAD));

    buf_printf(out, "%s%s%s%*s", style_on(t, s->style), text,
               style_off(t, s->style), (int)(wide - width_str(text)), "");
}

/* Appends a text as one line, whatever it holds. */
static void
put_one_line(struct buf *out, const char *s)
{
    size_t n = strlen(s);

    (void)escape_text(out, NULL, s, n < TEXT_CUT ? n : TEXT_CUT,
                      ESCAPE_PROSE | ESCAPE_LINES);
}

/* Appends a heading where another day begins. */
static void
put_day(struct run_list *l, const struct audit_log_item *item)
{
    char day[16];

    day_text(item->time, l->now_s, day);
    if (strcmp(day, l->day) == 0)
        return;
    memcpy(l->day, day, sizeof(day));
    style_str(&l->out, &l->app->result, STYLE_HEADING, day);
    buf_ch(&l->out, '\n');
}

/* The same where nothing is set in columns: "ran, 5m: list the files, k3x". */
static void
put_plain_run(struct run_list *l, const struct audit_log_item *item,
              const char *age)
{
    buf_printf(&l->out, "%s, %s: ", item_status(item), age);
    put_one_line(&l->out, item->text[0] ? item->text : item->verb);
    buf_str(&l->out, ", ");
    put_one_line(&l->out, short_name(item->run));
    buf_ch(&l->out, '\n');
}

/* Appends symbol, age, request and name; the request is cut to fit. */
static void
put_run_text(struct run_list *l, const struct audit_log_item *item)
{
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf words = buf_of(SHOWN_MAX);
    const struct term *t = &l->app->result;
    const char *name = short_name(item->run);
    size_t used, room = TEXT_CUT;
    char age[8];

    put_day(l, item);
    age_text(item->time, l->now_s, age);
    if (t->plain) {
        put_plain_run(l, item, age);
        return;
    }
    put_symbol(&line, t, item);
    buf_printf(&line, " %*s  ", AGE_WIDTH, age);
    used = width_text(line.p, line.len) + 2 + width_str(name);
    if (t->tty)
        room = (size_t)t->columns > used ? (size_t)t->columns - used : 0;
    put_one_line(&words, item->text[0] ? item->text : item->verb);
    (void)width_truncate(&line, words.len ? words.p : "", words.len, room,
                         style_symbol(t, SYMBOL_ELLIPSIS));
    for (size_t n = width_text(words.p, words.len); t->tty && n < room; n++)
        buf_ch(&line, ' ');
    buf_printf(&line, "  %s", style_on(t, STYLE_DIM));
    put_one_line(&line, name);
    buf_printf(&line, "%s\n", style_off(t, STYLE_DIM));
    buf_add(&l->out, line.p, line.len);
}

static bool
matches_filter(const struct run_list *l, const struct audit_log_item *item)
{
    const char *status = l->filter->status;

    if (status && strcmp(item_status(item), status) != 0)
        return false;
    if (l->directory && !path_is_below(item->directory, l->directory))
        return false;
    return item->words == (1u << l->n_words) - 1;
}

static void
on_listed_run(void *arg, const char *run)
{
    CLEANUP(item_done) struct audit_log_item item = {0};
    struct run_list *l = arg;

    if (l->why.code != ERR_NONE || (int64_t)l->n == l->max ||
        item_read(l->history, run, l->words, l->n_words, &item, &l->why) < 0 ||
        !matches_filter(l, &item))
        return;
    l->n++;
    if (l->app->output == OUTPUT_TEXT)
        put_run_text(l, &item);
    else
        put_run_json(l, &item);
}

static bool
has_filter(const struct run_list *l)
{
    return l->n_words > 0 || l->directory || l->filter->status;
}

static int
read_runs(struct run_list *l, int64_t n, struct err *e)
{
    l->max = n;
    if (!l->history)
        return 0;
    if (has_filter(l))
        n = ALL_RUNS;
    if (l->some &&
        journal_read_runs(l->history, n, "request", on_listed_run, l, e) < 0)
        return -1;
    if (l->n > 0 || (l->some && has_filter(l)) || l->why.code != ERR_NONE)
        return 0;
    return journal_read_runs(l->history, n, NULL, on_listed_run, l, e);
}

static int
write_runs(struct run_list *l, int64_t n, struct err *e)
{
    bool json = l->app->output == OUTPUT_JSON;

    json_write_init(&l->json, &l->out);
    if (json) {
        json_open_object(&l->json);
        json_key(&l->json, "runs");
        json_open_array(&l->json);
    }
    if (read_runs(l, n, e) < 0)
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
run_list_done(struct run_list *l)
{
    buf_done(&l->out);
    journal_read_close(l->history);
    free(l->word_text);
    free(l->directory);
}

static int
read_filter_words(struct run_list *l, const char *text, struct err *e)
{
    char *save = NULL;

    l->word_text = strdup(text);
    if (!l->word_text)
        return err_nomem(e);
    for (char *w = strtok_r(l->word_text, " \t\n", &save); w;
         w = strtok_r(NULL, " \t\n", &save)) {
        if (l->n_words == WORDS_MAX)
            return err_set(e, ERR_USAGE, "-s takes at most %d words",
                           WORDS_MAX);
        l->words[l->n_words++] = w;
    }
    return 0;
}

/* A directory that does not exist any more is compared by its name. */
static int
read_filter(struct run_list *l, struct err *e)
{
    const struct audit_log_filter *f = l->filter;

    if (f->words && read_filter_words(l, f->words, e) < 0)
        return -1;
    if (!f->directory)
        return 0;
    l->directory = realpath(f->directory, NULL);
    if (!l->directory) {
        const char *here = seat_dir(l->app->seat);
        bool whole = f->directory[0] == '/' || !here;

        l->directory = whole ? strdup(f->directory)
                             : path_join(here, f->directory);
        if (l->directory && l->directory[0] == '/')
            path_clean(l->directory);
    }
    return l->directory ? 0 : err_nomem(e);
}

int
audit_log_list(struct app *a, int64_t n, bool tools,
               const struct audit_log_filter *filter)
{
    CLEANUP(run_list_done)
    struct run_list l = {.app = a,
                         .filter = filter,
                         .now_s = (int64_t)time(NULL),
                         .out = buf_of(AUDIT_LOG_MAX),
                         .some = !tools && a->output == OUTPUT_TEXT};
    struct err e = {0};

    if (n < 1)
        n = a->result.tty && a->result.rows > 3 ? a->result.rows - 3 : ENOUGH;
    if (read_filter(&l, &e) < 0)
        return app_fail(a, &e);
    l.history = journal_read_open(&e);
    if (!l.history && e.code != ERR_NOT_FOUND)
        return app_fail(a, &e);
    if (write_runs(&l, n, &e) < 0)
        return app_fail(a, &e);
    app_put_result(a, &l.out);
    if (l.n == 0 && a->output == OUTPUT_TEXT)
        app_note(a, has_filter(&l) && l.history ? "No run matches."
                                                : "Nothing is recorded yet.");
    return 0;
}
