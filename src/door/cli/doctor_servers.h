/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_servers.h - what agentsh doctor says of model servers found here. */
#ifndef DOOR_CLI_DOCTOR_SERVERS_H
#define DOOR_CLI_DOCTOR_SERVERS_H

#include "base/buf.h"
#include "model/found.h"
#include "json/write.h"

/* Appends one server in a line: where, how fast, which model and why, what
 * the person said about it, and how to take that back. */
void servers_say(const struct found_server *v, struct buf *out);
bool servers_is_good(const struct found_server *v); /* it is used */

/* Writes the member "model servers" with all of them and all their models. */
void servers_put(const struct found *f, struct json_writer *w);

#endif
