/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_query.h - asks a model while the user waits: progress, tool calls,
 * Ctrl-C.
 *
 * A query is one conversation: the request, and, where the model asks for it,
 * the results of the steps, until an answer is the last. */
#ifndef UI_MODEL_QUERY_H
#define UI_MODEL_QUERY_H

#include "action/agent_loop.h"
#include "action/proposal.h"
#include "ui/answer.h"
#include "ui/assist.h"

struct model_query;

/* Starts the model process, loads the rules and the registry, and writes the
 * user's whole message: the request, its context, and input, what was piped
 * in. Nothing is sent yet. request and c are borrowed for as long as the query
 * lives. With request->show_request there is no model: the first request can
 * be shown, and no more. */
struct model_query *model_query_open(struct app *a,
                                     const struct assist_request *request,
                                     const struct model_selection *c,
                                     const struct buf *input, struct err *e);
void model_query_close(struct model_query *q); /* accepts NULL */
DEFINE_CLEANUP(struct model_query, model_query_close)

/* Sends a message and turns the loop until the answer is there. The first call
 * sends the request; later ones send what the proposal before got: the results
 * of its steps, or the words by which it is to be changed. The text of an
 * answer is printed to s as it streams. */
int model_query_run(struct model_query *q, struct answer_stream *s,
                    struct proposal *out, struct err *e);

/* Whether the last proposal got results or words that are not sent yet. */
bool model_query_has_message(const struct model_query *q);

/* Fills the first request, for --show-request; nothing is sent. */
void model_query_first_request(const struct model_query *q,
                               struct model_turn *turn,
                               struct model_request *r);

#endif
