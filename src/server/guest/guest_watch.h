/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_watch.h - the methods fs.watch and fs.unwatch.
 *
 * A watch is of its connection, and is told of changes of one file, or of the
 * entries of one directory, by the notification fs.event. What a peer reads too
 * slowly is not kept here but by the system; where that loses changes, an event
 * says "overflow" instead. */
#ifndef SERVER_GUEST_GUEST_WATCH_H
#define SERVER_GUEST_GUEST_WATCH_H

#include "server/guest/guest_connection.h"

/* {path} → {watch}; {watch} → {} */
rpc_request_cb guest_watch_begin, guest_watch_end;

/* The peer has room again: reads what waits for that. */
void guest_watch_room(struct guest_connection *c);

#endif
