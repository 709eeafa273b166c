/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sessions.h - for tests of the store of sessions: one of their own. */
#ifndef TESTS_UNIT_SESSIONS_H
#define TESTS_UNIT_SESSIONS_H

#include "base/file.h"
#include "record/session_store.h"
#include "tests/unit/record.h"

#define ROOM 4096

struct stored {
    struct place place;
    char file[192];
    struct session_store *s;
    char id[SESSION_ID_SIZE]; /* of a session that is there */
};

static inline struct session_store *
open_store(void)
{
    struct err e = {0};
    struct session_store *s = session_store_open(&e);

    if (!s)
        fail_msg("%s", e.text);
    return s;
}

static inline void
make_session(struct session_store *s, const char *directory, const char *title,
             char id[SESSION_ID_SIZE])
{
    const struct session_info in = {.directory = directory, .title = title};
    struct err e = {0};

    if (session_id_make(id, &e) < 0 || session_store_create(s, id, &in, &e) < 0)
        fail_msg("%s", e.text);
}

static inline void
stored_enter(struct stored *t)
{
    place_enter(&t->place);
    snprintf(t->file, sizeof(t->file), "%s/sessions.db", t->place.dir);
    t->s = open_store();
    make_session(t->s, "/work", "first", t->id);
}

static inline void
stored_leave(struct stored *t)
{
    session_store_close(t->s);
    place_leave(&t->place);
}

static inline void
append_text(struct session_store *s, const char *id, const char *text)
{
    struct err e = {0};

    if (session_store_append(s, id, "said", text, strlen(text), &e) < 0)
        fail_msg("%s", e.text);
}

/* Adds "NUMBER KIND TEXT;" to a text of ROOM bytes. */
static inline int
put_item(void *arg, int64_t number, const char *kind, const char *text,
         size_t n)
{
    char *out = arg;
    size_t len = strlen(out);

    assert_int_equal(strlen(text), n);
    snprintf(out + len, ROOM - len, "%lld %s %s;", (long long)number, kind,
             text);
    return 0;
}

/* Counts the items; their numbers have no gaps. */
static inline int
count_item(void *arg, int64_t number, const char *kind, const char *text,
           size_t n)
{
    int64_t *last = arg;

    (void)kind;
    (void)text;
    (void)n;
    assert_int_equal(number, *last + 1);
    *last = number;
    return 0;
}

static inline int64_t
count_items_of(struct session_store *s, const char *id)
{
    struct err e = {0};
    int64_t n = 0;

    if (session_store_read(s, id, 0, count_item, &n, &e) < 0)
        fail_msg("%s", e.text);
    return n;
}

#endif
