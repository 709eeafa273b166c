/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_answer.h - the lines that agentsh tool call writes. */
#ifndef DOOR_CLI_TOOL_ANSWER_H
#define DOOR_CLI_TOOL_ANSWER_H

#include "tool/call.h"
#include "tool/permit.h"

/* Two texts of 1 MiB, every byte escaped, and a line of 16 MiB with meta. */
#define TOOL_ANSWER_MAX (32u << 20)

/* Each appends one line, with its newline. */
void tool_answer_result(struct buf *out, const struct tool_result *r);
void tool_answer_error(struct buf *out, const struct err *why, int64_t ms);
void tool_answer_denied(struct buf *out, const struct permit *p, int64_t ms);
/* step_id NULL: it is left out */
void tool_answer_output(struct buf *out, const char *step_id,
                        const char *stream, const char *bytes, size_t n);

/* For a terminal: what does not show, or turns what follows around, becomes
 * \uXXXX; the line is the same JSON. */
void tool_answer_show(struct buf *line);

#endif
