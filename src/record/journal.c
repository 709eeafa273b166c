/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c - adds the events of runs to the journal, at once or by a thread.
 */
#include "record/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "record/journal_file.h"
#include "record/journal_writer.h"

/* Events that wait for the next one, of some hundred bytes each; a bound on
 * what a crash may lose. */
#define LATER_MAX 64

/* The letters of names: in byte order; without those that look like digits or
 * like each other, and without vowels, which would make words. */
static const char letters[] = "23456789bcdfghjkmnpqrstvwxyz";
#define N_LETTERS (sizeof(letters) - 1)
#define N_SLOTS   (N_LETTERS * N_LETTERS)             /* parts of a second */
#define N_NUMBERS (N_LETTERS * N_LETTERS * N_LETTERS) /* runs in one slot */

/* One that waits until the events up to a position are stored. */
struct stored_waiter {
    struct stored_waiter *next;
    const struct journal_run *run;
    uint64_t position;
    void (*cb)(void *arg);
    void *arg;
};

struct journal {
    struct journal_writer *writer; /* NULL: it is not shared */
    int wake;                      /* the writer's eventfd; -1 */
    struct watch *watch;
    struct stored_waiter *waiters; /* in the order of their calls */

    struct journal_file *file; /* NULL: the writer has it */
    struct journal_event *later[LATER_MAX];
    size_t n_later;

    int64_t slot;        /* of the last name, and its number in it */
    unsigned number;     /* below N_NUMBERS */
    struct err reported; /* what journal_trouble returned last */
};

struct journal_run {
    struct journal *journal;
    struct journal_file_run *in_file; /* the file's; it outlives this */
    uint64_t position;                /* of its last event or sync */
};

static struct journal *
new_journal(int64_t keep_days, int64_t keep_mb, bool in_thread, struct err *e)
{
    CLEANUP(journal_close_p) struct journal *j = calloc(1, sizeof(*j));

    if (!j) {
        err_nomem(e);
        return NULL;
    }
    j->wake = -1;
    j->file = journal_file_new(keep_days, keep_mb, in_thread, e);
    return j->file ? TAKE_PTR(j) : NULL;
}

struct journal *
journal_open(int64_t keep_days, int64_t keep_mb, struct err *e)
{
    CLEANUP(journal_close_p)
    struct journal *j = new_journal(keep_days, keep_mb, false, e);
    struct err why = {0};

    if (!j)
        return NULL;
    if (journal_file_open(j->file, &why) < 0) {
        (void)journal_file_lose(j->file, 1, &why, false); /* at least */
        if (e)
            *e = why;
        return NULL;
    }
    return TAKE_PTR(j);
}

/* Those that wait. */

/* Asks the writer to wake us for the first of them. */
static void
await_next(struct journal *j)
{
    uint64_t first = UINT64_MAX;

    for (const struct stored_waiter *w = j->waiters; w; w = w->next)
        if (w->position < first)
            first = w->position;
    if (j->waiters)
        journal_writer_await(j->writer, first);
}

/* Takes the first that is due out of the list; or NULL. */
static struct stored_waiter *
take_due(struct journal *j)
{
    uint64_t settled = journal_writer_settled(j->writer);
    struct stored_waiter **at = &j->waiters, *due;

    while (*at && (*at)->position > settled)
        at = &(*at)->next;
    due = *at;
    if (due)
        *at = due->next;
    return due;
}

/* Calls one of them, and the next in another turn: together they might hold the
 * loop for too long. */
static void
on_stored(void *arg, unsigned events)
{
    struct journal *j = arg;
    struct stored_waiter *due, waiter;
    uint64_t count;

    (void)events;
    (void)!read(j->wake, &count, sizeof(count));
    due = take_due(j);
    await_next(j);
    if (!due)
        return;
    waiter = *due;
    free(due);
    waiter.cb(waiter.arg);
}

