/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - what happened, in a form that can prove that nothing is gone.
 *
 * record/ keeps the journal: a SQLite file in the state directory (WAL, mode
 * 0600), one row an event, each with the hash of the row before. It must not
 * know what the events mean. Every text is redacted before it is stored. What
 * can fail: the disk is full, the file is locked, foreign or corrupt. Then
 * nothing that was there is lost, the caller goes on, and the first failure
 * is told once (journal_trouble). A NULL journal takes everything and keeps
 * nothing.
 *
 * A row is on the disk's side of a SIGKILL when journal_add returns; it is on
 * the disk after journal_sync. */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

#define JOURNAL_TEXT_MAX                                                       \
    (64u << 10) /* of one text; the rest is left out, and                      \
                   the member NAME_bytes says how much */

struct journal;

/* Opens or makes the file. Rows that are too old or too many by the settings
 * are removed at the end of a run, not here. */
struct journal *journal_open(int64_t keep_days, int64_t keep_mb, struct err *e);
void journal_close(struct journal *j); /* accepts NULL */
DEFINE_CLEANUP(struct journal, journal_close)

/* A member of an event: a text of len bytes, a number, a truth, or JSON whose
 * texts are redacted one by one. The list ends with a NULL name. */
enum journal_type { JOURNAL_TEXT, JOURNAL_INT, JOURNAL_BOOL, JOURNAL_JSON };
struct journal_member {
    const char *name;
    enum journal_type type;
    const char *text; /* NULL: the member is left out */
    size_t len;
    int64_t number;
    const struct json *json;
};
#define JOURNAL_STR(n, s)                                                      \
    {                                                                          \
        .name = (n), .type = JOURNAL_TEXT, .text = (s), .len = SIZE_MAX        \
    }
#define JOURNAL_BYTES(n, s, l)                                                 \
    {                                                                          \
        .name = (n), .type = JOURNAL_TEXT, .text = (s), .len = (l)             \
    }
#define JOURNAL_NUM(n, v)                                                      \
    {                                                                          \
        .name = (n), .type = JOURNAL_INT, .number = (v)                        \
    }
#define JOURNAL_FLAG(n, v)                                                     \
    {                                                                          \
        .name = (n), .type = JOURNAL_BOOL, .number = (v)                       \
    }
#define JOURNAL_TREE(n, v)                                                     \
    {                                                                          \
        .name = (n), .type = JOURNAL_JSON, .json = (v)                         \
    }

/* The run that this process makes: a short name, sortable by time, unique.
 * The first event of a run begins it. "" for a NULL journal. For
 * who looks for it among the rows afterwards: the tests. */
const char *journal_run(const struct journal *j);

/* Adds an event of the run: kind is "request", "plan", "decision", "step",
 * "need", "result", "call", "answer" or "end". -1: it is not kept; see
 * journal_trouble. */
int journal_add(struct journal *j, const char *kind,
                const struct journal_member *members);

/* The same, but it may wait for the next event, to be added with it, or for
 * the journal's end: for what nobody was told of or shown yet. Each event that
 * is added by itself costs a lock and some pages of the file's log. */
int journal_later(struct journal *j, const char *kind,
                  const struct journal_member *members);

/* At the end of a run: makes what was added last through a power cut, and
 * removes what the settings no longer keep. `soon`: without waiting for the
 * disk, for a run that changed nothing. */
int journal_sync(struct journal *j, bool soon);

/* Why events are not kept, the first time it is asked after a failure; else
 * NULL. Borrowed until the next call. */
const char *journal_trouble(struct journal *j);

#endif
