/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_context.c - what a path of a command line is read against. */
#include "guard/path/path_context.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"

struct path_context
path_context_here(const char *cwd)
{
    return (struct path_context){.cwd = cwd,
                                 .home = path_home(),
                                 .path = getenv("PATH"),
                                 .as_root = geteuid() == 0};
}
