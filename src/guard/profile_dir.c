/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_dir.c - the directory that has to be writable for a path. */
#include "guard/profile_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "guard/path/path_by_name.h"
#include "guard/path/path_table.h"

static void
to_directory(char *path, bool itself)
{
    struct stat st;

    if (itself && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return;
    do {
        char *slash = strrchr(path, '/');

        slash[slash == path ? 1 : 0] = '\0';
    } while (path[1] && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)));
}

static bool
runs_by_name(const char *dir, const struct risk_place *where)
{
    CLEANUP(path_by_name_done) struct path_by_name by_name = {0};

    path_by_name_init(&by_name, where);
    return path_by_name_is(&by_name, dir, true);
}

bool
profile_dir_find(const char *path, const struct risk_place *where, bool itself,
                 bool writes, char dir[PATH_MAX])
{
    snprintf(dir, PATH_MAX, "%s", path);
    to_directory(dir, itself);
    return !path_is_protected(dir, where->home) &&
           !(writes && runs_by_name(dir, where));
}
