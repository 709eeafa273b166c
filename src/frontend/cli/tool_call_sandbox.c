/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_sandbox.c - fill in the sandbox of a call of agentsh tool call. */
#include "frontend/cli/tool_call_sandbox.h"

#include <limits.h>
#include <string.h>

#include "base/path.h"
#include "json/json.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Where a command that looks at the machine writes, as far as it is in its
 * directory: no more than if that were its workspace. */
static void
keep_inside(const struct profile_choice *c, const char *dir,
            const char *out[PROFILE_DIRS_MAX + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_writable; i++)
        if (path_is_below(c->writable[i], dir))
            out[n++] = c->writable[i];
    out[n] = NULL;
}

/* The first of the profiles in which the directory will do; where it will do
 * in none (it is $HOME, or the system's) there is no workspace. */
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

/* The walls of a command. Its directory is its workspace, and the one that it
 * is called from is seen; a command that looks at the machine, which those
 * walls would hide, gets the profile that shows it. */
static int
fill_step(const struct risk_context *where, const struct config *config,
          const struct json *args, const struct permit *p,
          struct sandbox_setup *s, struct err *e)
{
    const struct profile_choice *c = &p->found->profile;
    const enum profile all[] = {PROFILE_WORKSPACE_WRITE,
                                c->profile == PROFILE_OBSERVE_PROC
                                    ? PROFILE_OBSERVE_PROC
                                    : PROFILE_OBSERVE};
    const char *dir = json_get_str(args, "working_directory");
    char workspace[PATH_MAX];
    const char *seen[] = {guard_workspace(where, workspace), NULL};
    const char *writable[PROFILE_DIRS_MAX + 1] = {NULL};
    bool looks = c->profile == PROFILE_OBSERVE ||
                 c->profile == PROFILE_OBSERVE_PROC;
    struct sandbox_setup_params wish = {.net = c->net,
                                        .workspace = dir ? dir : where->cwd,
                                        .writable = writable,
                                        .readable = seen,
                                        .or_reads = true,
                                        .programs = true};

    if (c->rest)
        return err_set(e, ERR_DENIED,
                       "%s reads other processes' open files, and another "
                       "command would read its output. To do: run it by itself",
                       path_base(c->reader[0]));
    if (looks)
        keep_inside(c, wish.workspace, writable);
    if (try_profiles(all + looks, N_OF(all) - looks, &wish, config, s, e) < 0)
        return -1;
    s->spec.owners = c->owners && s->spec.profile == PROFILE_OBSERVE;
    return 0;
}

int
tool_call_sandbox_fill(const struct risk_context *where,
                       const struct config *config, const struct tool *t,
                       const struct json *args, const struct permit *p,
                       struct sandbox_setup *s, struct err *e)
{
    char workspace[PATH_MAX];
    int rc = t->manifest->step
                 ? fill_step(where, config, args, p, s, e)
                 : permit_site(p, t, guard_workspace(where, workspace), NULL,
                               config, s, e);

    s->spec.report = true;
    return rc;
}

void
tool_call_sandbox_roots(const struct sandbox_spec *s,
                        const char *out[TOOL_ROOTS_MAX + 1])
{
    size_t n = 0;

    if (s->sees_all || s->profile != PROFILE_PLUGIN) {
        out[n++] = "/";
    } else {
        if (s->workspace)
            out[n++] = s->workspace;
        for (size_t i = 0; s->readable[i]; i++)
            out[n++] = s->readable[i];
        for (size_t i = 0; s->writable[i]; i++)
            out[n++] = s->writable[i];
    }
    out[n] = NULL;
}
