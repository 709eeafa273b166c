/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - one shell command, run to its end with its output kept. */
#ifndef PLUGINS_CMD_RUN_COMMAND_H
#define PLUGINS_CMD_RUN_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/environ_given.h"
#include "plugins/lib/reply.h"

struct command {
    const char *text;         /* what bash is given */
    const struct json *argv;  /* or the words of a program; NULL: none */
    const struct json *input; /* a string; NULL: nothing, and its end */
    const char *directory;    /* NULL: where we are */
    int64_t timeout_ms;       /* < 0: none */
    struct environ_given env; /* added to our environment */
    bool tty;                 /* a terminal, on which the input is typed */
};

/* What one stream of it wrote. */
struct stream_out {
    const char *name;   /* "stdout", "stderr" */
    struct buf kept;    /* the first REPLY_TEXT_MAX or last REPLY_TAIL_MAX */
    struct buf partial; /* bytes of a character that is not whole yet */
    uint64_t total;     /* bytes it wrote in all */
    bool truncated;
};

struct command_end {
    struct stream_out out, err;
    int exit_code; /* 128 + signal as a shell has it */
    bool timed_out;
};

/* Runs it; r says whether output goes out as events meanwhile. -1 when it
 * could not be started. end needs command_end_done in any case. */
int command_run(const struct command *c, const struct request *r,
                struct command_end *end, struct err *e);
void command_end_done(struct command_end *end);

#endif
