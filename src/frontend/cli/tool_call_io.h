/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_io.h - write the responses of agentsh tool call, and record its
 * calls in the journal. */
#ifndef FRONTEND_CLI_TOOL_CALL_IO_H
#define FRONTEND_CLI_TOOL_CALL_IO_H

#include "tool/call.h"
#include "tool/permit.h"
#include "ui/app.h"

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

/* Records a call before it starts. Returns whether it does more than read; a
 * call that only reads is written together with its result. */
bool tool_call_record_start(struct app *a, const struct tool *t,
                            const char *action, const struct json *args,
                            const struct permit *p);

/* Records a request that is refused before it becomes a call, as it was sent.
 * root is NULL when it is no JSON. */
void tool_call_record_refused(struct app *a, const struct json *root);

/* Records a command that the tool requests to run as root, before it runs. */
void tool_call_record_elevation(struct app *a, const char *const *argv);

/* Each records the end of a call, before the response is sent. */
void tool_call_record_result(struct app *a, const struct tool_result *r);
void tool_call_record_failure(struct app *a, const struct err *why, int64_t ms);

/* Records that no more calls come. acted: a call did more than read, so the
 * journal is synced to the disk. */
void tool_call_record_end(struct app *a, bool acted, int status);

#endif
