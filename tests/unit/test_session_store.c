/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_session_store.c - sessions are kept, listed, and gone when deleted. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"
#include "record/journal.h"
#include "tests/unit/sessions.h"

#define FILE_MAX (64u << 20)

/* Adds "DIRECTORY TITLE SETTINGS ROOTS;" to a text of ROOM bytes. */
static int
put_info(void *arg, const struct session_info *info)
{
    char *out = arg;
    size_t len = strlen(out);

    assert_int_equal(strlen(info->id), SESSION_ID_SIZE - 1);
    assert_true(info->created_ms > 0);
    assert_true(info->updated_ms >= info->created_ms);
    snprintf(out + len, ROOM - len, "%s %s %s %s;", info->directory,
             info->title, info->settings, info->roots);
    return 0;
}

static void
assert_info(struct stored *t, const char *wanted)
{
    char out[ROOM] = "";

    assert_int_equal(session_store_info(t->s, t->id, put_info, out, NULL), 0);
    assert_string_equal(out, wanted);
}

static void
members_that_are_null_stay(void **state)
{
    struct stored t;

    (void)state;
    stored_enter(&t);
    assert_info(&t, "/work first {} [];");
    assert_int_equal(
        session_store_update(
            t.s, t.id, &(struct session_info){.settings = "{\"a\":1}"}, NULL),
        0);
    assert_info(&t, "/work first {\"a\":1} [];");
    assert_int_equal(
        session_store_update(
            t.s, t.id,
            &(struct session_info){.title = "", .roots = "[\"/other\"]"}, NULL),
        0);
    assert_info(&t, "/work  {\"a\":1} [\"/other\"];");
    assert_int_equal(
        session_store_update(
            t.s, t.id, &(struct session_info){.directory = "/elsewhere"}, NULL),
        0);
    assert_info(&t, "/elsewhere  {\"a\":1} [\"/other\"];");
    stored_leave(&t);
}

static void
items_come_in_order_after_a_restart(void **state)
{
    struct stored t;
    char out[ROOM] = "", rest[ROOM] = "", none[ROOM] = "", back[ROOM] = "";

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "a");
    assert_int_equal(session_store_append(t.s, t.id, "asked", "b", 1, NULL), 0);
    append_text(t.s, t.id, "");
    append_text(t.s, t.id, "\xc3\xa4");
    session_store_close(t.s);
    t.s = open_store();
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, out, NULL), 0);
    assert_string_equal(out, "1 said a;2 asked b;3 said ;4 said \xc3\xa4;");
    assert_int_equal(session_store_read(t.s, t.id, 2, put_item, rest, NULL), 0);
    assert_string_equal(rest, "3 said ;4 said \xc3\xa4;");
    assert_int_equal(session_store_read_back(t.s, t.id, put_item, back, NULL),
                     0);
    assert_string_equal(back, "4 said \xc3\xa4;3 said ;2 asked b;1 said a;");
    assert_int_equal(
        session_store_read(t.s, t.id, INT64_MAX, put_item, none, NULL), 0);
    assert_string_equal(none, "");
    stored_leave(&t);
}

static int
stop_at_once(void *arg, int64_t number, const char *kind, const char *text,
             size_t n)
{
    put_item(arg, number, kind, text, n);
    return 1;
}

static void
a_callback_ends_the_reading(void **state)
{
    struct stored t;
    char out[ROOM] = "";

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "a");
    append_text(t.s, t.id, "b");
    assert_int_equal(session_store_read(t.s, t.id, 0, stop_at_once, out, NULL),
                     0);
    assert_string_equal(out, "1 said a;");
    stored_leave(&t);
}

/* An item, or a session, that is refused; a kind of NULL: a session. */
struct refusal {
    const char *what;
    const char *kind, *text;
    size_t n;
    struct session_info info;
    enum err_code code;
};

static char much[SESSION_ITEM_MAX + 1], long_title[SESSION_TITLE_MAX + 2];

#define ITEM(w, k, t, l, c)                                                    \
    {                                                                          \
        .what = (w), .kind = (k), .text = (t), .n = (l), .code = (c)           \
    }
#define SESSION(w, c, ...)                                                     \
    {                                                                          \
        .what = (w), .info = {__VA_ARGS__}, .code = (c)                        \
    }

