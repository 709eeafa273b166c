/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_event.h - an event on its way to the journal: redacted, as JSON. */
#ifndef RECORD_JOURNAL_EVENT_H
#define RECORD_JOURNAL_EVENT_H

#include "record/journal.h"
#include "record/ledger.h"

struct journal_file_run;

struct journal_event {
    struct journal_event *next; /* added after this one */
    struct journal_file_run *run;
    int64_t seq; /* of its row; set by journal_file_write */
    char kind[16], time[LEDGER_TIME_SIZE];
    struct buf body;
};

/* An event of now. The members are copied and redacted here, in the caller's
 * thread; run is borrowed. ERR_NOMEM: it has no memory, or is too large. */
struct journal_event *journal_event_new(struct journal_file_run *run,
                                        const char *kind,
                                        const struct journal_member *members,
                                        struct err *e);

/* Frees the event and all those behind it; accepts NULL. */
void journal_event_free(struct journal_event *first);
DEFINE_CLEANUP(struct journal_event, journal_event_free)

#endif
