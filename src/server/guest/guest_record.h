/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_record.h - what the journal is told of a connection's requests. */
#ifndef SERVER_GUEST_GUEST_RECORD_H
#define SERVER_GUEST_GUEST_RECORD_H

#include "server/guest/guest_connection.h"
#include "server/guest/guest_spool.h"

/* A request that runs a command, or reads or changes a file, before it does. */
void guest_record_request(struct guest_connection *c, const char *method,
                          const struct json *params);

/* The end of a command: its status, how long it ran, and the ends of its two
 * streams. */
void guest_record_end(struct guest_connection *c, int status, int64_t ms,
                      const struct guest_spool *streams);

/* A request that came to nothing. */
void guest_record_failed(struct guest_connection *c, const char *why);

#endif
