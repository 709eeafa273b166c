/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_store.c - keeps sessions and their items in a database. */
#include "record/session_store.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "record/database.h"
#include "record/journal_path.h"
#include "record/ledger.h"
#include "record/session_text.h"

#define FILE_NAME        "sessions.db"
#define WAIT_MS          1000 /* another process writes for some milliseconds */
#define DAY_MS           (24 * 60 * 60 * (int64_t)1000)
#define DIRECTORY_DIGITS 15 /* of the hash, so that the number is positive */

/* The key of an item is the number of its session and its own, so that those of
 * a session are beside each other and need no index. */
#define NUMBER_BITS 32
#define NUMBER_MAX  (((int64_t)1 << NUMBER_BITS) - 1)
#define SESSION_MAX (((int64_t)1 << 30) - 1)

/* With secure_delete, SQLite overwrites the cell of a row that is deleted, but
 * copies of it stay behind where a page was full once and cells moved to
 * another one. Only the part of a row that is in overflow pages is never
 * copied: these belong to one row, and are overwritten as a whole. The part in
 * the cell is at most a page less 35 bytes (SQLite's file format, "B-tree Cell
 * Format"), so each row with texts begins with as many zeros. Pages are small,
 * so that this costs little. */
#define PAGE_BYTES 1024
#define CELL       "zeroblob(989)" /* PAGE_BYTES - 35 */

/* A session that was deleted has no change number. The newest update has the
 * highest one: clocks are set back, and two updates may have the same time. A
 * list of a directory is found by a number that is a part of its hash. */
static const char tables[] =
    "CREATE TABLE session (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    "change INTEGER, created INTEGER NOT NULL, updated INTEGER NOT NULL, items "
    "INTEGER NOT NULL, bytes INTEGER NOT NULL, directory INTEGER NOT NULL);"
    "CREATE UNIQUE INDEX session_change ON session (change) WHERE change IS "
    "NOT NULL;"
    "CREATE INDEX session_directory ON session (directory, change) WHERE "
    "change IS NOT NULL;"
    "CREATE TABLE about (n INTEGER PRIMARY KEY, cell BLOB NOT NULL, directory "
    "TEXT NOT NULL, title TEXT NOT NULL, settings TEXT NOT NULL, roots TEXT "
    "NOT NULL);"
    "CREATE TABLE item (at INTEGER PRIMARY KEY, cell BLOB NOT NULL, kind TEXT "
    "NOT NULL, text TEXT NOT NULL);";

static const struct database_format format = {
    .name = "store of sessions",
    .application = 0x61677373, /* "agss" */
    .version = 1,
    .page_bytes = PAGE_BYTES,
    .tables = tables,
    .helps = "move it away, and a new one is begun",
};

#define NEXT_CHANGE                                                            \
    "1 + (SELECT ifnull(max(change), 0) FROM session WHERE change IS NOT "     \
    "NULL)"

/* The statements that write, and those that they need. */
enum statement {
    FIND,
    CREATE,
    CREATE_ABOUT,
    UPDATE,
    UPDATE_ABOUT,
    ADD_ITEM,
    COUNT_ITEMS,
    OLDEST,
    SURPLUS,
    DELETE_ITEMS,
    DELETE_ABOUT,
    DELETE_SESSION,
    STATEMENT_N
};

static const char *const statements[STATEMENT_N] = {
    [FIND] = "SELECT n, items, bytes FROM session WHERE id = ?1 AND change IS "
             "NOT NULL",
    [CREATE] = "INSERT INTO session VALUES (NULL, ?1, " NEXT_CHANGE
               ", ?2, ?2, 0, 0, ?3)",
    [CREATE_ABOUT] = "INSERT INTO about SELECT n, " CELL ", ?2, ?3, ?4, ?5 "
                     "FROM session WHERE id = ?1",
    [UPDATE] = "UPDATE session SET directory = ifnull(?3, directory), updated "
               "= ?2, change = " NEXT_CHANGE " WHERE n = ?1",
    [UPDATE_ABOUT] = "UPDATE about SET directory = ifnull(?2, directory), "
                     "title = ifnull(?3, title), settings = ifnull(?4, "
                     "settings), roots = ifnull(?5, roots) WHERE n = ?1",
    [ADD_ITEM] = "INSERT INTO item VALUES (?1, " CELL ", ?2, ?3)",
    [COUNT_ITEMS] = "UPDATE session SET items = ?3, bytes = ?4, updated = ?2, "
                    "change = " NEXT_CHANGE " WHERE n = ?1",
    [OLDEST] = "SELECT n FROM session WHERE change IS NOT NULL AND updated < "
               "?1 ORDER BY change LIMIT 1",
    [SURPLUS] = "SELECT s.n FROM session AS s JOIN about AS a ON a.n = s.n "
                "WHERE s.change IS NOT NULL AND a.settings = ?1 ORDER BY "
                "s.change DESC LIMIT 1 OFFSET ?2",
    [DELETE_ITEMS] = "DELETE FROM item WHERE at BETWEEN ?1 AND ?2",
    [DELETE_ABOUT] = "DELETE FROM about WHERE n = ?1",
    [DELETE_SESSION] = "UPDATE session SET change = NULL, created = 0, updated "
                       "= 0, items = 0, bytes = 0, directory = 0 WHERE n = "
                       "?1",
};

