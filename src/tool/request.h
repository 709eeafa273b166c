/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - inside call.c: what a plugin is asked, checked and written. */
#ifndef TOOL_REQUEST_H
#define TOOL_REQUEST_H

#include "tool/call.h"

#define REQUEST_LINE_MAX (16u << 20) /* bytes that a plugin must take */

/* The action that is asked for, when there is one and its arguments fit:
 * else NULL and ERR_INVALID. */
const struct manifest_action *request_check(const struct tool *t,
                                            const struct tool_request *rq,
                                            struct err *e);

/* Milliseconds that the call may take: the least of what the manifest, the
 * request and the walls say. < 0: no end. */
int64_t request_limit(const struct tool *t, const struct tool_request *rq,
                      const struct tool_setting *s);

/* The line, without its newline. limit_ms: what request_limit said. */
void request_write(struct buf *out, const struct tool *t,
                   const struct tool_request *rq, const struct tool_setting *s,
                   int64_t id, int64_t limit_ms);

#endif
