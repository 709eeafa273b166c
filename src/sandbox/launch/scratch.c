/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.c - makes and removes a temporary directory for one run. */
#include "sandbox/launch/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/environ_names.h"
#include "base/path.h"
#include "sandbox/spec.h"

/* The directory that is being emptied. Deeper directories are moved up into it
 * under a name of ours, so that only two directories are open at a time
 * whatever the depth. */
struct heap {
    int top;
    unsigned moved;
};

/* Opens a directory, also one whose mode the command has removed; -1: it is no
 * directory. */
static int
force_open_dir(int at, const char *name)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    char self[32];

    if (fd < 0)
        return -1;
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    (void)chmod(self, 0700);
    return openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Moves a directory up to the top. */
static void
move_to_top(struct heap *h, int at, const char *name)
{
    CLEANUP(fd_close_p) int fd = force_open_dir(at, name);
    char to[32];

    if (fd < 0)
        return;
    do
        snprintf(to, sizeof(to), "moved-%u", h->moved++);
    while (faccessat(h->top, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    (void)renameat(at, name, h->top, to);
}

/* Empties a directory at the top. */
static void
empty_directory(struct heap *h, const char *name)
{
    int fd = force_open_dir(h->top, name);
    CLEANUP(dir_close_p) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (!path_is_dot(entry->d_name) && unlinkat(fd, entry->d_name, 0) < 0)
            move_to_top(h, fd, entry->d_name);
    }
}

/* Goes through the top once; returns whether anything was removed. */
static bool
empty_top(struct heap *h)
{
    int fd = openat(h->top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CLEANUP(dir_close_p) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    bool went = false;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir)) != NULL) {
        if (path_is_dot(entry->d_name))
            continue;
        if (unlinkat(h->top, entry->d_name, 0) == 0) {
            went = true;
            continue;
        }
        empty_directory(h, entry->d_name);
        went |= unlinkat(h->top, entry->d_name, AT_REMOVEDIR) == 0;
    }
    return went;
}

void
scratch_make(char path[SCRATCH_SIZE])
{
    memcpy(path, SCRATCH_TEMPLATE, SCRATCH_SIZE);
    if (!mkdtemp(path))
        path[0] = '\0';
}

static int
move_cache(const struct environ_cache *c, const char *path)
{
    const char *value = getenv(c->name);
    char moved[SCRATCH_SIZE + 32];

    if (!value || strcmp(value, c->instead) != 0)
        return 0;
    snprintf(moved, sizeof(moved), "%s%s", path, strrchr(c->instead, '/'));
    return setenv(c->name, moved, 1);
}

int
scratch_export(const char *path, struct err *e)
{
    if (!path[0])
        return 0;
    if (setenv("TMPDIR", path, 1) < 0)
        return sandbox_layer_missing(e, "environment");
    for (const struct environ_cache *c = environ_names_caches(); c->name; c++)
        if (move_cache(c, path) < 0)
            return sandbox_layer_missing(e, "environment");
    return 0;
}

void
scratch_remove(const char *path)
{
    CLEANUP(fd_close_p) int top = path[0] ? force_open_dir(AT_FDCWD, path) : -1;
    struct heap h = {.top = top};

    if (top < 0)
        return;
    while (rmdir(path) < 0 && empty_top(&h))
        ;
}