struct session_store {
    struct sqlite *db;
    struct sqlite_query *query[STATEMENT_N];
    bool log_has_deleted; /* the write-ahead log may have deleted texts */
};

/* Opening and closing. */

static void
empty_log(struct session_store *s)
{
    s->log_has_deleted = sqlite_empty_log(s->db, NULL) < 0;
}

void
session_store_checkpoint(struct session_store *s)
{
    if (s->log_has_deleted)
        empty_log(s);
    else
        sqlite_checkpoint(s->db);
}

static int
prepare_store(struct session_store *s, struct err *e)
{
    if (sqlite_exec(s->db, "PRAGMA secure_delete=ON", e) < 0)
        return -1;
    for (size_t i = 0; i < STATEMENT_N; i++) {
        s->query[i] = sqlite_query_new(s->db, statements[i], e);
        if (!s->query[i])
            return -1;
    }
    return 0;
}

struct session_store *
session_store_open_quickly(struct err *e)
{
    CLEANUP(session_store_close_p)
    struct session_store *s = calloc(1, sizeof(*s));
    CLEANUP(free_p) char *path = path_of(PATH_STATE, FILE_NAME, e);

    if (!s)
        err_nomem(e);
    if (!s || !path || journal_path_make(path, e) < 0)
        return NULL;
    s->db = database_open(path, SQLITE_MODE_WRITE, WAIT_MS, &format, e);
    if (!s->db || prepare_store(s, e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

/* A process that was killed may have left deleted texts in the log. */
struct session_store *
session_store_open(struct err *e)
{
    struct session_store *s = session_store_open_quickly(e);

    if (s)
        empty_log(s);
    return s;
}

void
session_store_close(struct session_store *s)
{
    if (!s)
        return;
    if (s->db)
        session_store_checkpoint(s);
    for (size_t i = 0; i < STATEMENT_N; i++)
        sqlite_query_free(s->query[i]);
    sqlite_close(s->db);
    free(s);
}

/* What the writing functions share. */

/* The number of a session, and what it holds. */
struct session_row {
    int64_t n, items, bytes;
};

/* Whether it can be a session's: the items of another number would be those of
 * another session. */
static int
check_session_number(int64_t n, struct err *e)
{
    return n < 1 || n > SESSION_MAX
               ? err_set(e, ERR_PARSE, "%s is damaged", FILE_NAME)
               : 0;
}

static int
find_session(struct session_store *s, const char *id, struct session_row *row,
             struct err *e)
{
    struct sqlite_query *q = s->query[FIND];
    int rc;

    sqlite_query_bind_text(q, 1, id, strnlen(id, SESSION_ID_SIZE));
    rc = sqlite_query_step(q, e);
    if (rc > 0)
        *row = (struct session_row){sqlite_query_int(q, 0),
                                    sqlite_query_int(q, 1),
                                    sqlite_query_int(q, 2)};
    sqlite_query_reset(q);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(e, ERR_NOT_FOUND, "no session has this id");
    if (row->items < 0 || row->bytes < 0)
        return err_set(e, ERR_PARSE, "%s is damaged", FILE_NAME);
    return check_session_number(row->n, e);
}

/* Creating and changing sessions. */

static void
bind_string(struct sqlite_query *q, int at, const char *p)
{
    sqlite_query_bind_text(q, at, p, p ? strlen(p) : 0);
}

static int64_t
directory_number(const char *directory)
{
    char hash[SHA256_HEX_SIZE];

    sha256_hex(directory, strlen(directory), hash);
    hash[DIRECTORY_DIGITS] = '\0';
    return (int64_t)strtoull(hash, NULL, 16);
}

static int
insert_session(struct session_store *s, const struct session_info *in,
               const char *id, struct err *e)
{
    struct sqlite_query *q = s->query[CREATE];
    struct sqlite_query *about = s->query[CREATE_ABOUT];

    bind_string(q, 1, id);
    sqlite_query_bind_int(q, 2, ledger_now_ms());
    sqlite_query_bind_int(q, 3, directory_number(in->directory));
    if (sqlite_query_run(q, e) < 0)
        return -1;
    bind_string(about, 1, id);
    bind_string(about, 2, in->directory);
    bind_string(about, 3, in->title ? in->title : "");
    bind_string(about, 4, in->settings ? in->settings : "{}");
    bind_string(about, 5, in->roots ? in->roots : "[]");
    return sqlite_query_run(about, e);
}

int
session_store_create(struct session_store *s, const char *id,
                     const struct session_info *in, struct err *e)
{
    CLEANUP_BUF struct buf title = buf_of(SESSION_TITLE_MAX);
    struct session_info info = *in;

    if (!in->directory)
        return err_set(e, ERR_INVALID, "a session needs a directory");
    if (session_text_check_info(in, e) < 0 ||
        session_text_redact_title(&info, &title, e) < 0 ||
        sqlite_begin(s->db, e) < 0)
        return -1;
    return sqlite_end(s->db, insert_session(s, &info, id, e) == 0, e);
}

static int
update_session(struct session_store *s, const char *id,
               const struct session_info *in, struct err *e)
{
    struct sqlite_query *q = s->query[UPDATE];
    struct sqlite_query *about = s->query[UPDATE_ABOUT];
    struct session_row row;

    if (find_session(s, id, &row, e) < 0)
        return -1;
    sqlite_query_bind_int(q, 1, row.n);
    sqlite_query_bind_int(q, 2, ledger_now_ms());
    if (in->directory)
        sqlite_query_bind_int(q, 3, directory_number(in->directory));
    else
        sqlite_query_bind_text(q, 3, NULL, 0);
    if (sqlite_query_run(q, e) < 0)
        return -1;
    if (!in->directory && !in->title && !in->settings && !in->roots)
        return 0;
    sqlite_query_bind_int(about, 1, row.n);
    bind_string(about, 2, in->directory);
    bind_string(about, 3, in->title);
    bind_string(about, 4, in->settings);
    bind_string(about, 5, in->roots);
    return sqlite_query_run(about, e);
}

int
session_store_update(struct session_store *s, const char *id,
                     const struct session_info *in, struct err *e)
{
    CLEANUP_BUF struct buf title = buf_of(SESSION_TITLE_MAX);
    struct session_info info = *in;

    if (session_text_check_info(in, e) < 0 ||
        session_text_redact_title(&info, &title, e) < 0 ||
        sqlite_begin(s->db, e) < 0)
        return -1;
    return sqlite_end(s->db, update_session(s, id, &info, e) == 0, e);
}

/* Adding items. */

static int
insert_item(struct session_store *s, const struct session_row *row,
            const char *kind, const struct buf *text, struct err *e)
{
    struct sqlite_query *q = s->query[ADD_ITEM];

    sqlite_query_bind_int(q, 1, (row->n << NUMBER_BITS | row->items) + 1);
    bind_string(q, 2, kind);
    sqlite_query_bind_text(q, 3, text->p ? text->p : "", text->len);
    return sqlite_query_run(q, e);
}

static int
count_item(struct session_store *s, const struct session_row *row, size_t bytes,
           struct err *e)
{
    struct sqlite_query *q = s->query[COUNT_ITEMS];

    sqlite_query_bind_int(q, 1, row->n);
    sqlite_query_bind_int(q, 2, ledger_now_ms());
    sqlite_query_bind_int(q, 3, row->items + 1);
    sqlite_query_bind_int(q, 4, row->bytes + (int64_t)bytes);
    return sqlite_query_run(q, e);
}

static int
append_redacted(struct session_store *s, const char *id, const char *kind,
                const struct buf *text, struct err *e)
{
    struct session_row row;

    if (find_session(s, id, &row, e) < 0)
        return -1;
    if (row.bytes + (int64_t)text->len > SESSION_BYTES_MAX)
        return err_set(e, ERR_NOMEM, "the session is larger than %u bytes",
                       SESSION_BYTES_MAX);
    if (row.items >= SESSION_ITEMS_MAX)
        return err_set(e, ERR_NOMEM, "the session has more than %u items",
                       SESSION_ITEMS_MAX);
    if (insert_item(s, &row, kind, text, e) < 0)
        return -1;
    return count_item(s, &row, text->len, e);
}

int
session_store_append(struct session_store *s, const char *id, const char *kind,
                     const char *text, size_t n, struct err *e)
{
    const struct session_item item = {kind, text, n};

    return session_store_append_all(s, id, &item, 1, e);
}

/* Redacts all items before the file is locked. */
static int
redact_items(const struct session_item *items, size_t n, struct buf *clean,
             struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        buf_init(&clean[i], SESSION_ITEM_MAX);
        if (session_text_redact_item(items[i].kind, items[i].text, items[i].n,
                                     &clean[i], e) < 0)
            return -1;
    }
    return 0;
}

static int
append_redacted_items(struct session_store *s, const char *id,
                      const struct session_item *items, size_t n,
                      const struct buf *clean, struct err *e)
{
    if (sqlite_begin(s->db, e) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (append_redacted(s, id, items[i].kind, &clean[i], e) < 0)
            return sqlite_end(s->db, false, e);
    }
    return sqlite_end(s->db, true, e);
}

int
session_store_append_all(struct session_store *s, const char *id,
                         const struct session_item *items, size_t n,
                         struct err *e)
{
    struct buf *clean;
    int rc;

    if (n > SESSION_BATCH_MAX)
        return err_set(e, ERR_NOMEM, "more than %d items at once",
                       SESSION_BATCH_MAX);
    if (!(clean = calloc(n + 1, sizeof(*clean))))
        return err_nomem(e);
    rc = redact_items(items, n, clean, e);
    if (rc == 0)
        rc = append_redacted_items(s, id, items, n, clean, e);
    for (size_t i = 0; i < n; i++)
        buf_done(&clean[i]);
    free(clean);
    return rc;
}

/* Reading. */

/* A text of the row, checked: the file may have been changed. */
static int
read_text(struct sqlite_query *q, int column, const char **text, size_t *n,
          struct err *e)
{
    *text = sqlite_query_text(q, column, n);
    if (memchr(*text, '\0', *n) || !utf8_valid(*text, *n))
        return err_set(e, ERR_PARSE, "%s is damaged", FILE_NAME);
    return 0;
}

/* Hands the row of an item over: 1 to go on, 0 at the callback's wish. */
static int
hand_item(struct sqlite_query *q, session_item_cb *cb, void *arg, struct err *e)
{
    int64_t number = sqlite_query_int(q, 0) & NUMBER_MAX;
    const char *kind, *text;
    size_t n;

    if (number == 0) /* a session without items */
        return 0;
    if (read_text(q, 1, &kind, &n, e) < 0 || read_text(q, 2, &text, &n, e) < 0)
        return -1;
    return cb(arg, number, kind, text, n) == 0;
}

#define READ_ITEMS                                                             \
    "SELECT i.at, i.kind, i.text FROM session AS s LEFT JOIN item AS i ON "    \
    "i.at > (s.n << 32) + ?2 AND i.at < (s.n + 1) << 32 WHERE s.id = ?1 "      \
    "AND s.change IS NOT NULL ORDER BY i.at"

static int
read_items(struct session_store *s, const char *sql, const char *id,
           int64_t after, session_item_cb *cb, void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(s->db, sql, e);
    int rc, found = 0;

    if (!q)
        return -1;
    sqlite_query_bind_text(q, 1, id, strnlen(id, SESSION_ID_SIZE));
    sqlite_query_bind_int(q, 2, after < NUMBER_MAX ? after : NUMBER_MAX);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        found = 1;
        rc = hand_item(q, cb, arg, e);
        if (rc <= 0)
            return rc;
    }
    if (rc == 0 && !found)
        return err_set(e, ERR_NOT_FOUND, "no session has this id");
    return rc;
}

int
session_store_read(struct session_store *s, const char *id, int64_t after,
                   session_item_cb *cb, void *arg, struct err *e)
{
    if (after < 0)
        return err_set(e, ERR_INVALID, "items have numbers above 0");
    return read_items(s, READ_ITEMS, id, after, cb, arg, e);
}

int
session_store_read_back(struct session_store *s, const char *id,
                        session_item_cb *cb, void *arg, struct err *e)
{
    return read_items(s, READ_ITEMS " DESC", id, 0, cb, arg, e);
}

#define INFO_COLUMNS                                                           \
    "SELECT s.id, a.directory, a.title, a.settings, a.roots, s.created, "      \
    "s.updated, s.change FROM session AS s JOIN about AS a ON a.n = s.n "      \
    "WHERE "

/* The texts are borrowed until the next step. */
static int
read_info(struct sqlite_query *q, struct session_info *info, struct err *e)
{
    const char **texts[] = {&info->directory, &info->title, &info->settings,
                            &info->roots};
    const char *id;
    size_t n;

    if (read_text(q, 0, &id, &n, e) < 0)
        return -1;
    snprintf(info->id, sizeof(info->id), "%s", id);
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        if (read_text(q, (int)i + 1, texts[i], &n, e) < 0)
            return -1;
    }
    info->created_ms = sqlite_query_int(q, 5);
    info->updated_ms = sqlite_query_int(q, 6);
    return 0;
}

