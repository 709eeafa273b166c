/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_query.h - asks a model while the user waits: progress, tool calls,
 * Ctrl-C.
 *
 * A query is one conversation: the request, and, where the model asks for it,
 * the results of the steps, until an answer is the last. */
#ifndef UI_MODEL_QUERY_H
#define UI_MODEL_QUERY_H

#include "action/agent_loop.h"
#include "action/step_results.h"
#include "ui/answer.h"
#include "ui/proposal.h"

/* Borrowed for as long as the query lives. */
struct model_query_params {
    struct model *model; /* NULL: for model_query_first_request alone */
    const char *model_name;
    enum aiaction_mode mode;
    bool may_call_tools; /* before it answers */
};

struct model_query;
/* Loads the registry; the caller has loaded the rules. */
struct model_query *model_query_open(struct app *a,
                                     const struct model_query_params *params,
                                     struct err *e);
void model_query_close(struct model_query *q); /* accepts NULL */
DEFINE_CLEANUP(struct model_query, model_query_close)

/* Sets the user's whole message, and which part of it others could have
 * written (NULL: none); both are borrowed. Due before the first run. */
void model_query_set_message(struct model_query *q, const char *user,
                             const char *outside);

/* Sends a message and turns the loop until the answer is there. The first
 * call sends the request (results and words NULL); later ones send the results
 * of the steps, or the words by which the answer is to be changed. The text of
 * an answer is printed to s as it streams. */
int model_query_run(struct model_query *q, const struct step_results *results,
                    const char *words, struct answer_stream *s,
                    struct proposal *out, struct err *e);

/* Fills the first request, for --show-request; nothing is sent. */
void model_query_first_request(const struct model_query *q,
                               struct model_turn *turn,
                               struct model_request *r);

#endif