static const struct refusal refusals[] = {
    ITEM("a NUL", "said", "a\0b", 3, ERR_INVALID),
    ITEM("half a character", "said", "\xc3", 1, ERR_INVALID),
    ITEM("a surrogate", "said", "\xed\xa0\x80", 3, ERR_INVALID),
    ITEM("no kind", "", "a", 1, ERR_INVALID),
    ITEM("a kind that is no text", "\xff", "a", 1, ERR_INVALID),
    ITEM("a long kind", long_title, "a", 1, ERR_NOMEM),
    ITEM("a large item", "said", much, sizeof(much), ERR_NOMEM),
    SESSION("no directory", ERR_INVALID, .title = "a"),
    SESSION("a directory that is no text", ERR_INVALID, .directory = "/\xff"),
    SESSION("a long title", ERR_NOMEM, .directory = "/", .title = long_title),
    SESSION("settings that are no JSON", ERR_INVALID, .directory = "/",
            .settings = "{"),
    SESSION("roots that are no list", ERR_INVALID, .directory = "/",
            .roots = "{}"),
};

static void
what_is_no_text_or_too_large_is_refused(void **state)
{
    struct stored t;

    (void)state;
    memset(much, 'a', sizeof(much));
    memset(long_title, 'a', sizeof(long_title) - 1);
    stored_enter(&t);
    for (size_t i = 0; i < N_OF(refusals); i++) {
        const struct refusal *r = &refusals[i];
        struct err e = {0};
        int rc = r->kind
                     ? session_store_append(t.s, t.id, r->kind, r->text, r->n,
                                            &e)
                     : session_store_create(t.s,
                                            "0123456789abcdef0123456789abcdef",
                                            &r->info, &e);

        if (rc != -1 || e.code != r->code)
            fail_msg("%s: %d, %d %s", r->what, rc, e.code, e.text);
    }
    assert_int_equal(count_items_of(t.s, t.id), 0);
    assert_int_equal(
        session_store_append(t.s, t.id, "said", much, SESSION_ITEM_MAX, NULL),
        0);
    stored_leave(&t);
}

/* What SQL makes of a session before an item of two bytes is added. */
static void
assert_append(struct stored *t, const char *sql, enum err_code code)
{
    struct err e = {0};
    int rc;

    place_sql(t->file, sql);
    rc = session_store_append(t->s, t->id, "said", "ab", 2, &e);
    if (e.code != code || (rc < 0) != (code != ERR_NONE))
        fail_msg("%s: %d, %d %s", sql, rc, e.code, e.text);
}

static void
a_session_is_bounded(void **state)
{
    struct stored t;

    (void)state;
    stored_enter(&t);
    assert_append(&t, "UPDATE session SET bytes = 67108862", ERR_NONE);
    assert_append(&t, "UPDATE session SET bytes = 67108863", ERR_NOMEM);
    assert_append(&t, "UPDATE session SET bytes = 0, items = 65535", ERR_NONE);
    assert_append(&t, "SELECT 1", ERR_NOMEM);
    assert_append(&t, "UPDATE session SET items = -1", ERR_PARSE);
    stored_leave(&t);
}

/* Whether the bytes are in one of the files of the store. */
static bool
is_in_files(const struct stored *t, const char *text)
{
    static const char *const ends[] = {"", "-wal"};

    for (size_t i = 0; i < N_OF(ends); i++) {
        CLEANUP_BUF struct buf bytes = buf_of(FILE_MAX);
        char path[256];

        snprintf(path, sizeof(path), "%s%s", t->file, ends[i]);
        assert_int_equal(file_read(path, &bytes, NULL), 0);
        if (memmem(bytes.p, bytes.len, text, strlen(text)))
            return true;
    }
    return false;
}

static void
secrets_are_redacted_before_they_are_stored(void **state)
{
    static const char *const key = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    struct stored t;
    char text[200], out[ROOM] = "", info[ROOM] = "";

    (void)state;
    stored_enter(&t);
    snprintf(text, sizeof(text), "the token is %s he said", key);
    append_text(t.s, t.id, text);
    assert_int_equal(session_store_update(t.s, t.id,
                                          &(struct session_info){.title = text},
                                          NULL),
                     0);
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, out, NULL), 0);
    assert_non_null(strstr(out, "1 said the token is [redacted:"));
    assert_non_null(strstr(out, " he said;"));
    assert_int_equal(session_store_info(t.s, t.id, put_info, info, NULL), 0);
    assert_non_null(strstr(info, "[redacted:"));
    assert_true(is_in_files(&t, "he said"));
    assert_false(is_in_files(&t, key));
    stored_leave(&t);
}

static int
count_info(void *arg, const struct session_info *info)
{
    (void)info;
    ++*(int *)arg;
    return 0;
}