int
session_store_info(struct session_store *s, const char *id, session_info_cb *cb,
                   void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    struct session_info info;
    int rc;

    q = sqlite_query_new(s->db,
                         INFO_COLUMNS "s.id = ?1 AND s.change IS NOT NULL", e);
    if (!q)
        return -1;
    sqlite_query_bind_text(q, 1, id, strnlen(id, SESSION_ID_SIZE));
    rc = sqlite_query_step(q, e);
    if (rc == 0)
        return err_set(e, ERR_NOT_FOUND, "no session has this id");
    if (rc < 0 || read_info(q, &info, e) < 0)
        return -1;
    (void)cb(arg, &info);
    return 0;
}

/* Hands over up to limit rows. *last becomes the change number of the last one,
 * or 0 when there are no more behind it. */
static int
hand_sessions(struct sqlite_query *q, size_t limit, session_info_cb *cb,
              void *arg, int64_t *last, struct err *e)
{
    struct session_info info;
    int64_t change = 0;
    bool more = true;
    int rc;

    for (size_t n = 0; (rc = sqlite_query_step(q, e)) > 0; n++) {
        if (n == limit || !more)
            break;
        if (read_info(q, &info, e) < 0)
            return -1;
        change = sqlite_query_int(q, 7);
        more = cb(arg, &info) == 0;
    }
    if (rc < 0)
        return -1;
    *last = rc > 0 ? change : 0;
    return 0;
}

