/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.c - loads SQLite when it is needed, and opens, reads and writes a
 * database with it. */
#include "record/sqlite.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "record/log_batch.h"

#define VALUE_MAX (4 << 20) /* bytes of one value or row: ours have 1 MiB */
/* Pages in the write-ahead log at which it is moved into the file: few, since
 * each opening reads them all (a microsecond each), but not too few, since a
 * checkpoint waits for the disk twice. During a run only when they are many. */
#define CHECKPOINT_PAGES     256
#define CHECKPOINT_NOW_PAGES 4096

/* The functions of SQLite that are used, loaded when the first database is
 * opened. */

struct sqlite_calls {
    void *library;
    int (*open_v2)(const char *, sqlite3 **, int, const char *);
    int (*close)(sqlite3 *);
    int (*db_config)(sqlite3 *, int, ...);
    int (*file_control)(sqlite3 *, const char *, int, void *);
    int (*limit)(sqlite3 *, int, int);
    int (*db_readonly)(sqlite3 *, const char *);
    int (*busy_timeout)(sqlite3 *, int);
    int (*system_errno)(sqlite3 *);
    const char *(*errmsg)(sqlite3 *);
    const char *(*errstr)(int);
    int (*exec)(sqlite3 *, const char *, int (*)(void *, int, char **, char **),
                void *, char **);
    int (*prepare_v2)(sqlite3 *, const char *, int, sqlite3_stmt **,
                      const char **);
    int (*finalize)(sqlite3_stmt *);
    int (*bind_int64)(sqlite3_stmt *, int, sqlite3_int64);
    int (*bind_text)(sqlite3_stmt *, int, const char *, int, void (*)(void *));
    int (*step)(sqlite3_stmt *);
    int (*reset)(sqlite3_stmt *);
    sqlite3_int64 (*column_int64)(sqlite3_stmt *, int);
    const unsigned char *(*column_text)(sqlite3_stmt *, int);
    int (*column_bytes)(sqlite3_stmt *, int);
    void *(*wal_hook)(sqlite3 *, int (*)(void *, sqlite3 *, const char *, int),
                      void *);
    int (*checkpoint_v2)(sqlite3 *, const char *, int, int *, int *);
};

struct library_symbol {
    const char *name;
    size_t at; /* offset of its pointer in struct sqlite_calls */
};

#define SYMBOL(name)                                                           \
    {                                                                          \
        "sqlite3_" #name, offsetof(struct sqlite_calls, name)                  \
    }

static const struct library_symbol symbols[] = {
    SYMBOL(open_v2),
    SYMBOL(close),
    SYMBOL(db_config),
    SYMBOL(file_control),
    SYMBOL(limit),
    SYMBOL(db_readonly),
    SYMBOL(busy_timeout),
    SYMBOL(system_errno),
    SYMBOL(errmsg),
    SYMBOL(errstr),
    SYMBOL(exec),
    SYMBOL(wal_hook),
    SYMBOL(prepare_v2),
    SYMBOL(finalize),
    SYMBOL(bind_int64),
    SYMBOL(bind_text),
    SYMBOL(step),
    SYMBOL(reset),
    SYMBOL(column_int64),
    SYMBOL(column_text),
    SYMBOL(column_bytes),
    {"sqlite3_wal_checkpoint_v2", offsetof(struct sqlite_calls, checkpoint_v2)},
};

#define N_SYMBOLS ARRAY_SIZE(symbols)

/* ERR_UNSUPPORTED when the library is not there or is too old. */
static int
load_library(struct sqlite_calls *c, struct err *e)
{
    /* it stays in memory: the program ends soon, or needs it again */
    c->library = dlopen("libsqlite3.so.0",
                        RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!c->library)
        return err_set(e, ERR_UNSUPPORTED, "libsqlite3.so.0 is not installed");
    for (size_t i = 0; i < N_SYMBOLS; i++) {
        /* the way of POSIX to convert the result of dlsym to a function */
        void **at = (void **)(void *)((char *)c + symbols[i].at);

        *at = dlsym(c->library, symbols[i].name);
        if (!*at)
            return err_set(e, ERR_UNSUPPORTED, "libsqlite3.so.0 has no %s",
                           symbols[i].name);
    }
    return 0;
}

static void
unload_library(struct sqlite_calls *c)
{
    if (c->library)
        dlclose(c->library);
    c->library = NULL;
}

struct sqlite {
    struct sqlite_calls calls;
    sqlite3 *db;
    char *path;
    struct sqlite_query *begin, *commit; /* NULL: no transaction began yet */
    struct log_batch *batch; /* NULL: it is not written to, or no memory */
    int log_fd;              /* the write-ahead log; -1: not open */
    int pages;               /* in the write-ahead log */
    int busy_ms;
};

struct sqlite_query {
    struct sqlite *store;
    sqlite3_stmt *stmt;
};

/* Result codes of SQLite and our errors; all others are ERR_IO. */
struct result_row {
    int primary; /* result code, its low byte */
    enum err_code code;
    int sys;
    const char *text; /* NULL: the text of SQLite */
};

