/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c - events of a run, added to the ledger one by one. */
#include "record/journal_in.h"

#include <stdio.h>
#include <string.h>

#include "record/keep.h"
#include "record/lost.h"
#include "record/place.h"

/* Others hold the lock for a millisecond, or, when they fold the log in, while
 * the disk writes: a second when it is busy. One who holds it for longer than
 * this is waited for once in a run, not at each event. */
#define WAIT_MS  3000
#define AGAIN_MS 20

#define LATER_MAX 4

/* An event that goes in with the next one. */
struct later {
    char kind[16], time[LEDGER_TIME_SIZE];
    struct buf body;
};

struct journal {
    struct ledger *ledger;
    char *path;
    int64_t keep_days, keep_mb;
    char run[JOURNAL_RUN_SIZE];
    int64_t first; /* the run's first row; 0: none yet */
    int64_t lost;  /* events that could not be kept since the last one */
    struct later later[LATER_MAX];
    size_t n_later;
    struct err trouble; /* ERR_NONE: there was none */
    bool told;
};

/* The journal at j->path is left as it is, and another begun beside it. */
static int
begin_beside(struct journal *j, const struct err *why, struct err *e)
{
    CLEANUP(free_p) char *path = place_beside(j->path, e);

    if (!path)
        return -1;
    ledger_close(j->ledger);
    j->ledger = ledger_open(path, STORE_WRITE, WAIT_MS, e);
    if (!j->ledger)
        return -1;
    err_set(&j->trouble, ERR_PARSE,
            "started a new journal in %s: %s. The old one is kept", path,
            why->text);
    j->told = false;
    j->first = 0; /* numbers begin anew there */
    free(j->path);
    j->path = TAKE_PTR(path);
    return 0;
}

struct journal *
journal_open(int64_t keep_days, int64_t keep_mb, struct err *e)
{
    CLEANUP(journal_close_p) struct journal *j = calloc(1, sizeof(*j));
    struct err why = {0};

    if (!j) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    *j = (struct journal){.keep_days = keep_days, .keep_mb = keep_mb};
    j->path = place_journal(e);
    if (!j->path || place_make(j->path, e) < 0 ||
        journal_name_run(j->run, e) < 0)
        return NULL;
    j->ledger = ledger_open(j->path, STORE_WRITE, WAIT_MS, &why);
    if (!j->ledger && (why.code != ERR_PARSE || begin_beside(j, &why, e) < 0)) {
        if (why.code != ERR_PARSE && e)
            *e = why;
        lost_note(j->path, 1); /* at least */
        return NULL;
    }
    j->lost = lost_take(j->path);
    return TAKE_PTR(j);
}

const char *
journal_run(const struct journal *j)
{
    return j ? j->run : "";
}

static int
append(struct journal *j, const char *kind, const char *time,
       const struct buf *body, int64_t *seq, struct err *e)
{
    const struct chain_row row = {
        .run = j->run,
        .run_len = strlen(j->run),
        .time = time,
        .time_len = strlen(time),
        .kind = kind,
        .kind_len = strlen(kind),
        .body = body->p,
        .body_len = body->len,
    };

    return ledger_append(j->ledger, &row, seq, e);
}

/* Says in the journal itself that events are missing, and why. */
static int
append_gap(struct journal *j, const char *time, struct err *e)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    const struct journal_member members[] = {
        JOURNAL_NUM("events", j->lost),
        JOURNAL_STR("why", j->trouble.code != ERR_NONE
                               ? j->trouble.text
                               : "earlier runs could not be recorded"),
        {0},
    };

    if (j->lost == 0)
        return 0;
    if (journal_body(members, &body, e) < 0)
        return -1;
    return append(j, "gap", time, &body, NULL, e);
}

static int
append_later(struct journal *j, int64_t *seq, struct err *e)
{
    for (size_t i = 0; i < j->n_later; i++) {
        const struct later *l = &j->later[i];

        if (append(j, l->kind, l->time, &l->body, seq, e) < 0)
            return -1;
    }
    return 0;
}

static void
forget_later(struct journal *j)
{
    for (size_t i = 0; i < j->n_later; i++)
        buf_done(&j->later[i].body);
    j->n_later = 0;
}

