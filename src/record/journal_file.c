/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_file.c - writes events to the journal's file, and counts what is
 * lost. */
#include "record/journal_file.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/path.h"
#include "record/journal_path.h"
#include "record/retention.h"

/* A longer holder of the lock is waited for once, not at each event. */
#define AGAIN_MS 20
/* For how long a thread waits for a lock without a look at the time at which it
 * has to give up. */
#define GLANCE_MS 100
/* What cannot be opened is tried again no more often than this. */
#define REOPEN_MS 10000

/* Other processes hold the lock for as long as it takes to read and set a
 * length. */
#define LOCK_MS 1000

/* Events that were lost.
 *
 * A run that finds the disk full ends before there is space again. It leaves a
 * file beside the journal, PATH-lost, whose length is the number of the events
 * that are missing: a length takes no block of a full disk. The next run that
 * opens the journal takes it and adds the row that tells of them. */

/* Opens and locks the file; -1: there is none. */
static int
open_lost_file(const char *path, int flags, struct stat *st)
{
    CLEANUP(free_p) char *name = path_beside(path, "-lost");
    CLEANUP(fd_close_p) int fd = -1;

    if (!name)
        return -1;
    fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (fd < 0 || fd_lock(fd, LOCK_MS, NULL) < 0 || fstat(fd, st) < 0 ||
        !S_ISREG(st->st_mode))
        return -1;
    return TAKE_FD(fd);
}

/* Adds n to the events that are missing in the journal at path, if it can. */
static void
add_lost(const char *path, int64_t n)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_lost_file(path, O_CREAT, &st);

    if (fd >= 0)
        (void)!ftruncate(fd, st.st_size + n);
}

/* How many events are missing; from now on none. 0 also when it is unknown. */
static int64_t
take_lost(const char *path)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_lost_file(path, 0, &st);

    if (fd < 0 || st.st_size == 0 || ftruncate(fd, 0) < 0)
        return 0;
    return st.st_size;
}

struct journal_file {
    struct ledger *ledger; /* NULL: it is not open */
    char *path;
    struct retention keep;
    bool in_thread;
    int wait_ms;                   /* for a lock */
    _Atomic int64_t give_up_ms;    /* no lock is waited for from then on */
    int64_t reopen_ms;             /* not before this time */
    struct journal_file_run *live; /* those with rows in this file */
    int64_t lost;       /* events that were lost since the last row */
    struct err trouble; /* the first failure; ERR_NONE: none */
    bool unreported;    /* trouble has not been taken */
};

struct journal_file *
journal_file_new(int64_t keep_days, int64_t keep_mb, bool in_thread,
                 struct err *e)
{
    CLEANUP(journal_file_close_p)
    struct journal_file *f = calloc(1, sizeof(*f));

    if (!f) {
        err_nomem(e);
        return NULL;
    }
    f->keep = (struct retention){keep_days, keep_mb};
    f->in_thread = in_thread;
    f->wait_ms = LEDGER_WAIT_MS;
    atomic_init(&f->give_up_ms, INT64_MAX);
    f->path = journal_path_find(e);
    if (!f->path || journal_path_make(f->path, e) < 0)
        return NULL;
    return TAKE_PTR(f);
}

void
journal_file_give_up(struct journal_file *f, int64_t at_ms)
{
    atomic_store(&f->give_up_ms, at_ms);
}

/* For how long SQLite may wait at a time. */
static int
busy_ms(const struct journal_file *f)
{
    return f->in_thread && f->wait_ms > GLANCE_MS ? GLANCE_MS : f->wait_ms;
}

static void
set_wait(struct journal_file *f, int ms)
{
    if (f->wait_ms == ms)
        return;
    f->wait_ms = ms;
    if (f->ledger)
        sqlite_set_busy_timeout(ledger_database(f->ledger), busy_ms(f));
}

/* Whether to go on waiting for what took too long for SQLite. */
static bool
is_worth_waiting(struct journal_file *f, const struct err *why, int64_t until)
{
    int64_t now = clock_ms();

    return f->in_thread && why->code == ERR_TIMEOUT && now < until &&
           now < atomic_load(&f->give_up_ms);
}

