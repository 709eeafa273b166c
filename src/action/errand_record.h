/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_record.h - what the journal is told of an errand.
 *
 * All members of the events of errands are made here. */
#ifndef ACTION_ERRAND_RECORD_H
#define ACTION_ERRAND_RECORD_H

#include "action/errand.h"

/* Records a call before it starts, or is refused. yes: who agreed to what the
 * rules ask about; NULL: nobody was asked, or agreed. A call that only reads is
 * written together with its result. */
void errand_record_call(const struct errand_params *p, const struct tool *t,
                        const struct errand_request *rq,
                        const struct permit *permit, const char *yes);

/* A call that only reads is recorded when it ends, beside its result, whatever
 * runs at the same time; what takes time of that is done while it runs. */
struct errand_unrecorded {
    bool due;
    struct journal_event *prepared; /* NULL: it is not made yet */
};
void errand_record_prepare(struct errand_unrecorded *u,
                           const struct errand_params *p, const struct tool *t,
                           const struct errand_request *rq,
                           const struct permit *permit, const char *yes);
/* Records the call, unless it is recorded. */
void errand_record_due(struct errand_unrecorded *u,
                       const struct errand_params *p, const struct tool *t,
                       const struct errand_request *rq,
                       const struct permit *permit, const char *yes);

/* Records a request that is refused before it becomes a call, as it was sent.
 * The texts may be NULL. */
void errand_record_refused(const struct errand_params *p, const char *step_id,
                           const char *tool, const char *action,
                           const struct json *args);

/* Records a command that a tool requests to run as root, before it runs. */
void errand_record_elevation(const struct errand_params *p,
                             const char *const *argv, bool runs);

/* Each records the end of a call; later where the record has flush. A call with
 * a step_id has it in both of its events, since others may end in between. rq
 * NULL: it was none. */
void errand_record_result(const struct errand_params *p,
                          const struct errand_request *rq,
                          const struct tool_result *r, bool later);
void errand_record_failure(const struct errand_params *p,
                           const struct errand_request *rq,
                           const struct err *why, int64_t ms);

#endif
