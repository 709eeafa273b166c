/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_sandbox.c - fills in the sandbox of a command that an errand runs. */
#include "action/errand_sandbox.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "json/json.h"

/* The directories that a command which inspects the machine writes to, as far
 * as they are below its own directory: no more than if that were its workspace.
 */
static void
keep_below(const struct profile_choice *c, const char *dir,
           const char *out[PROFILE_DIRS_MAX + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_writable; i++)
        if (path_is_below(c->writable[i], dir))
            out[n++] = c->writable[i];
    out[n] = NULL;
}

/* Takes the first of the profiles that accepts the directory as a workspace.
 * Where none does ($HOME, or a system directory), there is no workspace. */
static int
try_profiles(const enum profile *all, size_t n, struct sandbox_setup_params *w,
             const struct config *c, struct sandbox_setup *s, struct err *e)
{
    struct err why = {0};

    for (size_t i = 0; i < n; i++) {
        w->profile = all[i];
        sandbox_setup_done(s);
        if (sandbox_setup_fill(s, w, c, &why) == 0)
            return 0;
        if (why.code != ERR_USAGE)
            return err_set(e, why.code, "%s", why.text);
    }
    sandbox_setup_done(s);
    w->workspace = NULL;
    return sandbox_setup_fill(s, w, c, e);
}

int
errand_sandbox_fill(const struct path_context *where,
                    const struct config *config, const struct json *args,
                    const struct permit *p, struct sandbox_setup *s,
                    struct err *e)
{
    const struct profile_choice *c = &p->found->profile;
    const enum profile all[] = {PROFILE_WORKSPACE_WRITE,
                                c->profile == PROFILE_OBSERVE_PROC
                                    ? PROFILE_OBSERVE_PROC
                                    : PROFILE_OBSERVE};
    const char *given = json_get_str(args, "working_directory");
    const char *dir = given ? given : where->cwd;
    char workspace[PATH_MAX];
    const char *seen[] = {guard_workspace(where, workspace), NULL};
    const char *writable[PROFILE_DIRS_MAX + 1] = {NULL};
    bool inspects = c->profile == PROFILE_OBSERVE ||
                    c->profile == PROFILE_OBSERVE_PROC;
    struct sandbox_setup_params params = {
        .seat = where->seat,
        .net = c->net,
        .workspace = where->workspace ? where->workspace : dir,
        .writable = writable,
        .readable = seen,
        .or_reads = true,
        .programs = true};

    if (c->rest)
        return err_set(e, ERR_DENIED,
                       "%s reads other processes' open files, and another "
                       "command would read its output. To do: run it by itself",
                       path_base(c->reader[0]));
    if (inspects)
        keep_below(c, params.workspace, writable);
    if (try_profiles(all + inspects, ARRAY_SIZE(all) - inspects, &params,
                     config, s, e) < 0)
        return -1;
    s->spec.owners = c->owners && s->spec.profile == PROFILE_OBSERVE;
    s->spec.report = true;
    return 0;
}
