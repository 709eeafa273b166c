/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_walls.h - what a call of agentsh tool call runs behind. */
#ifndef DOOR_CLI_TOOL_WALLS_H
#define DOOR_CLI_TOOL_WALLS_H

#include "door/cli/tool_job.h"

/* The walls for a call that is permitted; s needs site_done in any case. */
int tool_walls_fill(const struct tool_desk *d, const struct tool *t,
                    const struct json *args, const struct permit *p,
                    struct site *s, struct err *e);

#define TOOL_ROOTS_MAX (2 * SPEC_PATHS_MAX + 1)

/* What the tool may read, for it to be told; the walls are what holds. The
 * texts are the spec's. */
void tool_walls_roots(const struct sandbox_spec *s,
                      const char *out[TOOL_ROOTS_MAX + 1]);

#endif
