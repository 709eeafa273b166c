/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.c - the files that match a pattern. */
#include "guard/effects/glob.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"

bool
glob_limit_take(struct glob_limit *l)
{
    if (l->entries == 0 || clock_us() > l->until_us) {
        l->more = true;
        return false;
    }
    l->entries--;
    return true;
}

static bool
list_room(struct glob_list *l)
{
    size_t room = l->room ? 2 * l->room : 16;
    char **more;

    if (l->n < l->room)
        return true;
    more = realloc(l->v, room * sizeof(*more));
    if (!more)
        return false;
    l->v = more;
    l->room = room;
    return true;
}

bool
glob_list_add(struct glob_list *l, const char *text, size_t n)
{
    char *copy = NULL;

    if (l->n < GLOB_LIST_MAX && n <= GLOB_LIST_BYTES - l->bytes && list_room(l))
        copy = strndup(text, n);
    if (!copy) {
        l->more = true;
        return false;
    }
    l->bytes += n;
    l->v[l->n++] = copy;
    return true;
}

void
glob_list_done(struct glob_list *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i]);
    free(l->v);
    *l = (struct glob_list){0};
}

static void
add_joined(struct glob_list *l, const char *dir, const char *name, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);

    buf_str(&b, dir);
    buf_ch(&b, '/');
    buf_add(&b, name, n);
    if (!b.bad) /* a longer path than the system knows is nowhere */
        glob_list_add(l, b.p, b.len);
}

static bool
may_be_directory(const char *dir, const struct dirent *d)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);
    struct stat st;

    if (d->d_type == DT_DIR)
        return true;
    if (d->d_type != DT_LNK && d->d_type != DT_UNKNOWN)
        return false;
    buf_printf(&b, "%s/%s", dir, d->d_name);
    return !b.bad && stat(b.p, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void
match_in(const char *dir, const char *component, bool last,
         struct glob_limit *limit, struct glob_list *out)
{
    CLEANUP(dir_close_p) DIR *d = NULL;
    CLEANUP(fd_close_p)
    int fd = open(dir[0] ? dir : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const struct dirent *entry;

    if (fd < 0 || !(d = fdopendir(fd))) {
        limit->more |= errno == EACCES; /* what is there is not ours to see */
        return;
    }
    fd = -1; /* d's now */
    while (glob_limit_take(limit) && (entry = readdir(d)) != NULL) {
        if (is_dot(entry->d_name) || !glob_match(component, entry->d_name))
            continue;
        if (last || may_be_directory(dir, entry))
            add_joined(out, dir, entry->d_name, strlen(entry->d_name));
    }
}

/* Takes one component further: *paths are the directories found so far. */
static void
step(struct glob_list *paths, const char *component, size_t n, bool last,
     struct glob_limit *limit)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);
    struct glob_list next = {.more = paths->more};
    bool pattern = glob_is_pattern(component, n);

    if (pattern)
        buf_add(&b, component, n);
    else
        glob_unquote(&b, component, n);
    for (size_t i = 0; i < paths->n && !b.bad && !next.more; i++) {
        if (pattern)
            match_in(paths->v[i], b.p, last, limit, &next);
        else
            add_joined(&next, paths->v[i], b.p, b.len);
    }
    glob_list_done(paths);
    *paths = next;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A path that only follows from a pattern need not be there. */
static void
keep_existing(const struct glob_list *found, bool seen, bool directory,
              struct glob_list *out)
{
    for (size_t i = 0; i < found->n; i++) {
        struct stat st;

        if (!seen && lstat(found->v[i], &st) < 0)
            continue;
        if (directory && (stat(found->v[i], &st) < 0 || !S_ISDIR(st.st_mode)))
            continue;
        glob_list_add(out, found->v[i], strlen(found->v[i]));
    }
}

void
glob_expand(const char *pattern, struct glob_limit *limit,
            struct glob_list *out)
{
    struct glob_list found = {0};
    size_t n = strlen(pattern);
    bool directory = n > 0 && pattern[n - 1] == '/';
    bool seen = false; /* the last component was read from its directory */

    glob_list_add(&found, "", 0);
    for (const char *p = pattern + strspn(pattern, "/"); *p;) {
        size_t len = strcspn(p, "/");
        const char *next = p + len + strspn(p + len, "/");

        step(&found, p, len, *next == '\0' && !directory, limit);
        seen = !directory && glob_is_pattern(p, len);
        p = next;
    }
    if (found.n > 1)
        qsort(found.v, found.n, sizeof(*found.v), by_name);
    keep_existing(&found, seen, directory, out);
    out->more |= found.more;
    glob_list_done(&found);
}
