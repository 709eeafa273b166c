/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.h - the environment that commands and tools are started with. */
#ifndef TOOL_ENVIRON_H
#define TOOL_ENVIRON_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "config/config.h"
#include "sandbox/spec.h"

struct environ_wish {
    const struct sandbox_spec *spec; /* NULL: as for the profile full */
    const struct config *config;     /* for pass_env; NULL: none */
    bool colour; /* the person's terminal shows colour: say so */
};

/* What of our environment reaches a command or tool. Confined: what the tables
 * of environ_names.c and the setting pass_env name, without those whose value
 * holds a password in an address; proxies where it may reach the network; and
 * caches that it could not write point into /tmp. In the profile full:
 * everything but secrets (rule 10 of SECURITY) and what would make bash run
 * something else than the command shown (rule 1). In any case AGENTSH=1 and,
 * for colour, FORCE_COLOR and CLICOLOR_FORCE; for a tool AGENTSH_PLUGIN_STATE,
 * its own directory, and AGENTSH_WORKSPACE, where there is one; where nothing
 * can be written, settings of git's (environ_git.h).
 * A NULL-terminated list; environ_free releases it. */
char **environ_for(const struct environ_wish *w, struct err *e);
void environ_free(char **env);
DEFINE_CLEANUP(char *, environ_free)

/* Whether a variable of this name is kept from commands. */
bool environ_is_secret(const char *name, size_t n);

#endif
