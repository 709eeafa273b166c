/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_in.h - a job's inside, shared by its two halves: job.c sends requests
 * and takes bytes, judge.c decides what follows from what came. */
#ifndef MODEL_PROCESS_JOB_IN_H
#define MODEL_PROCESS_JOB_IN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/loop.h"
#include "model/process/exchange.h"
#include "model/process/job.h"
#include "model/stream.h"

struct job {
    struct loop *loop;
    struct pump *pump;
    struct asked *q;
    struct call call; /* the question's, with what was learned since */
    unsigned learned; /* quirks found in this job, not yet proven */
    char host[128];
    job_end *end;
    void *arg;
    int64_t start_ms;
    int tries;     /* requests that failed in passing */
    int redirects; /* followed for this question */
    struct buf url, headers, body;
    struct buf error; /* the body of a response that is no answer */
    struct draft draft;
    bool drafting; /* draft is initialised */
    bool thought;  /* the front knows that reasoning comes */
    struct stream *stream;
    struct err broken; /* why the body callback wanted no more */
    struct exchange *exchange;
    struct watch *total;
    struct watch *flush; /* writes text that came too soon after the last */
    bool late_text;      /* flush runs */
    int64_t flushed_ms;
    struct watch *pause; /* runs before a request, or after an answer */
};

/* Sends the request, with what was learned so far. */
void job_attempt(struct job *j);

/* The response has ended, or broke, or is late: an answer, a failure, or
 * another request. */
void judge(struct job *j);
/* The total limit has passed. */
void judge_total(struct job *j);
/* The answer is whole, whatever the connection does now. */
void judge_answer(struct job *j);
/* Writes the failure and ends the job. */
void judge_fail(struct job *j, const struct err *why);

#endif
