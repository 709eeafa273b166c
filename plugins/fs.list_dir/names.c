/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - the first names of a directory, however many it has. */
#include "plugins/fs.list_dir/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define LOOK_EVERY 1024 /* names between two looks at the clock */

static int
by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, and keeps the first `max`. */
static void
settle(struct names *names, size_t max)
{
    if (names->n > 0)
        qsort(names->v, names->n, sizeof(*names->v), by_bytes);
    while (names->n > max)
        free(names->v[--names->n]);
}

static int
add(struct names *names, const char *name, size_t max, struct err *e)
{
    char *copy;

    if (names->n == names->room)
        settle(names, max);
    copy = strdup(name);
    if (!copy)
        return err_sys(e, "names");
    names->v[names->n++] = copy;
    names->total++;
    return 0;
}

static bool
is_wanted(const char *name, bool hidden)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    return hidden || name[0] != '.';
}

static bool
is_late(const struct names *names, int64_t until_ms)
{
    return until_ms >= 0 && names->total % LOOK_EVERY == 0 &&
           clock_ms() > until_ms;
}

int
names_read(DIR *dir, size_t max, bool hidden, int64_t until_ms,
           struct names *out, struct err *e)
{
    const struct dirent *entry;

    *out = (struct names){.room = 2 * max};
    out->v = calloc(out->room, sizeof(*out->v));
    if (!out->v)
        return err_sys(e, "names");
    while (errno = 0, (entry = readdir(dir)) != NULL) {
        if (!is_wanted(entry->d_name, hidden))
            continue;
        if (is_late(out, until_ms))
            return err_set(e, ERR_TIMEOUT, "too many names to read in time");
        if (add(out, entry->d_name, max, e) < 0)
            return -1;
    }
    if (errno != 0)
        return err_sys(e, "read");
    settle(out, max);
    return 0;
}

void
names_done(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->v[i]);
    free(names->v);
    *names = (struct names){0};
}
