/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - records what happened, in a form that shows removed events.
 *
 * The folder record/ keeps the journal: a SQLite file in the state directory
 * (WAL, mode 0600) with one row for each event, which has the hash of the row
 * before. It must not know what events mean. All text is redacted before it is
 * stored. What can fail: the disk is full, the file is locked, not ours or
 * damaged. No recorded row is lost then, the caller goes on, and the first
 * failure is reported once (journal_trouble). With a NULL journal all functions
 * succeed and record nothing.
 *
 * A row survives the end of this process, also by SIGKILL, when journal_add
 * returns; it survives a power cut after journal_sync. */
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

/* Opens the file, or creates it. Rows that the settings no longer keep are
 * removed at the end of a run, not here. */
struct journal *journal_open(int64_t keep_days, int64_t keep_mb, struct err *e);
void journal_close(struct journal *j); /* accepts NULL */
DEFINE_CLEANUP(struct journal, journal_close)

/* A member of an event: a text of len bytes, a number, a boolean, or JSON whose
 * strings are redacted one by one. A list of members ends with a NULL name. */
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

/* Adds an event to the run: kind is "request", "plan", "decision", "step",
 * "need", "result", "call", "answer" or "end". -1: it is not recorded
 * (journal_trouble). */
int journal_add(struct journal *j, const char *kind,
                const struct journal_member *members);

/* The same, but the event may be added together with the next one, or when the
 * journal is closed: for events that nobody has seen yet. Each separate
 * addition costs a lock and some pages of the file's log. */
int journal_add_later(struct journal *j, const char *kind,
                      const struct journal_member *members);

/* Ends a run: syncs the events to the disk, and removes what the settings no
 * longer keep. `soon`: without waiting for the disk, for a run that changed
 * nothing. */
int journal_sync(struct journal *j, bool soon);

/* The reason why events are not recorded, on the first call after a failure;
 * else NULL. Borrowed until the next call. */
const char *journal_trouble(struct journal *j);

#endif
