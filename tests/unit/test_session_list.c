/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_session_list.c - sessions are listed in pages, while they change. */
#include "tests/unit/unit.h"

#include <dirent.h>

#include "tests/unit/sessions.h"

#define SESSIONS 40
#define PAGE     3
#define CHANGES  200 /* more than there are pages */

/* Adds "TITLE " to a text of ROOM bytes. */
static int
put_title(void *arg, const struct session_info *info)
{
    char *out = arg;
    size_t len = strlen(out);

    snprintf(out + len, ROOM - len, "%s ", info->title);
    return 0;
}

static void
assert_list(struct stored *t, const char *directory, const char *wanted)
{
    char out[ROOM] = "", next[SESSION_CURSOR_SIZE] = "untouched";
    struct err e = {0};

    if (session_store_list(t->s, directory, NULL, 100, put_title, out, next,
                           &e) < 0)
        fail_msg("%s", e.text);
    assert_string_equal(out, wanted);
    assert_string_equal(next, "");
}

static void
the_newest_update_is_first(void **state)
{
    char id[3][SESSION_ID_SIZE];
    struct stored t;

    (void)state;
    stored_enter(&t);
    make_session(t.s, "/work", "second", id[0]);
    make_session(t.s, "/other", "third", id[1]);
    make_session(t.s, "/work", "fourth", id[2]);
    assert_list(&t, NULL, "fourth third second first ");
    assert_list(&t, "/work", "fourth second first ");
    assert_list(&t, "/other", "third ");
    assert_list(&t, "/wor", "");
    append_text(t.s, id[0], "a");
    assert_list(&t, NULL, "second fourth third first ");
    assert_int_equal(
        session_store_update(
            t.s, id[1], &(struct session_info){.directory = "/work"}, NULL),
        0);
    assert_list(&t, "/work", "third second fourth first ");
    assert_list(&t, "/other", "");
    /* a clock that was set back changes nothing */
    place_sql(t.file, "UPDATE session SET updated = updated + 1000000");
    append_text(t.s, t.id, "a");
    assert_list(&t, NULL, "first third second fourth ");
    assert_int_equal(session_store_delete(t.s, id[1], NULL), 0);
    assert_list(&t, NULL, "first second fourth ");
    stored_leave(&t);
}

static int
stop_after_one(void *arg, const struct session_info *info)
{
    put_title(arg, info);
    return 1;
}

static void
pages_go_on_where_the_one_before_ended(void **state)
{
    char id[3][SESSION_ID_SIZE], out[ROOM] = "";
    char next[SESSION_CURSOR_SIZE], last[SESSION_CURSOR_SIZE];
    struct stored t;

    (void)state;
    stored_enter(&t);
    make_session(t.s, "/work", "second", id[0]);
    make_session(t.s, "/work", "third", id[1]);
    make_session(t.s, "/work", "fourth", id[2]);
    assert_int_equal(
        session_store_list(t.s, NULL, NULL, 2, put_title, out, next, NULL), 0);
    assert_string_equal(out, "fourth third ");
    assert_int_equal(
        session_store_list(t.s, NULL, next, 9, stop_after_one, out, last, NULL),
        0);
    assert_string_equal(out, "fourth third second ");
    assert_int_equal(
        session_store_list(t.s, NULL, last, 1, put_title, out, next, NULL), 0);
    assert_string_equal(out, "fourth third second first ");
    assert_string_equal(next, "");
    stored_leave(&t);
}

/* What pages brought while sessions changed. */
struct paging {
    struct stored t;
    char id[SESSIONS][SESSION_ID_SIZE];
    int seen[SESSIONS];
    bool changed[SESSIONS];
    unsigned chance;
};

static int
note_session(void *arg, const struct session_info *info)
{
    struct paging *p = arg;

    for (int i = 0; i < SESSIONS; i++)
        p->seen[i] += strcmp(p->id[i], info->id) == 0;
    return 0;
}

/* Adds a session, updates one and, at times, deletes one. */
static void
change_some(struct paging *p)
{
    char id[SESSION_ID_SIZE];
    int i;

    make_session(p->t.s, "/work", "new", id);
    p->chance = p->chance * 1103515245 + 12345;
    i = (int)(p->chance / 65536 % SESSIONS);
    p->changed[i] = true;
    (void)session_store_append(p->t.s, p->id[i], "said", "a", 1, NULL);
    if (p->chance / 1048576 % 4 == 0)
        (void)session_store_delete(p->t.s, p->id[i], NULL);
}

