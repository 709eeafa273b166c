/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - from the settings to what a confined child is started with. */
#include "sandbox/site.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/probe.h"
#include "sandbox/site_paths.h"

#define MIB ((uint64_t)1024 * 1024)

void
site_done(struct site *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_texts; i++)
        free(s->texts[i]);
    *s = (struct site){0};
}

bool
site_hides_home(const struct sandbox_spec *spec)
{
    enum profile p = spec->profile;

    return p == PROFILE_READ_ONLY || p == PROFILE_WORKSPACE_WRITE ||
           p == PROFILE_PREVIEW || p == PROFILE_REDUCED ||
           (p == PROFILE_PLUGIN && !spec->sees_all);
}

static int
find_home(struct site *s, struct err *e)
{
    const char *told = path_home();
    char *home = told ? realpath(told, NULL) : NULL;

    if (!home || strcmp(home, "/") == 0) { /* there is nothing to hide */
        free(home);
        return 0;
    }
    s->spec.home = site_keep(s, home, e);
    return s->spec.home ? 0 : -1;
}

static bool
writes_workspace(enum profile p)
{
    return p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
           p == PROFILE_REDUCED;
}

/* By its name, or because a place of secrets is a link to it. */
static bool
is_secret(const struct site *s, const char *dir)
{
    for (size_t i = 0; s->secrets[i]; i++) {
        const char *real = s->secrets_real[i];

        if (path_is_below(dir, s->secrets[i]) ||
            (real && path_is_below(dir, real)))
            return true;
    }
    return false;
}

/* What is kept in a workspace is none. */
static bool
has_part(const char *dir, const char *name)
{
    size_t n = strlen(name);

    for (const char *p = dir; (p = strchr(p, '/')) != NULL;) {
        p++;
        if (strncmp(p, name, n) == 0 && (p[n] == '/' || p[n] == '\0'))
            return true;
    }
    return false;
}

/* Whether our settings, the journal or the plugins lie in it. */
static bool
holds_ours(const char *dir)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        CLEANUP(free_p) char *ours = path_of(places[i], NULL, NULL);
        CLEANUP(free_p) char *real = ours ? realpath(ours, NULL) : NULL;

        if (ours && path_is_below(real ? real : ours, dir))
            return true;
    }
    return false;
}

/* Why the directory is no workspace; NULL: it is one. */
static const char *
unfit(const struct site *s, const char *dir)
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
    if (writes_workspace(spec->profile) && has_part(dir, ".git"))
        return "belongs to git";
    if (writes_workspace(spec->profile) && has_part(dir, ".agentsh"))
        return "sets what commands may do";
    if (spec_is_reduced(spec) && spec_writes(spec) && holds_ours(dir))
        return "contains agentsh's own settings"; /* nothing hides a part */
    return is_secret(s, dir) ? "contains secrets" : NULL;
}

static int
check_workspace(const struct site *s, const char *dir, bool named,
                struct err *e)
{
    const char *why = unfit(s, dir);
    struct stat st;

    if (stat(dir, &st) < 0)
        return err_set(e, ERR_USAGE, "workspace %.100s: %s", dir,
                       strerror(errno));
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

/* Only a profile that writes there needs one; to the others it is what they
 * see, beside the rest. */
static int
find_workspace(struct site *s, const char *named, struct err *e)
{
    CLEANUP(free_p) char *dir = realpath(named ? named : ".", NULL);
    bool needed = writes_workspace(s->spec.profile);

    if (!dir && (named || needed))
        return err_set(e, ERR_USAGE, "workspace %.100s: %s",
                       named ? named : "(the working directory)",
                       strerror(errno));
    if (named || needed) {
        if (check_workspace(s, dir, named != NULL, e) < 0)
            return -1;
    } else if (!dir || unfit(s, dir)) {
        return 0;
    }
    s->spec.workspace = site_keep(s, TAKE_PTR(dir), e);
    return s->spec.workspace ? 0 : -1;
}

/* Where it is reduced nothing hides a part of what is writable. */
static int
check_ours_apart(const struct site *s, struct err *e)
{
    if (!spec_is_reduced(&s->spec))
        return 0;
    for (const char *const *p = s->spec.writable; *p; p++) {
        CLEANUP(free_p) char *real = realpath(*p, NULL);

        if (holds_ours(real ? real : *p))
            return err_set(e, ERR_DENIED,
                           "%.200s contains agentsh's own settings, which "
                           "nothing would hide there without namespaces; name "
                           "a directory below it",
                           *p);
    }
    return 0;
}

static int
append_wishes(struct site *s, const struct site_wish *w, bool allowed,
              struct err *e)
{
    bool looks = s->spec.reduced && w->or_reads && !allowed;

