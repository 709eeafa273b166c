/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_sandbox.h - the command line that runs a program confined. */
#ifndef SERVER_GATEWAY_GATEWAY_SANDBOX_H
#define SERVER_GATEWAY_GATEWAY_SANDBOX_H

#include "sandbox/setup.h"
#include "tool/spawn.h"

struct gateway_sandbox {
    struct sandbox_setup setup;
    struct spawn spawn; /* its env is the program's */
    char *launcher;
    const char **argv; /* of the launcher */
};

/* Fills in s, which is all zero. argv is the program's. The errors are those of
 * the sandbox. gateway_sandbox_done is to be called in any case. */
int gateway_sandbox_make(struct gateway_sandbox *s,
                         const struct sandbox_setup_params *w,
                         const struct config *config, const char *const *argv,
                         struct err *e);
void gateway_sandbox_done(struct gateway_sandbox *s); /* accepts NULL */

#endif
