/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_attachment.h - sends the output of a process to a connection.
 *
 * process.output has the next bytes of a stream; process.exit comes after the
 * last of them. */
#ifndef SERVER_GUEST_GUEST_ATTACHMENT_H
#define SERVER_GUEST_GUEST_ATTACHMENT_H

#include "server/guest/guest_process.h"

/* Method: process.attach. */
rpc_request_cb guest_attachment_begin;

/* The peer has room again: sends what waits for that. */
void guest_attachment_room(struct guest_connection *c);

#endif
