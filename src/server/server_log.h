/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_log.h - lines on standard error, which delay nothing.
 *
 * A reader that stops loses what does not fit any more. */
#ifndef SERVER_SERVER_LOG_H
#define SERVER_SERVER_LOG_H

#include "base/cleanup.h"
#include "base/loop.h"

struct server_log;

/* name: before each line. Borrowed. */
struct server_log *server_log_new(struct loop *l, const char *name,
                                  struct err *e);
void server_log_free(struct server_log *log); /* accepts NULL */
DEFINE_CLEANUP(struct server_log, server_log_free)

/* Bytes of the line that are no text are escaped. */
void server_log_line(struct server_log *log, const char *line);

#endif