static void
page_through(struct paging *p, const char *directory)
{
    char cursor[SESSION_CURSOR_SIZE], next[SESSION_CURSOR_SIZE] = "";
    int pages = 0;

    do {
        struct err e = {0};

        memcpy(cursor, next, sizeof(cursor));
        if (session_store_list(p->t.s, directory, pages ? cursor : NULL, PAGE,
                               note_session, p, next, &e) < 0)
            fail_msg("page %d: %s", pages, e.text);
        change_some(p);
    } while (next[0] && ++pages < CHANGES);
    assert_true(pages < CHANGES);
    for (int i = 0; i < SESSIONS; i++) {
        if (p->seen[i] > 1 || (p->seen[i] == 0 && !p->changed[i]))
            fail_msg("session %d was seen %d times", i, p->seen[i]);
    }
}

static void
what_does_not_change_comes_once_while_others_do(void **state)
{
    static struct paging p;

    (void)state;
    for (unsigned round = 0; round < 6; round++) {
        p = (struct paging){.chance = round};
        stored_enter(&p.t);
        for (int i = 0; i < SESSIONS; i++)
            make_session(p.t.s, "/work", "old", p.id[i]);
        page_through(&p, round % 2 ? "/work" : NULL);
        stored_leave(&p.t);
    }
}

static void
assert_damaged(struct stored *t, const char *directory, const char *cursor)
{
    char out[ROOM] = "", next[SESSION_CURSOR_SIZE] = "untouched";
    struct err e = {0};

    if (session_store_list(t->s, directory, cursor, 1, put_title, out, next,
                           &e) != -1 ||
        e.code != ERR_INVALID)
        fail_msg("cursor '%s': %d", cursor, e.code);
    assert_string_equal(out, "");
    assert_string_equal(next, "untouched");
}

/* The cursor with each byte replaced by each other one, too short, and too
 * long. */
static void
try_damages(struct stored *t, const char *directory, const char *cursor)
{
    char bad[SESSION_CURSOR_SIZE + 1];
    size_t len = strlen(cursor);

    for (size_t i = 0; i < len; i++) {
        snprintf(bad, sizeof(bad), "%s", cursor);
        for (int c = 0; c < 256; c++) {
            bad[i] = (char)c;
            if (bad[i] != cursor[i])
                assert_damaged(t, directory, bad);
        }
        snprintf(bad, sizeof(bad), "%.*s", (int)i, cursor);
        assert_damaged(t, directory, bad);
        assert_damaged(t, directory, cursor + 1 + i);
    }
    snprintf(bad, sizeof(bad), "%s0", cursor);
    assert_damaged(t, directory, bad);
}

static void
a_damaged_cursor_is_refused(void **state)
{
    char out[ROOM] = "", all[SESSION_CURSOR_SIZE], one[SESSION_CURSOR_SIZE];
    char id[SESSION_ID_SIZE];
    struct stored t;

    (void)state;
    stored_enter(&t);
    make_session(t.s, "/work", "second", id);
    assert_int_equal(
        session_store_list(t.s, NULL, NULL, 1, put_title, out, all, NULL), 0);
    assert_int_equal(
        session_store_list(t.s, "/work", NULL, 1, put_title, out, one, NULL),
        0);
    try_damages(&t, NULL, all);
    try_damages(&t, "/work", one);
    assert_damaged(&t, "/work", all); /* it is of another list */
    assert_damaged(&t, NULL, one);
    assert_damaged(&t, "/wor", one);
    assert_damaged(&t, NULL, id);
    stored_leave(&t);
}

static void
a_list_of_no_sessions_is_refused(void **state)
{
    char out[ROOM] = "", next[SESSION_CURSOR_SIZE];
    struct stored t;
    struct err e = {0};

    (void)state;
    stored_enter(&t);
    assert_int_equal(
        session_store_list(t.s, NULL, NULL, 0, put_title, out, next, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    stored_leave(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_update_is_first),
        cmocka_unit_test(pages_go_on_where_the_one_before_ended),
        cmocka_unit_test(what_does_not_change_comes_once_while_others_do),
        cmocka_unit_test(a_damaged_cursor_is_refused),
        cmocka_unit_test(a_list_of_no_sessions_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
