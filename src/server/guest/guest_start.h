/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_start.h - reads what process.start is to run. */
#ifndef SERVER_GUEST_GUEST_START_H
#define SERVER_GUEST_GUEST_START_H

#include "base/environ_given.h"
#include "server/guest/guest_command.h"
#include "json/json.h"

#define GUEST_START_ARGS  1024
#define GUEST_START_WORDS (4u << 20) /* bytes: twice ARG_MAX */

/* `spec` points into it. Begins with all zero. */
struct guest_start {
    struct guest_command_spec spec;
    const char *argv[GUEST_START_ARGS + 1]; /* borrowed from the params */
    char *program;                          /* argv[0], found in PATH */
    char *cwd;
    struct environ_given given;
    const char **env; /* the agent's variables and those given */
    struct winsize tty;
};

/* {cmd | argv, cwd?, env?, tty?: {rows, cols}, limits?: {memory_bytes,
 * processes, timeout_ms}}. ERR_INVALID names what is wrong. The params are
 * borrowed. In any case guest_start_done is to be called. */
int guest_start_read(struct guest_start *s, const struct guest_shared *sh,
                     const struct json *params, struct err *e);
void guest_start_done(struct guest_start *s); /* accepts NULL */

/* Finds the params that are a command, by name or by position; NULL: it is
 * missing. ERR_INVALID as above. */
struct guest_start_command {
    const struct json *cmd, *argv, *cwd;
};
int guest_start_find(const struct json *params, struct guest_start_command *c,
                     struct err *e);

int64_t guest_start_now_ms(void); /* since the epoch */

#endif
