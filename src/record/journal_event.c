/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_event.c - makes the body of an event: JSON without secrets. */
#include "record/journal_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/redact.h"
#include "base/secret_name.h"
#include "base/utf8.h"
#include "json/write.h"

#define BODY_MAX (1u << 20) /* of one row, as JSON */

#define NAME_MAX_BYTES 128
/* This much more of a text is redacted than is kept, so that a secret across
 * the end of the kept part is seen as a whole. A secret across the end of the
 * redacted part is not, so as much is dropped from the result. */
#define AHEAD_MAX    (8u << 10)
#define SCANNED_MAX  (JOURNAL_TEXT_MAX + AHEAD_MAX)
#define REDACTED_MAX (4u * SCANNED_MAX)

/* Redacts and truncates a text; *cut tells whether something was left out. */
static void
redact_and_cut(const char *text, size_t n, struct buf *out, bool *cut)
{
    CLEANUP_BUF struct buf mended = buf_of(3 * SCANNED_MAX);
    size_t keep = JOURNAL_TEXT_MAX;

    *cut = n > SCANNED_MAX;
    if (!*cut && utf8_valid(text, n)) {
        (void)redact(text, n, out);
    } else {
        (void)utf8_repair(&mended, text, *cut ? SCANNED_MAX : n);
        (void)redact(mended.p, mended.len, out);
    }
    if (*cut && out->len < keep + AHEAD_MAX)
        keep = out->len > AHEAD_MAX ? out->len - AHEAD_MAX : 0;
    if (out->len > keep) {
        buf_cut(out, utf8_boundary(out->p, out->len, keep));
        *cut = true;
    }
}

static void
put_left_out_size(struct json_writer *w, const char *name, size_t n)
{
    char size[NAME_MAX_BYTES];

    snprintf(size, sizeof(size), "%s_bytes", name);
    json_member_int(w, size, (int64_t)n);
}

static void
put_redacted_text(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf text = buf_of(REDACTED_MAX);
    size_t n = m->len == SIZE_MAX ? strlen(m->text) : m->len;
    bool cut;

    redact_and_cut(m->text, n, &text, &cut);
    json_key(w, m->name);
    json_put_strn(w, text.p, text.len);
    if (cut || text.bad)
        put_left_out_size(w, m->name, n);
}

/* What was left out before it is not told: who wants the end of a text tells of
 * the whole by a number. */
static void
put_redacted_tail(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf text = buf_of(8 * JOURNAL_TAIL_MAX);
    CLEANUP_BUF struct buf mended = buf_of(3 * JOURNAL_TAIL_MAX);

    (void)redact_tail(m->text, m->len, JOURNAL_TAIL_MAX, &text);
    json_key(w, m->name);
    if (utf8_valid(text.p, text.len)) {
        json_put_strn(w, text.p, text.len);
    } else {
        (void)utf8_repair(&mended, text.p, text.len);
        json_put_strn(w, mended.p, mended.len);
    }
}

static void put_tree(struct json_writer *w, const struct json *v);

/* Writes a string redacted; as a whole where its name means a secret. */
static void
put_redacted_string(struct json_writer *w, const struct json *v)
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
    redact_and_cut(p, n, &text, &cut);
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

/* Writes a value with its strings redacted, at most JSON_DEPTH_MAX levels deep.
 */
static void
put_tree(struct json_writer *w, const struct json *v)
{
    switch (json_type(v)) {
    case JSON_STRING:
        put_redacted_string(w, v);
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

/* A value that is too large is left out as a whole: half of it would be no
 * JSON. */
static void
put_tree_member(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf tree = buf_of(BODY_MAX);
    struct json_writer in;

    json_write_init(&in, &tree);
    put_tree(&in, m->json);
    if (!tree.bad && tree.len <= 4 * JOURNAL_TEXT_MAX) {
        json_key(w, m->name);
        json_put_raw(w, tree.p, tree.len);
    } else {
        put_left_out_size(w, m->name, tree.len);
    }
}

static void
put_journal_member(struct json_writer *w, const struct journal_member *m)
{
    switch (m->type) {
    case JOURNAL_TEXT:
        if (m->text)
            put_redacted_text(w, m);
        break;
    case JOURNAL_KNOWN_WORD:
        if (m->text)
            json_member_str(w, m->name, m->text);
        break;
    case JOURNAL_END_OF_TEXT:
        if (m->text)
            put_redacted_tail(w, m);
        break;
    case JOURNAL_INT:
        json_member_int(w, m->name, m->number);
        break;
    case JOURNAL_BOOL:
        json_member_bool(w, m->name, m->number != 0);
        break;
    case JOURNAL_JSON:
        if (m->json)
            put_tree_member(w, m);
        break;
    }
}

/* The members as one JSON object, redacted. -1: they do not fit. */
static int
put_journal_members(const struct journal_member *members, struct buf *out,
                    struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    for (; members->name; members++)
        put_journal_member(&w, members);
    json_close_object(&w);
    return buf_ok(out, "an event of the journal", e);
}

struct journal_event *
journal_event_new(struct journal_file_run *run, const char *kind,
                  const struct journal_member *members, struct err *e)
{
    CLEANUP(journal_event_free_p)
    struct journal_event *event = calloc(1, sizeof(*event));

    if (!event) {
        err_nomem(e);
        return NULL;
    }
    event->run = run;
    event->body = buf_of(BODY_MAX);
    snprintf(event->kind, sizeof(event->kind), "%s", kind);
    ledger_time(ledger_now_ms(), event->time);
    return put_journal_members(members, &event->body, e) < 0 ? NULL
                                                             : TAKE_PTR(event);
}

void
journal_event_free(struct journal_event *first)
{
    while (first) {
        struct journal_event *event = first;

        first = event->next;
        buf_done(&event->body);
        free(event);
    }
}
