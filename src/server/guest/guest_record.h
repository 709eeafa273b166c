/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_record.h - what the journal is told of the agent's requests.
 *
 * A connection is a run, which begins with its first request that does
 * something. The agent has a run of its own for how processes end, since they
 * outlive the connections that start them. */
#ifndef SERVER_GUEST_GUEST_RECORD_H
#define SERVER_GUEST_GUEST_RECORD_H

#include "server/guest/guest_connection.h"
#include "server/guest/guest_process.h"

/* A request that runs or reaches a command, or reads or changes a file, before
 * it does. Of bytes in base64, which may be what a person types, only the
 * number is recorded. */
void guest_record_request(struct guest_connection *c, const char *method,
                          const struct json *params);

/* The end of a command: its status, how long it ran, and the ends of its two
 * streams. */
void guest_record_end(struct guest_connection *c, int status, int64_t ms,
                      const struct guest_spool *streams);
void guest_record_process_end(const struct guest_process *p);

/* A request that came to nothing, and one that did what it says. */
void guest_record_failed(struct guest_connection *c, const char *why);
void guest_record_done(struct guest_connection *c);

/* A run is over; without effect where there is none. */
void guest_record_close(struct journal_run **run);

#endif
