/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - tables in a file, by SQLite. */
#include "record/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "record/sqlite_calls.h"

#define VALUE_MAX (4 << 20) /* bytes of one value or row: ours have 1 MiB */
/* Pages of the log: what each opening has to look through (a microsecond each),
 * so few; but folding them in waits for the disk twice, so not too few. While a
 * run is under way only when they are many. */
#define FOLD_PAGES 256
#define FULL_PAGES 4096

struct store {
    struct sqlite_calls calls;
    sqlite3 *db;
    char *path;
    int log_fd; /* of the commits that are not in the file yet; -1 */
    int pages;  /* in it */
    int busy_ms;
};

struct query {
    struct store *store;
    sqlite3_stmt *stmt;
};

/* What SQLite says in words of ours; the others are ERR_IO. */
struct failure {
    int primary; /* result code, its low byte */
    enum err_code code;
    int sys;
    const char *text; /* NULL: SQLite's own */
};

static const struct failure failures[] = {
    {SQLITE_BUSY, ERR_TIMEOUT, 0, "locked by another process"},
    {SQLITE_LOCKED, ERR_TIMEOUT, 0, "locked by another process"},
    {SQLITE_FULL, ERR_IO, ENOSPC, "the disk is full"},
    {SQLITE_READONLY, ERR_PERMISSION, EROFS, "it is read-only"},
    {SQLITE_PERM, ERR_PERMISSION, EACCES, NULL},
    {SQLITE_AUTH, ERR_PERMISSION, EACCES, NULL},
    {SQLITE_CORRUPT, ERR_PARSE, 0, "it is damaged"},
    {SQLITE_NOTADB, ERR_PARSE, 0, "it is not a database"},
    {SQLITE_CONSTRAINT, ERR_PARSE, 0, "its rows are inconsistent"},
    {SQLITE_ERROR, ERR_PARSE, 0, "its tables do not match those of a journal"},
    {SQLITE_NOMEM, ERR_NOMEM, ENOMEM, "out of memory"},
};

static int
fail(const struct store *s, int rc, struct err *e)
{
    const char *why = s->db ? s->calls.errmsg(s->db) : s->calls.errstr(rc);
    int sys = s->db ? s->calls.system_errno(s->db) : 0;

    if (rc == SQLITE_CANTOPEN_SYMLINK)
        return err_set(e, ERR_PERMISSION, "%s is a symbolic link", s->path);
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        const struct failure *f = &failures[i];

        if (f->primary != (rc & 0xff))
            continue;
        err_set(e, f->code, "%s: %s", s->path, f->text ? f->text : why);
        if (e)
            e->sys = f->sys;
        return -1;
    }
    if ((rc & 0xff) == SQLITE_CANTOPEN && (sys == ENOENT || sys == 0))
        return err_set(e, ERR_IO, "cannot open %s, or a file next to it",
                       s->path);
    if (sys != 0 && ((rc & 0xff) == SQLITE_IOERR || /* it tells no more */
                     (rc & 0xff) == SQLITE_CANTOPEN)) {
        errno = sys;
        return err_sys(e, "%s", s->path);
    }
    return err_set(e, ERR_IO, "%s: %s", s->path, why);
}

/* The file may be anybody's: nothing in it is run. And what is not folded in
 * at a close is not lost, so that closing needs no fsync. */
