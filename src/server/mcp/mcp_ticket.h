/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_ticket.h - what a client brings back with the answer to a question.
 *
 * In 2026-07-28 a call that the rules ask about is answered with a question and
 * a requestState, and comes again with both. The state is signed with a key of
 * this process; it names the question, is bound to the digest of what a yes
 * covers, holds for MCP_TICKET_MS, and is good once. */
#ifndef SERVER_MCP_MCP_TICKET_H
#define SERVER_MCP_MCP_TICKET_H

#include "base/buf.h"
#include "base/cleanup.h"

#define MCP_TICKET_MS       (10 * 60 * 1000)
#define MCP_TICKETS_MAX     256 /* questions that wait at once */
#define MCP_TICKET_TEXT_MAX 256 /* bytes of a state */

struct mcp_tickets;
struct mcp_ticket; /* a question that waits */

struct mcp_tickets *mcp_tickets_new(struct err *e);
void mcp_tickets_free(struct mcp_tickets *t); /* accepts NULL; none is left */
DEFINE_CLEANUP(struct mcp_tickets, mcp_tickets_free)

/* Makes one for arg, and appends its state. digest is borrowed until
 * mcp_ticket_free. ERR_NOMEM: there are too many. */
struct mcp_ticket *mcp_ticket_new(struct mcp_tickets *t, const char *digest,
                                  void *arg, struct buf *state, struct err *e);
void mcp_ticket_free(struct mcp_ticket *k); /* accepts NULL */

/* The arg of the one whose state this is; it is still to be freed. NULL with
 * ERR_INVALID: it is none, is not ours, was used, or has expired. */
void *mcp_ticket_find(struct mcp_tickets *t, const char *state, struct err *e);

#endif