static int
add_waiter(struct journal_run *r, void (*cb)(void *arg), void *arg,
           struct err *e)
{
    struct stored_waiter *w = malloc(sizeof(*w));
    struct stored_waiter **at = &r->journal->waiters;

    if (!w)
        return err_nomem(e);
    *w = (struct stored_waiter){
        .run = r, .position = r->position, .cb = cb, .arg = arg};
    while (*at)
        at = &(*at)->next;
    *at = w;
    await_next(r->journal);
    return 0;
}

/* Removes those of a run. */
static void
cancel_waiters(struct journal_run *r)
{
    struct stored_waiter **at = &r->journal->waiters;

    while (*at) {
        struct stored_waiter *w = *at;

        if (w->run != r) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        free(w);
    }
}

struct journal *
journal_open_shared(struct loop *l, int64_t keep_days, int64_t keep_mb,
                    struct err *e)
{
    CLEANUP(journal_close_p)
    struct journal *j = new_journal(keep_days, keep_mb, true, e);

    if (!j)
        return NULL;
    j->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (j->wake < 0) {
        err_sys(e, "eventfd");
        return NULL;
    }
    j->watch = loop_fd(l, j->wake, LOOP_READ, on_stored, j, e);
    if (!j->watch)
        return NULL;
    j->writer = journal_writer_start(TAKE_PTR(j->file), j->wake, e);
    return j->writer ? TAKE_PTR(j) : NULL;
}

/* Runs. */

/* The number of a run among those with the same time: at random, so that other
 * processes' runs have others; and then upwards, so that ours have. */
static int
next_number(struct journal *j, int64_t slot, struct err *e)
{
    unsigned chance;

    if (slot == j->slot) {
        j->number = (j->number + 1) % N_NUMBERS;
        return 0;
    }
    if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
        return err_sys(e, "random bytes");
    j->slot = slot;
    j->number = chance % N_NUMBERS;
    return 0;
}

/* A run's name: the time (UTC), two letters for its part of the second, and
 * three for its number. */
static int
name_run(struct journal *j, char name[JOURNAL_RUN_SIZE], struct err *e)
{
    const unsigned n = N_LETTERS;
    int64_t now = ledger_now_ms();
    unsigned part = (unsigned)(now % 1000) * (unsigned)N_SLOTS / 1000;
    time_t t = (time_t)(now / 1000);
    char when[16];
    struct tm tm;

    if (next_number(j, (int64_t)t * (int64_t)N_SLOTS + part, e) < 0)
        return -1;
    if (!gmtime_r(&t, &tm) ||
        strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm) == 0)
        return err_set(e, ERR_IO, "cannot read the clock");
    snprintf(name, JOURNAL_RUN_SIZE, "%s-%c%c%c%c%c", when, letters[part / n],
             letters[part % n], letters[j->number / n / n],
             letters[j->number / n % n], letters[j->number % n]);
    return 0;
}

struct journal_run *
journal_run_new(struct journal *j, struct err *e)
{
    CLEANUP(free_p) struct journal_run *r = NULL;
    CLEANUP(free_p) struct journal_file_run *in_file = NULL;

    if (!j)
        return NULL;
    r = calloc(1, sizeof(*r));
    in_file = calloc(1, sizeof(*in_file));
    if (!r || !in_file) {
        err_nomem(e);
        return NULL;
    }
    if (name_run(j, in_file->name, e) < 0)
        return NULL;
    r->journal = j;
    r->in_file = TAKE_PTR(in_file);
    return TAKE_PTR(r);
}

const char *
journal_run_name(const struct journal_run *r)
{
    return r ? r->in_file->name : NULL;
}

/* Writes the postponed events of all runs, and this one, unless it is NULL. */
static int
write_events(struct journal *j, struct journal_event *event)
{
    struct journal_event *first = event;

    while (j->n_later > 0) {
        struct journal_event *before = j->later[--j->n_later];

        before->next = first;
        first = before;
    }
    return journal_file_write(j->file, first);
}

