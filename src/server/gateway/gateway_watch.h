/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_watch.h - who is sent the events of which tasks.
 *
 * A watch reads from the disk until it has everything, and is then sent what
 * comes, in order, nothing twice and nothing left out. Where its client reads
 * slowly nothing is kept in memory for it: it goes back to the disk. */
#ifndef SERVER_GATEWAY_GATEWAY_WATCH_H
#define SERVER_GATEWAY_GATEWAY_WATCH_H

#include "server/gateway/gateway_shared.h"
#include "json/write.h"

/* Begins to send. task "*": of all. after: the seq (of all: the n) that the
 * client has, or -1: it says none. False: it watches too many, or there is no
 * memory. */
bool gateway_watch_add(struct gateway_client *c, const char *task,
                       int64_t after, unsigned kinds);
void gateway_watch_remove(struct gateway_client *c, const char *task);
void gateway_watch_remove_all(struct gateway_client *c);

/* The client keeps up again. */
void gateway_watch_resume(struct gateway_client *c);

/* Sends an event, which is on the disk now, to those that have what was before
 * it. */
void gateway_watch_send(struct gateway *g, const struct gateway_values *event);

/* Writes an event as the payload of a notification; with_action: and its action
 * as a member. */
void gateway_watch_put_event(struct json_writer *w,
                             const struct gateway_values *event,
                             bool with_action);

void gateway_watch_free_all(struct gateway *g);

#endif
