/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c - events of a run, added to the ledger one by one. */
#include "record/journal_in.h"

#include <stdio.h>
#include <string.h>

#include "record/keep.h"
#include "record/place.h"

/* Others hold the lock for a millisecond. One who holds it for longer than
 * this is waited for once in a run, not at each event. */
#define WAIT_MS  1000
#define AGAIN_MS 20

struct journal {
    struct ledger *ledger;
    char *path;
    int64_t keep_days, keep_mb;
    char run[JOURNAL_RUN_SIZE];
    int64_t first;      /* the run's first row; 0: none yet */
    int64_t lost;       /* events that could not be kept since the last one */
    struct err trouble; /* ERR_NONE: there was none */
    bool told;
};

/* The journal at j->path is left as it is, and another begun beside it. */
static int
begin_beside(struct journal *j, const struct err *why, struct err *e)
{
    CLEANUP(free_p) char *path = place_beside(j->path, e);

    if (!path || place_make(path, e) < 0)
        return -1;
    ledger_close(j->ledger);
    j->ledger = ledger_open(path, STORE_WRITE, WAIT_MS, e);
    if (!j->ledger)
        return -1;
    err_set(&j->trouble, ERR_PARSE,
            "the journal was begun anew in %s: %s. What was there is left as "
            "it is",
            path, why->text);
    j->told = false;
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
        err_set(e, ERR_NOMEM, "no memory");
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
        return NULL;
    }
    return TAKE_PTR(j);
}

void
journal_close(struct journal *j)
{
    if (!j)
        return;
    ledger_close(j->ledger);
    free(j->path);
    free(j);
}

const char *
journal_run(const struct journal *j)
{
    return j ? j->run : "";
}

static int
append(struct journal *j, const char *kind, const struct buf *body,
       int64_t *seq, struct err *e)
{
    char now[LEDGER_TIME_SIZE];
    const struct chain_row row = {
        .run = j->run,
        .run_len = strlen(j->run),
        .time = ledger_time(ledger_now_ms(), now),
        .time_len = strlen(now),
        .kind = kind,
        .kind_len = strlen(kind),
        .body = body->p,
        .body_len = body->len,
    };

    return ledger_append(j->ledger, &row, seq, e);
}

/* Says in the journal itself that events are missing, and why. */
static int
append_gap(struct journal *j, struct err *e)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    const struct journal_member members[] = {
        JOURNAL_NUM("events", j->lost),
        JOURNAL_STR("why", j->trouble.text),
        {0},
    };

    if (j->lost == 0)
        return 0;
    if (journal_body(members, &body, e) < 0)
        return -1;
    return append(j, "gap", &body, NULL, e);
}

static int
add(struct journal *j, const char *kind, const struct buf *body, struct err *e)
{
    int64_t seq = 0;
    bool done;

    if (ledger_begin(j->ledger, e) < 0)
        return -1;
    done = append_gap(j, e) == 0 && append(j, kind, body, &seq, e) == 0;
    if (ledger_end(j->ledger, done, e) < 0 || !done)
        return -1;
    if (j->first == 0)
        j->first = seq;
    j->lost = 0;
    return 0;
}

static int
fail(struct journal *j, const struct err *why)
{
    j->lost++;
    if (j->trouble.code == ERR_NONE) {
        j->trouble = *why;
        err_wrap(&j->trouble, "this is not recorded as a whole");
        j->told = false;
    }
    if (j->ledger && why->code == ERR_TIMEOUT)
        store_wait(ledger_store(j->ledger), AGAIN_MS);
    return -1;
}

int
journal_add(struct journal *j, const char *kind,
            const struct journal_member *members)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    struct err why = {0}, e = {0};

    if (!j)
        return 0;
    if (!j->ledger)
        return fail(j, &j->trouble);
    if (journal_body(members, &body, &e) < 0)
        return fail(j, &e);
    if (add(j, kind, &body, &why) == 0)
        return 0;
    if (why.code == ERR_PARSE && begin_beside(j, &why, &e) == 0 &&
        add(j, kind, &body, &e) == 0)
        return 0;
    return fail(j, e.code != ERR_NONE ? &e : &why);
}

int
journal_sync(struct journal *j)
{
    struct err e = {0};
    struct store *s;

    if (!j || j->first == 0 || !j->ledger)
        return 0;
    s = ledger_store(j->ledger);
    if (store_sync(s, &e) < 0)
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
