/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_dirs.h - finds what may be a plugin in the directories of plugins. */
#ifndef TOOL_PLUGIN_DIRS_H
#define TOOL_PLUGIN_DIRS_H

#include "tool/registry.h"

/* Both return 0, or -1 with e, which ends the search. */
struct plugin_dirs_events {
    /* A directory that may be a plugin, or a link to one. The callee owns
     * dir, its path. */
    int (*plugin)(void *arg, const char *name, enum tool_source source,
                  char *dir, struct err *e);
    /* A place that cannot be read, and why. */
    int (*unreadable)(void *arg, const char *place, enum tool_source source,
                      const struct err *why, struct err *e);
};

/* Reads the places in the order of their precedence. One that does not exist is
 * empty. That of the built-in tools must be readable. */
int plugin_dirs_each(const struct registry_dirs *p,
                     const struct plugin_dirs_events *ev, void *arg,
                     struct err *e);

#endif
