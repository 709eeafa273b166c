/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - prints an answer in words to standard output while it streams. */
#ifndef UI_ANSWER_H
#define UI_ANSWER_H

#include "action/agent_loop.h"
#include "ui/app.h"

struct answer_stream;

struct answer_stream *answer_new(struct app *a, struct err *e);
void answer_free(struct answer_stream *s); /* accepts NULL */
DEFINE_CLEANUP(struct answer_stream, answer_free)

/* Adds a piece of the text. A terminal shows it at once; a program gets the
 * text only when the whole answer is checked. */
void answer_add(struct answer_stream *s, const char *bytes, size_t n);
/* Whether some of it was shown already. */
bool answer_begun(const struct answer_stream *s);

/* The whole answer is there and checked: prints what is not printed yet, or
 * the JSON that was asked for. why: why nothing is proposed; NULL: an answer
 * in words is what was wanted. facts may be NULL. Returns the exit status. */
int answer_finish(struct answer_stream *s, const struct aiaction *action,
                  const char *model, const struct conversation_usage *facts,
                  const struct err *why);

#endif
