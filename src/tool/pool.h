/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - inside call.c: persistent plugins between two requests. */
#ifndef TOOL_POOL_H
#define TOOL_POOL_H

#include "tool/mcp/idle.h"
#include "tool/peer.h"

/* Whether a process of this tool, in these walls, may serve more than the
 * call that it was started for. */
bool pool_keeps(const struct tool *t, const struct tool_setting *s);

/* A number that no request to one of its processes has had. */
int64_t pool_next_id(struct tool_pool *p);

/* For who starts a process: a launcher that is ready, borrowed. NULL the first
 * two times; at the second one is started, for the third. */
struct zygote_client *pool_spare(struct tool_pool *p);

/* The servers of mcp.json that wait. */
struct mcp_idle **pool_servers(struct tool_pool *p);

/* One that waits and was started with the same words, environment and
 * directory (launch.h), now the caller's; NULL: none. */
struct peer *pool_take(struct tool_pool *p, const struct buf *key);

/* Ends what waits to run commands, but for one with this key (NULL: all): what
 * the launcher looks after at a run's end is looked after before a command
 * runs in other walls. */
void pool_end_steps(struct tool_pool *p, const struct buf *key);

/* Takes the peer and the key. The peer is ended when it has more to say, and
 * at the latest with the pool. step: it runs commands. */
void pool_give(struct tool_pool *p, struct peer *peer, struct buf *key,
               bool step);

#endif