static void
assert_not_found(struct session_store *s, const char *id)
{
    char out[ROOM] = "";
    int n = 0;
    const struct session_info in = {.title = "a"};
    struct err e[5] = {{0}};

    assert_int_equal(session_store_append(s, id, "said", "a", 1, &e[0]), -1);
    assert_int_equal(session_store_read(s, id, 0, put_item, out, &e[1]), -1);
    assert_int_equal(session_store_info(s, id, count_info, &n, &e[2]), -1);
    assert_int_equal(session_store_update(s, id, &in, &e[3]), -1);
    assert_int_equal(session_store_delete(s, id, &e[4]), -1);
    for (size_t i = 0; i < N_OF(e); i++)
        assert_int_equal(e[i].code, ERR_NOT_FOUND);
    assert_int_equal(n, 0);
}

static void
an_unknown_id_is_not_found(void **state)
{
    static const char *const ids[] = {
        "", "0", "00000000000000000000000000000000", "' OR 1 --",
        "0000000000000000000000000000000000000000000000000000000000000000"};
    struct stored t;
    char longer[SESSION_ID_SIZE + 1];

    (void)state;
    stored_enter(&t);
    for (size_t i = 0; i < N_OF(ids); i++)
        assert_not_found(t.s, ids[i]);
    snprintf(longer, sizeof(longer), "%s0", t.id);
    assert_not_found(t.s, longer);
    stored_leave(&t);
}

/* Rows of all sizes, so that pages are full and rows move. */
#define SESSIONS 12
#define ROWS     600

/* A text that names its session in each of its words. */
static void
append_words(struct session_store *s, const char *id, int session, size_t words)
{
    CLEANUP_BUF struct buf text = buf_of(SESSION_ITEM_MAX);

    for (size_t i = 0; i < words; i++)
        buf_printf(&text, "word%02dx ", session);
    append_text(s, id, text.p);
}

static void
what_is_deleted_is_gone_from_the_file(void **state)
{
    static const size_t words[] = {1, 3, 40, 100, 400, 2000};
    char id[SESSIONS][SESSION_ID_SIZE], title[40];
    struct stored t;
    unsigned chance = 1;

    (void)state;
    stored_enter(&t);
    for (int i = 0; i < SESSIONS; i++) {
        snprintf(title, sizeof(title), "word%02dx", i);
        make_session(t.s, title, title, id[i]);
    }
    for (int i = 0; i < ROWS; i++) {
        chance = chance * 1103515245 + 12345;
        append_words(t.s, id[chance / 65536 % SESSIONS],
                     (int)(chance / 65536 % SESSIONS),
                     words[chance / 1048576 % N_OF(words)]);
    }
    for (int i = 0; i < SESSIONS; i++) {
        snprintf(title, sizeof(title), "word%02dx", i);
        assert_true(is_in_files(&t, title));
        assert_int_equal(session_store_delete(t.s, id[i], NULL), 0);
        if (is_in_files(&t, title))
            fail_msg("of session %d something is left", i);
        assert_not_found(t.s, id[i]);
        assert_true(is_in_files(&t, id[i]));
    }
    assert_int_equal(count_items_of(t.s, t.id), 0);
    stored_leave(&t);
}

