/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_calls.c - assembles the tool calls of an answer from their pieces. */
#include "model/provider/tool_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "json/write.h"

/* One more than the limit: the answer may be a call, of the forced tool. */
#define TOOL_CALLS_ROOM (MODEL_TOOL_CALLS_MAX + 1)

static void
entry_done(struct tool_calls_entry *c)
{
    buf_done(&c->id);
    buf_done(&c->name);
    buf_done(&c->args);
    buf_done(&c->extra);
}

void
tool_calls_done(struct tool_calls *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        entry_done(&t->rows[i]);
    free(t->rows);
    *t = (struct tool_calls){0};
}

void
tool_calls_remove(struct tool_calls *t, size_t i)
{
    entry_done(&t->rows[i]);
    t->n--;
    memmove(&t->rows[i], &t->rows[i + 1], (t->n - i) * sizeof(t->rows[0]));
}

static struct tool_calls_entry *
add_entry(struct tool_calls *t, struct err *e)
{
    struct tool_calls_entry *c;

    if (!t->rows)
        t->rows = calloc(TOOL_CALLS_ROOM, sizeof(*t->rows));
    if (!t->rows) {
        err_sys(e, "calls");
        return NULL;
    }
    if (t->n == TOOL_CALLS_ROOM) {
        err_set(e, ERR_ANSWER, "the model called more than %d tools at once",
                MODEL_TOOL_CALLS_MAX);
        return NULL;
    }
    c = &t->rows[t->n++];
    *c = (struct tool_calls_entry){0};
    buf_init(&c->id, TOOL_CALLS_ID_MAX);
    buf_init(&c->name, TOOL_CALLS_NAME_MAX);
    buf_init(&c->args, MODEL_ARGS_MAX);
    buf_init(&c->extra, TOOL_CALLS_EXTRA_MAX);
    return c;
}

/* The string when it is not empty, else NULL. */
static const char *
non_empty(const struct json *v)
{
    const char *s = json_str(v, NULL);

    return s && *s ? s : NULL;
}

static bool
args_are_complete(const struct tool_calls_entry *c)
{
    const struct buf *b = &c->args;

    return b->len > 0 && b->p[b->len - 1] == '}' &&
           json_span(b->p, b->len, NULL) == b->len;
}

/* Whether a piece that seems to belong to c begins another call. Some servers
 * send index 0 for every call or one id for all calls; some repeat the name of
 * a call in every piece, or send a new id with each. */
static bool
begins_other_call(const struct tool_calls_entry *c,
                  const struct tool_calls_piece *p)
{
    const char *id = non_empty(p->id);

    if (!non_empty(p->name) || c->name.len == 0)
        return false;
    if (id && c->id.len > 0 && strcmp(c->id.p, id) != 0)
        return true;
    return (non_empty(p->args) || json_count(p->args) > 0) &&
           args_are_complete(c);
}

static struct tool_calls_entry *
find_by_id(struct tool_calls *t, const char *id)
{
    for (size_t i = t->n; i-- > 0;) {
        if (strcmp(t->rows[i].id.p, id) == 0)
            return &t->rows[i];
    }
    return NULL;
}

static struct tool_calls_entry *
find_by_index(struct tool_calls *t, int64_t index)
{
    for (size_t i = t->n; i-- > 0;) {
        if (t->rows[i].indexed && t->rows[i].index == index)
            return &t->rows[i];
    }
    return NULL;
}

static struct tool_calls_entry *
find_entry(struct tool_calls *t, const struct tool_calls_piece *p)
{
    const char *id = non_empty(p->id);
    struct tool_calls_entry *c;
    int64_t index;

    if (json_int(p->index, &index))
        c = find_by_index(t, index);
    else if (id)
        c = find_by_id(t, id);
    else
        c = non_empty(p->name) || t->n == 0 ? NULL : &t->rows[t->n - 1];
    return c && begins_other_call(c, p) ? NULL : c;
}

/* Stores a word once: pieces may repeat it. */
static void
store_word(struct buf *to, const char *word)
{
    if (word && to->len == 0)
        buf_str(to, word);
}

bool
tool_calls_add_extra_json(struct tool_calls_entry *c, const char *name,
                          const char *json, size_t n)
{
    if (c->extra.len + strlen(name) + n + sizeof("{\"\":}") >
        TOOL_CALLS_EXTRA_MAX)
        return false;
    buf_printf(&c->extra, "%s\"%s\":", c->extra.len > 0 ? "," : "{", name);
    buf_add(&c->extra, json, n);
    return true;
}

