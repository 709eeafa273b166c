/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_log.h - writes the log to standard error without blocking.
 *
 * A line is "NAME: MESSAGE NAME=VALUE...", or with --log json an object of
 * time, level, server, message and the fields. Lines are dropped while the
 * reader has stopped and the buffer is full. */
#ifndef SERVER_SERVER_LOG_H
#define SERVER_SERVER_LOG_H

#include "base/cleanup.h"
#include "base/loop.h"

struct server_log;

enum server_log_level { SERVER_LOG_INFO, SERVER_LOG_WARNING, SERVER_LOG_ERROR };

struct server_log_field {
    const char *name; /* NULL: the end */
    const char *value;
};

/* name: of the server. Borrowed. */
struct server_log *server_log_new(struct loop *l, const char *name,
                                  struct err *e);
void server_log_free(struct server_log *log); /* accepts NULL */
DEFINE_CLEANUP(struct server_log, server_log_free)

/* The format of --log; NULL: text. */
void server_log_use_format(struct server_log *log, const char *format);

/* Bytes that are not printable text are escaped. fields may be NULL. */
void server_log_add(struct server_log *log, enum server_log_level level,
                    const char *message, const struct server_log_field *fields);

/* How many lines were lost so far. */
uint64_t server_log_lost(const struct server_log *log);

#endif
