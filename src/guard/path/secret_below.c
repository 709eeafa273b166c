/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_below.c - secrets in a directory outside that a line reads whole. */
#include "guard/path/secret_below.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/path/path_absolute.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/path/secret_tree.h"

/* The real directory that a path of the line means with all that is in it.
 * Of a pattern what stands before it counts, when all below is read. */
static bool
read_directory(const struct risk_path *p, const struct risk_place *where,
               char out[PATH_MAX])
{
    char path[PATH_MAX];
    struct stat st;
    bool cut;

    return p->use == RISK_READS && !p->listed &&
           path_absolute(p->text, p->dir, where, path, &cut) &&
           (!cut || p->recursive) && realpath(path, out) &&
           stat(out, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The walls close these already, in the workspace and in every home; of the
 * system's own directories rules speak. */
static bool
is_closed(const char *path, const char *workspace,
          const struct risk_place *where)
{
    const char *home = where->home;

    if (workspace && path_is_below(path, workspace))
        return true;
    return home && path_is_below(path, home) && path[strlen(home)] == '/' &&
           path[strlen(home) + 1] == '.';
}

static int
find_below(const char *dir, const struct risk_place *where,
           const char *workspace, char found[PATH_MAX], struct err *e)
{
    CLEANUP(secret_tree_done) struct secret_tree t = {0};

    if (secret_tree_find(&t, dir, where->named, e) < 0)
        return -1;
    for (size_t i = 0; i < t.n && !found[0]; i++)
        if (!is_closed(t.paths[i], workspace, where))
            snprintf(found, PATH_MAX, "%s", t.paths[i]);
    return 0;
}

int
secret_below_find(const struct risk *r, const struct risk_place *where,
                  const char *workspace, char found[PATH_MAX], struct err *e)
{
    char dir[PATH_MAX];

    found[0] = '\0';
    for (size_t i = 0; i < r->n_paths && !found[0]; i++) {
        if (!read_directory(&r->paths[i], where, dir) ||
            is_closed(dir, workspace, where) ||
            path_is(dir, PATH_IS_SYSTEM | PATH_IS_SHOWN))
            continue;
        if (find_below(dir, where, workspace, found, e) < 0)
            return -1;
    }
    return 0;
}
