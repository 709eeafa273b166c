/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_sandbox.h - fill in the sandbox of a call of agentsh tool call. */
#ifndef FRONTEND_CLI_TOOL_CALL_SANDBOX_H
#define FRONTEND_CLI_TOOL_CALL_SANDBOX_H

#include "sandbox/setup.h"
#include "tool/permit.h"
#include "tool/registry.h"

/* A tool reads the workspace and each readable and writable path of its
 * sandbox at most. */
#define TOOL_ROOTS_MAX (2 * SPEC_PATHS_MAX + 1)

/* Fills *s for a call that *p permits. Returns 0, or -1 with e set; the caller
 * calls sandbox_setup_done(s) in either case. */
int tool_call_sandbox_fill(const struct risk_context *where,
                           const struct config *config, const struct tool *t,
                           const struct json *args, const struct permit *p,
                           struct sandbox_setup *s, struct err *e);

/* Lists in out, NULL last, the directories that the tool may read, so that it
 * can be told; the sandbox enforces them. The strings belong to s. */
void tool_call_sandbox_roots(const struct sandbox_spec *s,
                             const char *out[TOOL_ROOTS_MAX + 1]);

#endif
