/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - inside call.c: a plugin's process, behind the launcher. */
#ifndef TOOL_LAUNCH_H
#define TOOL_LAUNCH_H

#include "base/proc.h"
#include "tool/call.h"

/* Starts the plugin `name` with pipes for its three streams. *report: where
 * the launcher says what it refused (refused.h); the caller closes it. */
struct proc *launch_plugin(const char *name, const struct tool_setting *s,
                           int *report, struct err *e);

#endif
