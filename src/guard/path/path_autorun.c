/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_autorun.c - knows the paths from which programs run by themselves. */
#include "guard/path/path_autorun.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"

/* Names that count wherever they lie: git's, and what Python loads by
 * itself. */
static const char *const any_autoruns[] = {
    ".git/hooks",       ".git/config",   ".husky",        "sitecustomize.py",
    "usercustomize.py", "site-packages", "dist-packages", ".envrc"};

static void
add_search_dir(struct path_autorun *p, char *dir)
{
    if (dir && p->n < ARRAY_SIZE(p->dirs)) {
        p->dirs[p->n++] = dir;
        return;
    }
    p->every = true;
    free(dir);
}

/* Adds one element of PATH. The links of the system's own directories are not
 * resolved. */
static void
add_element(struct path_autorun *p, const char *text, size_t n,
            const struct path_context *where)
{
    CLEANUP(free_p) char *one = strndup(text, n);
    char *dir = NULL, *real;

    if (!one) {
        p->every = true;
        return;
    }
    if (one[0] == '/')
        dir = TAKE_PTR(one);
    else if (where->cwd)
        dir = path_join(where->cwd, one);
    if (!dir)
        return;
    path_clean(dir);
    if (path_is(dir, PATH_IS_BIN_DIR)) {
        add_search_dir(p, dir);
        return;
    }
    real = realpath(dir, NULL);
    if (real && strcmp(real, dir) != 0)
        add_search_dir(p, TAKE_PTR(real));
    free(real);
    add_search_dir(p, dir);
}

void
path_autorun_init(struct path_autorun *p, const struct path_context *where)
{
    *p = (struct path_autorun){.where = where};
}

static void
read_search_path(struct path_autorun *p)
{
    const char *at = p->where->path, *dir;
    size_t n;

    p->loaded = true;
    while (path_next_dir(&at, &dir, &n))
        add_element(p, dir, n, p->where);
}

void
path_autorun_done(struct path_autorun *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        free(p->dirs[i]);
    *p = (struct path_autorun){0};
}

static bool
is_at_or_below(const char *path, const char *place, bool below)
{
    return path_is_below(path, place) || (below && path_is_below(place, path));
}

static bool
is_home_autorun(const struct path_autorun *p, const char *path, bool below)
{
    const char *rest = secret_path_in_home(path, p->where->home), *row;
    size_t at = 0;

    while (rest && (row = path_home_next(PATH_HOME_AUTORUN, &at)))
        if (is_at_or_below(rest, row, below))
            return true;
    return !rest && below && p->where->home &&
           path_is_below(p->where->home, path);
}

bool
path_autorun_is(struct path_autorun *p, const char *path, bool below)
{
    const char *row;
    size_t at = 0;

    if (!p->loaded)
        read_search_path(p);
    if (p->every || is_home_autorun(p, path, below) ||
        path_is(path, PATH_IS_BIN_DIR))
        return true;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = strlen(p->dirs[i]);

        /* a file in a subdirectory does not run by its name */
        if (strcmp(path, p->dirs[i]) == 0 ||
            (below && path_is_below(p->dirs[i], path)) ||
            (path_is_below(path, p->dirs[i]) && !strchr(path + n + 1, '/')))
            return true;
    }
    while ((row = path_next(PATH_IS_AUTORUN, &at)))
        if (is_at_or_below(path, row, below))
            return true;
    for (size_t i = 0; i < ARRAY_SIZE(any_autoruns); i++)
        if (path_contains(path, any_autoruns[i]))
            return true;
    return false;
}
