/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_record.c - what the journal is told of a connection's requests. */
#include "server/guest/guest_record.h"

#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "server/guest/guest_start.h"
#include "json/write.h"

#define TITLE_MAX 200          /* bytes: who lists runs shows no more */
#define ARGS_MAX  (100u << 20) /* a message, all of it escaped */

static struct journal_run *
begin_guest_run(const struct guest_shared *sh, struct journal_run **run)
{
    struct err e = {0};

    if (*run || !sh->journal)
        return *run;
    *run = journal_run_new(sh->journal(sh->arg), &e);
    if (e.code != ERR_NONE)
        sh->log(sh->arg, e.text);
    return *run;
}

/* What a request is about, in one line. */
static void
put_title(struct buf *out, const char *method, const struct json *params)
{
    static const char *const names[] = {"cmd", "code", "path", "argv", "id"};
    const struct json *v = json_type(params) == JSON_ARRAY ? json_at(params, 0)
                                                           : NULL;
    const char *text;
    size_t n;

    for (size_t i = 0; !v && i < ARRAY_SIZE(names); i++)
        v = json_get(params, names[i]);
    if (json_type(v) == JSON_ARRAY)
        v = json_first(v);
    buf_str(out, method);
    text = json_str(v, &n);
    if (!text)
        return;
    buf_ch(out, ' ');
    buf_add(out, text, utf8_boundary(text, n, TITLE_MAX));
}

/* The params without the member that is base64. NULL: they have none, or there
 * is no memory. */
static struct json *
without_data(const struct json *params)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    for (const struct json *v = json_first(params); v; v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);

        if (strcmp(name, "data") == 0)
            continue;
        json_keyn(&w, name, n);
        json_put_value(&w, v);
    }
    json_close_object(&w);
    return buf_ok(&text, "the params", NULL) < 0
               ? NULL
               : json_parse(text.p, text.len, 0, NULL);
}

void
guest_record_request(struct guest_connection *c, const char *method,
                     const struct json *params)
{
    size_t encoded = 0;
    bool has_data = json_type(params) == JSON_OBJECT &&
                    json_str(json_get(params, "data"), &encoded);
    CLEANUP(json_free_p)
    struct json *shorter = has_data ? without_data(params) : NULL;
    CLEANUP_BUF struct buf title = buf_of(TITLE_MAX + 100);
    struct journal_run *run = begin_guest_run(c->shared, &c->run);

    if (!run)
        return;
    put_title(&title, method, params);
    (void)journal_add_later(
        run, "call",
        (const struct journal_member[]){
            JOURNAL_STR("by", "guest"),
            JOURNAL_STR("tool", "guest"),
            JOURNAL_STR("action", method),
            JOURNAL_BYTES("text", title.p, title.len),
            JOURNAL_TREE("args", has_data ? shorter : params),
            JOURNAL_NUM(has_data ? "data_bytes" : NULL,
                        (int64_t)(encoded / 4 * 3)),
            {0},
        });
}

/* The end of a stream, as far as it is kept. */
static size_t
read_tail(const struct guest_spool *s, char tail[JOURNAL_TAIL_MAX])
{
    uint64_t end = guest_spool_end(s), first = guest_spool_first(s);
    uint64_t from = end - first > JOURNAL_TAIL_MAX ? end - JOURNAL_TAIL_MAX
                                                   : first;
    ssize_t n = guest_spool_read(s, from, tail, JOURNAL_TAIL_MAX, NULL);

    return n < 0 ? 0 : (size_t)n;
}

/* The result row of a command; process 0: of a request. */
static void
add_end(struct journal_run *run, int64_t process, int status, int64_t ms,
        const struct guest_spool *streams)
{
    char tails[GUEST_STREAMS][JOURNAL_TAIL_MAX];
    size_t n[GUEST_STREAMS];

    if (!run)
        return;
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        n[i] = read_tail(&streams[i], tails[i]);
    (void)journal_add_later(
        run, "result",
        (const struct journal_member[]){
            JOURNAL_FLAG("ok", true),
            JOURNAL_NUM("exit_code", status),
            JOURNAL_NUM("ms", ms),
            JOURNAL_TAIL("stdout", tails[GUEST_STDOUT], n[GUEST_STDOUT]),
            JOURNAL_TAIL("stderr", tails[GUEST_STDERR], n[GUEST_STDERR]),
            JOURNAL_NUM(process ? "process" : NULL, process),
            {0},
        });
}

void
guest_record_end(struct guest_connection *c, int status, int64_t ms,
                 const struct guest_spool *streams)
{
    add_end(c->run, 0, status, ms, streams);
}

void
guest_record_process_end(const struct guest_process *p)
{
    struct guest_shared *sh = p->shared;

    add_end(begin_guest_run(sh, &sh->run), p->id, p->status,
            guest_start_now_ms() - p->began_ms, p->streams);
}

void
guest_record_done(struct guest_connection *c)
{
    (void)journal_add_later(
        c->run, "result",
        (const struct journal_member[]){JOURNAL_FLAG("ok", true), {0}});
}

void
guest_record_close(struct journal_run **run)
{
    if (*run) {
        (void)journal_add(
            *run, "end",
            (const struct journal_member[]){JOURNAL_NUM("status", 0), {0}});
        (void)journal_sync(*run, false);
    }
    journal_run_free(TAKE_PTR(*run));
}

void
guest_record_failed(struct guest_connection *c, const char *why)
{
    (void)journal_add_later(begin_guest_run(c->shared, &c->run), "result",
                            (const struct journal_member[]){
                                JOURNAL_FLAG("ok", false),
                                JOURNAL_STR("why", why),
                                {0},
                            });
}