void
tool_calls_add_extra(struct tool_calls_entry *c, const char *name,
                     const char *text, size_t n)
{
    CLEANUP_BUF struct buf json = buf_of(TOOL_CALLS_EXTRA_MAX);
    struct json_writer w;

    json_write_init(&w, &json);
    json_put_strn(&w, text, n);
    if (!json.bad)
        (void)tool_calls_add_extra_json(c, name, json.p, json.len);
}

/* Stores the value that the provider wants back: all pieces have the same. */
static void
store_extra(struct tool_calls_entry *c, const struct tool_calls_piece *p)
{
    CLEANUP_BUF struct buf json = buf_of(TOOL_CALLS_EXTRA_MAX);
    struct json_writer w;

    if (!p->extra || c->extra.len > 0)
        return;
    json_write_init(&w, &json);
    json_put_value(&w, p->extra);
    if (!json.bad)
        (void)tool_calls_add_extra_json(c, p->extra_name, json.p, json.len);
}

struct tool_calls_entry *
tool_calls_add_piece(struct tool_calls *t, const struct tool_calls_piece *p,
                     struct err *e)
{
    struct tool_calls_entry *c = find_entry(t, p);

    if (!c && !(c = add_entry(t, e)))
        return NULL;
    if (!c->indexed)
        c->indexed = json_int(p->index, &c->index);
    store_word(&c->id, non_empty(p->id));
    store_word(&c->name, non_empty(p->name));
    store_extra(c, p);
    if (c->id.bad || c->name.bad) {
        err_set(e, ERR_ANSWER, "a call has a name or id that is too long");
        return NULL;
    }
    return c;
}

int
tool_calls_add_args(struct tool_calls_entry *c, const struct json *args,
                    struct err *e)
{
    struct json_writer w;
    size_t n;
    const char *s = json_str(args, &n);

    json_write_init(&w, &c->args);
    if (s)
        buf_add(&c->args, s, n);
    else if (args && json_type(args) != JSON_NULL)
        json_put_value(&w, args);
    if (!c->args.bad)
        return 0;
    return err_set(e, ERR_ANSWER, "a call has arguments of more than %u KiB",
                   MODEL_ARGS_MAX >> 10);
}

int
tool_calls_add_whole(struct tool_calls *t, const char *name,
                     const struct json *args, struct err *e)
{
    struct tool_calls_entry *c = add_entry(t, e);

    if (!c)
        return -1;
    buf_str(&c->name, name);
    if (c->name.bad)
        return err_set(e, ERR_ANSWER, "a call has a name that is too long");
    return tool_calls_add_args(c, args, e);
}

unsigned
tool_calls_own_id(const char *id)
{
    if (strlen(id) != 9 || strncmp(id, "call", 4) != 0 ||
        strspn(id + 4, "0123456789") != 5)
        return 0;
    return (unsigned)strtoul(id + 4, NULL, 10);
}

static bool
has_earlier_id(const struct tool_calls *t, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(t->rows[i].id.p, id) == 0)
            return true;
    }
    return false;
}

void
tool_calls_finish(struct tool_calls *t, unsigned last_own_id)
{
    for (size_t i = 0; i < t->n; i++) {
        struct buf *id = &t->rows[i].id, *extra = &t->rows[i].extra;

        if (extra->len > 0)
            buf_ch(extra, '}');
        if (id->len > 0 && !has_earlier_id(t, i, id->p))
            continue;
        buf_clear(id);
        buf_printf(id, "call%05u", ++last_own_id % 100000);
    }
}

struct model_tool_call
tool_calls_view(const struct tool_calls_entry *c)
{
    return (struct model_tool_call){
        .id = c->id.p,
        .name = c->name.p,
        .args = c->args.p,
        .args_len = c->args.len,
        .extra = c->extra.len > 0 ? c->extra.p : NULL,
    };
}

int
tool_calls_add_copy(struct tool_calls *t, const struct model_tool_call *call)
{
    struct tool_calls_entry *c = add_entry(t, NULL);

    if (!c)
        return -1;
    buf_str(&c->id, call->id);
    buf_str(&c->name, call->name);
    buf_add(&c->args, call->args, call->args_len);
    if (call->extra)
        buf_str(&c->extra, call->extra);
    return c->id.bad || c->name.bad || c->args.bad || c->extra.bad ? -1 : 0;
}
