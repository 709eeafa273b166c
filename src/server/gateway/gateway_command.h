/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_command.h - runs a command of the gateway's own, from the loop.
 *
 * Such as git, or what prints a secret. It has no input, a time limit, and
 * ends with its whole tree. */
#ifndef SERVER_GATEWAY_GATEWAY_COMMAND_H
#define SERVER_GATEWAY_GATEWAY_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/loop.h"
#include "base/seat.h"

#define GATEWAY_COMMAND_ERRORS_MAX 1000 /* bytes kept of standard error */

struct gateway_command;

struct gateway_command_result {
    int status; /* as of a shell */
    struct buf *out;
    bool cut;           /* there was more output: it was ended */
    const char *errors; /* the end of its standard error, without the newline */
};

/* Called once, from the loop: with the result, which is borrowed but for the
 * bytes of `out`, or with NULL and why. The command is freed before. */
typedef void gateway_command_cb(void *arg,
                                const struct gateway_command_result *r,
                                const struct err *why);

struct gateway_command_spec {
    const char *const *argv; /* argv[0] is a path */
    const char *const *envp; /* NULL: the seat's */
    const struct seat *seat;
    const char *cwd;    /* NULL: the seat's directory */
    size_t max_bytes;   /* of the output */
    int64_t timeout_ms; /* then it is killed: ERR_TIMEOUT */
    bool secret;        /* its output is wiped */
};

/* All of the spec is copied or used before this returns. */
struct gateway_command *
gateway_command_start(struct loop *l, const struct gateway_command_spec *spec,
                      gateway_command_cb *cb, void *arg, struct err *e);
/* Kills it; cb is not called. Accepts NULL. */
void gateway_command_free(struct gateway_command *c);
DEFINE_CLEANUP(struct gateway_command, gateway_command_free)

#endif
