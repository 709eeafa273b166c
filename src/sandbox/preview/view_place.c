/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_place.c - where copy-on-write views are kept. */
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/preview/view_in.h"

#define SHARED    "/dev/shm"
#define SHARED_AT 2    /* of the places, the last */
#define LOCK_MS   2000 /* for another that makes one directory */

static bool
is_private(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/* Ours in the place that all share, or NULL. Its name has an end that nobody
 * can guess: whoever made a directory of that name before, which the sticky
 * bit would keep there, could stop every preview. */
static char *
find_shared(void)
{
    CLEANUP(dir_close_p) DIR *d = opendir(SHARED);
    const struct dirent *entry;
    char ours[32];
    size_t n = (size_t)snprintf(ours, sizeof(ours), "agentsh-%u.",
                                (unsigned)geteuid());

    while (d && (entry = readdir(d)) != NULL) {
        CLEANUP(free_p) char *path = NULL;

        if (strncmp(entry->d_name, ours, n) != 0)
            continue;
        path = path_join(SHARED, entry->d_name);
        if (path && is_private(path))
            return path_join(path, "preview");
    }
    return NULL;
}

/* One process at a time, so that there is one; our own directory is what is
 * locked, where others cannot hold the lock. */
static char *
make_shared(struct err *e)
{
    CLEANUP(free_p) char *state = path_of(PATH_STATE, NULL, NULL);
    CLEANUP(fd_close_p) int lock = -1;
    char dir[64], *there;

    if (state && path_make_dirs(state, 0700, NULL) == 0)
        lock = file_lock_dir(state, LOCK_MS, NULL);
    if ((there = find_shared()))
        return there;
    snprintf(dir, sizeof(dir), SHARED "/agentsh-%u.XXXXXX",
             (unsigned)geteuid());
    if (mkdtemp(dir))
        return path_join(dir, "preview");
    err_sys(e, "%s", dir);
    return NULL;
}

char *
view_place(size_t i)
{
    switch (i) {
    case 0:
        return path_of(PATH_STATE, "preview", NULL);
    case 1:
        return path_of(PATH_RUNTIME, "preview", NULL);
    case SHARED_AT:
        return find_shared();
    default:
        return NULL;
    }
}

static bool
is_really_below(const char *path, const char *dir)
{
    CLEANUP(free_p) char *real = realpath(path, NULL);
    CLEANUP(free_p) char *top = realpath(dir, NULL);

    return real && top && path_is_below(real, top);
}

/* Makes the place and what leads to it, for our eyes alone. */
static int
make_place(const char *place, struct err *e)
{
    CLEANUP(free_p) char *above = strdup(place);
    char *slash = above ? strrchr(above, '/') : NULL;

    if (!slash)
        return err_nomem(e);
    *slash = '\0';
    /* in a place that all share, somebody else may have made it */
    if (path_is(place, PATH_IS_SHARED))
        return file_private_dir(above, e) < 0 ? -1 : file_private_dir(place, e);
    if (path_make_dirs(above, 0700, e) < 0 || file_private_dir(place, e) < 0)
        return -1;
    return owner_check_parents(place, e);
}

static int
find_room(const char *place, bool *memory, uint64_t *room_bytes, struct err *e)
{
    struct statfs fs;

    if (statfs(place, &fs) < 0)
        return err_sys(e, "%s", place);
    if ((unsigned long)fs.f_type == RAMFS_MAGIC)
        return err_set(e, ERR_UNSUPPORTED, "%s is on ramfs, which has no limit",
                       place);
    *memory = (unsigned long)fs.f_type == TMPFS_MAGIC;
    *room_bytes = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
    return 0;
}

static int
try_place(const char *place, const char *workspace, bool copy, struct err *e)
{
    if (make_place(place, e) < 0)
        return -1;
    if (is_really_below(place, workspace))
        return err_set(e, ERR_UNSUPPORTED, "%s is in the workspace", place);
    return copy ? 0 : overlay_can_hold(place, e);
}

void
view_add_why(struct view_whys *whys, const struct err *why)
{
    if (whys->first.code == ERR_NONE)
        whys->first = *why;
    whys->last = *why;
}

char *
view_next_place(size_t *i, const char *workspace, bool copy, bool *memory,
                uint64_t *room_bytes, struct view_whys *whys)
{
    while (*i < VIEW_PLACES) {
        CLEANUP(free_p) char *place = view_place(*i);
        struct err why = {0};

        if (!place && *i == SHARED_AT)
            place = make_shared(&why);
        (*i)++;
        if (place && try_place(place, workspace, copy, &why) == 0 &&
            find_room(place, memory, room_bytes, &why) == 0)
            return TAKE_PTR(place);
        if (why.code != ERR_NONE)
            view_add_why(whys, &why);
    }
    return NULL;
}

int
view_no_place(const struct view_whys *whys, bool copy, struct err *e)
{
    return err_set(e, ERR_SANDBOX,
                   "no directory for a %s (%.90s; %.80s): set "
                   "XDG_STATE_HOME to a directory on a disk",
                   copy ? "copy of the workspace" : "copy-on-write view",
                   whys->first.text, whys->last.text);
}

static int
add_ids(const char *place, struct beneath_paths *out, struct err *e)
{
    CLEANUP(dir_close_p) DIR *d = opendir(place);
    const struct dirent *entry;

    while (d && (entry = readdir(d)) != NULL) {
        if (view_is_id(entry->d_name) &&
            beneath_paths_add(out, "", entry->d_name, e) < 0)
            return -1;
    }
    return 0;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int
view_list(struct beneath_paths *out, struct err *e)
{
    *out = (struct beneath_paths){0};
    for (size_t i = 0; i < VIEW_PLACES; i++) {
        CLEANUP(free_p) char *place = view_place(i);

        if (place && add_ids(place, out, e) < 0) {
            beneath_paths_done(out);
            return -1;
        }
    }
    if (out->n > 1)
        qsort(out->v, out->n, sizeof(*out->v), compare);
    return 0;
}
