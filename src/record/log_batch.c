/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_batch.c - writes what a commit adds to the write-ahead log at once. */
#include "record/log_batch.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of a frame of the log: its header, and in it, in big endian, the pages of the
 * database after the commit, or 0 where the commit goes on. */
#define FRAME_HEADER 24
#define PAGES_AT     4
#define PAGES_SIZE   4

/* Of sqlite3_io_methods: it has what this header of SQLite knows. */
#define IO_VERSION 3

/* Of a longer commit so much is written at a time. */
#define BATCH_MAX (64 << 10)

struct log_batch {
    sqlite3_io_methods methods;     /* ours; first, so that a file finds it */
    const sqlite3_io_methods *real; /* SQLite's */
    sqlite3_file *log;              /* NULL: no commit runs */
    sqlite3_int64 at;               /* where the bytes belong */
    int len;
    bool last; /* the frame that has begun ends the commit */
    bool over; /* it is written */
    char bytes[BATCH_MAX];
};

static struct log_batch *
batch_of(sqlite3_file *log)
{
    /* pMethods is the batch's first member */
    return (struct log_batch *)(void *)(uintptr_t)log->pMethods;
}

static int
write_log_batch(struct log_batch *b)
{
    int n = b->len;

    b->len = 0;
    return n > 0 ? b->real->xWrite(b->log, b->bytes, n, b->at) : SQLITE_OK;
}

static bool
ends_commit(const char *header)
{
    static const char goes_on[PAGES_SIZE];

    return memcmp(header + PAGES_AT, goes_on, PAGES_SIZE) != 0;
}

static bool
fits_behind(const struct log_batch *b, int n, sqlite3_int64 at)
{
    return b->len > 0 && at == b->at + b->len && n <= BATCH_MAX - b->len;
}

/* Headers that are written again, after the last frame, and parts of pages are
 * not collected. */
static int
write_log(sqlite3_file *log, const void *p, int n, sqlite3_int64 at)
{
    struct log_batch *b = batch_of(log);
    bool begins = n == FRAME_HEADER && !b->over;
    int rc;

    if (!fits_behind(b, n, at)) {
        if ((rc = write_log_batch(b)) != SQLITE_OK)
            return rc;
        if (!begins) {
            b->over |= b->last;
            return b->real->xWrite(log, p, n, at);
        }
        b->at = at;
    }
    memcpy(b->bytes + b->len, p, (size_t)n);
    b->len += n;
    if (begins)
        b->last = ends_commit(p);
    if (begins || !b->last)
        return SQLITE_OK;
    b->over = true;
    return write_log_batch(b);
}

static int
read_log(sqlite3_file *log, void *p, int n, sqlite3_int64 at)
{
    struct log_batch *b = batch_of(log);
    int rc = write_log_batch(b);

    return rc == SQLITE_OK ? b->real->xRead(log, p, n, at) : rc;
}

static int
truncate_log(sqlite3_file *log, sqlite3_int64 size)
{
    struct log_batch *b = batch_of(log);
    int rc = write_log_batch(b);

    return rc == SQLITE_OK ? b->real->xTruncate(log, size) : rc;
}

static int
sync_log(sqlite3_file *log, int flags)
{
    struct log_batch *b = batch_of(log);
    int rc = write_log_batch(b);

    return rc == SQLITE_OK ? b->real->xSync(log, flags) : rc;
}

static int
size_of_log(sqlite3_file *log, sqlite3_int64 *size)
{
    struct log_batch *b = batch_of(log);
    int rc = write_log_batch(b);

    return rc == SQLITE_OK ? b->real->xFileSize(log, size) : rc;
}

static int
close_log(sqlite3_file *log)
{
    struct log_batch *b = batch_of(log);

    log_batch_end(b);
    return log->pMethods->xClose(log);
}

struct log_batch *
log_batch_new(void)
{
    return calloc(1, sizeof(struct log_batch));
}

void
log_batch_free(struct log_batch *b)
{
    free(b);
}

void
log_batch_begin(struct log_batch *b, sqlite3_file *log)
{
    /* it is not open, or has methods that are not known here */
    if (!log->pMethods || log->pMethods->iVersion < IO_VERSION)
        return;
    b->log = log;
    b->real = log->pMethods;
    b->len = 0;
    b->last = b->over = false;
    b->methods = *b->real;
    b->methods.iVersion = IO_VERSION;
    b->methods.xClose = close_log;
    b->methods.xRead = read_log;
    b->methods.xWrite = write_log;
    b->methods.xTruncate = truncate_log;
    b->methods.xSync = sync_log;
    b->methods.xFileSize = size_of_log;
    log->pMethods = &b->methods;
}

void
log_batch_end(struct log_batch *b)
{
    if (!b->log)
        return;
    b->log->pMethods = b->real;
    b->log = NULL;
    b->len = 0;
}
