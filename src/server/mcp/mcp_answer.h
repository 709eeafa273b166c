/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_answer.h - the result of a tool, as a client gets it, and its schema.
 *
 * The text that a tool wrote comes as content, and once more in the structured
 * result, beside the members of its meta: some clients show a model the one,
 * some the other. A tool that failed has content alone, and isError. */
#ifndef SERVER_MCP_MCP_ANSWER_H
#define SERVER_MCP_MCP_ANSWER_H

#include "server/mcp/mcp_client.h"
#include "tool/call.h"
#include "json/write.h"

/* Bytes of a result: the two texts, in both places, of which some bytes are
 * escaped. */
#define MCP_ANSWER_MAX (12u << 20)

/* Whether results of the action have a structured part whose schema is known.
 */
bool mcp_answer_has_schema(const struct tool *t,
                           const struct manifest_action *a);
/* Puts that schema. */
void mcp_answer_put_schema(struct json_writer *w,
                           const struct manifest_action *a);

/* What a tool has answered. texts: what it wrote, where the result does not
 * have all of it (NULL). */
struct mcp_answer_texts {
    struct buf out, err;
    bool truncated;
};
void mcp_answer_write(struct buf *out, enum mcp_era era, const struct tool *t,
                      const struct manifest_action *a,
                      const struct tool_result *r,
                      const struct mcp_answer_texts *texts);

/* What did not run, or never came to its end: code is one of the API's. */
void mcp_answer_write_failure(struct buf *out, enum mcp_era era,
                              const char *code, const char *why,
                              const struct mcp_answer_texts *texts);

#endif
