/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_body.c - an event's members as JSON, without secrets. */
#include <stdio.h>
#include <string.h>

#include "base/redact.h"
#include "base/secret_name.h"
#include "base/utf8.h"
#include "record/journal_in.h"
#include "json/write.h"

#define NAME_MAX_BYTES 128
/* What is redacted of a text beyond what is kept, so that a secret across the
 * end of that is seen whole. One across the end of all that is looked at is
 * not, so that as much is dropped of what comes of it. */
#define BEYOND       (8u << 10)
#define LOOK_MAX     (JOURNAL_TEXT_MAX + BEYOND)
#define REDACTED_MAX (4u * LOOK_MAX)

/* Redacted and cut; *cut says whether something is left out. */
static void
clean(const char *text, size_t n, struct buf *out, bool *cut)
{
    CLEANUP_BUF struct buf mended = buf_of(3 * LOOK_MAX);
    size_t keep = JOURNAL_TEXT_MAX;

    *cut = n > LOOK_MAX;
    (void)utf8_mend(&mended, text, *cut ? LOOK_MAX : n);
    (void)redact(mended.p, mended.len, out);
    if (*cut && out->len < keep + BEYOND)
        keep = out->len > BEYOND ? out->len - BEYOND : 0;
    if (out->len > keep) {
        buf_cut(out, utf8_boundary(out->p, out->len, keep));
        *cut = true;
    }
}

static void
put_size(struct json_writer *w, const char *name, size_t n)
{
    char size[NAME_MAX_BYTES];

    snprintf(size, sizeof(size), "%s_bytes", name);
    json_member_int(w, size, (int64_t)n);
}

static void
put_text(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf text = buf_of(REDACTED_MAX);
    size_t n = m->len == SIZE_MAX ? strlen(m->text) : m->len;
    bool cut;

    clean(m->text, n, &text, &cut);
    json_key(w, m->name);
    json_put_strn(w, text.p, text.len);
    if (cut || text.bad)
        put_size(w, m->name, n);
}

static void put_tree(struct json_writer *w, const struct json *v);

/* A text below a name that says that it is a secret is one. */
static void
put_string(struct json_writer *w, const struct json *v)
{
    CLEANUP_BUF struct buf text = buf_of(REDACTED_MAX);
    const struct secret_name *secret;
    size_t n = 0, name_len = 0;
    const char *p = json_str(v, &n);
    const char *name = json_name(v, &name_len);
    bool cut;

    secret = name && n > 0 ? secret_name_find(name, name_len) : NULL;
    if (secret && !secret->weak && p[0] != '$') {
        buf_printf(&text, "[redacted:%s]", secret->kind);
        json_put_strn(w, text.p, text.len);
        return;
    }
    clean(p, n, &text, &cut);
    json_put_strn(w, text.p, text.len);
}

static void
put_children(struct json_writer *w, const struct json *v)
{
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        size_t n;
        const char *name = json_name(c, &n);

        if (name)
            json_keyn(w, name, n);
        put_tree(w, c);
    }
}

/* As deep as json/ reads: JSON_DEPTH_MAX. */
static void
put_tree(struct json_writer *w, const struct json *v)
{
    switch (json_type(v)) {
    case JSON_STRING:
        put_string(w, v);
        break;
    case JSON_ARRAY:
        json_open_array(w);
        put_children(w, v);
        json_close_array(w);
        break;
    case JSON_OBJECT:
        json_open_object(w);
        put_children(w, v);
        json_close_object(w);
        break;
    default:
        json_put_value(w, v);
    }
}

/* A tree that is too large is left out as a whole: half of one is none. */
static void
put_json(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf tree = buf_of(JOURNAL_BODY_MAX);
    struct json_writer in;

    json_write_init(&in, &tree);
    put_tree(&in, m->json);
    if (!tree.bad && tree.len <= 4 * JOURNAL_TEXT_MAX) {
        json_key(w, m->name);
        json_put_raw(w, tree.p, tree.len);
    } else {
        put_size(w, m->name, tree.len);
    }
}

static void
put_member(struct json_writer *w, const struct journal_member *m)
{
    switch (m->type) {
    case JOURNAL_TEXT:
        if (m->text)
            put_text(w, m);
        break;
    case JOURNAL_INT:
        json_member_int(w, m->name, m->number);
        break;
    case JOURNAL_BOOL:
        json_member_bool(w, m->name, m->number != 0);
        break;
    case JOURNAL_JSON:
        if (m->json)
            put_json(w, m);
        break;
    }
}

int
journal_body(const struct journal_member *members, struct buf *out,
             struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    for (; members->name; members++)
        put_member(&w, members);
    json_close_object(&w);
    return buf_ok(out, "an event of the journal", e);
}