int
session_store_list(struct session_store *s, const char *directory,
                   const char *cursor, size_t limit, session_info_cb *cb,
                   void *arg, char next[SESSION_CURSOR_SIZE], struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int64_t below = INT64_MAX, last = 0;

    if (limit == 0)
        return err_set(e, ERR_INVALID, "a list of no sessions");
    if (session_text_check("the directory", directory, SESSION_DIRECTORY_MAX,
                           e) < 0 ||
        (cursor && session_cursor_parse(cursor, directory, &below, e) < 0))
        return -1;
    q = sqlite_query_new(
        s->db,
        directory ? INFO_COLUMNS
            "s.change < ?1 AND s.directory = ?2 AND a.directory = ?3 ORDER BY "
            "s.change DESC"
                  : INFO_COLUMNS "s.change < ?1 ORDER BY s.change DESC",
        e);
    if (!q)
        return -1;
    sqlite_query_bind_int(q, 1, below);
    if (directory) {
        sqlite_query_bind_int(q, 2, directory_number(directory));
        bind_string(q, 3, directory);
    }
    if (hand_sessions(q, limit, cb, arg, &last, e) < 0)
        return -1;
    next[0] = '\0';
    if (last > 0)
        session_cursor_format(last, directory, next);
    return 0;
}