void
journal_run_free(struct journal_run *r)
{
    if (!r)
        return;
    if (r->journal->writer) {
        cancel_waiters(r);
        journal_writer_end_run(r->journal->writer, r->in_file);
    } else {
        (void)write_events(r->journal, NULL);
        journal_file_end_run(r->journal->file, r->in_file);
    }
    free(r);
}

/* Events. */

static int
lose_event(struct journal *j, const struct err *why)
{
    if (!j->writer)
        return journal_file_lose(j->file, 1, why, true);
    journal_writer_lose(j->writer, why);
    return -1;
}

static int
queue_event(struct journal_run *r, struct journal_event *event, bool later)
{
    uint64_t at = journal_writer_add(r->journal->writer, event, later);

    if (at == 0)
        return -1;
    r->position = at;
    return 0;
}

static int
add_made_event(struct journal_run *r, struct journal_event *event, bool later)
{
    struct journal *j = r->journal;

    if (j->writer)
        return queue_event(r, event, later);
    if (!later || j->n_later == LATER_MAX)
        return write_events(j, event);
    j->later[j->n_later++] = event;
    return 0;
}

static int
add_event(struct journal_run *r, const char *kind,
          const struct journal_member *members, bool later)
{
    struct err e = {0};
    struct journal_event *event = journal_event_new(r->in_file, kind, members,
                                                    &e);

    return event ? add_made_event(r, event, later) : lose_event(r->journal, &e);
}

int
journal_add(struct journal_run *r, const char *kind,
            const struct journal_member *members)
{
    return r ? add_event(r, kind, members, false) : 0;
}

int
journal_add_later(struct journal_run *r, const char *kind,
                  const struct journal_member *members)
{
    return r ? add_event(r, kind, members, true) : 0;
}

struct journal_event *
journal_prepare(struct journal_run *r, const char *kind,
                const struct journal_member *members)
{
    struct err e = {0};
    struct journal_event *event;

    if (!r)
        return NULL;
    event = journal_event_new(r->in_file, kind, members, &e);
    if (!event)
        (void)lose_event(r->journal, &e);
    return event;
}

void
journal_add_prepared(struct journal_run *r, struct journal_event *event)
{
    (void)add_made_event(r, event, true);
}

int
journal_flush(struct journal *j)
{
    return j && !j->writer ? write_events(j, NULL) : 0;
}

int
journal_sync(struct journal_run *r, bool soon)
{
    if (!r)
        return 0;
    if (r->journal->writer) {
        r->position = journal_writer_sync(r->journal->writer, r->in_file);
        return 0;
    }
    if (write_events(r->journal, NULL) < 0)
        return -1;
    return journal_file_sync(r->journal->file, r->in_file, soon);
}

int
journal_when_stored(struct journal_run *r, void (*cb)(void *arg), void *arg,
                    struct err *e)
{
    if (r && r->journal->writer)
        return add_waiter(r, cb, arg, e);
    if (r)
        (void)write_events(r->journal, NULL);
    cb(arg);
    return 0;
}

bool
journal_store_now(struct journal_run *r)
{
    struct journal *j = r ? r->journal : NULL;

    if (!j)
        return true;
    if (!j->writer)
        return write_events(j, NULL) == 0;
    return !j->waiters && journal_writer_write_now(j->writer);
}

const char *
journal_trouble(struct journal *j)
{
    bool news = j && (j->writer
                          ? journal_writer_take_trouble(j->writer, &j->reported)
                          : journal_file_take_trouble(j->file, &j->reported));

    return news ? j->reported.text : NULL;
}

void
journal_close(struct journal *j)
{
    bool ended = true;

    if (!j)
        return;
    watch_free(j->watch);
    if (j->writer)
        ended = journal_writer_stop(j->writer);
    if (j->file)
        (void)write_events(j, NULL);
    journal_file_close(j->file);
    if (ended && j->wake >= 0)
        close(j->wake);
    free(j);
}
