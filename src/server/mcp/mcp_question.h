/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_question.h - a question of the rules, as a client puts it to its user. */
#ifndef SERVER_MCP_MCP_QUESTION_H
#define SERVER_MCP_MCP_QUESTION_H

#include "action/errand.h"
#include "server/mcp/mcp_client.h"
#include "json/write.h"

#define MCP_QUESTION_MAX (4u << 20) /* bytes of its params */

/* Puts the params of elicitation/create: what would run, where, and why it is
 * asked about. The form has no fields: to accept it is a yes. */
void mcp_question_put(struct json_writer *w, enum mcp_era era,
                      const struct seat *seat, const struct tool *t,
                      const struct errand_request *rq, const struct permit *p);

/* Puts the params as the member inputRequests of a result; number: how many
 * questions a call has asked with this one, each under a key of its own. */
void mcp_question_put_input(struct json_writer *w, unsigned number,
                            const char *params, size_t n);

/* The answer to it among inputResponses; NULL: there is none. */
const struct json *mcp_question_find(const struct json *answers,
                                     unsigned number);

/* Reads an answer: the result of elicitation/create, or one of inputResponses.
 * ERR_INVALID: it is none. */
int mcp_question_read(const struct json *answer, bool *yes, struct err *e);

/* Writes which rule asks and why, for who cannot be asked. */
void mcp_question_put_rule(struct buf *out, const struct permit *p);

#endif
