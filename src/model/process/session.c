/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c - reads the front's lines and has its queries answered. */
#include "model/process/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "model/process/list_models.h"
#include "model/process/provider_query.h"
#include "model/query_table.h"
#include "wire/line_reader.h"
#include "json/json.h"

/* The lines of all open queries: their data stay in memory until they end. */
#define OPEN_BYTES_MAX (2 * (size_t)IPC_LINE_MAX)

struct session {
    struct provider_query_means means;
    struct read_buffer *buffer;
    struct line_reader *in;
    struct query_table table; /* of struct open_query */
    size_t next_slot;         /* of the table, whose turn it is to write */
    size_t open_bytes;
    struct list_models *lists;
    struct err why; /* why the session ends; ERR_NONE: the front ended */
};

struct open_query {
    struct session *session;
    int64_t id;
    size_t bytes; /* of its line */
    struct provider_query *query;
};

static void
end_session(struct session *s, const struct err *why)
{
    if (why && s->why.code == ERR_NONE)
        s->why = *why;
    loop_stop(s->means.loop);
}

static void
close_query(struct open_query *o)
{
    struct session *s = o->session;

    query_table_remove(&s->table, o->id);
    s->open_bytes -= o->bytes;
    provider_query_free(o->query);
    free(o);
}

static void
on_query_end(void *arg)
{
    close_query(arg);
}

static void
on_data(void *arg)
{
    struct session *s = arg;

    for (size_t i = 0; i < QUERY_TABLE_MAX && s->table.n > 0; i++) {
        struct open_query *o = s->table.slots[i].query;

        if (o && o->query)
            provider_query_flush(o->query);
    }
}

/* The front reads again: the queries go on, which may end some of them. Where
 * it reads slowly the room is soon used up: the next in line is first then. */
static void
on_events_changed(void *arg)
{
    struct session *s = arg;

    if (events_are_lost(s->means.events)) {
        end_session(s, NULL);
        return;
    }
    for (size_t i = 0; i < QUERY_TABLE_MAX && s->table.n > 0; i++) {
        struct open_query *o = s->table.slots[s->next_slot].query;

        if (events_are_full(s->means.events))
            return;
        s->next_slot = (s->next_slot + 1) % QUERY_TABLE_MAX;
        if (o && o->query)
            provider_query_continue(o->query);
    }
}

static void
on_lists_end(void *arg)
{
    struct session *s = arg;

    list_models_free(s->lists);
    s->lists = NULL;
}

static struct open_query *
new_query(struct session *s, int64_t id, size_t bytes, struct err *e)
{
    struct open_query *o;

    if (bytes > OPEN_BYTES_MAX - s->open_bytes) {
        err_set(e, ERR_MODEL,
                "the questions that are open have too much data together. To "
                "do: try again when one has ended");
        return NULL;
    }
    o = calloc(1, sizeof(*o));
    if (!o) {
        err_nomem(e);
        return NULL;
    }
    *o = (struct open_query){.session = s, .id = id, .bytes = bytes};
    if (query_table_add(&s->table, id, o, e) < 0) {
        free(o);
        return NULL;
    }
    s->open_bytes += bytes;
    return o;
}

/* Takes root. */
static void
open_query(struct session *s, int64_t id, struct json *root, size_t bytes)
{
    struct err e = {0};
    struct open_query *o = new_query(s, id, bytes, &e);
    struct ipc_parsed_query *parsed = NULL;

    if (!o)
        json_free(root);
    else if ((parsed = ipc_parsed_query_new(root, &e)) != NULL)
        o->query = provider_query_start(&s->means, parsed, on_query_end, o, &e);
    if (o && o->query)
        return;
    if (o)
        close_query(o);
    events_write_failed(s->means.events, id, &e, NULL);
}

/* Takes root. */
static void
handle_ask(struct session *s, struct json *root, size_t bytes)
{
    struct err e = {0};
    int64_t id = 0;

    if (json_int(json_get(json_get(root, "ask"), "id"), &id) && id != 0 &&
        !query_table_find(&s->table, id)) {
        open_query(s, id, root, bytes);
        return;
    }
    json_free(root);
    err_set(&e, ERR_PEER, "a question without an id of its own");
    end_session(s, &e);
}

static void
handle_probe(struct session *s, const struct json *v)
{
    if (!s->lists)
        s->lists = list_models_start(s->means.loop, s->means.curl,
                                     s->means.events, v, on_lists_end, s, NULL);
}

/* {"cancel":ID} and the like. One that has ended meanwhile is no error. */
static void
handle_command(struct session *s, const struct json *root)
{
    static const char *const words[] = {"cancel", "hold", "resume"};
    int64_t id = 0;
    size_t i = 0;
    struct open_query *o;

    while (i < ARRAY_SIZE(words) && !json_int(json_get(root, words[i]), &id))
        i++;
    o = query_table_find(&s->table, id);
    if (!o)
        return;
    if (i == 0)
        provider_query_cancel(o->query);
    else
        provider_query_hold(o->query, i == 1);
}

static void
on_line(void *arg, char *line, size_t n)
{
    struct session *s = arg;
    struct err e = {0};
    struct json *root = json_parse(line, n, JSON_UNIQUE, &e);
    const struct json *probe = json_get(root, "probe");

    if (!root) {
        end_session(s, &e);
        return;
    }
    if (json_get(root, "ask")) {
        handle_ask(s, root, n);
        return;
    }
    if (probe)
        handle_probe(s, probe);
    else
        handle_command(s, root);
    json_free(root);
}

static void
on_too_long(void *arg)
{
    struct err e = {0};

    err_set(&e, ERR_PEER, "a line is longer than %u bytes", IPC_LINE_MAX);
    end_session(arg, &e);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    (void)rest;
    (void)n;
    end_session(arg, why);
}

static int
prepare_session(struct session *s, struct err *e)
{
    static const struct line_reader_events lines = {
        .line = on_line, .too_long = on_too_long, .end = on_end};
    struct provider_query_means *m = &s->means;

    if (fd_set_nonblock(STDIN_FILENO, true, e) < 0 ||
        fd_set_nonblock(STDOUT_FILENO, true, e) < 0 ||
        !(m->loop = loop_new(e)) ||
        !(m->curl = curl_loop_new(m->loop, on_data, s, e)) ||
        !(m->connections = connections_new(e)) ||
        !(m->events = events_new(m->loop, STDOUT_FILENO, on_events_changed, s,
                                 e)) ||
        !(s->buffer = read_buffer_new(e)) ||
        !(s->in = line_reader_new(m->loop, STDIN_FILENO, s->buffer,
                                  IPC_LINE_MAX, &lines, s, e)))
        return -1;
    line_reader_keep_secret(s->in); /* the key is in what comes */
    return 0;
}

static void
session_done(struct session *s)
{
    line_reader_free(s->in);
    read_buffer_free(s->buffer);
    for (size_t i = 0; i < QUERY_TABLE_MAX; i++) {
        if (s->table.slots[i].query)
            close_query(s->table.slots[i].query);
    }
    list_models_free(s->lists);
    events_free(s->means.events);
    curl_loop_free(s->means.curl);
    connections_free(s->means.connections);
    loop_free(s->means.loop);
}

int
session_run(struct err *e)
{
    CLEANUP(session_done) struct session s = {0};

    if (prepare_session(&s, e) < 0 || loop_run(s.means.loop, e) < 0)
        return -1;
    *e = s.why;
    return e->code == ERR_NONE ? 0 : -1;
}
