/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_origin.c - whose words the output of a read-only tool call can hold. */
#include "action/call_origin.h"

#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/owner.h"
#include "guard/path/path_table.h"
#include "model/prompt/origin.h"

#define MOUNT_BYTES (16u << 10) /* of a line of /proc/self/mounts */

static bool
is_in_system(const char *path)
{
    return path_is(path, PATH_IS_SETTING | PATH_IS_PACKAGED);
}

/* Whether root owns the path, both as it is written, so that nobody else can
 * redirect it while it is read, and resolved. */
static bool
is_owned_by_root(const char *path)
{
    CLEANUP(free_p)
    char *real = is_in_system(path) ? realpath(path, NULL) : NULL;

    return real && is_in_system(real) && !strstr(path, "/../") &&
           owner_check_path(real, OWNER_ROOTS, NULL) == 0;
}

/* The same for a path or a list of paths. */
static bool
all_owned_by_root(const struct json *v)
{
    const char *path = json_str(v, NULL);

    if (path)
        return is_owned_by_root(path);
    if (json_count(v) == 0)
        return false;
    for (const struct json *one = json_first(v); one; one = json_next(one)) {
        if (!json_str(one, NULL) || !is_owned_by_root(json_str(one, NULL)))
            return false;
    }
    return true;
}

/* Whether root or we have named every directory on which something is mounted:
 * another user may mount on one of his own (fusermount). */
static bool
mounts_are_ours(void)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    char text[MOUNT_BYTES];
    bool ours = mounts != NULL;
    struct mntent m;

    while (ours && getmntent_r(mounts, &m, text, sizeof(text)))
        ours = !origin_names_others(m.mnt_dir);
    if (mounts)
        endmntent(mounts);
    return ours;
}

static bool
leaves_out_disks(const struct json *args)
{
    const struct json *parts = json_get(args, "parts");

    for (const struct json *v = json_first(parts); v; v = json_next(v))
        if (!json_str(v, NULL) || strcmp(json_str(v, NULL), "disks") == 0)
            return false;
    return json_count(parts) > 0;
}

/* Whether a built-in tool that reads no file named in a call takes all of its
 * output from the kernel and from files of root's, so that no other user
 * chooses a word of it. A user chooses the names of their processes, so that
 * `services` is not such a tool. */
static bool
is_from_system(const struct tool *t, const struct json *args)
{
    if (strcmp(t->name, "sysinfo") == 0)
        return leaves_out_disks(args) || mounts_are_ours();
    return strcmp(t->name, "packages") == 0;
}

bool
call_is_outside(const struct callable_tool *o, const struct json *args)
{
    if (o->tool->source != TOOL_BUILTIN || o->action->hosts[0])
        return true;
    if (!o->action->reads[0])
        return !is_from_system(o->tool, args);
    for (const char *const *name = o->action->reads; *name; name++) {
        if (!all_owned_by_root(json_get(args, *name)))
            return true;
    }
    return false;
}
