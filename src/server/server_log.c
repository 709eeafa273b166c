/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_log.c - lines on standard error, which delay nothing. */
#include "server/server_log.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "term/escape.h"
#include "wire/sender.h"

#define LOG_LINE_MAX 4096
#define QUEUE_MAX    (1u << 20) /* bytes, more than SENDER_HIGH */

struct server_log {
    struct sender *sender;
    const char *name;
    bool stopped; /* the reader is slow, or gone */
};

static void
on_log_state(void *arg, enum sender_state state)
{
    struct server_log *log = arg;

    log->stopped = state != SENDER_OPEN;
}

struct server_log *
server_log_new(struct loop *l, const char *name, struct err *e)
{
    CLEANUP(server_log_free_p) struct server_log *log = calloc(1, sizeof(*log));

    if (!log) {
        err_nomem(e);
        return NULL;
    }
    log->name = name;
    log->sender = sender_new(l, STDERR_FILENO, QUEUE_MAX, on_log_state, log, e);
    return log->sender ? TAKE_PTR(log) : NULL;
}

void
server_log_free(struct server_log *log)
{
    if (!log)
        return;
    sender_free(log->sender);
    free(log);
}

void
server_log_line(struct server_log *log, const char *line)
{
    CLEANUP_BUF struct buf b = buf_of(LOG_LINE_MAX);

    if (log->stopped)
        return;
    buf_printf(&b, "%s: ", log->name);
    escape_str(&b, NULL, line, ESCAPE_LINES);
    buf_ch(&b, '\n');
    sender_add(log->sender, b.p, b.len);
}
