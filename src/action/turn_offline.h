/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn_offline.h - inside a turn: asks the offline engine for proposals, and
 * keeps the request, which grows by the person's words. */
#ifndef ACTION_TURN_OFFLINE_H
#define ACTION_TURN_OFFLINE_H

#include "action/proposal.h"
#include "action/user_request.h"

struct turn_offline;

/* Both come from the loop. */
struct turn_offline_events {
    void (*proposed)(void *arg, struct proposal *p); /* p is the callee's */
    void (*failed)(void *arg, const struct err *why);
};

/* The seat, what the request points to and the events are borrowed. columns:
 * see offline_proposal_make. */
struct turn_offline *turn_offline_new(struct loop *l, const struct seat *s,
                                      const struct user_request *request,
                                      size_t columns,
                                      const struct turn_offline_events *ev,
                                      void *arg, struct err *e);
/* Waits for the end of a search that is under way: some milliseconds. */
void turn_offline_free(struct turn_offline *o);
DEFINE_CLEANUP(struct turn_offline, turn_offline_free)

/* Makes the first proposal, in a thread: a long request takes the engine more
 * milliseconds than a loop may be held. */
int turn_offline_propose(struct turn_offline *o, struct err *e);

/* After an answer in words, which may say that a value is missing: makes
 * another proposal with it, as one word behind those of the request, in a
 * thread too. */
int turn_offline_extend(struct turn_offline *o, const char *value,
                        struct err *e);

/* With more words, behind those of the request, makes another plan than `now`,
 * before it returns: some 10 ms, for a person at a terminal. ERR_UNFIT: no
 * other plan covers them all, and the request stays as it was. */
int turn_offline_revise(struct turn_offline *o, const char *words,
                        const struct aiaction *now, struct err *e);

/* Makes a plan of a command that the answer in `from` numbers. */
int turn_offline_choose(struct turn_offline *o, const struct proposal *from,
                        size_t chosen, struct err *e);

#endif
