/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deed.h - the last command: what it was, how it ended, what it showed. */
#ifndef REPL_DEED_H
#define REPL_DEED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "door/repl/transcript.h"

struct deed {
    struct buf line;
    struct transcript *transcript;
    int64_t begun_us;
    int64_t took_ms;
    int status;
    bool under_way;
};

int deed_init(struct deed *d, struct err *e);
void deed_done(struct deed *d);

/* A line goes to the shell; `more`: it is the rest of the one before. A blank
 * one is no command: the last stays the last. */
void deed_begin(struct deed *d, const char *line, bool more);
void deed_end(struct deed *d, int status);

/* Leaves it where `ai` finds it; nothing when no command has run. */
int deed_record(const struct deed *d, const char *session, const char *cwd,
                struct err *e);

#endif
