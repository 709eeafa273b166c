/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offline_proposal.h - proposes commands for a request without a model. */
#ifndef ACTION_OFFLINE_PROPOSAL_H
#define ACTION_OFFLINE_PROPOSAL_H

#include "action/proposal.h"
#include "action/user_request.h"
#include "offline/engine/engine.h"

/* Whether the request asks about an error: what came with it is then read, if
 * anything did (input), else the last command of the shell. */
bool offline_proposal_is_about_error(const struct user_request *request,
                                     bool input);

/* Makes a proposal, which is checked as a model's is. It is a command or a
 * plan where the offline engine is sure and no value is missing; else an
 * answer in words that shows the nearest commands; or, where the request asks
 * about an error, what is known of that error. columns: the width of the screen
 * that shows it; 0: no screen does. ERR_UNFIT: nothing is near; ERR_USAGE: the
 * request needs a model. */
int offline_proposal_make(const struct seat *s,
                          const struct user_request *request, size_t columns,
                          struct proposal *out, struct err *e);

/* Makes a proposal of one of the commands that an answer in words numbers. */
int offline_proposal_choose(const struct user_request *request,
                            const struct proposal *from, size_t chosen,
                            struct proposal *out, struct err *e);

/* Appends an answer in words, in Markdown: the nearest commands and why none
 * of them is proposed; for an explanation, the command and what its parts
 * mean. a has at least one command. offline_proposal_make calls it; the unit
 * test has no other way to give it answers of its own. */
int offline_proposal_text(const struct seat *s,
                          const struct user_request *request,
                          const struct engine_answers *a, size_t columns,
                          struct buf *out, struct err *e);

#endif
