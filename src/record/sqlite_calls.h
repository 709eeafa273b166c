/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite_calls.h - for store.c: the functions of SQLite, loaded when needed. */
#ifndef RECORD_SQLITE_CALLS_H
#define RECORD_SQLITE_CALLS_H

#include <sqlite3.h>

#include "base/err.h"

struct sqlite_calls {
    void *library;
    int (*open_v2)(const char *, sqlite3 **, int, const char *);
    int (*close)(sqlite3 *);
    int (*db_config)(sqlite3 *, int, ...);
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

/* ERR_UNSUPPORTED when the library is not there or is too old. */
int sqlite_calls_open(struct sqlite_calls *c, struct err *e);
void sqlite_calls_close(struct sqlite_calls *c);

#endif
