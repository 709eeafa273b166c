/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugins.h - directories with plugins in them, for tests of tool/. */
#ifndef TESTS_PLUGINS_H
#define TESTS_PLUGINS_H

#include "tool/registry.h"
#include "tree.h"

/* PLACE/NAME with a program and this manifest; NULL: without one. */
static inline int
plugins_put(const struct tree *t, const char *place, const char *name,
            const char *manifest)
{
    char dir[128], file[160], path[PATH_MAX];

    snprintf(dir, sizeof(dir), "%.60s/%.60s", place, name);
    (void)tree_dir(t, place);
    if (tree_dir(t, dir) < 0)
        return -1;
    snprintf(file, sizeof(file), "%s/plugin.json", dir);
    if (manifest && tree_text(t, file, manifest) < 0)
        return -1;
    snprintf(file, sizeof(file), "%s/run", dir);
    if (tree_text(t, file, "#!/bin/sh\n") < 0)
        return -1;
    return chmod(tree_path(t, file, path), 0700);
}

/* A manifest of that name with one action, and what else it has. */
#define PLUGIN_WITH(name, more)                                                \
    "{\"name\":\"" name "\",\"version\":\"1\",\"summary\":\"about " name       \
    "\",\"executable\":\"run\"," more "}"
#define PLUGIN_LOOK                                                            \
    "\"actions\":{\"look\":{\"summary\":\"looks\",\"read_only\":true,"         \
    "\"args\":{\"type\":\"object\"}}}"
#define PLUGIN(name) PLUGIN_WITH(name, PLUGIN_LOOK)

#endif
