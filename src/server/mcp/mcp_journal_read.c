/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_journal_read.c - the answers that are read from the journal. */
#include "server/mcp/mcp_journal_read.h"

#include <string.h>

#include "record/journal_read.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_resource.h"
#include "ui/audit_log.h"

#define PAGE_RUNS     100
#define RUNS_MAX      10000 /* that are looked at */
#define REQUESTS_READ 300   /* runs whose requests are compared */
#define VALUES_MAX    100   /* the protocol allows no more */

/* Where nothing is recorded yet there are no runs. */
static int
open_journal(struct journal_reader **h, struct err *e)
{
    struct err why = {0};

    *h = journal_read_open(&why);
    if (*h || why.code == ERR_NOT_FOUND)
        return 0;
    *e = why;
    return -1;
}

static void
put_resource_head(struct json_writer *w, const char *before, const char *name,
                  const char *title, const char *type)
{
    char uri[MCP_RESOURCE_URI_MAX];

    snprintf(uri, sizeof(uri), "%s%s", before, name);
    json_member_str(w, "uri", uri);
    json_member_str(w, "name", name);
    json_member_str(w, "title", title);
    json_member_str(w, "mimeType", type);
}

static void
put_run_resource(struct json_writer *w, const char *run)
{
    json_open_object(w);
    put_resource_head(w, MCP_RESOURCE_RUNS, run,
                      "a run of the journal: what was asked for, and done",
                      "application/json");
    json_close_object(w);
}

static void
put_last_resource(struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "uri", MCP_RESOURCE_LAST);
    json_member_str(w, "name", "last");
    json_member_str(w, "title", "the output of the last tool call");
    json_member_str(w, "mimeType", "text/plain");
    json_close_object(w);
}

struct run_page {
    struct json_writer w;
    const char *after; /* it begins behind this run; NULL: now */
    size_t n;
    char last[MCP_RESOURCE_URI_MAX];
    bool more;
};

static void
on_listed_run(void *arg, const char *run)
{
    struct run_page *p = arg;

    if (p->after) {
        if (strcmp(p->after, run) == 0)
            p->after = NULL;
        return;
    }
    if (p->n == PAGE_RUNS) {
        p->more = true;
        return;
    }
    p->n++;
    put_run_resource(&p->w, run);
    snprintf(p->last, sizeof(p->last), "%s", run);
}

int
mcp_journal_list(const char *name, const char *verb, enum mcp_era era,
                 struct buf *out, struct err *e)
{
    struct run_page p = {.after = name[0] ? name : NULL};
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;

    (void)verb;
    if (open_journal(&h, e) < 0)
        return -1;
    mcp_reply_open(&p.w, out, era, "complete");
    json_key(&p.w, "resources");
    json_open_array(&p.w);
    if (!name[0])
        put_last_resource(&p.w);
    if (h && journal_read_runs(h, RUNS_MAX, NULL, on_listed_run, &p, e) < 0)
        return -1;
    if (p.after)
        return err_set(e, ERR_INVALID, "cursor: there is no such page");
    json_close_array(&p.w);
    if (p.more)
        json_member_str(&p.w, "nextCursor", p.last);
    mcp_reply_cache_none(&p.w, era);
    mcp_reply_close(&p.w, era);
    return buf_ok(out, "the list", e);
}

struct run_text {
    struct buf rows; /* one a line; the newest are kept */
    struct buf row;
    bool cut;
};

static void
on_run_row(void *arg, const struct ledger_row *r)
{
    struct run_text *t = arg;
    struct json_writer w;

    buf_clear(&t->row);
    json_write_init(&w, &t->row);
    audit_log_row_json(&w, r);
    buf_ch(&t->row, '\n');
    while (t->rows.len > 0 && t->rows.len + t->row.len > MCP_JOB_TEXT_MAX / 2) {
        const char *end = memchr(t->rows.p + t->rows.len / 2, '\n',
                                 t->rows.len - t->rows.len / 2);

        buf_drop(&t->rows, (size_t)(end - t->rows.p) + 1);
        t->cut = true;
    }
    if (!t->row.bad && t->row.len <= MCP_JOB_TEXT_MAX / 2)
        buf_add(&t->rows, t->row.p, t->row.len);
    else
        t->cut = true;
}

/* {"run":…,"rows":[…]}, as ai log prints it. */
static void
join_rows(const struct run_text *t, const char *run, struct buf *out)
{
    buf_printf(out, "{\"run\":\"%s\",%s\"rows\":[", run,
               t->cut ? "\"truncated\":true," : "");
    for (size_t i = 0; i + 1 < t->rows.len; i++)
        buf_ch(out, t->rows.p[i] == '\n' ? ',' : t->rows.p[i]);
    buf_str(out, "]}");
}

