/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callable_tools.h - the tools that a model may call, and their declarations.
 *
 * Declared is each action that its manifest calls read-only, of a tool that is
 * built in or trusted, where the rules allow it, but for built-in tools that
 * change something too: steps name those (step_tools.h). */
#ifndef ACTION_CALLABLE_TOOLS_H
#define ACTION_CALLABLE_TOOLS_H

#include "guard/guard.h"
#include "model/client.h"
#include "tool/registry.h"

#define CALLABLE_TOOLS_MAX     64
#define CALLABLE_TOOL_NAME_MAX 64 /* bytes, what every provider takes */

/* One action of a tool. Everything but description and schema is borrowed from
 * the registry. */
struct callable_tool {
    char name[CALLABLE_TOOL_NAME_MAX + 1]; /* fs_read_file, or
                                                 services__ports */
    /* who else wrote its description (model/client.h); "": nobody */
    char outside[CALLABLE_TOOL_NAME_MAX + 32];
    char *description, *schema;
    bool takes_nothing; /* the schema names no argument: a model may give any */
    const struct tool *tool;
    const struct manifest_action *action;
};

/* `tools` points into `all`: it stays where it is. */
struct callable_tools {
    struct callable_tool all[CALLABLE_TOOLS_MAX];
    struct model_tool tools[CALLABLE_TOOLS_MAX]; /* for a request */
    size_t n;
};

/* Fills d, which is all zero. What cannot be declared is left out: a name that
 * is too long or taken, a schema over 64 KiB. */
void callable_tools_read(struct callable_tools *d, struct registry *r,
                         const struct policy *p,
                         const struct path_context *where);
void callable_tools_done(struct callable_tools *d); /* accepts NULL */

/* NULL: nothing of that name is declared. */
const struct callable_tool *callable_tools_find(const struct callable_tools *d,
                                                const char *name);

#endif
