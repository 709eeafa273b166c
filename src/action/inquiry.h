/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inquiry.h - a wish goes to a model and comes back as a checked AiAction.
 *
 * An answer that cannot be used goes back once, with the reason; a second one
 * is ERR_ANSWER. */
#ifndef ACTION_INQUIRY_H
#define ACTION_INQUIRY_H

#include "action/aiaction.h"
#include "model/client.h"

struct inquiry;

/* What the answer cost. */
struct inquiry_facts {
    const char *model;             /* borrowed for the callback; may be NULL */
    int64_t tokens_in, tokens_out; /* of both rounds; -1: not told */
    int64_t ms;
    bool repaired; /* it took the second round */
};

struct inquiry_events {
    /* text of an answer_only's summary, as it streams; may never come */
    void (*text)(void *arg, const char *bytes, size_t n);
    void (*waiting)(void *arg, const char *line); /* why it takes longer */
    /* exactly one of these two comes last; the action is the callee's */
    void (*proposed)(void *arg, struct aiaction *a,
                     const struct inquiry_facts *f);
    void (*failed)(void *arg, const struct err *why);
};

/* Sends user (the whole user's message) to m. Strings are copied. */
struct inquiry *inquiry_start(struct model *m, enum aiaction_mode mode,
                              const char *user, const struct inquiry_events *ev,
                              void *arg, struct err *e);
void inquiry_free(struct inquiry *q); /* after its last event */
DEFINE_CLEANUP(struct inquiry, inquiry_free)

#endif