    for (const char *const *p = looks ? NULL : w->writable; p && *p; p++) {
        if (site_append(s, s->spec.writable, strdup(*p), e) < 0)
            return -1;
    }
    for (const char *const *p = w->readable; p && *p; p++) {
        if (site_append(s, s->spec.readable, strdup(*p), e) < 0)
            return -1;
    }
    if (site_check_links(s, s->spec.writable, e) < 0 ||
        site_check_links(s, s->spec.readable, e) < 0 ||
        check_ours_apart(s, e) < 0)
        return -1;
    return w->plugin ? site_append(s, s->spec.programs, strdup(w->plugin), e)
                     : 0;
}

/* The directory of the plugins, and the one with the launcher. */
static int
append_programs(struct site *s, struct err *e)
{
    static const char *const names[] = {"plugins", "agentsh-launch"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char *path = path_libexec(names[i], e);

        if (!path || site_append(s, s->spec.programs, path, e) < 0)
            return -1;
    }
    return 0;
}

/* What a person opened is not among them. */
static int
append_closed(struct site *s, const struct site_wish *w, struct err *e)
{
    for (char *const *p = w->closed; p && *p; p++)
        if (site_append_secret(s, strdup(*p), e) < 0)
            return -1;
    return 0;
}

static void
set_limits(struct sandbox_spec *spec, const struct config *c)
{
    spec->limit_ms = config_int(c, CONFIG_SANDBOX_LIMIT_S) * 1000;
    spec->memory_bytes = (uint64_t)config_int(c, CONFIG_SANDBOX_MEMORY_MB) *
                         MIB;
    spec->file_bytes = (uint64_t)config_int(c, CONFIG_SANDBOX_FILE_MB) * MIB;
    spec->processes = (unsigned)config_int(c, CONFIG_SANDBOX_PROCESSES);
}

static bool
needs_namespaces(enum profile p)
{
    return p != PROFILE_OBSERVE_PROC && p != PROFILE_FULL;
}

#define NONE_HERE "this machine lets nobody make namespaces, "

/* Where there are no namespaces the profile does without, or is another. */
static int
reduce(struct sandbox_spec *spec, bool allowed, bool or_reads, struct err *e)
{
    switch (spec->profile) {
    case PROFILE_WORKSPACE_WRITE:
        if (!allowed && !or_reads)
            return err_set(e, ERR_SANDBOX,
                           NONE_HERE "which workspace-write needs. To do: the "
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
fit_machine(struct sandbox_spec *spec, const struct site_wish *w,
            const struct config *c, struct err *e)
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
        return reduce(spec, allowed, w->or_reads, e);
    case PROBE_OPEN:
        return err_set(e, ERR_SANDBOX,
                       NONE_HERE "and has no Landlock: nothing would confine "
                                 "it. To do: agentsh doctor says more");
    }
    if (w->profile == PROFILE_REDUCED)
        return err_set(e, ERR_SANDBOX,
                       "the profile reduced has no namespaces; to use it set "
                       "allow_reduced = yes in [sandbox]");
    return 0;
}

/* What is hidden in the workspace is so in the copy. */
static int
hide_in_copy(struct site *s, const struct view *v, struct err *e)
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
        if (!(s->spec.secret[i] = site_keep(s, path, e)))
            return -1;
    }
    return 0;
}

int
site_use_view(struct site *s, const struct view *v, struct err *e)
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
    if (!(s->spec.workspace = site_keep(s, dir, e)))
        return -1;
    /* what is there is not what the run has made of it */
    return site_append_secret(s, strdup(v->workspace), e);
}

int
site_fill(struct site *s, const struct site_wish *w, const struct config *c,
          struct err *e)
{
    s->spec.net = w->net;
    s->spec.sees_all = w->sees_all;
    if (fit_machine(&s->spec, w, c, e) < 0)
        return -1;
    set_limits(&s->spec, c);
    if (w->profile == PROFILE_FULL)
        return 0;
    if (find_home(s, e) < 0 || site_find_secrets(s, e) < 0 ||
        find_workspace(s, w->workspace, e) < 0 ||
        append_wishes(s, w, config_bool(c, CONFIG_SANDBOX_ALLOW_REDUCED), e) <
            0 ||
        (w->programs && append_programs(s, e) < 0))
        return -1;
    if (s->spec.home && (site_append_setting(s, s->spec.readable, c,
                                             CONFIG_SANDBOX_READABLE, e) < 0 ||
                         site_append_path(s, e) < 0))
        return -1;
    if (s->spec.home && !site_hides_home(&s->spec) &&
        (site_append_named(s, w->named, e) < 0 ||
         site_append_harmless(s, e) < 0))
        return -1;
    if (site_append_setting(s, s->spec.cache, c, CONFIG_SANDBOX_CACHE, e) < 0)
        return -1;
    return site_append_secrets(s, c, e) < 0 ? -1 : append_closed(s, w, e);
}
