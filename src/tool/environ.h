/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.h - makes the environment of commands and tools. */
#ifndef TOOL_ENVIRON_H
#define TOOL_ENVIRON_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/seat.h"
#include "config/config.h"
#include "sandbox/spec.h"

struct environ_params {
    const struct seat *seat;         /* whose variables these are */
    const struct sandbox_spec *spec; /* NULL: as for the profile full */
    const struct config *config;     /* for pass_env; NULL: none */
    bool colour;                     /* the person's terminal shows colour */
};

/* The part of the seat's variables that a command or tool gets, as a NULL-ended
 * list; environ_free releases it.
 *
 * In a confined profile: the variables named in base/environ_names.h and in
 * the setting pass_env, but none with a password in a URL; proxies only with
 * network access; cache variables point into /tmp where the cache is not
 * writable. In the profile full: all variables but secrets (rule 10 of
 * SECURITY) and those that make bash run something else than the command shown
 * (rule 1). Always AGENTSH=1, and for colour FORCE_COLOR and CLICOLOR_FORCE;
 * for a tool AGENTSH_PLUGIN_STATE, its own directory, and AGENTSH_WORKSPACE, if
 * there is one. Where nothing is writable, git gets settings that keep it from
 * running programs of the repository. */
char **environ_for(const struct environ_params *w, struct err *e);
void environ_free(char **env);
DEFINE_CLEANUP(char *, environ_free)

#endif
