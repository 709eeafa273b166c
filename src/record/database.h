/* SPDX-License-Identifier: GPL-3.0-or-later */
/* database.h - opens a database of ours, and makes its tables in an empty file.
 *
 * The header of an SQLite file has two numbers for the program: which file of
 * it this is, and the version of its tables. */
#ifndef RECORD_DATABASE_H
#define RECORD_DATABASE_H

#include "record/sqlite.h"

struct database_format {
    const char *name;    /* "journal", for messages */
    int64_t application; /* the number of this file, PRAGMA application_id */
    int64_t version;     /* of its tables, PRAGMA user_version */
    int page_bytes;
    const char *tables; /* SQL that makes them, run in one transaction */
    const char *helps;  /* what the person can do where it is damaged, or not of
                           this format: the end of a message; NULL: nothing */
};

/* Opens the file, which must exist; an empty one gets its tables with
 * SQLITE_MODE_WRITE: a write-ahead log, and freed space that PRAGMA
 * incremental_vacuum returns. Several processes may open one file at once.
 * ERR_PARSE: it is damaged, or not of this format. ERR_UNSUPPORTED: a newer
 * agentsh wrote it. ERR_NOT_FOUND: it is empty, with SQLITE_MODE_READ. */
struct sqlite *database_open(const char *path, enum sqlite_mode mode,
                             int busy_ms, const struct database_format *f,
                             struct err *e);

#endif
