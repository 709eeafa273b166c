/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_item.c - what is said of a run in one line. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "person/recall_in.h"

void
recall_item_done(struct recall_item *item)
{
    if (!item)
        return;
    free(item->run);
    free(item->verb);
    free(item->text);
    free(item->why);
    free(item->directory);
    *item = (struct recall_item){0};
}

/* The first of the names that the object has as a text. */
static void
take(char **member, const struct json *body, const char *const *names)
{
    const char *s = NULL;

    for (; *names && !s; names++)
        s = json_get_str(body, *names);
    if (!s || *member)
        return;
    *member = strdup(s);
}

/* Other doors begin with a call, or with what they name otherwise. */
static void
begin(struct recall_item *item, const struct ledger_row *r,
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
    take(&item->verb, body, verbs);
    if (!item->verb)
        item->verb = strdup(is_call ? RECALL_TOOL : r->kind);
    take(&item->text, body, text && !text[0] ? plans : texts);
    take(&item->directory, body, directories);
}

struct reading {
    struct recall_item *item;
    const char *const *words;
    size_t n;
};

/* Every text in a value, at any depth: json_parse has bounded it. */
static void
find_words(const struct reading *r, const struct json *v)
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
is_text(const char *s, const char *wanted)
{
    return s && strcmp(s, wanted) == 0;
}

static void
on_row(void *arg, const struct ledger_row *r)
{
    static const char *const whys[] = {"why", NULL};
    const struct reading *reading = arg;
    struct recall_item *item = reading->item;
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    if (strcmp(r->kind, "result") != 0 && body)
        find_words(reading, body);
    if (!item->time[0] && strcmp(r->kind, "gap") != 0)
        begin(item, r, body);
    if (strcmp(r->kind, "step") == 0)
        item->steps++;
    if (strcmp(r->kind, "decision") == 0)
        item->inserted = is_text(json_get_str(body, "verdict"), "insert");
    if (strcmp(r->kind, "end") != 0)
        return;
    if (!json_int(json_get(body, "status"), &item->status))
        item->status = 1;
    (void)json_int(json_get(body, "ms"), &item->ms);
    take(&item->why, body, whys);
}

static int
fill_in(char **member, struct err *e)
{
    if (!*member)
        *member = strdup("");
    return *member ? 0 : err_nomem(e);
}

int
recall_item_read(struct journal_reader *h, const char *run,
                 const char *const *words, size_t n, struct recall_item *item,
                 struct err *e)
{
    struct reading reading = {item, words, n};

    *item = (struct recall_item){.status = -1, .run = strdup(run)};
    if (journal_read_rows(h, run, on_row, &reading, e) < 0 ||
        fill_in(&item->run, e) < 0 || fill_in(&item->verb, e) < 0 ||
        fill_in(&item->text, e) < 0 || fill_in(&item->why, e) < 0 ||
        fill_in(&item->directory, e) < 0)
        return -1;
    return 0;
}

const char *
recall_outcome(int64_t status)
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

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (rows[i].status == status)
            return rows[i].word;
    }
    return "failed";
}

const char *
recall_status(const struct recall_item *item)
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
    return item->steps > 0 || strcmp(item->verb, RECALL_TOOL) == 0 ? "ran"
                                                                   : "shown";
}

/* A stored time, which is UTC, as seconds since the epoch. */
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

void
recall_age(const char *time, int64_t now_s, char out[8])
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
    snprintf(out, 8, "now");
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
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

/* Noon less a day is in the day before, whatever the clocks did. */
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

void
recall_day(const char *time, int64_t now_s, char out[16])
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
        snprintf(out, 16, "Today");
    else if (strcmp(out, yesterday) == 0)
        snprintf(out, 16, "Yesterday");
}

const char *
recall_time(const char *time, char out[RECALL_TIME_SIZE])
{
    struct tm tm;
    time_t t;

    snprintf(out, RECALL_TIME_SIZE, "%-19s", "?");
    if (read_time(time, &t) && localtime_r(&t, &tm))
        (void)strftime(out, RECALL_TIME_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
    return out;
}
