/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_sudo.c - finds the sudo of this machine. */
#include "guard/path/system_sudo.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/owner.h"

/* Whether root alone can change what the absolute path names: each directory
 * on the way, and each link among them, is root's. */
static bool
is_roots_path(const char *path)
{
    char part[PATH_MAX];

    if (path[0] != '/' || owner_check_path("/", OWNER_ROOTS, NULL) < 0)
        return false;
    for (const char *end = path; *end; end++) {
        int n = (int)(end + 1 - path);

        if (end[1] != '/' && end[1] != '\0')
            continue;
        if (snprintf(part, sizeof(part), "%.*s", n, path) >= PATH_MAX ||
            owner_check_path(part, OWNER_ROOTS, NULL) < 0)
            return false;
    }
    return true;
}

bool
system_sudo_is(const char *file)
{
    CLEANUP(free_p) char *real = file[0] == '/' ? realpath(file, NULL) : NULL;
    struct stat st;

    return real && is_roots_path(file) && is_roots_path(real) &&
           stat(real, &st) == 0 && S_ISREG(st.st_mode) &&
           (st.st_mode & S_ISUID) && st.st_uid == 0;
}

char *
system_sudo_find(const char *path)
{
    while (path) {
        const char *end = strchr(path, ':');
        int n = (int)(end ? end - path : (long)strlen(path));
        char file[PATH_MAX];

        /* a relative entry is another directory wherever a line goes */
        if (path[0] != '/' ||
            snprintf(file, sizeof(file), "%.*s/sudo", n, path) >= PATH_MAX)
            return NULL;
        if (access(file, F_OK) == 0)
            return system_sudo_is(file) ? strdup(file) : NULL;
        path = end ? end + 1 : NULL;
    }
    return NULL;
}
