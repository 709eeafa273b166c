/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_never.c - what nobody may delete or overwrite, and why. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "guard/effects/effects_look.h"
#include "guard/path/path_table.h"

/* A field of mountinfo: blanks and backslashes stand as \040 (proc(5)). */
static void
unescape(char *text)
{
    char *to = text;

    for (const char *p = text; *p;) {
        if (p[0] == '\\' && p[1] && p[2] && p[3]) {
            *to++ = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + p[3] - '0');
            p += 4;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

/* The fifth field of a line is where something is mounted. */
static bool
is_in_mountinfo(const char *path)
{
    CLEANUP(file_close_p) FILE *f = fopen("/proc/self/mountinfo", "re");
    CLEANUP(free_p) char *line = NULL;
    size_t room = 0;

    while (f && getline(&line, &room, f) > 0) {
        char *at = line, *end;

        for (int i = 0; i < 4 && at; i++) {
            at = strchr(at, ' ');
            at = at ? at + 1 : NULL;
        }
        end = at ? strchr(at, ' ') : NULL;
        if (!end)
            continue;
        *end = '\0';
        unescape(at);
        if (strcmp(at, path) == 0)
            return true;
    }
    return false;
}

/* By its spelling, links followed or not. */
static const char *
never_as(const char *path, const char *home)
{
    if (strcmp(path, "/") == 0)
        return "the root of all files";
    if (home && strcmp(path, home) == 0)
        return "your home directory";
    if (home && path_is_below(home, path))
        return "above your home directory";
    if (path_is_disk(path))
        return "a raw disk";
    return NULL;
}

/* What is there alone counts: nothing is lost with what is not. The kernel
 * says what a mount point is since Linux 5.8; an older one has the list. */
static const char *
never_there(const char *path)
{
    struct statx st;
    bool mounted;

    if (linux_statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                    STATX_TYPE, &st) < 0)
        return NULL;
    if (!strchr(path + 1, '/'))
        return "right below /";
    if (S_ISBLK(st.stx_mode))
        return "a raw disk";
    if (st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)
        mounted = st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
    else
        mounted = is_in_mountinfo(path);
    return mounted ? "a mount point" : NULL;
}

const char *
effects_never_itself(const char *path, const char *home)
{
    const char *why = never_as(path, home);

    return why ? why : never_there(path);
}

const char *
effects_never(const char *path, const char *home)
{
    char clean[PATH_MAX], real[PATH_MAX], real_home[PATH_MAX];
    const char *why;

    if (path[0] != '/' || strlen(path) >= sizeof(clean))
        return NULL;
    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    why = effects_never_itself(clean, home);
    if (why || !realpath(path, real))
        return why;
    if (home && realpath(home, real_home))
        home = real_home;
    return effects_never_itself(real, home);
}