/* With what was left for it, in one transaction. body NULL: only that. */
static int
add(struct journal *j, const char *kind, const struct buf *body, struct err *e)
{
    char now[LEDGER_TIME_SIZE];
    int64_t seq = 0;
    bool done;

    ledger_time(ledger_now_ms(), now);
    if (ledger_begin(j->ledger, e) < 0)
        return -1;
    done = append_gap(j, now, e) == 0 && append_later(j, &seq, e) == 0 &&
           (!body || append(j, kind, now, body, &seq, e) == 0);
    if (ledger_end(j->ledger, done, e) < 0 || !done)
        return -1;
    if (j->first == 0)
        j->first = seq - (int64_t)j->n_later + !body;
    j->lost = 0;
    forget_later(j);
    return 0;
}

static int
fail(struct journal *j, const struct err *why)
{
    if (j->trouble.code == ERR_NONE) {
        j->trouble = *why;
        err_wrap(&j->trouble, "some of this is not recorded (agentsh doctor)");
        j->told = false;
    }
    if (j->ledger && why->code == ERR_TIMEOUT)
        store_wait(ledger_store(j->ledger), AGAIN_MS);
    return -1;
}

static int
lose(struct journal *j, const struct err *why)
{
    j->lost++;
    return fail(j, why);
}

/* In the journal, or in one beside it when that turns out to be damaged. */
static int
add_somewhere(struct journal *j, const char *kind, const struct buf *body)
{
    struct err why = {0}, e = {0};

    if (add(j, kind, body, &why) == 0)
        return 0;
    if (why.code == ERR_PARSE && begin_beside(j, &why, &e) == 0 &&
        add(j, kind, body, &e) == 0)
        return 0;
    j->lost += (int64_t)j->n_later + (body != NULL);
    forget_later(j);
    return fail(j, e.code != ERR_NONE ? &e : &why);
}

int
journal_add(struct journal *j, const char *kind,
            const struct journal_member *members)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    struct err e = {0};

    if (!j)
        return 0;
    if (!j->ledger)
        return lose(j, &j->trouble);
    if (journal_body(members, &body, &e) < 0)
        return lose(j, &e);
    return add_somewhere(j, kind, &body);
}

int
journal_later(struct journal *j, const char *kind,
              const struct journal_member *members)
{
    struct later *l;
    struct err e = {0};

    if (!j || !j->ledger || j->n_later == LATER_MAX)
        return journal_add(j, kind, members);
    l = &j->later[j->n_later];
    snprintf(l->kind, sizeof(l->kind), "%s", kind);
    ledger_time(ledger_now_ms(), l->time);
    l->body = buf_of(JOURNAL_BODY_MAX);
    if (journal_body(members, &l->body, &e) < 0) {
        buf_done(&l->body);
        return lose(j, &e);
    }
    j->n_later++;
    return 0;
}

int
journal_sync(struct journal *j, bool soon)
{
    struct err e = {0};
    struct store *s;

    if (!j || !j->ledger)
        return 0;
    if (j->n_later > 0 && add_somewhere(j, "", NULL) < 0)
        return -1;
    if (j->first == 0)
        return 0;
    s = ledger_store(j->ledger);
    if (store_sync(s, soon, &e) < 0)
        return fail(j, &e);
    if (keep_trim(j->ledger, j->run, j->first,
                  &(struct keep){j->keep_days, j->keep_mb}, &e) < 0 &&
        e.code != ERR_TIMEOUT) /* another run's end will do it */
        return fail(j, &e);
    store_fold(s);
    return 0;
}

const char *
journal_trouble(struct journal *j)
{
    if (!j || j->told || j->trouble.code == ERR_NONE)
        return NULL;
    j->told = true;
    return j->trouble.text;
}

void
journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->ledger && j->n_later > 0)
        (void)add_somewhere(j, "", NULL);
    if (j->ledger)
        store_fold(ledger_store(j->ledger));
    if (j->lost > 0)
        lost_note(j->path, j->lost);
    forget_later(j);
    ledger_close(j->ledger);
    free(j->path);
    free(j);
}
