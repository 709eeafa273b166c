/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup.c - makes a sandbox_spec from the settings and a caller's
 * parameters. */
#include "sandbox/setup.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/path.h"
#include "base/size.h"
#include "guard/path/path_table.h"
#include "sandbox/probe.h"
#include "sandbox/setup_paths.h"

void
sandbox_setup_done(struct sandbox_setup *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_texts; i++)
        free(s->texts[i]);
    *s = (struct sandbox_setup){0};
}

static int
find_home(struct sandbox_setup *s, struct err *e)
{
    const char *home_path = seat_home(s->seat);
    char *home;

    if (home_path)
        setup_stamps_path(s->stamps, home_path);
    home = home_path ? realpath(home_path, NULL) : NULL;
    if (!home || strcmp(home, "/") == 0) { /* there is nothing to hide */
        free(home);
        return 0;
    }
    s->spec.home = setup_keep_text(s, home, e);
    return s->spec.home ? 0 : -1;
}

static bool
profile_binds_workspace(enum profile p)
{
    return p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
           p == PROFILE_REDUCED;
}

/* Returns whether a directory lies in a place of secrets, by its own name or
 * because such a place is a link to it. */
static bool
lies_in_secret_place(const struct sandbox_setup *s, const char *dir)
{
    for (size_t i = 0; s->secrets[i]; i++) {
        const char *real = s->secrets_real[i];

        if (path_is_below(dir, s->secrets[i]) ||
            (real && path_is_below(dir, real)))
            return true;
    }
    return false;
}

/* Returns whether a directory of this name is part of the path: what is
 * protected in a workspace is no workspace itself. */
static bool
path_has_directory(const char *dir, const char *name)
{
    size_t n = strlen(name);

    for (const char *p = dir; (p = strchr(p, '/')) != NULL;) {
        p++;
        if (strncmp(p, name, n) == 0 && (p[n] == '/' || p[n] == '\0'))
            return true;
    }
    return false;
}

/* Returns whether our settings, the journal or the plugins lie in a
 * directory. */
static bool
holds_ours(const struct seat *seat, const char *dir)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};

    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        CLEANUP(free_p) char *ours = seat_place(seat, places[i], NULL, NULL);
        CLEANUP(free_p) char *real = ours ? realpath(ours, NULL) : NULL;

        if (ours && path_is_below(real ? real : ours, dir))
            return true;
    }
    return false;
}

/* Returns why a directory cannot be the workspace; NULL: it can. */
static const char *
unfit_reason(const struct sandbox_setup *s, const char *dir)
{
    const struct sandbox_spec *spec = &s->spec;
    if (strcmp(dir, "/") == 0)
        return "is the root directory";
    if (spec->home && strcmp(dir, spec->home) == 0)
        return "is your home directory";
    if (spec->home && path_is_below(spec->home, dir))
        return "contains your home directory";
    if (path_is(dir, PATH_IS_KERNEL))
        return "belongs to the kernel";
    if (geteuid() == 0 && path_is_system_dir(dir))
        return "belongs to the system";
    if (profile_binds_workspace(spec->profile) &&
        path_has_directory(dir, ".git"))
        return "belongs to git";
    if (profile_binds_workspace(spec->profile) &&
        path_has_directory(dir, ".agentsh"))
        return "sets what commands may do";
    if (spec_is_reduced(spec) && spec_writes(spec) && holds_ours(s->seat, dir))
        return "contains agentsh's own settings"; /* nothing would hide them
                                                     there */
    return lies_in_secret_place(s, dir) ? "contains secrets" : NULL;
}

static int
check_workspace(const struct sandbox_setup *s, const char *dir, bool named,
                struct err *e)
{
    const char *why = unfit_reason(s, dir);
    struct stat st;

