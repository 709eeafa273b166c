/* SPDX-License-Identifier: GPL-3.0-or-later */
/* need.h - asking the front to run a program as root.
 *
 * A tool never runs sudo, and is confined so that root would be of no use:
 * what changes the machine is a program and its arguments that the tool
 * names, the person has agreed to, and the front runs. The program is one of
 * "privileged" in the tool's manifest. */
#ifndef PLUGINS_LIB_NEED_H
#define PLUGINS_LIB_NEED_H

#include "base/buf.h"
#include "base/err.h"
#include "plugins/lib/request.h"

#define NEED_CODE_MAX 32
/* What a program wrote, of each stream; the front keeps no more. */
#define NEED_TEXT_MAX (1u << 20)

/* How a program ended. */
struct need_answer {
    int exit_code;                  /* -1 when it was not run */
    char error_code[NEED_CODE_MAX]; /* "" when it ran, else one of the API's */
    struct buf out, err;
};

void need_answer_init(struct need_answer *a, size_t max);
void need_answer_done(struct need_answer *a); /* accepts NULL */

/* Writes the event and reads the answer from standard input. A front that
 * refuses is an answer, and so is one that closes the pipe: PERMISSION_DENIED
 * with the command to type in err. ERR_PEER for an answer that is none.
 * The tool must not be persistent: a request that came in one piece with the
 * one before would be taken for the answer. out is initialised. */
int reply_need(const struct request *r, const char *const *argv,
               struct need_answer *out, struct err *e);

/* The answer's line, for reply_need and tests. */
int need_parse(const char *line, size_t n, struct need_answer *out,
               struct err *e);

/* The words as a line for a shell: quoted where they need it. */
void need_line(const char *const *argv, struct buf *out);

#endif
