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
begin(struct recall_item *item, const struct chain_row *r,
      const struct json *body)
{
    static const char *const verbs[] = {"verb", NULL};
    static const char *const texts[] = {"text", "tool", NULL};
    static const char *const plans[] = {"plan", NULL};
    const char *text = json_get_str(body, "text");
    bool is_call = strcmp(r->kind, "call") == 0 ||
                   strcmp(r->kind, "result") == 0;

    snprintf(item->time, sizeof(item->time), "%s", r->time);
    take(&item->verb, body, verbs);
    if (!item->verb)
        item->verb = strdup(is_call ? RECALL_TOOL : r->kind);
    take(&item->text, body, text && !text[0] ? plans : texts);
}

static void
on_row(void *arg, const struct chain_row *r)
{
    static const char *const whys[] = {"why", NULL};
    struct recall_item *item = arg;
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    if (!item->time[0] && strcmp(r->kind, "gap") != 0)
        begin(item, r, body);
    if (strcmp(r->kind, "step") == 0)
        item->steps++;
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
    return *member ? 0 : err_set(e, ERR_NOMEM, "no memory");
}

int
recall_item_read(struct history *h, const char *run, struct recall_item *item,
                 struct err *e)
{
    *item = (struct recall_item){.status = -1, .run = strdup(run)};
    if (history_rows(h, run, on_row, item, e) < 0 ||
        fill_in(&item->run, e) < 0 || fill_in(&item->verb, e) < 0 ||
        fill_in(&item->text, e) < 0 || fill_in(&item->why, e) < 0)
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
        {-1, "unfinished"},   {0, "done"},      {1, "failed"},
        {2, "refused"},       {3, "no model"},  {4, "no answer"},
        {5, "denied"},        {6, "timed out"}, {125, "no sandbox"},
        {130, "interrupted"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (rows[i].status == status)
            return rows[i].word;
    }
    return "failed";
}

const char *
recall_time(const char *time, char out[RECALL_TIME_SIZE])
{
    struct tm tm = {0};
    time_t t;

    snprintf(out, RECALL_TIME_SIZE, "%-19s", "?");
    if (sscanf(time, "%4d-%2d-%2dT%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon,
               &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
        return out;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    t = timegm(&tm);
    if (localtime_r(&t, &tm))
        (void)strftime(out, RECALL_TIME_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
    return out;
}