    setup_stamps_path(s->stamps, dir);
    if (stat(dir, &st) < 0)
        return err_set(e, ERR_USAGE, "workspace %.100s: %s", dir,
                       err_system(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_USAGE, "workspace %.100s: not a directory", dir);
    if (why)
        return err_set(e, ERR_USAGE,
                       "%.100s %s, and commands could change all of it; %s",
                       dir, why,
                       named ? "name a directory below it"
                             : "name what they may change: --workspace DIR");
    return 0;
}

/* The real path of the workspace, the seat's directory where none is named;
 * NULL with errno: it is not there. The caller frees it. */
static char *
real_workspace(const struct sandbox_setup *s, const char *named)
{
    CLEANUP(free_p) char *full = named ? seat_resolve(s->seat, named) : NULL;
    const char *dir = named ? full : seat_dir(s->seat);

    if (dir)
        setup_stamps_path(s->stamps, dir);
    errno = ENOENT;
    return dir ? realpath(dir, NULL) : NULL;
}

/* Only a profile that writes to the workspace needs one; the others merely see
 * it, in addition to the rest. */
static int
find_workspace(struct sandbox_setup *s, const char *named, struct err *e)
{
    CLEANUP(free_p) char *dir = real_workspace(s, named);
    bool needed = profile_binds_workspace(s->spec.profile);

    if (!dir && (named || needed))
        return err_set(e, ERR_USAGE, "workspace %.100s: %s",
                       named ? named : "(the working directory)",
                       err_system(errno));
    if (named || needed) {
        if (check_workspace(s, dir, named != NULL, e) < 0)
            return -1;
    } else if (!dir || unfit_reason(s, dir)) {
        return 0;
    }
    s->spec.workspace = setup_keep_text(s, TAKE_PTR(dir), e);
    return s->spec.workspace ? 0 : -1;
}

/* In a reduced sandbox nothing hides a part of a writable directory. */
static int
check_ours_apart(const struct sandbox_setup *s, struct err *e)
{
    if (!spec_is_reduced(&s->spec))
        return 0;
    for (const char *const *p = s->spec.writable; *p; p++) {
        CLEANUP(free_p) char *real = realpath(*p, NULL);

        if (holds_ours(s->seat, real ? real : *p))
            return err_set(e, ERR_DENIED,
                           "%.200s contains agentsh's own settings, which "
                           "nothing would hide there without namespaces; name "
                           "a directory below it",
                           *p);
    }
    return 0;
}

static int
append_params(struct sandbox_setup *s, const struct sandbox_setup_params *w,
              bool allowed, struct err *e)
{
    bool looks = s->spec.reduced && w->or_reads && !allowed;

    for (const char *const *p = looks ? NULL : w->writable; p && *p; p++) {
        if (setup_append(s, s->spec.writable, strdup(*p), e) < 0)
            return -1;
    }
    for (const char *const *p = w->readable; p && *p; p++) {
        if (setup_append(s, s->spec.readable, strdup(*p), e) < 0)
            return -1;
    }
    if (setup_check_links(s, s->spec.writable, e) < 0 ||
        setup_check_links(s, s->spec.readable, e) < 0 ||
        check_ours_apart(s, e) < 0)
        return -1;
    return w->plugin ? setup_append(s, s->spec.programs, strdup(w->plugin), e)
                     : 0;
}

/* Shows the plugins' directory and the launcher. */
static int
append_programs(struct sandbox_setup *s, struct err *e)
{
    static const char *const names[] = {"plugins", "agentsh-launch"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        char *path = path_libexec(names[i], e);

        if (!path || setup_append(s, s->spec.programs, path, e) < 0)
            return -1;
    }
    return 0;
}

/* Hides files of the workspace; those that the person opened are not in the
 * list. */
static int
append_closed(struct sandbox_setup *s, const struct sandbox_setup_params *w,
              struct err *e)
{
    for (char *const *p = w->closed; p && *p; p++)
        if (setup_append_secret(s, strdup(*p), e) < 0)
            return -1;
    return 0;
}

static void
set_spec_limits(struct sandbox_spec *spec, const struct config *c)
{
    spec->limit_ms = config_int(c, CONFIG_SANDBOX_LIMIT_S) * 1000;
    spec->memory_bytes = (uint64_t)config_int(c, CONFIG_SANDBOX_MEMORY_MB) *
                         SIZE_MIB;
    spec->file_bytes = (uint64_t)config_int(c, CONFIG_SANDBOX_FILE_MB) *
                       SIZE_MIB;
    spec->processes = (unsigned)config_int(c, CONFIG_SANDBOX_PROCESSES);
}

static bool
needs_namespaces(enum profile p)
{
    return p != PROFILE_OBSERVE_PROC && p != PROFILE_FULL;
}

/* Makes the profile one that needs no namespaces, or takes another profile. */
static int
reduce_profile(struct sandbox_spec *spec, bool allowed, bool or_reads,
               struct err *e)
{
    switch (spec->profile) {
    case PROFILE_WORKSPACE_WRITE:
        if (!allowed && !or_reads)
            return err_set(e, ERR_SANDBOX,
                           "this machine lets nobody make namespaces, "
                           "which workspace-write needs. To do: the "
                           "profile reduced does without, and with "
                           "[sandbox] allow_reduced = yes it is "
                           "taken by itself");
        spec->profile = allowed ? PROFILE_REDUCED : PROFILE_READ_ONLY;
        spec->reduced = true;
        return 0;
    default:
        spec->reduced = true;
        return 0;
    }
}

static int
adapt_to_machine(struct sandbox_spec *spec,
                 const struct sandbox_setup_params *w, const struct config *c,
                 struct err *e)
{
    bool allowed = config_bool(c, CONFIG_SANDBOX_ALLOW_REDUCED);

