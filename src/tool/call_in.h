/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_in.h - what call.c and call_line.c share. */
#ifndef TOOL_CALL_IN_H
#define TOOL_CALL_IN_H

#include "tool/call.h"
#include "tool/mcp/call.h"
#include "tool/need.h"
#include "tool/peer.h"
#include "tool/response.h"

#define CALL_GRACE_MS 1000 /* past its time, for a tool to end by itself */

struct tool_call {
    struct loop *loop;
    struct mcp_call *mcp; /* all else is unused; NULL: it is a plugin's */
    struct peer *peer;
    struct need *need; /* what it waits for; NULL: nothing */
    const struct tool *tool;
    const struct manifest_action *action;
    struct tool_setting set; /* without what is borrowed for the start */
    const struct tool_events *ev;
    void *arg;
    struct watch *limit, *surplus;
    struct launch launch;
    struct buf key;  /* to wait in the pool by; "": it does not */
    struct buf line; /* the request, while another may have to get it */
    int64_t from_ms, limit_ms; /* limit_ms < 0: none */
    int64_t id;
    bool stream, held;
    struct response answer; /* when it has one: told when its output ends */
    bool has_answer;
    bool over; /* done or failed was called */
};

/* Its end: one of the two, once. The call may be freed by it. */
void call_fail(struct tool_call *c, struct err *why);
void call_finish(struct tool_call *c);

/* -1: what is wrong with the line. */
int call_take_line(struct tool_call *c, const char *line, size_t n,
                   struct err *e);

#endif
