/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.h - the environment that commands and tools are started with. */
#ifndef TOOL_ENVIRON_H
#define TOOL_ENVIRON_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Ours without variables whose names say that they hold a secret (rule 10 of
 * SECURITY) and without those by which bash would run something else than the
 * command shown (rule 1: BASH_ENV, exported functions, options); with
 * AGENTSH=1 and, for colour, FORCE_COLOR and CLICOLOR_FORCE.
 * A NULL-terminated list; environ_free releases it. */
char **environ_for_step(bool colour, struct err *e);
void environ_free(char **env);
DEFINE_CLEANUP(char *, environ_free)

/* Whether a variable of this name is kept from commands. */
bool environ_is_secret(const char *name, size_t n);

#endif
