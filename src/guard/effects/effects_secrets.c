/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_secrets.c - finds secrets in the directories that a line reads. */
#include "guard/effects/effects_secrets.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret_tree.h"

/* Resolves a path of the line that means a directory with everything in it. A
 * pattern means the directory in front of it when everything below is read. */
static bool
whole_directory_read(const struct risk_path *p,
                     const struct path_context *where, char out[PATH_MAX])
{
    char path[PATH_MAX];
    struct stat st;
    bool cut;

    return p->use == RISK_READS && !p->listed &&
           path_absolute(p->text, p->dir, where, path, &cut) &&
           (!cut || p->recursive) && realpath(path, out) &&
           stat(out, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The sandbox already hides these files, in the workspace and in every home.
 * For the system's own directories there are rules. */
static bool
is_closed_by_sandbox(const char *path, const char *workspace,
                     const struct path_context *where)
{
    const char *rest = where->home ? path_behind(path, where->home) : NULL;

    return (workspace && path_is_below(path, workspace)) ||
           (rest && *rest == '.');
}

static int
search_outside(const char *dir, const struct path_context *where,
               const char *workspace, char found[PATH_MAX], struct err *e)
{
    CLEANUP(secret_tree_done) struct secret_tree t = {0};

    if (secret_tree_find(&t, dir, where->named, where->seat, e) < 0)
        return -1;
    for (size_t i = 0; i < t.n && !found[0]; i++)
        if (!is_closed_by_sandbox(t.paths[i], workspace, where))
            snprintf(found, PATH_MAX, "%s", t.paths[i]);
    return 0;
}

int
effects_secrets_find(const struct risk *r, const struct path_context *where,
                     const char *workspace, char found[PATH_MAX], struct err *e)
{
    char dir[PATH_MAX];

    found[0] = '\0';
    for (size_t i = 0; i < r->n_paths && !found[0]; i++) {
        if (!whole_directory_read(&r->paths[i], where, dir) ||
            is_closed_by_sandbox(dir, workspace, where) ||
            path_is(dir, PATH_IS_SYSTEM | PATH_IS_VIRTUAL))
            continue;
        if (search_outside(dir, where, workspace, found, e) < 0)
            return -1;
    }
    return 0;
}