static struct ledger *
open_ledger(struct journal_file *f, const char *path, struct err *e)
{
    int64_t until = clock_ms() + f->wait_ms;
    struct err why = {0};
    struct ledger *l;

    do
        l = ledger_open(path, SQLITE_MODE_WRITE, busy_ms(f), &why);
    while (!l && is_worth_waiting(f, &why, until));
    if (!l && e)
        *e = why;
    return l;
}

static int
begin_transaction(struct journal_file *f, struct err *e)
{
    int64_t until = clock_ms() + f->wait_ms;
    struct err why = {0};
    int rc;

    do
        rc = ledger_begin(f->ledger, &why);
    while (rc < 0 && is_worth_waiting(f, &why, until));
    if (rc < 0 && e)
        *e = why;
    return rc;
}

/* Row numbers start again in a new file. */
static void
forget_rows(struct journal_file *f)
{
    while (f->live) {
        f->live->first = 0;
        f->live = f->live->next;
    }
}

/* Leaves the journal at f->path as it is, and begins another one beside it. */
static int
begin_beside(struct journal_file *f, const struct err *why, struct err *e)
{
    CLEANUP(free_p) char *path = journal_path_replace(f->path, e);

    if (!path)
        return -1;
    ledger_close(f->ledger);
    f->ledger = open_ledger(f, path, e);
    if (!f->ledger)
        return -1;
    err_set(&f->trouble, ERR_PARSE,
            "started a new journal in %s: %s. The old one is kept", path,
            why->text);
    f->unreported = true;
    forget_rows(f);
    free(f->path);
    f->path = TAKE_PTR(path);
    return 0;
}

static int
note_trouble(struct journal_file *f, const struct err *why, bool report)
{
    if (f->trouble.code == ERR_NONE) {
        f->trouble = *why;
        err_wrap(&f->trouble, "some of this is not recorded (agentsh doctor)");
        f->unreported = report;
    }
    if (why->code == ERR_TIMEOUT)
        set_wait(f, AGAIN_MS);
    return -1;
}

int
journal_file_open(struct journal_file *f, struct err *e)
{
    struct err why = {0}, beside = {0};

    f->ledger = open_ledger(f, f->path, &why);
    if (!f->ledger &&
        (why.code != ERR_PARSE || begin_beside(f, &why, &beside) < 0)) {
        if (e)
            *e = why.code != ERR_PARSE ? why : beside;
        f->reopen_ms = clock_ms() + REOPEN_MS;
        return note_trouble(f, why.code != ERR_PARSE ? &why : &beside, true);
    }
    f->lost += take_lost(f->path);
    return 0;
}

/* Opens what could not be opened before, now and then. */
static int
open_again(struct journal_file *f, struct err *e)
{
    if (f->ledger)
        return 0;
    if (f->in_thread && clock_ms() >= f->reopen_ms)
        return journal_file_open(f, e);
    if (e)
        *e = f->trouble;
    return -1;
}

static int
append_event(struct journal_file *f, struct journal_event *event, struct err *e)
{
    const struct ledger_row row = {
        .run = event->run->name,
        .run_len = strlen(event->run->name),
        .time = event->time,
        .time_len = strlen(event->time),
        .kind = event->kind,
        .kind_len = strlen(event->kind),
        .body = event->body.p,
        .body_len = event->body.len,
    };

    return ledger_append(f->ledger, &row, &event->seq, e);
}

/* Adds a row "gap" that says how many events are missing, and why. */
static int
append_gap(struct journal_file *f, struct journal_file_run *run, struct err *e)
{
    CLEANUP(journal_event_free_p) struct journal_event *gap = NULL;
    const struct journal_member members[] = {
        JOURNAL_NUM("events", f->lost),
        JOURNAL_STR("why", f->trouble.code != ERR_NONE
                               ? f->trouble.text
                               : "earlier runs could not be recorded"),
        {0},
    };

    if (f->lost == 0)
        return 0;
    gap = journal_event_new(run, "gap", members, e);
    return gap ? append_event(f, gap, e) : -1;
}

/* Notes the first row of each run that had none. */
static void
note_first_rows(struct journal_file *f, const struct journal_event *event)
{
    for (; event; event = event->next) {
        struct journal_file_run *run = event->run;

        if (run->first > 0)
            continue;
        run->first = event->seq;
        run->next = f->live;
        f->live = run;
    }
}

/* Where a thread writes, the process lives long: later trouble is waited for,
 * and told, anew. */