static void
a_log_that_another_reads_is_emptied_later(void **state)
{
    struct stored t;
    sqlite3 *db;

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "remarkable");
    assert_int_equal(sqlite3_open(t.file, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "BEGIN; SELECT * FROM item", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(session_store_delete(t.s, t.id, NULL), 0);
    assert_true(is_in_files(&t, "remarkable"));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    session_store_checkpoint(t.s);
    assert_false(is_in_files(&t, "remarkable"));
    stored_leave(&t);
}

static void
a_number_that_none_has_deletes_no_others_items(void **state)
{
    struct err e = {0};
    struct stored t;
    sqlite3 *db;

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "remarkable");
    assert_int_equal(sqlite3_open(t.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "INSERT INTO session SELECT n + (1 << 32), "
                                  "'x', -1, 0, 0, 0, 0, 0 FROM session",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(session_store_expire(t.s, 1, &e), -1);
    assert_int_equal(e.code, ERR_PARSE);
    assert_int_equal(count_items_of(t.s, t.id), 1);
    stored_leave(&t);
}

static void
a_title_that_is_replaced_is_gone_after_a_restart(void **state)
{
    struct stored t;
    char title[SESSION_TITLE_MAX];

    (void)state;
    memset(title, '-', sizeof(title));
    title[sizeof(title) - 1] = '\0';
    memcpy(title + sizeof(title) / 2, "remarkable", 10);
    stored_enter(&t);
    for (int i = 0; i < 2; i++) {
        const char *now = i == 0 ? title : "plain";

        assert_int_equal(
            session_store_update(t.s, t.id,
                                 &(struct session_info){.title = now}, NULL),
            0);
        session_store_close(t.s);
        t.s = open_store();
        assert_int_equal(is_in_files(&t, "remarkable"), i == 0);
    }
    stored_leave(&t);
}

static void
old_sessions_are_deleted(void **state)
{
    struct stored t;
    char other[SESSION_ID_SIZE], newer[SESSION_ID_SIZE];

    (void)state;
    stored_enter(&t);
    make_session(t.s, "/work", "second", other);
    make_session(t.s, "/work", "third", newer);
    append_text(t.s, t.id, "a");
    place_sql(t.file, "UPDATE session SET updated = updated - 864000000 "
                      "WHERE n < 3"); /* ten days */
    assert_int_equal(session_store_expire(t.s, 0, NULL), 0);
    assert_int_equal(session_store_expire(t.s, INT64_MAX, NULL), 0);
    assert_int_equal(session_store_expire(t.s, 11, NULL), 0);
    assert_int_equal(count_items_of(t.s, t.id), 1);
    assert_int_equal(session_store_expire(t.s, 9, NULL), 0);
    assert_not_found(t.s, t.id);
    assert_not_found(t.s, other);
    assert_int_equal(count_items_of(t.s, newer), 0);
    stored_leave(&t);
}

/* How a file came to be none of ours, and what opening it says. */
struct odd_file {
    const char *what, *sql; /* NULL: a text */
    enum err_code code;
};

static const struct odd_file odd_files[] = {
    {"a text", NULL, ERR_PARSE},
    {"another program's", "PRAGMA user_version = 0; PRAGMA application_id = 0",
     ERR_PARSE},
    {"a journal", "PRAGMA application_id = 1634169704", ERR_PARSE},
    {"of a newer version", "PRAGMA user_version = 2", ERR_UNSUPPORTED},
    {"without a table", "DROP TABLE item", ERR_PARSE},
};

static void
a_file_that_is_none_of_ours_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(odd_files); i++) {
        const struct odd_file *o = &odd_files[i];
        struct stored t;
        struct err e = {0};

        stored_enter(&t);
        session_store_close(t.s);
        place_sql(t.file, "PRAGMA wal_checkpoint(TRUNCATE)");
        if (o->sql)
            place_sql(t.file, o->sql);
        else
            assert_int_equal(file_write(t.file, "dear diary\n", 11, 0600, NULL),
                             0);
        t.s = session_store_open(&e);
        if (t.s || e.code != o->code)
            fail_msg("%s: %d %s", o->what, e.code, e.text);
        stored_leave(&t);
    }
}