static int
harden(struct store *s, struct err *e)
{
    static const struct {
        int option, value;
    } rows[] = {
        {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        int rc = s->calls.db_config(s->db, rows[i].option, rows[i].value, NULL);

        if (rc != SQLITE_OK)
            return fail(s, rc, e);
    }
    (void)s->calls.limit(s->db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
    return store_exec(s, "PRAGMA synchronous=NORMAL", e);
}

/* A log that is only folded in, and not emptied, is folded in again by the
 * next process: that it was is known to those alone who have it open. Where
 * others read or write, that is left to them. */
static void
fold(struct store *s)
{
    s->pages = 0;
    (void)s->calls.busy_timeout(s->db, 0);
    (void)s->calls.checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                 NULL);
    (void)s->calls.busy_timeout(s->db, s->busy_ms);
}

static int
on_commit(void *arg, sqlite3 *db, const char *name, int pages)
{
    struct store *s = arg;

    (void)db;
    (void)name;
    s->pages = pages;
    if (pages >= FULL_PAGES)
        fold(s);
    return SQLITE_OK;
}

/* The real path of its directory: SQLite is to refuse links, but only the file
 * itself must be none. */
static char *
real_path(const char *path, struct err *e)
{
    const char *name = path_base(path);
    CLEANUP(free_p) char *dir = strndup(path, (size_t)(name - path));
    CLEANUP(free_p) char *real = dir ? realpath(*dir ? dir : ".", NULL) : NULL;
    char *out = real ? path_join(real, name) : NULL;

    if (!out)
        err_sys(e, "%s", path);
    return out;
}

struct store *
store_open(const char *path, enum store_mode mode, int busy_ms, struct err *e)
{
    CLEANUP(store_close_p) struct store *s = calloc(1, sizeof(*s));
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
                SQLITE_OPEN_EXRESCODE |
                (mode == STORE_WRITE ? SQLITE_OPEN_READWRITE
                                     : SQLITE_OPEN_READONLY);
    int rc;

    if (!s) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    s->log_fd = -1;
    s->path = real_path(path, e);
    if (!s->path || sqlite_calls_open(&s->calls, e) < 0)
        return NULL;
    rc = s->calls.open_v2(s->path, &s->db, flags, NULL);
    if (rc != SQLITE_OK) {
        fail(s, rc, e);
        return NULL;
    }
    /* SQLite is content with reading where it cannot write */
    if (mode == STORE_WRITE && s->calls.db_readonly(s->db, "main") == 1) {
        fail(s, SQLITE_READONLY, e);
        return NULL;
    }
    store_wait(s, busy_ms);
    (void)s->calls.wal_hook(s->db, on_commit, s);
    return harden(s, e) < 0 ? NULL : TAKE_PTR(s);
}

void
store_close(struct store *s)
{
    if (!s)
        return;
    if (s->db)
        s->calls.close(s->db);
    sqlite_calls_close(&s->calls);
    fd_close_p(&s->log_fd);
    free(s->path);
    free(s);
}

void
store_wait(struct store *s, int busy_ms)
{
    s->busy_ms = busy_ms;
    (void)s->calls.busy_timeout(s->db, busy_ms);
}

int
store_exec(struct store *s, const char *sql, struct err *e)
{
    int rc = s->calls.exec(s->db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? 0 : fail(s, rc, e);
}

struct query *
store_query(struct store *s, const char *sql, struct err *e)
{
    CLEANUP(query_free_p) struct query *q = calloc(1, sizeof(*q));
    int rc;

    if (!q) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    q->store = s;
    rc = s->calls.prepare_v2(s->db, sql, -1, &q->stmt, NULL);
    if (rc != SQLITE_OK) {
        fail(s, rc, e);
        return NULL;
    }
    return TAKE_PTR(q);
}

void
query_free(struct query *q)
{
    if (!q)
        return;
    (void)q->store->calls.finalize(q->stmt);
    free(q);
}

void
query_bind_int(struct query *q, int at, int64_t v)
{
    (void)q->store->calls.bind_int64(q->stmt, at, v);
}

void
query_bind_text(struct query *q, int at, const char *p, size_t n)
{
    (void)q->store->calls.bind_text(q->stmt, at, p, (int)n, SQLITE_STATIC);
}

int
query_step(struct query *q, struct err *e)
{
    int rc = q->store->calls.step(q->stmt);

    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : fail(q->store, rc, e);
}

void
query_reset(struct query *q)
{
    (void)q->store->calls.reset(q->stmt);
}

int64_t
query_int(struct query *q, int column)
{
    return q->store->calls.column_int64(q->stmt, column);
}

const char *
query_text(struct query *q, int column, size_t *n)
{
    const char *p = (const char *)q->store->calls.column_text(q->stmt, column);
    int bytes = q->store->calls.column_bytes(q->stmt, column);

    if (n)
        *n = p && bytes > 0 ? (size_t)bytes : 0;
    return p ? p : "";
}

int
store_number(struct store *s, const char *sql, int64_t *out, struct err *e)
{
    CLEANUP(query_free_p) struct query *q = store_query(s, sql, e);
    int rc = q ? query_step(q, e) : -1;

    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(e, ERR_PARSE, "%s is damaged", s->path);
    *out = query_int(q, 0);
    return 0;
}

/* SQLite has its locks on the file and its index, so that the log may be
 * opened and closed beside it. */
int
store_sync(struct store *s, bool soon, struct err *e)
{
    CLEANUP(free_p) char *log = NULL;

    if (s->log_fd < 0) {
        log = path_beside(s->path, "-wal");
        if (!log)
            return err_set(e, ERR_NOMEM, "out of memory");
        s->log_fd = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
    if (s->log_fd < 0 || (!soon && fsync(s->log_fd) < 0))
        return err_sys(e, "%s-wal", s->path);
    if (soon)
        file_sync_soon(s->log_fd);
    return 0;
}

void
store_fold(struct store *s)
{
    if (s->pages >= FOLD_PAGES)
        fold(s);
}
