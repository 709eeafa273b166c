/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_sandbox.h - fills in the sandbox of a command that an errand runs. */
#ifndef ACTION_ERRAND_SANDBOX_H
#define ACTION_ERRAND_SANDBOX_H

#include "sandbox/setup.h"
#include "tool/permit.h"
#include "tool/registry.h"

/* Fills *s for a command of cmd.run that *p permits. The command's directory is
 * its workspace, unless `where` names one, and the directory that it is called
 * from is visible. A command
 * that inspects the machine, which such a sandbox would hide, gets a profile
 * that shows it. Returns 0, or -1 with e set; the caller calls
 * sandbox_setup_done(s) in either case. */
int errand_sandbox_fill(const struct path_context *where,
                        const struct config *config, const struct json *args,
                        const struct permit *p, struct sandbox_setup *s,
                        struct err *e);

#endif
