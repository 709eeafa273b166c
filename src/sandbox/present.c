/* SPDX-License-Identifier: GPL-3.0-or-later */
/* present.c - which of many places below a directory are there. */
#include "sandbox/present.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"

/* The names, each with its NUL. False: they are not all there. */
static bool
list(const char *path, struct buf *names)
{
    CLEANUP(dir_close_p) DIR *dir = path ? opendir(path) : NULL;
    const struct dirent *entry;

    buf_clear(names);
    while (dir && (entry = readdir(dir)) != NULL)
        buf_add(names, entry->d_name, strlen(entry->d_name) + 1);
    return dir && !names->bad;
}

static bool
has_name(const struct buf *names, const char *name, size_t n)
{
    const char *p = names->p, *end = p + names->len;

    for (size_t length; p < end; p += length + 1) {
        length = strlen(p);
        if (length == n && memcmp(p, name, n) == 0)
            return true;
    }
    return false;
}

void
present_init(struct present *p, const char *dir)
{
    *p = (struct present){.dir = dir};
    buf_init(&p->names, PRESENT_NAMES_MAX);
    buf_init(&p->inner, PRESENT_NAMES_MAX);
    p->listed = list(dir, &p->names);
}

void
present_done(struct present *p)
{
    buf_done(&p->names);
    buf_done(&p->inner);
}

static bool
is_there(const struct present *p, const char *place)
{
    CLEANUP(free_p) char *path = path_join(p->dir, place);

    return path && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Lists the directory that the first n bytes of place name. */
static void
look_into(struct present *p, const char *place, size_t n)
{
    CLEANUP(free_p) char *name = strndup(place, n);
    CLEANUP(free_p) char *path = name ? path_join(p->dir, name) : NULL;

    p->inner_listed = list(path, &p->inner);
    p->inner_of = place;
}

bool
present_has(struct present *p, const char *place)
{
    size_t n = strcspn(place, "/"), rest;

    if (!p->listed)
        return is_there(p, place);
    if (!has_name(&p->names, place, n))
        return false;
    if (!place[n])
        return true;
    if (!p->inner_of || strncmp(p->inner_of, place, n + 1) != 0)
        look_into(p, place, n);
    rest = strcspn(place + n + 1, "/");
    if (p->inner_listed && !has_name(&p->inner, place + n + 1, rest))
        return false;
    return (p->inner_listed && !place[n + 1 + rest]) || is_there(p, place);
}
