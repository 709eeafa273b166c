/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place_real.c - a path without links, "." and "..". */
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/path.h"
#include "plugins/lib/place.h"

#define LINKS_MAX 40 /* as the kernel follows, path_resolution(7) */

static int
fail(const char *path, struct err *e)
{
    char text[PLACE_SHOWN_SIZE];

    return err_sys(e, "%s", place_show(path, text));
}

/* The directory part of a path that does not end in a slash. */
static char *
parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool
is_dots(const char *name)
{
    return strcmp(name, "") == 0 || strcmp(name, ".") == 0 ||
           strcmp(name, "..") == 0;
}

/* The real name of path's directory and its last part. */
static char *
real_last(const char *path, struct err *e)
{
    CLEANUP(free_p) char *parent = parent_of(path);
    CLEANUP(free_p) char *real = parent ? realpath(parent, NULL) : NULL;
    char *joined = NULL;

    if (!real) {
        fail(path, e);
        return NULL;
    }
    joined = path_join(strcmp(real, "/") == 0 ? "" : real, path_base(path));
    if (!joined)
        fail(path, e);
    return joined;
}

/* Where the link at `name` leads; NULL: there is none. */
static char *
link_target(const char *name)
{
    char target[PATH_MAX];
    CLEANUP(free_p) char *dir = NULL;
    ssize_t n = readlink(name, target, sizeof(target) - 1);

    if (n < 0)
        return NULL;
    target[n] = '\0';
    if (target[0] == '/')
        return strdup(target);
    dir = parent_of(name);
    return dir ? path_join(dir, target) : NULL;
}

/* What leads to nothing: a new name, or a link to one. */
static char *
real_missing(const char *path, struct err *e)
{
    CLEANUP(free_p) char *at = strdup(path);

    for (int i = 0; at && i < LINKS_MAX; i++) {
        CLEANUP(free_p) char *name = NULL;
        char *next;

        errno = ENOENT;
        if (is_dots(path_base(at)))
            break;
        name = real_last(at, e);
        if (!name)
            return NULL;
        next = link_target(name);
        if (!next)
            return TAKE_PTR(name);
        free(at);
        at = next;
        errno = ELOOP;
    }
    fail(path, e);
    return NULL;
}

/* A slash at the end says that a directory is meant. */
static char *
real_itself(const char *path, struct err *e)
{
    CLEANUP(free_p) char *cut = strdup(path);
    CLEANUP(free_p) char *name = NULL;
    size_t n = cut ? strlen(cut) : 0;
    struct stat st;

    while (n > 1 && cut[n - 1] == '/')
        cut[--n] = '\0';
    if (!cut || is_dots(path_base(cut)))
        return place_real(path, PLACE_TARGET, e);
    name = real_last(cut, e);
    if (!name || strcmp(cut, path) == 0)
        return TAKE_PTR(name);
    if (lstat(name, &st) == 0 && S_ISDIR(st.st_mode))
        return TAKE_PTR(name);
    errno = ENOTDIR;
    fail(path, e);
    return NULL;
}

char *
place_real(const char *path, enum place_last last, struct err *e)
{
    char *real;

    if (last == PLACE_ITSELF && strcmp(path, "/") != 0)
        return real_itself(path, e);
    real = realpath(path, NULL);
    if (real)
        return real;
    if (errno == ENOENT)
        return real_missing(path, e);
    fail(path, e);
    return NULL;
}
