/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - one question, through all the requests that it takes. */
#ifndef MODEL_PROCESS_JOB_H
#define MODEL_PROCESS_JOB_H

#include "model/ask.h"
#include "model/process/pump.h"

struct job;

/* Called once, after the answer or the failure was written. The job may be
 * freed from inside. */
typedef void job_end(void *arg);

/* Takes q, also on failure. */
struct job *job_start(struct loop *l, struct pump *p, struct asked *q,
                      job_end *end, void *arg, struct err *e);
void job_free(struct job *j); /* accepts NULL; ends it without a word */
/* Writes the text that has come since: once for many small events. */
void job_flush(struct job *j);
int64_t job_id(const struct job *j);
/* Writes that it failed because it was interrupted, and ends it. */
void job_cancel(struct job *j);

#endif