static const struct result_row results[] = {
    {SQLITE_BUSY, ERR_TIMEOUT, 0, "locked by another process"},
    {SQLITE_LOCKED, ERR_TIMEOUT, 0, "locked by another process"},
    {SQLITE_FULL, ERR_IO, ENOSPC, "the disk is full"},
    {SQLITE_READONLY, ERR_PERMISSION, EROFS, "it is read-only"},
    {SQLITE_PERM, ERR_PERMISSION, EACCES, NULL},
    {SQLITE_AUTH, ERR_PERMISSION, EACCES, NULL},
    {SQLITE_CORRUPT, ERR_PARSE, 0, "it is damaged"},
    {SQLITE_NOTADB, ERR_PARSE, 0, "it is not a database"},
    {SQLITE_CONSTRAINT, ERR_PARSE, 0, "its rows are inconsistent"},
    {SQLITE_ERROR, ERR_PARSE, 0,
     "its tables are not those that it should have"},
    {SQLITE_NOMEM, ERR_NOMEM, ENOMEM, "out of memory"},
};

static int
set_error(const struct sqlite *s, int rc, struct err *e)
{
    const char *why = s->db ? s->calls.errmsg(s->db) : s->calls.errstr(rc);
    int sys = s->db ? s->calls.system_errno(s->db) : 0;

    if (rc == SQLITE_CANTOPEN_SYMLINK)
        return err_set(e, ERR_PERMISSION, "%s is a symbolic link", s->path);
    for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
        const struct result_row *f = &results[i];

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
    if (sys != 0 &&
        ((rc & 0xff) == SQLITE_IOERR || /* SQLite gives no further reason */
         (rc & 0xff) == SQLITE_CANTOPEN)) {
        errno = sys;
        return err_sys(e, "%s", s->path);
    }
    return err_set(e, ERR_IO, "%s: %s", s->path, why);
}

/* Another user may have written the file: its triggers and views are disabled.
 * Closing makes no checkpoint, since the write-ahead log loses nothing, so it
 * needs no fsync. */
static int
harden(struct sqlite *s, struct err *e)
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

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        int rc = s->calls.db_config(s->db, rows[i].option, rows[i].value, NULL);

        if (rc != SQLITE_OK)
            return set_error(s, rc, e);
    }
    (void)s->calls.limit(s->db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
    return sqlite_exec(s, "PRAGMA synchronous=NORMAL", e);
}

/* Moves the write-ahead log into the file and truncates it. A log that is not
 * truncated would be moved again by the next process, since only processes that
 * have it open know that it was. Where others read or write, it is left to
 * them. */
static int
checkpoint(struct sqlite *s)
{
    int rc;

    s->pages = 0;
    (void)s->calls.busy_timeout(s->db, 0);
    rc = s->calls.checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                NULL);
    (void)s->calls.busy_timeout(s->db, s->busy_ms);
    return rc;
}

static int
on_commit(void *arg, sqlite3 *db, const char *name, int pages)
{
    struct sqlite *s = arg;

    (void)db;
    (void)name;
    s->pages = pages;
    if (pages >= CHECKPOINT_NOW_PAGES && s->busy_ms > 0)
        (void)checkpoint(s);
    return SQLITE_OK;
}

/* The path with its directory resolved: SQLite refuses any symbolic link in a
 * path, but only the file itself must be none. */
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

struct sqlite *
sqlite_open(const char *path, enum sqlite_mode mode, int busy_ms, struct err *e)
{
    CLEANUP(sqlite_close_p) struct sqlite *s = calloc(1, sizeof(*s));
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
                SQLITE_OPEN_EXRESCODE |
                (mode == SQLITE_MODE_WRITE ? SQLITE_OPEN_READWRITE
                                           : SQLITE_OPEN_READONLY);
    int rc;

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->log_fd = -1;
    s->path = real_path(path, e);
    if (!s->path || load_library(&s->calls, e) < 0)
        return NULL;
    rc = s->calls.open_v2(s->path, &s->db, flags, NULL);
    if (rc != SQLITE_OK) {
        set_error(s, rc, e);
        return NULL;
    }
    /* SQLite opens a file that it cannot write read-only */
    if (mode == SQLITE_MODE_WRITE && s->calls.db_readonly(s->db, "main") == 1) {
        set_error(s, SQLITE_READONLY, e);
        return NULL;
    }
    sqlite_set_busy_timeout(s, busy_ms);
    (void)s->calls.wal_hook(s->db, on_commit, s);
    return harden(s, e) < 0 ? NULL : TAKE_PTR(s);
}

void
sqlite_close(struct sqlite *s)
{
    if (!s)
        return;
    sqlite_query_free(s->begin);
    sqlite_query_free(s->commit);
    if (s->db)
        s->calls.close(s->db);
    unload_library(&s->calls);
    log_batch_free(s->batch);
    fd_close_p(&s->log_fd);
    free(s->path);
    free(s);
}

