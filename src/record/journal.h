/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - records what happened, in a form that shows removed events.
 *
 * The folder record/ keeps the journal: a SQLite file in the state directory
 * (WAL, mode 0600) with one row for each event, which has the hash of the row
 * before; and, beside it, sessions (session_store.h). It must not know what
 * events and sessions mean. All text is redacted before it is stored. What can
 * fail: the disk is full, the file is locked, not ours or damaged. No recorded
 * row is lost then, the caller goes on, and the first failure is reported once
 * (journal_trouble). With a NULL journal or run all functions succeed and
 * record nothing.
 *
 * A process opens the journal once, for as many runs as it has. It does so for
 * itself (journal_open): then each addition writes, and may wait for the disk
 * and, for seconds, for another process's lock. Or for an event loop
 * (journal_open_shared): then a thread writes, and no function here waits,
 * unless journal_store_now is called.
 *
 * A row survives the end of this process, also by SIGKILL, when it is stored:
 * when journal_add returns, or in a shared journal, when journal_when_stored
 * calls back. It survives a power cut after journal_sync. */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "json/json.h"

/* Bytes of one text; the rest is left out, and the member NAME_bytes says how
 * much. */
#define JOURNAL_TEXT_MAX (64u << 10)

#define JOURNAL_TAIL_MAX (4u << 10) /* of the end of a text */

struct journal;     /* the file of a process */
struct journal_run; /* one run in it */

/* Opens the file, or creates it. Rows that the settings no longer keep are
 * removed at the end of a run, not here. */
struct journal *journal_open(int64_t keep_days, int64_t keep_mb, struct err *e);

/* The same for a process that an event loop drives. A thread opens the file and
 * writes: events that are queued meanwhile are written together. What this
 * cannot tell yet, since the thread comes to it later, journal_trouble does:
 * that the file cannot be opened, or that more was queued than there is room
 * for (16 MiB). The loop outlives the journal. */
struct journal *journal_open_shared(struct loop *l, int64_t keep_days,
                                    int64_t keep_mb, struct err *e);

/* Comes after journal_run_free of all runs, and not within a callback of
 * journal_when_stored. Writes what is still to be written; in a shared journal
 * it waits for that for 2 s at most. Accepts NULL. */
void journal_close(struct journal *j);
DEFINE_CLEANUP(struct journal, journal_close)

/* Begins a run, under a name of its own. NULL without an error where j is NULL.
 * Free ends it; it accepts NULL. */
struct journal_run *journal_run_new(struct journal *j, struct err *e);
void journal_run_free(struct journal_run *r);
/* Its name, borrowed; NULL where r is. */
const char *journal_run_name(const struct journal_run *r);
DEFINE_CLEANUP(struct journal_run, journal_run_free)

/* A member of an event: a text of len bytes, the end of one, a word that is no
 * secret since it is one of a few that a program knows, a number, a boolean, or
 * JSON whose strings are redacted one by one. A list of members ends with a
 * NULL name. */
enum journal_type {
    JOURNAL_TEXT,
    JOURNAL_KNOWN_WORD,
    JOURNAL_END_OF_TEXT,
    JOURNAL_INT,
    JOURNAL_BOOL,
    JOURNAL_JSON
};
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
#define JOURNAL_WORD(n, s)                                                     \
    {                                                                          \
        .name = (n), .type = JOURNAL_KNOWN_WORD, .text = (s)                   \
    }
#define JOURNAL_BYTES(n, s, l)                                                 \
    {                                                                          \
        .name = (n), .type = JOURNAL_TEXT, .text = (s), .len = (l)             \
    }
#define JOURNAL_TAIL(n, s, l)                                                  \
    {                                                                          \
        .name = (n), .type = JOURNAL_END_OF_TEXT, .text = (s), .len = (l)      \
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
 * "need", "result", "call", "rerun", "answer" or "end". -1: it is not recorded
 * (journal_trouble). In a shared journal 0 means that it is queued. */
int journal_add(struct journal_run *r, const char *kind,
                const struct journal_member *members);

/* The same, but the event may be added together with the next one of any run,
 * or when the run is freed: for events that nobody has seen yet. Each separate
 * addition costs a lock and some pages of the file's log. */
int journal_add_later(struct journal_run *r, const char *kind,
                      const struct journal_member *members);

/* An event of now that is added later on, which takes less time then. NULL: it
 * is not recorded, as with journal_add. */
struct journal_event *journal_prepare(struct journal_run *r, const char *kind,
                                      const struct journal_member *members);
/* Adds it as journal_add_later does, and takes it. */
void journal_add_prepared(struct journal_run *r, struct journal_event *event);

/* Adds what was added later: for many events that are seen after it. A shared
 * journal does so by itself. */
int journal_flush(struct journal *j);

/* Ends a run: syncs the events to the disk, and removes what the settings no
 * longer keep. `soon`: without waiting for the disk, for a run that changed
 * nothing. A shared journal does both later. */
int journal_sync(struct journal_run *r, bool soon);

/* Calls cb once, when all events that were added to the run are stored, and
 * synced where that was asked for; or when they cannot be, which
 * journal_trouble says: nobody waits for a disk that is full. It is called by
 * the loop, or, where the journal is not shared or r is NULL, before this
 * returns. journal_run_free cancels it. ERR_NOMEM: it will not be called. */
int journal_when_stored(struct journal_run *r, void (*cb)(void *arg), void *arg,
                        struct err *e);

/* Stores what was added to all runs before it returns. In a shared journal only
 * where that takes no longer than to have the thread do it: it is idle, there
 * is little to write, no other process has the lock, and the disk was quick
 * lately. False: it is not stored, and journal_when_stored is to be called. Not
 * for where more is about to be added, which the thread writes together. */
bool journal_store_now(struct journal_run *r);

/* The reason why events are not recorded, on the first call after a failure;
 * else NULL. In a shared journal, which may be open for days, it is also told
 * of the first failure after events could be recorded again. Borrowed until the
 * next call. */
const char *journal_trouble(struct journal *j);

#endif
