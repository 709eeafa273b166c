/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_capture.c - capture the last command: its line, its status, its
 * duration and what it printed. */
#include "frontend/repl/command_capture.h"

#include <string.h>

#include "base/clock.h"
#include "frontend/repl/bash_protocol.h"
#include "model/prompt/last_command.h"

int
command_capture_init(struct command_capture *c, size_t keep, struct err *e)
{
    *c = (struct command_capture){.transcript = transcript_new(e),
                                  .keep = keep};
    buf_init(&c->line, 2 * BASH_MSG_LINE_MAX);
    return c->transcript ? 0 : -1;
}

void
command_capture_done(struct command_capture *c)
{
    if (!c)
        return;
    transcript_free(c->transcript);
    buf_done(&c->line);
}

void
command_capture_begin(struct command_capture *c, const char *line, bool more)
{
    if (more && c->running) {
        buf_ch(&c->line, '\n');
    } else if (!more && line[strspn(line, " \t\r\n")]) {
        transcript_clear(c->transcript);
        buf_clear(&c->line);
        c->start_us = clock_us();
        c->running = true;
    }
    if (c->running)
        buf_str(&c->line, line);
}

void
command_capture_feed(struct command_capture *c, const char *p, size_t n)
{
    if (c->running && c->keep > 0)
        transcript_feed(c->transcript, p, n);
}

void
command_capture_end(struct command_capture *c, int status)
{
    if (!c->running)
        return;
    c->running = false;
    c->status = status;
    c->duration_ms = (clock_us() - c->start_us) / 1000;
}

int
command_capture_record(const struct command_capture *c, const struct seat *s,
                       const char *session, const char *cwd, struct err *e)
{
    struct last_command_record r = {.session = session,
                                    .command = c->line.len ? c->line.p : NULL,
                                    .status = c->status,
                                    .cwd = cwd,
                                    .duration_ms = c->duration_ms};
    CLEANUP_BUF struct buf shown = buf_of(c->keep);

    if (c->keep > 0) {
        transcript_tail(c->transcript, c->keep, &shown);
        r.shown = shown.p;
    }
    return last_command_write(s, &r, e);
}