void
sqlite_set_busy_timeout(struct sqlite *s, int busy_ms)
{
    s->busy_ms = busy_ms;
    (void)s->calls.busy_timeout(s->db, busy_ms);
}

int
sqlite_exec(struct sqlite *s, const char *sql, struct err *e)
{
    int rc = s->calls.exec(s->db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? 0 : set_error(s, rc, e);
}

struct sqlite_query *
sqlite_query_new(struct sqlite *s, const char *sql, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = calloc(1, sizeof(*q));
    int rc;

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->store = s;
    rc = s->calls.prepare_v2(s->db, sql, -1, &q->stmt, NULL);
    if (rc != SQLITE_OK) {
        set_error(s, rc, e);
        return NULL;
    }
    return TAKE_PTR(q);
}

void
sqlite_query_free(struct sqlite_query *q)
{
    if (!q)
        return;
    (void)q->store->calls.finalize(q->stmt);
    free(q);
}

void
sqlite_query_bind_int(struct sqlite_query *q, int at, int64_t v)
{
    (void)q->store->calls.bind_int64(q->stmt, at, v);
}

void
sqlite_query_bind_text(struct sqlite_query *q, int at, const char *p, size_t n)
{
    (void)q->store->calls.bind_text(q->stmt, at, p, (int)n, SQLITE_STATIC);
}

int
sqlite_query_step(struct sqlite_query *q, struct err *e)
{
    int rc = q->store->calls.step(q->stmt);

    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : set_error(q->store, rc, e);
}

void
sqlite_query_reset(struct sqlite_query *q)
{
    (void)q->store->calls.reset(q->stmt);
}

int
sqlite_query_run(struct sqlite_query *q, struct err *e)
{
    int rc = sqlite_query_step(q, e);

    sqlite_query_reset(q);
    return rc < 0 ? -1 : 0;
}

int
sqlite_begin(struct sqlite *s, struct err *e)
{
    if (!s->begin)
        s->begin = sqlite_query_new(s, "BEGIN IMMEDIATE", e);
    if (s->begin && !s->commit)
        s->commit = sqlite_query_new(s, "COMMIT", e);
    return s->commit ? sqlite_query_run(s->begin, e) : -1;
}

static int
commit_changes(struct sqlite *s, struct err *e)
{
    sqlite3_file *log = NULL;
    int rc;

    if (!s->batch)
        s->batch = log_batch_new();
    if (!s->batch ||
        s->calls.file_control(s->db, "main", SQLITE_FCNTL_JOURNAL_POINTER,
                              &log) != SQLITE_OK ||
        !log)
        return sqlite_query_run(s->commit, e);
    log_batch_begin(s->batch, log);
    rc = sqlite_query_step(s->commit, e);
    log_batch_end(s->batch);
    sqlite_query_reset(s->commit);
    return rc < 0 ? -1 : 0;
}

int
sqlite_end(struct sqlite *s, bool keep, struct err *e)
{
    if (keep && commit_changes(s, e) == 0)
        return 0;
    (void)sqlite_exec(s, "ROLLBACK", NULL);
    return -1;
}

int64_t
sqlite_query_int(struct sqlite_query *q, int column)
{
    return q->store->calls.column_int64(q->stmt, column);
}

const char *
sqlite_query_text(struct sqlite_query *q, int column, size_t *n)
{
    const char *p = (const char *)q->store->calls.column_text(q->stmt, column);
    int bytes = q->store->calls.column_bytes(q->stmt, column);

    if (n)
        *n = p && bytes > 0 ? (size_t)bytes : 0;
    return p ? p : "";
}

int
sqlite_number(struct sqlite *s, const char *sql, int64_t *out, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(s, sql, e);
    int rc = q ? sqlite_query_step(q, e) : -1;

    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(e, ERR_PARSE, "%s is damaged", s->path);
    *out = sqlite_query_int(q, 0);
    return 0;
}

/* SQLite locks the file and its index, not the log, so that opening and closing
 * the log here releases none of its locks. */
int
sqlite_sync(struct sqlite *s, bool soon, struct err *e)
{
    CLEANUP(free_p) char *log = NULL;

    if (s->log_fd < 0) {
        log = path_beside(s->path, "-wal");
        if (!log)
            return err_nomem(e);
        s->log_fd = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
    if (s->log_fd < 0 || (!soon && fsync(s->log_fd) < 0))
        return err_sys(e, "%s-wal", s->path);
    if (soon)
        file_sync_in_background(s->log_fd);
    return 0;
}

bool
sqlite_commit_waits(const struct sqlite *s)
{
    return s->pages == 0 || s->pages >= CHECKPOINT_NOW_PAGES;
}

void
sqlite_checkpoint(struct sqlite *s)
{
    if (s->pages >= CHECKPOINT_PAGES)
        (void)checkpoint(s);
}

int
sqlite_empty_log(struct sqlite *s, struct err *e)
{
    int rc = checkpoint(s);

    return rc == SQLITE_OK ? 0 : set_error(s, rc, e);
}
