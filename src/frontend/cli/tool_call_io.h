/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_io.h - writes the responses of agentsh tool call. */
#ifndef FRONTEND_CLI_TOOL_CALL_IO_H
#define FRONTEND_CLI_TOOL_CALL_IO_H

#include "base/buf.h"
#include "tool/call.h"
#include "tool/permit.h"

/* Two texts of 1 MiB with every byte escaped, and 16 MiB of meta. */
#define TOOL_CALL_LINE_MAX (32u << 20)

/* Each appends one response line, with its newline. */
void tool_call_write_result(struct buf *out, const struct tool_result *r);
void tool_call_write_error(struct buf *out, const struct err *why, int64_t ms);
void tool_call_write_denied(struct buf *out, const struct permit *p,
                            int64_t ms);

/* An output event; step_id may be NULL. */
void tool_call_write_output(struct buf *out, const char *step_id,
                            const char *stream, const char *bytes, size_t n);

/* Escapes, for a terminal, what is invisible there or reverses the text, as
 * \uXXXX; the line stays the same JSON. */
void tool_call_escape_line(struct buf *line);

#endif
