/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offline_answer.h - proposes commands for a request without a model. */
#ifndef UI_OFFLINE_ANSWER_H
#define UI_OFFLINE_ANSWER_H

#include "offline/engine/engine.h"
#include "ui/assist.h"
#include "ui/proposal.h"

/* Makes a proposal, which is checked as a model's is. It is a command or a
 * plan where the offline engine is sure and no value is missing; else an
 * answer in words that shows the nearest commands; or, where the request asks
 * about an error, what is known of that error. input is what was piped in; it
 * is read where there are no words, or where the words ask about it. ERR_UNFIT:
 * nothing is near; ERR_USAGE: the request needs a model. */
int offline_answer_propose(struct app *a, const struct assist_request *request,
                           struct buf *input, struct proposal *out,
                           struct err *e);

/* Makes a proposal of one of the commands that an answer in words numbers. */
int offline_answer_choose(const struct assist_request *request,
                          const struct proposal *from, size_t chosen,
                          struct proposal *out, struct err *e);

/* Appends an answer in words, in Markdown: the nearest commands and why none
 * of them is proposed; for an explanation, the command and what its parts
 * mean. a has at least one command. columns: the width of the screen that
 * shows it; 0: no screen does. offline_answer_propose calls it; the unit test
 * has no other way to give it answers of its own. */
int offline_answer_text(const struct seat *s,
                        const struct assist_request *request,
                        const struct engine_answers *a, size_t columns,
                        struct buf *out, struct err *e);

#endif