static void
put_run_contents(struct json_writer *w, const char *run, const struct buf *text)
{
    char uri[MCP_RESOURCE_URI_MAX];

    snprintf(uri, sizeof(uri), MCP_RESOURCE_RUNS "%s", run);
    json_key(w, "contents");
    json_open_array(w);
    json_open_object(w);
    json_member_str(w, "uri", uri);
    json_member_str(w, "mimeType", "application/json");
    json_key(w, "text");
    json_put_strn(w, text->p, text->len);
    json_close_object(w);
    json_close_array(w);
}

int
mcp_journal_run(const char *name, const char *verb, enum mcp_era era,
                struct buf *out, struct err *e)
{
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    CLEANUP_BUF struct buf found = buf_of(MCP_RESOURCE_URI_MAX);
    CLEANUP_BUF struct buf text = buf_of(MCP_JOB_TEXT_MAX);
    struct run_text t = {0};
    struct json_writer w;
    int rc;

    (void)verb;
    if (open_journal(&h, e) < 0)
        return -1;
    if (!h || journal_read_find_run(h, name, &found, NULL) < 0 ||
        strcmp(found.p, name) != 0)
        return err_set(e, ERR_NOT_FOUND, "there is no such run");
    buf_init(&t.rows, MCP_JOB_TEXT_MAX);
    buf_init(&t.row, MCP_JOB_TEXT_MAX);
    rc = journal_read_rows(h, name, on_run_row, &t, e);
    join_rows(&t, name, &text);
    buf_done(&t.rows);
    buf_done(&t.row);
    if (rc < 0)
        return -1;
    mcp_reply_open(&w, out, era, "complete");
    put_run_contents(&w, name, &text);
    mcp_reply_cache_none(&w, era);
    mcp_reply_close(&w, era);
    return buf_ok(&text, "the run", e) < 0 ? -1 : buf_ok(out, "the run", e);
}

struct completion {
    struct json_writer w;
    const char *begins;
    const char *verb;
    size_t n, total;
    struct journal_reader *h;
    struct buf seen; /* what was put, each ended by NUL */
};

static bool
was_seen(const struct completion *c, const char *value)
{
    for (const char *p = c->seen.p; p < c->seen.p + c->seen.len;
         p += strlen(p) + 1)
        if (strcmp(p, value) == 0)
            return true;
    return false;
}

static void
put_completion(struct completion *c, const char *value)
{
    if (strncmp(value, c->begins, strlen(c->begins)) != 0 || was_seen(c, value))
        return;
    buf_add(&c->seen, value, strlen(value) + 1);
    if (c->total++ < VALUES_MAX)
        json_put_str(&c->w, value);
}

static void
on_completed_row(void *arg, const struct ledger_row *r)
{
    struct completion *c = arg;
    CLEANUP(json_free_p) struct json *body = NULL;
    const char *verb, *text;

    if (r->kind_len != strlen("request") ||
        memcmp(r->kind, "request", r->kind_len) != 0)
        return;
    body = json_parse(r->body, r->body_len, 0, NULL);
    verb = json_get_str(body, "verb");
    text = json_get_str(body, "text");
    if (verb && text && strcmp(verb, c->verb) == 0)
        put_completion(c, text);
}

static void
on_completed_run(void *arg, const char *run)
{
    struct completion *c = arg;

    if (!c->verb)
        put_completion(c, run);
    else if (c->n++ < REQUESTS_READ)
        (void)journal_read_rows(c->h, run, on_completed_row, c, NULL);
}

int
mcp_journal_complete(const char *name, const char *verb, enum mcp_era era,
                     struct buf *out, struct err *e)
{
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    struct completion c = {.begins = name, .verb = verb};
    int rc = 0;

    if (open_journal(&h, e) < 0)
        return -1;
    c.h = h;
    buf_init(&c.seen, MCP_JOB_TEXT_MAX);
    mcp_reply_open(&c.w, out, era, "complete");
    json_key(&c.w, "completion");
    json_open_object(&c.w);
    json_key(&c.w, "values");
    json_open_array(&c.w);
    if (h)
        rc = journal_read_runs(h, verb ? REQUESTS_READ : RUNS_MAX,
                               verb ? "request" : NULL, on_completed_run, &c,
                               e);
    buf_done(&c.seen);
    json_close_array(&c.w);
    json_member_int(&c.w, "total", (int64_t)c.total);
    json_member_bool(&c.w, "hasMore", c.total > VALUES_MAX);
    json_close_object(&c.w);
    mcp_reply_close(&c.w, era);
    return rc < 0 ? -1 : buf_ok(out, "the completions", e);
}
