/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_log.c - writes the log to standard error without blocking. */
#include "server/server_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "term/escape.h"
#include "wire/sender.h"
#include "json/write.h"

#define LOG_LINE_MAX 4096
#define QUEUE_MAX    (1u << 20) /* bytes, more than SENDER_HIGH */

struct server_log {
    struct sender *sender;
    const char *name;
    bool json;
    bool stopped; /* lines are dropped: the reader is slow, or gone */
    uint64_t lost;
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
    if (log->sender)
        sender_flush(log->sender);
    sender_free(log->sender);
    free(log);
}

void
server_log_use_format(struct server_log *log, const char *format)
{
    log->json = format && strcmp(format, "json") == 0;
}

static void
put_text_line(const struct server_log *log, const char *message,
              const struct server_log_field *f, struct buf *out)
{
    buf_printf(out, "%s: ", log->name);
    escape_str(out, NULL, message, ESCAPE_LINES);
    for (; f && f->name; f++) {
        buf_printf(out, " %s=", f->name);
        escape_str(out, NULL, f->value, ESCAPE_LINES);
    }
}

/* As clock_rfc3339, with milliseconds. */
static void
put_log_time(struct json_writer *w)
{
    char second[CLOCK_RFC3339_SIZE], text[CLOCK_RFC3339_SIZE + 8];
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    clock_rfc3339(now.tv_sec, second);
    second[strcspn(second, "Z")] = '\0';
    snprintf(text, sizeof(text), "%s.%03dZ", second,
             (int)(now.tv_nsec / 1000000));
    json_member_str(w, "time", text);
}

static void
put_json_line(const struct server_log *log, enum server_log_level level,
              const char *message, const struct server_log_field *f,
              struct buf *out)
{
    static const char *const levels[] = {"info", "warning", "error"};
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    put_log_time(&w);
    json_member_str(&w, "level", levels[level]);
    json_member_str(&w, "server", log->name);
    json_member_str(&w, "message", message);
    for (; f && f->name; f++)
        json_member_str(&w, f->name, f->value);
    json_close_object(&w);
}

void
server_log_add(struct server_log *log, enum server_log_level level,
               const char *message, const struct server_log_field *fields)
{
    CLEANUP_BUF struct buf b = buf_of(LOG_LINE_MAX);

    if (log->stopped) {
        log->lost++;
        return;
    }
    if (log->json)
        put_json_line(log, level, message, fields, &b);
    else
        put_text_line(log, message, fields, &b);
    if (log->json && b.bad) { /* a part of an object would be none */
        buf_clear(&b);
        put_json_line(log, level, "a line was too long for the log", NULL, &b);
    }
    sender_add(log->sender, b.p, b.len);
    sender_add(log->sender, "\n", 1);
}

uint64_t
server_log_lost(const struct server_log *log)
{
    return log->lost;
}
