/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exists_cache.c - answers which of many paths below a directory exist. */
#include "sandbox/exists_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"

/* Reads the names of a directory, each with its NUL. Returns false when not all
 * of them could be read. */
static bool
list_names(const struct exists_cache *p, const char *path, struct buf *names)
{
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *entry;

    if (path)
        setup_stamps_names(p->stamps, path);
    dir = path ? opendir(path) : NULL;
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
exists_cache_init(struct exists_cache *p, const char *dir,
                  struct setup_stamps *stamps)
{
    *p = (struct exists_cache){.dir = dir, .stamps = stamps};
    buf_init(&p->names, EXISTS_CACHE_NAMES_MAX);
    buf_init(&p->inner, EXISTS_CACHE_NAMES_MAX);
    p->listed = list_names(p, dir, &p->names);
}

void
exists_cache_done(struct exists_cache *p)
{
    buf_done(&p->names);
    buf_done(&p->inner);
}

static bool
exists_on_disk(const struct exists_cache *p, const char *place)
{
    CLEANUP(free_p) char *path = path_join(p->dir, place);

    if (path)
        setup_stamps_path(p->stamps, path);
    return path && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Lists the directory that the first n bytes of place name. */
static void
list_subdirectory(struct exists_cache *p, const char *place, size_t n)
{
    CLEANUP(free_p) char *name = strndup(place, n);
    CLEANUP(free_p) char *path = name ? path_join(p->dir, name) : NULL;

    p->inner_listed = list_names(p, path, &p->inner);
    p->inner_of = place;
}

bool
exists_cache_has(struct exists_cache *p, const char *place)
{
    size_t n = strcspn(place, "/"), rest;

    if (!p->listed)
        return exists_on_disk(p, place);
    if (!has_name(&p->names, place, n))
        return false;
    if (!place[n])
        return true;
    if (!p->inner_of || strncmp(p->inner_of, place, n + 1) != 0)
        list_subdirectory(p, place, n);
    rest = strcspn(place + n + 1, "/");
    if (p->inner_listed && !has_name(&p->inner, place + n + 1, rest))
        return false;
    return (p->inner_listed && !place[n + 1 + rest]) ||
           exists_on_disk(p, place);
}
