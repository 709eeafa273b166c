/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wants.c - puts the pieces of a model's calls together. */
#include "model/wants.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "json/write.h"

/* The answer itself may be one call more, of the forced tool. */
#define WANTS_ROOM (MODEL_WANTED_MAX + 1)

static void
want_done(struct want *c)
{
    buf_done(&c->id);
    buf_done(&c->name);
    buf_done(&c->args);
    buf_done(&c->extra);
}

void
wants_done(struct wants *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n; i++)
        want_done(&w->rows[i]);
    free(w->rows);
    *w = (struct wants){0};
}

void
wants_drop(struct wants *w, size_t i)
{
    want_done(&w->rows[i]);
    w->n--;
    memmove(&w->rows[i], &w->rows[i + 1], (w->n - i) * sizeof(w->rows[0]));
}

static struct want *
begin(struct wants *w, struct err *e)
{
    struct want *c;

    if (!w->rows)
        w->rows = calloc(WANTS_ROOM, sizeof(*w->rows));
    if (!w->rows) {
        err_sys(e, "calls");
        return NULL;
    }
    if (w->n == WANTS_ROOM) {
        err_set(e, ERR_ANSWER, "the model called more than %d tools at once",
                MODEL_WANTED_MAX);
        return NULL;
    }
    c = &w->rows[w->n++];
    *c = (struct want){0};
    buf_init(&c->id, WANT_ID_MAX);
    buf_init(&c->name, WANT_NAME_MAX);
    buf_init(&c->args, MODEL_ARGS_MAX);
    buf_init(&c->extra, WANT_EXTRA_MAX);
    return c;
}

/* A text that says something, or NULL. */
static const char *
word_of(const struct json *v)
{
    const char *s = json_str(v, NULL);

    return s && *s ? s : NULL;
}

static bool
is_whole(const struct want *c)
{
    const struct buf *b = &c->args;

    return b->len > 0 && b->p[b->len - 1] == '}' &&
           json_span(b->p, b->len, NULL) == b->len;
}

/* Whether a piece that seems to belong to c begins another call: some servers
 * say place 0 of every call, some give one id to all of them, and some repeat
 * a call's name in every piece, or make up an id for each. */
static bool
is_other(const struct want *c, const struct want_piece *p)
{
    const char *id = word_of(p->id);

    if (!word_of(p->name) || c->name.len == 0)
        return false;
    if (id && c->id.len > 0 && strcmp(c->id.p, id) != 0)
        return true;
    return (word_of(p->args) || json_count(p->args) > 0) && is_whole(c);
}

static struct want *
find_id(struct wants *w, const char *id)
{
    for (size_t i = w->n; i-- > 0;) {
        if (strcmp(w->rows[i].id.p, id) == 0)
            return &w->rows[i];
    }
    return NULL;
}

static struct want *
find_index(struct wants *w, int64_t index)
{
    for (size_t i = w->n; i-- > 0;) {
        if (w->rows[i].indexed && w->rows[i].index == index)
            return &w->rows[i];
    }
    return NULL;
}

static struct want *
find(struct wants *w, const struct want_piece *p)
{
    const char *id = word_of(p->id);
    struct want *c;
    int64_t index;

    if (json_int(p->index, &index))
        c = find_index(w, index);
    else if (id)
        c = find_id(w, id);
    else
        c = word_of(p->name) || w->n == 0 ? NULL : &w->rows[w->n - 1];
    return c && is_other(c, p) ? NULL : c;
}

/* What a piece says once more is no more. */
static void
take_word(struct buf *to, const char *word)
{
    if (word && to->len == 0)
        buf_str(to, word);
}

static void
add_extra(struct want *c, const char *name, const char *json, size_t n)
{
    if (c->extra.len + strlen(name) + n + sizeof("{\"\":}") > WANT_EXTRA_MAX)
        return;
    buf_printf(&c->extra, "%s\"%s\":", c->extra.len > 0 ? "," : "{", name);
    buf_add(&c->extra, json, n);
}

void
want_add_extra(struct want *c, const char *name, const char *text, size_t n)
{
    CLEANUP_BUF struct buf json = buf_of(WANT_EXTRA_MAX);
    struct json_writer w;

    json_write_init(&w, &json);
    json_put_strn(&w, text, n);
    if (!json.bad)
        add_extra(c, name, json.p, json.len);
}

/* A value that the provider wants back; its pieces all have the same. */
static void
take_extra(struct want *c, const struct want_piece *p)
{
    CLEANUP_BUF struct buf json = buf_of(WANT_EXTRA_MAX);
    struct json_writer w;

    if (!p->extra || c->extra.len > 0)
        return;
    json_write_init(&w, &json);
    json_put_value(&w, p->extra);
    if (!json.bad)
        add_extra(c, p->extra_name, json.p, json.len);
}

struct want *
wants_take(struct wants *w, const struct want_piece *p, struct err *e)
{
    struct want *c = find(w, p);

    if (!c && !(c = begin(w, e)))
        return NULL;
    if (!c->indexed)
        c->indexed = json_int(p->index, &c->index);
    take_word(&c->id, word_of(p->id));
    take_word(&c->name, word_of(p->name));
    take_extra(c, p);
    if (c->id.bad || c->name.bad) {
        err_set(e, ERR_ANSWER, "a call has a name or id that is too long");
        return NULL;
    }
    return c;
}

int
want_add_args(struct want *c, const struct json *args, struct err *e)
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
wants_add(struct wants *w, const char *name, const struct json *args,
          struct err *e)
{
    struct want *c = begin(w, e);

    if (!c)
        return -1;
    buf_str(&c->name, name);
    if (c->name.bad)
        return err_set(e, ERR_ANSWER, "a call has a name that is too long");
    return want_add_args(c, args, e);
}

unsigned
want_made(const char *id)
{
    if (strlen(id) != 9 || strncmp(id, "call", 4) != 0 ||
        strspn(id + 4, "0123456789") != 5)
        return 0;
    return (unsigned)strtoul(id + 4, NULL, 10);
}

static bool
is_earlier(const struct wants *w, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(w->rows[i].id.p, id) == 0)
            return true;
    }
    return false;
}

void
wants_seal(struct wants *w, unsigned made)
{
    for (size_t i = 0; i < w->n; i++) {
        struct buf *id = &w->rows[i].id, *extra = &w->rows[i].extra;

        if (extra->len > 0)
            buf_ch(extra, '}');
        if (id->len > 0 && !is_earlier(w, i, id->p))
            continue;
        buf_clear(id);
        buf_printf(id, "call%05u", ++made % 100000);
    }
}

struct model_wanted
want_view(const struct want *c)
{
    return (struct model_wanted){
        .id = c->id.p,
        .name = c->name.p,
        .args = c->args.p,
        .args_len = c->args.len,
        .extra = c->extra.len > 0 ? c->extra.p : NULL,
    };
}

int
wants_keep(struct wants *w, const struct model_wanted *call)
{
    struct want *c = begin(w, NULL);

    if (!c)
        return -1;
    buf_str(&c->id, call->id);
    buf_str(&c->name, call->name);
    buf_add(&c->args, call->args, call->args_len);
    if (call->extra)
        buf_str(&c->extra, call->extra);
    return c->id.bad || c->name.bad || c->args.bad || c->extra.bad ? -1 : 0;
}