    spec->profile = w->profile;
    if (!needs_namespaces(w->profile) ||
        (w->profile == PROFILE_REDUCED && allowed))
        return 0;
    switch (probe_machine(w->made)) {
    case PROBE_WHOLE:
        break;
    case PROBE_REDUCED:
        return reduce_profile(spec, allowed, w->or_reads, e);
    case PROBE_OPEN:
        return err_set(e, ERR_SANDBOX,
                       "this machine lets nobody make namespaces, and has no "
                       "Landlock: nothing would confine "
                       "it. To do: agentsh doctor says more");
    }
    if (w->profile == PROFILE_REDUCED)
        return err_set(e, ERR_SANDBOX,
                       "the profile reduced has no namespaces; to use it set "
                       "allow_reduced = yes in [sandbox]");
    return 0;
}

/* Hides in the copy what is hidden in the workspace. */
static int
hide_in_copy(struct sandbox_setup *s, const struct view *v, struct err *e)
{
    size_t n = 0;

    while (s->spec.secret[n])
        n++;
    for (size_t i = 0; i < n; i++) {
        char *path;

        if (!path_is_below(s->spec.secret[i], v->workspace))
            continue;
        path = view_path(v, s->spec.secret[i]);
        if (!path)
            return err_nomem(e);
        if (!(s->spec.secret[i] = setup_keep_text(s, path, e)))
            return -1;
    }
    return 0;
}

int
sandbox_setup_use_view(struct sandbox_setup *s, const struct view *v,
                       struct err *e)
{
    char *dir;

    s->spec.preview = v->dir;
    s->spec.copied = v->copied != NULL;
    if (!v->apart)
        return 0;
    if (hide_in_copy(s, v, e) < 0)
        return -1;
    dir = view_path(v, v->workspace);
    if (!dir)
        return err_nomem(e);
    s->spec.profile = PROFILE_REDUCED;
    s->spec.reduced = true;
    if (!(s->spec.workspace = setup_keep_text(s, dir, e)))
        return -1;
    /* the command shall not see the workspace's own, older files */
    return setup_append_secret(s, strdup(v->workspace), e);
}

int
sandbox_setup_fill(struct sandbox_setup *s,
                   const struct sandbox_setup_params *w, const struct config *c,
                   struct err *e)
{
    s->seat = w->seat;
    s->stamps = w->stamps;
    s->spec.net = w->net;
    s->spec.sees_all = w->sees_all;
    if (adapt_to_machine(&s->spec, w, c, e) < 0)
        return -1;
    set_spec_limits(&s->spec, c);
    if (w->profile == PROFILE_FULL)
        return 0;
    if (find_home(s, e) < 0 || setup_find_secrets(s, e) < 0 ||
        find_workspace(s, w->workspace, e) < 0 ||
        append_params(s, w, config_bool(c, CONFIG_SANDBOX_ALLOW_REDUCED), e) <
            0 ||
        (w->programs && append_programs(s, e) < 0))
        return -1;
    if (s->spec.home && (setup_append_setting(s, s->spec.readable, c,
                                              CONFIG_SANDBOX_READABLE, e) < 0 ||
                         setup_append_search_path(s, e) < 0))
        return -1;
    if (s->spec.home && !spec_hides_home(&s->spec) &&
        (setup_append_named(s, w->named, e) < 0 ||
         setup_append_harmless(s, e) < 0))
        return -1;
    if (setup_append_setting(s, s->spec.cache, c, CONFIG_SANDBOX_CACHE, e) < 0)
        return -1;
    return setup_append_secrets(s, c, e) < 0 ? -1 : append_closed(s, w, e);
}
