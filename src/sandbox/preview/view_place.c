/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_place.c - finds a directory that can hold a copy-on-write view. */
#include "sandbox/preview/view_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "sandbox/preview/overlay.h"

#define SHARED    "/dev/shm"
#define SHARED_AT 2 /* the index of the last place */
/* Milliseconds to wait for another process that makes the directory. */
#define LOCK_MS 2000

static bool
is_private(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/* Returns the path of our directory in /dev/shm; NULL: there is none. Its name
 * ends at random: another user could create a predictable name first, which we
 * could not remove because of the sticky bit, and so prevent every preview. */
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

/* Makes that directory. A lock, so that there is only one, is taken on our
 * state directory, where other users cannot hold it. */
static char *
make_shared(const struct seat *s, struct err *e)
{
    CLEANUP(free_p) char *state = seat_place(s, PATH_STATE, NULL, NULL);
    CLEANUP(fd_close_p) int lock = -1;
    char dir[64], *there;

    if (state && seat_make_dirs(s, state, 0700, NULL) == 0)
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
view_place_path(const struct seat *s, size_t i)
{
    switch (i) {
    case 0:
        return seat_place(s, PATH_STATE, "preview", NULL);
    case 1:
        return seat_place(s, PATH_RUNTIME, "preview", NULL);
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

/* Creates the place and the directories above it, accessible to us only. */
static int
make_view_place(const struct seat *s, const char *place, struct err *e)
{
    CLEANUP(free_p) char *above = strdup(place);
    char *slash = above ? strrchr(above, '/') : NULL;

    if (!slash)
        return err_nomem(e);
    *slash = '\0';
    /* in a shared directory, somebody else may have created it */
    if (path_is(place, PATH_IS_SHARED))
        return file_private_dir(above, e) < 0 ? -1 : file_private_dir(place, e);
    if (seat_make_dirs(s, above, 0700, e) < 0 || file_private_dir(place, e) < 0)
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
try_place(const struct seat *s, const char *place, const char *workspace,
          bool copy, struct err *e)
{
    if (make_view_place(s, place, e) < 0)
        return -1;
    if (is_really_below(place, workspace))
        return err_set(e, ERR_UNSUPPORTED, "%s is in the workspace", place);
    return copy ? 0 : overlay_can_hold(place, e);
}

void
view_place_add_error(struct view_place_errors *whys, const struct err *why)
{
    if (whys->first.code == ERR_NONE)
        whys->first = *why;
    whys->last = *why;
}

char *
view_place_next(const struct seat *s, size_t *i, const char *workspace,
                bool copy, bool *memory, uint64_t *room_bytes,
                struct view_place_errors *whys)
{
    while (*i < VIEW_PLACES) {
        CLEANUP(free_p) char *place = view_place_path(s, *i);
        struct err why = {0};

        if (!place && *i == SHARED_AT)
            place = make_shared(s, &why);
        (*i)++;
        if (place && try_place(s, place, workspace, copy, &why) == 0 &&
            find_room(place, memory, room_bytes, &why) == 0)
            return TAKE_PTR(place);
        if (why.code != ERR_NONE)
            view_place_add_error(whys, &why);
    }
    return NULL;
}

int
view_place_none(const struct view_place_errors *whys, bool copy, struct err *e)
{
    return err_set(e, ERR_SANDBOX,
                   "no directory for a %s (%.90s; %.80s): set "
                   "XDG_STATE_HOME to a directory on a disk",
                   copy ? "copy of the workspace" : "copy-on-write view",
                   whys->first.text, whys->last.text);
}