static void
note_recovery(struct journal_file *f)
{
    set_wait(f, LEDGER_WAIT_MS);
    if (!f->unreported)
        f->trouble.code = ERR_NONE;
}

/* In the transaction that has begun, which ends. */
static int
add_all_events(struct journal_file *f, struct journal_event *first,
               struct err *e)
{
    bool done = append_gap(f, first->run, e) == 0;

    for (struct journal_event *event = first; event && done;
         event = event->next)
        done = append_event(f, event, e) == 0;
    if (ledger_end(f->ledger, done, e) < 0 || !done)
        return -1;
    note_first_rows(f, first);
    f->lost = 0;
    if (f->in_thread)
        note_recovery(f);
    return 0;
}

static int
add_events(struct journal_file *f, struct journal_event *first, struct err *e)
{
    return begin_transaction(f, e) < 0 ? -1 : add_all_events(f, first, e);
}

/* Adds the events to the journal, or to a new one where it turns out to be
 * damaged. */
static int
add_somewhere(struct journal_file *f, struct journal_event *first,
              struct err *e)
{
    struct err why = {0};

    if (open_again(f, e) < 0)
        return -1;
    if (add_events(f, first, &why) == 0)
        return 0;
    if (why.code == ERR_PARSE)
        return begin_beside(f, &why, e) < 0 ? -1 : add_events(f, first, e);
    *e = why;
    return -1;
}

int
journal_file_write(struct journal_file *f, struct journal_event *first)
{
    CLEANUP(journal_event_free_p) struct journal_event *events = first;
    struct err why = {0};
    int64_t n = 0;

    if (!events || add_somewhere(f, events, &why) == 0)
        return 0;
    for (const struct journal_event *event = events; event; event = event->next)
        n++;
    return journal_file_lose(f, n, &why, true);
}

bool
journal_file_write_now(struct journal_file *f, struct journal_event *first)
{
    struct sqlite *s = f->ledger ? ledger_database(f->ledger) : NULL;
    bool done;

    if (!s || f->lost > 0 || f->trouble.code != ERR_NONE ||
        sqlite_commit_waits(s))
        return false;
    sqlite_set_busy_timeout(s, 0);
    done = ledger_begin(f->ledger, NULL) == 0 &&
           add_all_events(f, first, NULL) == 0;
    sqlite_set_busy_timeout(s, busy_ms(f));
    if (done)
        journal_event_free(first);
    return done;
}

int
journal_file_lose(struct journal_file *f, int64_t n, const struct err *why,
                  bool report)
{
    f->lost += n;
    return note_trouble(f, why, report);
}

/* The first row of all runs that are not ended. */
static int64_t
first_live_row(const struct journal_file *f)
{
    int64_t first = INT64_MAX;

    for (const struct journal_file_run *run = f->live; run; run = run->next)
        if (run->first < first)
            first = run->first;
    return first;
}

int
journal_file_sync(struct journal_file *f, const struct journal_file_run *run,
                  bool soon)
{
    struct err e = {0};
    struct sqlite *s;

    if (!f->ledger || !f->live)
        return 0;
    s = ledger_database(f->ledger);
    if (sqlite_sync(s, soon, &e) < 0)
        return note_trouble(f, &e, true);
    if (retention_trim(f->ledger, run->name, first_live_row(f), &f->keep, &e) <
            0 &&
        e.code != ERR_TIMEOUT) /* a later run will do it */
        return note_trouble(f, &e, true);
    sqlite_checkpoint(s);
    return 0;
}

void
journal_file_end_run(struct journal_file *f, struct journal_file_run *run)
{
    struct journal_file_run **at = &f->live;

    while (*at && *at != run)
        at = &(*at)->next;
    if (*at)
        *at = run->next;
    free(run);
}

bool
journal_file_take_trouble(struct journal_file *f, struct err *out)
{
    if (!f->unreported)
        return false;
    f->unreported = false;
    *out = f->trouble;
    return true;
}

bool
journal_file_has_trouble(const struct journal_file *f)
{
    return f->trouble.code != ERR_NONE;
}

void
journal_file_close(struct journal_file *f)
{
    if (!f)
        return;
    if (f->ledger)
        sqlite_checkpoint(ledger_database(f->ledger));
    if (f->lost > 0)
        add_lost(f->path, f->lost);
    ledger_close(f->ledger);
    free(f->path);
    free(f);
}
