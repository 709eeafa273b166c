/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_protected.c - refuses the loss of /, $HOME, disks and mounts. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "guard/effects/effects_scan.h"
#include "guard/path/path_table.h"

/* Decodes a field of mountinfo, where blanks and backslashes are written as
 * \040 (proc(5)). */
static void
unescape_octal(char *text)
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

/* The fifth field of a line is the mount point. */
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
        unescape_octal(at);
        if (strcmp(at, path) == 0)
            return true;
    }
    return false;
}

static const char *const reasons[] = {
    [EFFECTS_IS_ROOT] = "the root of all files",
    [EFFECTS_IS_HOME] = "your home directory",
    [EFFECTS_IS_ABOVE_HOME] = "above your home directory",
    [EFFECTS_IS_DISK] = "a raw disk",
    [EFFECTS_IS_TOP] = "right below /",
    [EFFECTS_IS_MOUNT_POINT] = "a mount point",
};

/* What the spelling of a path says. */
static enum effects_protection
protection_by_name(const char *path, const char *home)
{
    if (strcmp(path, "/") == 0)
        return EFFECTS_IS_ROOT;
    if (home && strcmp(path, home) == 0)
        return EFFECTS_IS_HOME;
    if (home && path_is_below(home, path))
        return EFFECTS_IS_ABOVE_HOME;
    return path_is_disk(path) ? EFFECTS_IS_DISK : EFFECTS_UNPROTECTED;
}

/* What the file system says. A path that does not exist is unprotected:
 * nothing is lost with it. The kernel reports a mount point since Linux 5.8;
 * on an older one the list of mounts is read. */
static enum effects_protection
protection_by_type(const char *path)
{
    struct statx st;
    bool mounted;

    if (linux_statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                    STATX_TYPE, &st) < 0)
        return EFFECTS_UNPROTECTED;
    if (!strchr(path + 1, '/'))
        return EFFECTS_IS_TOP;
    if (S_ISBLK(st.stx_mode))
        return EFFECTS_IS_DISK;
    if (st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)
        mounted = st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
    else
        mounted = is_in_mountinfo(path);
    return mounted ? EFFECTS_IS_MOUNT_POINT : EFFECTS_UNPROTECTED;
}

/* Of the path itself, a link not followed; path is clean. */
static enum effects_protection
protection_itself(const char *path, const char *home)
{
    enum effects_protection p = protection_by_name(path, home);

    return p ? p : protection_by_type(path);
}

enum effects_protection
effects_protection(const char *path, const char *home)
{
    char clean[PATH_MAX], real[PATH_MAX], real_home[PATH_MAX];
    enum effects_protection p;

    if (path[0] != '/' || strlen(path) >= sizeof(clean))
        return EFFECTS_UNPROTECTED;
    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    p = protection_itself(clean, home);
    if (p || !realpath(path, real))
        return p;
    if (home && realpath(home, real_home))
        home = real_home;
    return protection_itself(real, home);
}

void
effects_refuse(struct effects_scan *scan, const char *before, const char *path,
               const char *after)
{
    char text[PATH_MAX];

    if (scan->out->protected_path)
        return;
    path_short(path, scan->where->home, text);
    if (asprintf(&scan->out->protected_path, "%s%s%s", before, text, after) <
        0) {
        scan->out->protected_path = NULL;
        scan->no_room = true;
    }
}

/* A path is checked by its spelling, by where it lies, and by where it leads
 * when it is a link that the program follows: rm removes the link itself,
 * chmod changes its target. */
static enum effects_protection
protection_of_touch(struct effects_scan *scan, const char *path,
                    const char *clean, const struct effects_touch *t)
{
    enum effects_protection p = protection_itself(clean, scan->where->home);
    char real[PATH_MAX];
    struct stat st;

    if (p || !effects_scan_resolve(scan, path, real))
        return p;
    if (strcmp(real, clean) != 0)
        p = protection_itself(real, scan->home[0] ? scan->home : NULL);
    if (p || (t->use == RISK_DELETES && path[strlen(path) - 1] != '/') ||
        lstat(real, &st) < 0 || !S_ISLNK(st.st_mode))
        return p;
    return effects_protection(real, scan->where->home);
}

void
effects_check_protected(struct effects_scan *scan, const char *path,
                        const struct effects_touch *t)
{
    char clean[PATH_MAX], text[128];
    enum effects_protection p;

    if ((!t->whole && !t->changed) || scan->out->protected_path)
        return;
    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    p = protection_of_touch(scan, path, clean, t);
    if (!p || (!t->whole && p != EFFECTS_IS_DISK))
        return;
    snprintf(text, sizeof(text), ", %s", reasons[p]);
    effects_refuse(scan, "", clean, text);
}

void
effects_check_deleted(struct effects_scan *scan, const struct risk_path *p)
{
    struct effects_touch t = {RISK_DELETES, true, true, false};
    struct glob_list found = {0};
    char all_of[PATH_MAX];

    effects_expand(scan, p, &found, all_of);
    for (size_t i = 0; i < found.n; i++)
        effects_check_protected(scan, found.v[i], &t);
    glob_list_done(&found);
}

/* Deleting everything in $HOME, in a directory above it, or in a vital
 * directory of the system is as bad as deleting the directory itself. */
static bool
needs_its_contents(const char *dir, const char *home)
{
    return path_is(dir, PATH_IS_VITAL) || (home && path_is_below(home, dir));
}

void
effects_check_all_of(struct effects_scan *scan, const char *dir, bool known)
{
    char clean[PATH_MAX];

    snprintf(clean, sizeof(clean), "%s", dir);
    path_clean(clean);
    if (needs_its_contents(clean, scan->where->home))
        effects_refuse(scan, "everything in ", clean,
                       known ? ""
                             : ", if the part before the / is empty (${x:?} "
                               "would stop there)");
}
