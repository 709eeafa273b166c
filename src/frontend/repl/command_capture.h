/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_capture.h - capture the last command: its line, its status, its
 * duration and what it printed. */
#ifndef FRONTEND_REPL_COMMAND_CAPTURE_H
#define FRONTEND_REPL_COMMAND_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/seat.h"
#include "frontend/repl/transcript.h"

struct command_capture {
    struct buf line;
    struct transcript *transcript;
    size_t keep; /* bytes of it; 0: nothing is captured */
    int64_t start_us;
    int64_t duration_ms;
    int status;
    bool running;
};

int command_capture_init(struct command_capture *c, size_t keep, struct err *e);
void command_capture_done(struct command_capture *c);

/* A line is sent to bash; `more`: it continues the one before. A blank line is
 * no command, and leaves the capture as it is. */
void command_capture_begin(struct command_capture *c, const char *line,
                           bool more);
/* What the command prints. */
void command_capture_feed(struct command_capture *c, const char *p, size_t n);
void command_capture_end(struct command_capture *c, int status);

/* Writes the files that `ai` reads (model/prompt/last_command.h), where the
 * seat has them; nothing is written when no command has run. */
int command_capture_record(const struct command_capture *c,
                           const struct seat *s, const char *session,
                           const char *cwd, struct err *e);

#endif