static void
the_file_is_private(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct stored t;
    struct stat st;
    char path[256];
    struct err e = {0};

    (void)state;
    stored_enter(&t);
    for (size_t i = 0; i < N_OF(ends); i++) {
        snprintf(path, sizeof(path), "%s%s", t.file, ends[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
    }
    session_store_close(t.s);
    assert_int_equal(chmod(t.file, 0644), 0);
    session_store_close(open_store());
    assert_int_equal(stat(t.file, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    snprintf(path, sizeof(path), "%s/elsewhere", t.place.dir);
    assert_int_equal(rename(t.file, path), 0);
    assert_int_equal(symlink(path, t.file), 0);
    t.s = session_store_open(&e);
    assert_null(t.s);
    assert_int_equal(e.code, ERR_PERMISSION);
    stored_leave(&t);
}

static void
a_text_that_was_changed_in_the_file_is_noticed(void **state)
{
    struct stored t;
    char out[ROOM] = "";
    struct err e = {0}, other = {0};

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "a");
    place_sql(t.file, "UPDATE item SET text = CAST(x'ff' AS TEXT);"
                      "UPDATE about SET title = CAST(x'610062' AS TEXT)");
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, out, &e), -1);
    assert_int_equal(e.code, ERR_PARSE);
    assert_int_equal(session_store_info(t.s, t.id, put_info, out, &other), -1);
    assert_int_equal(other.code, ERR_PARSE);
    stored_leave(&t);
}

static void
several_items_are_kept_together_or_not_at_all(void **state)
{
    static char large[SESSION_ITEM_MAX + 1];
    const struct session_item good[] = {{"asked", "a", 1}, {"said", "b", 1}};
    const struct session_item bad[] = {{"asked", "c", 1},
                                       {"said", large, sizeof(large)}};
    struct session_item many[SESSION_BATCH_MAX + 1];
    char out[ROOM] = "";
    struct err e = {0};
    struct stored t;

    (void)state;
    stored_enter(&t);
    memset(large, 'x', sizeof(large));
    for (size_t i = 0; i < SESSION_BATCH_MAX + 1; i++)
        many[i] = good[0];
    assert_int_equal(session_store_append_all(t.s, t.id, good, 2, NULL), 0);
    assert_int_equal(session_store_append_all(t.s, t.id, bad, 2, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    assert_int_equal(
        session_store_append_all(t.s, t.id, many, SESSION_BATCH_MAX + 1, &e),
        -1);
    assert_int_equal(session_store_append_all(t.s, t.id, NULL, 0, NULL), 0);
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, out, NULL), 0);
    assert_string_equal(out, "1 asked a;2 said b;");
    stored_leave(&t);
}

static void
the_oldest_items_are_trimmed(void **state)
{
    CLEANUP_BUF struct buf file = buf_of(FILE_MAX);
    char out[ROOM] = "", rest[ROOM] = "", none[ROOM] = "";
    struct stored t;

    (void)state;
    stored_enter(&t);
    append_text(t.s, t.id, "wordsthatgo");
    append_text(t.s, t.id, "bbbb");
    append_text(t.s, t.id, "cccc");
    assert_int_equal(session_store_trim(t.s, t.id, 19, 0, NULL), 0);
    assert_int_equal(session_store_trim(t.s, t.id, 18, 9, NULL), 0);
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, out, NULL), 0);
    assert_string_equal(out, "2 said bbbb;3 said cccc;");
    append_text(t.s, t.id, "d");
    assert_int_equal(session_store_trim(t.s, t.id, 8, 5, NULL), 0);
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, rest, NULL), 0);
    assert_string_equal(rest, "3 said cccc;4 said d;");
    assert_int_equal(session_store_trim(t.s, t.id, 0, 0, NULL), 0);
    assert_int_equal(session_store_read(t.s, t.id, 0, put_item, none, NULL), 0);
    assert_string_equal(none, "");
    append_text(t.s, t.id, "e");
    session_store_close(t.s);
    t.s = NULL;
    assert_int_equal(file_read(t.file, &file, NULL), 0);
    assert_null(memmem(file.p, file.len, "wordsthatgo", 11));
    stored_leave(&t);
}

static void
only_so_many_of_a_kind_are_kept(void **state)
{
    const struct session_info in = {.directory = "/work",
                                    .settings = "{\"of\":\"x\"}"};
    char id[4][SESSION_ID_SIZE], out[ROOM] = "";
    struct stored t;

    (void)state;
    stored_enter(&t); /* of another kind, and the oldest */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(session_id_make(id[i], NULL), 0);
        assert_int_equal(session_store_create(t.s, id[i], &in, NULL), 0);
    }
    append_text(t.s, id[0], "used again");
    assert_int_equal(session_store_limit(t.s, in.settings, 2, NULL), 0);
    assert_int_equal(session_store_limit(t.s, in.settings, 2, NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(session_store_info(t.s, id[i], put_info, out, NULL) ==
                             0,
                         i == 0 || i == 3);
    assert_int_equal(session_store_info(t.s, t.id, put_info, out, NULL), 0);
    stored_leave(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_are_null_stay),
        cmocka_unit_test(items_come_in_order_after_a_restart),
        cmocka_unit_test(a_callback_ends_the_reading),
        cmocka_unit_test(what_is_no_text_or_too_large_is_refused),
        cmocka_unit_test(a_session_is_bounded),
        cmocka_unit_test(secrets_are_redacted_before_they_are_stored),
        cmocka_unit_test(an_unknown_id_is_not_found),
        cmocka_unit_test(what_is_deleted_is_gone_from_the_file),
        cmocka_unit_test(a_log_that_another_reads_is_emptied_later),
        cmocka_unit_test(a_number_that_none_has_deletes_no_others_items),
        cmocka_unit_test(a_title_that_is_replaced_is_gone_after_a_restart),
        cmocka_unit_test(old_sessions_are_deleted),
        cmocka_unit_test(several_items_are_kept_together_or_not_at_all),
        cmocka_unit_test(the_oldest_items_are_trimmed),
        cmocka_unit_test(only_so_many_of_a_kind_are_kept),
        cmocka_unit_test(a_file_that_is_none_of_ours_is_refused),
        cmocka_unit_test(the_file_is_private),
        cmocka_unit_test(a_text_that_was_changed_in_the_file_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