/* Deleting. */

/* Free pages are given back within the transaction: those at the end of the
 * file are then not written at all. */
static int
delete_rows(struct session_store *s, int64_t n, struct err *e)
{
    struct sqlite_query *items = s->query[DELETE_ITEMS];

    if (check_session_number(n, e) < 0)
        return -1;
    sqlite_query_bind_int(items, 1, n << NUMBER_BITS);
    sqlite_query_bind_int(items, 2, n << NUMBER_BITS | NUMBER_MAX);
    sqlite_query_bind_int(s->query[DELETE_ABOUT], 1, n);
    sqlite_query_bind_int(s->query[DELETE_SESSION], 1, n);
    if (sqlite_query_run(items, e) < 0 ||
        sqlite_query_run(s->query[DELETE_ABOUT], e) < 0 ||
        sqlite_query_run(s->query[DELETE_SESSION], e) < 0)
        return -1;
    return sqlite_exec(s->db, "PRAGMA incremental_vacuum", e);
}

static int
find_and_delete(struct session_store *s, const char *id, struct err *e)
{
    struct session_row row;

    if (find_session(s, id, &row, e) < 0)
        return -1;
    return delete_rows(s, row.n, e);
}

int
session_store_delete(struct session_store *s, const char *id, struct err *e)
{
    if (sqlite_begin(s->db, e) < 0 ||
        sqlite_end(s->db, find_and_delete(s, id, e) == 0, e) < 0)
        return -1;
    empty_log(s);
    return 0;
}

