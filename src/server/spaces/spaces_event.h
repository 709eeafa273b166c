/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_event.h - writes the events that an agent gets.
 *
 * Each function appends one event to a list, the text of the members of a JSON
 * array. */
#ifndef SERVER_SPACES_SPACES_EVENT_H
#define SERVER_SPACES_SPACES_EVENT_H

#include "server/spaces/spaces_message.h"
#include "tool/call.h"
#include "tool/permit.h"
#include "json/write.h"

#define SPACES_RUN_ID_SIZE 37 /* "run_" and 32 hex digits */

/* Begins an event with its type, its time and the operation's id, and ends it.
 * In between its other members are written to w. */
void spaces_event_begin(struct json_writer *w, struct buf *list,
                        const struct spaces_op *op);
void spaces_event_end(struct json_writer *w);

/* A message was read. */
void spaces_event_message(struct buf *list, const struct spaces_op *op);

/* A file operation, or a command that could not be started, has failed. */
void spaces_event_failed(struct buf *list, const struct spaces_op *op,
                         const char *why, int64_t ms);

/* A command has ended. At most `room` bytes of its output are written. */
void spaces_event_shell(struct buf *list, const struct spaces_op *op,
                        const struct tool_result *r, size_t room);

/* An operation without an id is op-INDEX in these two. suggestion may be NULL.
 */
void spaces_event_approval(struct buf *list, const struct spaces_op *op,
                           size_t index, const char *reason, const char *rule);
void spaces_event_denied(struct buf *list, const struct spaces_op *op,
                         size_t index, const char *reason,
                         const char *suggestion);

/* The id of an operation in events, for approvals: its own, or op-INDEX, which
 * is written to own. *n is its length. */
#define SPACES_OP_ID_SIZE 32
const char *spaces_event_op_id(const struct spaces_op *op, size_t index,
                               char own[SPACES_OP_ID_SIZE], size_t *n);

/* category: validation, policy, execution, timeout or system. op may be NULL.
 */
void spaces_event_error(struct buf *list, const struct spaces_op *op,
                        const char *category, const char *message);

/* Writes the events message, a line, up to its list, which
 * SPACES_EVENT_MESSAGE_END follows: a list may be too long to be copied. status
 * is completed, awaiting_approval or error. */
#define SPACES_EVENT_MESSAGE_END "]}\n"
void spaces_event_begin_message(struct buf *out, const char *run,
                                const char *status);

#endif
