/* SPDX-License-Identifier: GPL-3.0-or-later */
/* content_blocks.c - keeps the blocks of an answer that must go back raw. */
#include "model/provider/content_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* The members that are texts: a stream has pieces of them. */
static const char *const text_names[CONTENT_TEXTS] = {
    "thinking", "text", "summary", "data", "signature",
};

static void
block_free(struct content_block *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < CONTENT_TEXTS; i++)
        buf_done(&k->texts[i]);
    buf_done(&k->members);
    free(k);
}

void
content_blocks_done(struct content_blocks *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n; i++)
        block_free(b->rows[i]);
    free(b->rows);
    *b = (struct content_blocks){0};
}

struct content_block *
content_blocks_find(const struct content_blocks *b, const struct json *index)
{
    int64_t at;

    if (!json_int(index, &at))
        return b->n > 0 ? b->rows[b->n - 1] : NULL;
    for (size_t i = b->n; i-- > 0;) {
        if (b->rows[i]->indexed && b->rows[i]->index == at)
            return b->rows[i];
    }
    return NULL;
}

struct content_block *
content_blocks_begin(struct content_blocks *b, enum content_kind kind,
                     const struct json *index, size_t call, struct err *e)
{
    struct content_block *k;

    if (b->n == CONTENT_BLOCKS_MAX) {
        err_set(e, ERR_ANSWER, "the answer has more than %u blocks",
                CONTENT_BLOCKS_MAX);
        return NULL;
    }
    if (!b->rows)
        b->rows = calloc(CONTENT_BLOCKS_MAX, sizeof(struct content_block *));
    k = b->rows ? calloc(1, sizeof(*k)) : NULL;
    if (!k) {
        err_nomem(e);
        return NULL;
    }
    b->rows[b->n++] = k;
    k->kind = kind;
    k->call = call;
    k->indexed = json_int(index, &k->index);
    for (size_t i = 0; i < CONTENT_TEXTS; i++)
        buf_init(&k->texts[i], CONTENT_BLOCKS_BYTES_MAX);
    buf_init(&k->members, CONTENT_MEMBERS_BYTES_MAX);
    json_write_init(&k->writer, &k->members);
    return k;
}

void
content_blocks_set_type(struct content_block *k, const char *type)
{
    snprintf(k->names[k->n_names++], CONTENT_MEMBER_MAX, "type");
    json_member_str(&k->writer, "type", type);
}

static bool
add_block_text(struct content_block *to, const char *name, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    for (size_t i = 0; s && i < CONTENT_TEXTS; i++) {
        if (strcmp(text_names[i], name) != 0)
            continue;
        to->has_text[i] = true;
        buf_add(&to->texts[i], s, n);
        return true;
    }
    return false;
}

static bool
has_member(const struct content_block *k, const char *name)
{
    for (size_t i = 0; i < k->n_names; i++) {
        if (strcmp(k->names[i], name) == 0)
            return true;
    }
    return false;
}

static size_t
block_bytes(const struct content_block *k)
{
    size_t n = k->members.len;

    for (size_t i = 0; i < CONTENT_TEXTS; i++)
        n += k->texts[i].len;
    return n;
}

static bool
is_bad(const struct content_block *k)
{
    bool bad = k->members.bad;

    for (size_t i = 0; i < CONTENT_TEXTS; i++)
        bad |= k->texts[i].bad;
    return bad;
}

static void
add_member(struct content_blocks *b, struct content_block *to, const char *name,
           const struct json *v)
{
    size_t n = strlen(name);

    if (has_member(to, name))
        return;
    if (to->n_names == CONTENT_MEMBERS_MAX || n >= CONTENT_MEMBER_MAX) {
        b->lost = true;
        return;
    }
    memcpy(to->names[to->n_names++], name, n + 1);
    json_key(&to->writer, name);
    json_put_value(&to->writer, v);
}

void
content_blocks_add_member(struct content_blocks *b, struct content_block *to,
                          const char *name, const struct json *v)
{
    size_t before = block_bytes(to);

    if (b->lost || json_type(v) == JSON_NULL)
        return;
    if (!add_block_text(to, name, v))
        add_member(b, to, name, v);
    b->bytes += block_bytes(to) - before;
    if (is_bad(to) || b->bytes > CONTENT_BLOCKS_BYTES_MAX)
        b->lost = true;
}

void
content_blocks_add(struct content_blocks *b, struct content_block *to,
                   const struct json *object)
{
    for (const struct json *v = json_first(object); v; v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);

        if (strlen(name) == n)
            content_blocks_add_member(b, to, name, v);
        else
            b->lost = true; /* a NUL in a name */
    }
}

bool
content_block_agrees(const struct content_block *k, const char *name,
                     const struct json *v)
{
    CLEANUP_BUF struct buf text = buf_of(CONTENT_MEMBERS_BYTES_MAX + 2);
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *mine;

    if (json_type(v) == JSON_NULL)
        return true;
    buf_printf(&text, "{%s}", k->members.p);
    root = text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
    mine = json_get(root, name);
    return root && (!mine || json_equal(mine, v));
}

void
content_blocks_remove_call(struct content_blocks *b, size_t call)
{
    for (size_t i = 0; i < b->n; i++) {
        if (b->rows[i]->call > call)
            b->rows[i]->call--;
    }
}

static void
write_block(const struct content_block *k, struct json_writer *w)
{
    json_open_object(w);
    if (k->members.len > 0) {
        buf_add(w->out, k->members.p, k->members.len);
        w->comma = true;
    }
    for (size_t i = 0; i < CONTENT_TEXTS; i++) {
        if (!k->has_text[i])
            continue;
        json_key(w, text_names[i]);
        json_put_strn(w, k->texts[i].p, k->texts[i].len);
    }
    json_close_object(w);
}

size_t
content_blocks_write(const struct content_blocks *b, size_t call,
                     struct buf *out)
{
    struct json_writer w;
    size_t n = 0;

    json_write_init(&w, out);
    json_open_array(&w);
    for (size_t i = 0; i < b->n; i++) {
        const struct content_block *k = b->rows[i];

        if (k->call != call ||
            (k->kind != CONTENT_TEXT && k->kind != CONTENT_THINKING))
            continue;
        write_block(k, &w);
        n++;
    }
    json_close_array(&w);
    return n;
}

bool
content_blocks_has_thinking(const struct content_blocks *b)
{
    for (size_t i = 0; i < b->n && !b->lost; i++) {
        if (b->rows[i]->kind == CONTENT_THINKING)
            return true;
    }
    return false;
}