/* Deletes the sessions whose numbers the statement finds, one after the other,
 * until it finds none. */
static int
delete_next(struct session_store *s, struct sqlite_query *q, int64_t *n,
            struct err *e)
{
    int rc = sqlite_query_step(q, e);

    *n = rc > 0 ? sqlite_query_int(q, 0) : 0;
    sqlite_query_reset(q);
    if (rc < 0)
        return -1;
    return *n > 0 ? delete_rows(s, *n, e) : 0;
}

static int
delete_each(struct session_store *s, struct sqlite_query *q, struct err *e)
{
    int64_t n = 1;

    while (n > 0) {
        if (sqlite_begin(s->db, e) < 0 ||
            sqlite_end(s->db, delete_next(s, q, &n, e) == 0, e) < 0)
            return -1;
        s->log_has_deleted |= n > 0;
    }
    if (s->log_has_deleted)
        empty_log(s);
    return 0;
}

int
session_store_expire(struct session_store *s, int64_t keep_days, struct err *e)
{
    if (keep_days <= 0 || keep_days > ledger_now_ms() / DAY_MS)
        return 0;
    sqlite_query_bind_int(s->query[OLDEST], 1,
                          ledger_now_ms() - keep_days * DAY_MS);
    return delete_each(s, s->query[OLDEST], e);
}

int
session_store_limit(struct session_store *s, const char *settings, int64_t keep,
                    struct err *e)
{
    bind_string(s->query[SURPLUS], 1, settings);
    sqlite_query_bind_int(s->query[SURPLUS], 2, keep);
    return delete_each(s, s->query[SURPLUS], e);
}

/* The newest item that has to go, and the bytes of the items behind it; 0:
 * none has to. */
static int
find_trim(struct session_store *s, int64_t n, int64_t bytes, int64_t *at,
          int64_t *left, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int rc;

    *at = *left = 0;
    q = sqlite_query_new(s->db,
                         "SELECT at, length(CAST(text AS BLOB)) FROM item "
                         "WHERE at BETWEEN ?1 AND ?2 ORDER BY at DESC",
                         e);
    if (!q)
        return -1;
    sqlite_query_bind_int(q, 1, n << NUMBER_BITS);
    sqlite_query_bind_int(q, 2, n << NUMBER_BITS | NUMBER_MAX);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        int64_t size = sqlite_query_int(q, 1);

        if (*left + size > bytes) {
            *at = sqlite_query_int(q, 0);
            return 0;
        }
        *left += size;
    }
    return rc;
}

static int
trim_rows(struct session_store *s, const char *id, int64_t most, int64_t keep,
          bool *trimmed, struct err *e)
{
    struct sqlite_query *items = s->query[DELETE_ITEMS];
    struct sqlite_query *count = s->query[COUNT_ITEMS];
    struct session_row row;
    int64_t at, left;

    if (find_session(s, id, &row, e) < 0)
        return -1;
    if (row.bytes <= most)
        return 0;
    if (find_trim(s, row.n, keep, &at, &left, e) < 0)
        return -1;
    *trimmed = at > 0;
    sqlite_query_bind_int(items, 1, row.n << NUMBER_BITS);
    sqlite_query_bind_int(items, 2, at);
    sqlite_query_bind_int(count, 1, row.n);
    sqlite_query_bind_int(count, 2, ledger_now_ms());
    sqlite_query_bind_int(count, 3, row.items);
    sqlite_query_bind_int(count, 4, left);
    if (sqlite_query_run(items, e) < 0 || sqlite_query_run(count, e) < 0)
        return -1;
    return sqlite_exec(s->db, "PRAGMA incremental_vacuum", e);
}

int
session_store_trim(struct session_store *s, const char *id, int64_t most,
                   int64_t keep, struct err *e)
{
    bool trimmed = false, done;

    if (sqlite_begin(s->db, e) < 0)
        return -1;
    done = trim_rows(s, id, most, keep, &trimmed, e) == 0;
    if (sqlite_end(s->db, done, e) < 0)
        return -1;
    s->log_has_deleted |= trimmed;
    return 0;
}
