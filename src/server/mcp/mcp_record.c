/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_record.c - the journal of a connection: one run, from its first call on.
 */
#include "server/mcp/mcp_record.h"

#include <stdlib.h>

struct mcp_record {
    struct mcp_record_setup set;
    struct journal_run *run; /* NULL: nothing is recorded yet */
    bool tried;
};

struct mcp_record *
mcp_record_new(const struct mcp_record_setup *set, struct err *e)
{
    struct mcp_record *r = calloc(1, sizeof(*r));

    if (!r)
        err_nomem(e);
    else
        r->set = *set;
    return r;
}

static void
log_record_trouble(const struct mcp_record *r)
{
    const char *why = journal_trouble(r->set.journal);

    if (why)
        r->set.log(r->set.log_arg, why);
}

static void
open_record_run(struct mcp_record *r)
{
    struct err e = {0};

    if (r->tried)
        return;
    r->tried = true;
    r->run = journal_run_new(r->set.journal, &e);
    if (!r->run && e.code != ERR_NONE)
        r->set.log(r->set.log_arg, e.text);
}

static void
add_to_record(void *record, const char *kind,
              const struct journal_member *members, bool later)
{
    struct mcp_record *r = record;

    open_record_run(r);
    (void)(later ? journal_add_later : journal_add)(r->run, kind, members);
}

static struct journal_event *
prepare_event(void *record, const char *kind,
              const struct journal_member *members)
{
    struct mcp_record *r = record;

    open_record_run(r);
    return journal_prepare(r->run, kind, members);
}

static void
add_prepared_event(void *record, struct journal_event *event)
{
    const struct mcp_record *r = record;

    journal_add_prepared(r->run, event);
}

static void
on_errands_ended(void *record)
{
    const struct mcp_record *r = record;

    r->set.flush(r->set.arg);
}

struct errand_record
mcp_record_of_errands(struct mcp_record *r)
{
    return (struct errand_record){.add = add_to_record,
                                  .prepare = prepare_event,
                                  .add_prepared = add_prepared_event,
                                  .flush = on_errands_ended,
                                  .arg = r};
}

void
mcp_record_free(struct mcp_record *r, bool acted)
{
    if (!r)
        return;
    if (r->run) {
        add_to_record(r, "end",
                      (const struct journal_member[]){
                          JOURNAL_NUM("status", 0),
                          {0},
                      },
                      false);
        (void)journal_sync(r->run, !acted);
    }
    journal_run_free(r->run);
    free(r);
}

static void
on_stored(void *arg)
{
    struct mcp_record *r = arg;

    log_record_trouble(r);
    r->set.stored(r->set.arg);
}

void
mcp_record_flush(struct mcp_record *r, bool alone)
{
    if (alone && journal_store_now(r->run))
        on_stored(r);
    else if (journal_when_stored(r->run, on_stored, r, NULL) < 0)
        on_stored(r);
}

void
mcp_record_stopped(struct mcp_record *r, const char *id, const char *why)
{
    add_to_record(r, "result",
                  (const struct journal_member[]){
                      JOURNAL_STR("step", id),
                      JOURNAL_FLAG("ok", false),
                      JOURNAL_STR("code", "INTERRUPTED"),
                      JOURNAL_STR("why", why),
                      {0},
                  },
                  true);
}
