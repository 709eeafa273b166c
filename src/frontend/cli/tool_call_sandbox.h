/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_sandbox.h - fill in the sandbox of a call of agentsh tool call. */
#ifndef FRONTEND_CLI_TOOL_CALL_SANDBOX_H
#define FRONTEND_CLI_TOOL_CALL_SANDBOX_H

#include "sandbox/setup.h"
#include "tool/permit.h"
#include "tool/registry.h"

/* Fills *s for a command of cmd.run that *p permits. The command's directory is
 * its workspace, and the directory that it is called from is visible. A command
 * that inspects the machine, which such a sandbox would hide, gets a profile
 * that shows it. Returns 0, or -1 with e set; the caller calls
 * sandbox_setup_done(s) in either case. */
int tool_call_sandbox_fill(const struct path_context *where,
                           const struct config *config, const struct json *args,
                           const struct permit *p, struct sandbox_setup *s,
                           struct err *e);

#endif
