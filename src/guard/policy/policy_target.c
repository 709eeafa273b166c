/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_target.c - finds the files that a path of a command line means now. */
#include "guard/policy/policy_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/path.h"
#include "guard/effects/glob.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"

#define LOOK_US      200000 /* microseconds for the patterns of a line */
#define LOOK_ENTRIES 20000  /* for one pattern */

/* Resolves the links of a path whose last components need not exist. NULL: a
 * link leads nowhere, or there is no memory. */
static char *
resolve_existing(const char *path)
{
    char copy[PATH_MAX];
    size_t n = (size_t)snprintf(copy, sizeof(copy), "%s", path);
    struct stat st;

    while (n < sizeof(copy) && n > 1) {
        CLEANUP(free_p) char *real = realpath(copy, NULL);
        const char *rest = path + n;

        if (real)
            return path_join(real[1] ? real : "", rest + (*rest == '/'));
        if (lstat(copy, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
            return NULL;
        while (n > 1 && copy[n - 1] != '/')
            n--;
        n -= n > 1;
        copy[n] = '\0';
    }
    return n == 1 ? strdup(path) : NULL;
}

static void
resolve_into(const char *path, char out[PATH_MAX])
{
    CLEANUP(free_p) char *real = path ? resolve_existing(path) : NULL;

    snprintf(out, PATH_MAX, "%s", real ? real : "");
    if (out[0])
        path_clean(out);
}

void
policy_context_init(struct policy_context *p, const struct path_context *where)
{
    const char *here = where->workspace ? where->workspace : where->cwd;

    p->where = where;
    p->until_us = clock_us() + LOOK_US;
    snprintf(p->here, sizeof(p->here), "%s", here ? here : "");
    resolve_into(here, p->real_here);
    resolve_into(where->home, p->real_home);
    p->is_system = strcmp(p->real_here, "/") == 0 ||
                   path_is(p->real_here, PATH_IS_SYSTEM);
    p->no_workspace = !p->real_here[0] || strcmp(p->real_here, "/") == 0 ||
                      (p->real_home[0] &&
                       path_is_below(p->real_home, p->real_here)) ||
                      (where->home && path_is_below(where->home, p->here));
    p->autorun = malloc(sizeof(*p->autorun));
    if (p->autorun)
        path_autorun_init(p->autorun, where);
}

void
policy_context_done(struct policy_context *p)
{
    path_autorun_done(p->autorun);
    free(p->autorun);
    p->autorun = NULL;
}

static bool
is_outside_workspace(const struct policy_target *t,
                     const struct policy_context *ctx)
{
    struct stat st;

    if (ctx->is_system || !t->real[0] || !ctx->real_here[0] ||
        !path_is_below(t->real, ctx->real_here))
        return true;
    if (lstat(t->real, &st) < 0)
        return errno != ENOENT;
    if (S_ISREG(st.st_mode)) /* a hard link to it may lie anywhere */
        return st.st_nlink > 1 && t->use != RISK_DELETES;
    return !S_ISDIR(st.st_mode);
}

/* Whether writing would lose bytes; yes when that cannot be known. */
static bool
has_content(const struct policy_target *t)
{
    struct stat st;

    return t->unknown || !t->real[0] ||
           (lstat(t->real, &st) == 0 && !S_ISCHR(st.st_mode) &&
            !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode));
}

static bool
target_is_autorun(const struct policy_target *t,
                  const struct policy_context *ctx)
{
    struct path_autorun *autorun = ctx->autorun;
    bool below = t->below || t->unknown;

    return !autorun ||
           (t->path[0] && path_autorun_is(autorun, t->path, below)) ||
           (t->real[0] && strcmp(t->path, t->real) != 0 &&
            path_autorun_is(autorun, t->real, below));
}

static void
set_facts(struct policy_target *t, const struct policy_context *ctx)
{
    bool secret = secret_is_path(t->path, ctx->where) ||
                  (strcmp(t->path, t->real) != 0 &&
                   secret_is_path(t->real, ctx->where));

    if (secret && !t->listed)
        t->facts |= RISK_SECRET;
    if (t->use == RISK_READS)
        return;
    t->facts |= RISK_WRITES;
    if (t->use == RISK_DELETES || (t->use == RISK_CHANGES && has_content(t)))
        t->facts |= RISK_DESTRUCTIVE;
    if (t->unknown || is_outside_workspace(t, ctx))
        t->facts |= POLICY_OUTSIDE;
    if (ctx->no_workspace)
        t->facts |= POLICY_NO_WORKSPACE;
    if (target_is_autorun(t, ctx))
        t->facts |= POLICY_AUTORUN;
    if (secret_runs_later(t->real[0] ? t->real : t->path))
        t->facts |= POLICY_SETTINGS;
}

/* Adds a file. `path` may have .. behind links: the kernel resolves it for
 * `real`, and its spelling decides for `path`. */
static int
add_target(struct policy_targets *out, const struct risk_path *p,
           const char *path, bool unknown, const struct policy_context *ctx)
{
    CLEANUP(free_p) char *clean = strdup(path);
    CLEANUP(free_p) char *real = path[0] ? resolve_existing(path) : NULL;
    struct policy_target *more = reallocarray(out->v, out->n + 1,
                                              sizeof(*more));

    if (more)
        out->v = more;
    if (!real)
        real = strdup("");
    if (!clean || !real || !more)
        return -1;
    if (clean[0])
        path_clean(clean);
    if (real[0])
        path_clean(real);
    more[out->n] = (struct policy_target){
        .use = p->use,
        .below = p->recursive,
        .listed = p->listed,
        .unknown = unknown,
        .path = TAKE_PTR(clean),
        .real = TAKE_PTR(real),
    };
    set_facts(&more[out->n], ctx);
    out->n++;
    return 0;
}

void
policy_targets_done(struct policy_targets *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++) {
        free(t->v[i].path);
        free(t->v[i].real);
    }
    free(t->v);
    *t = (struct policy_targets){0};
}

/* Whether the word is a path without any expansion. */
static bool
is_literal(const struct risk_path *p)
{
    if (p->word)
        return !(p->word->flags & SYNTAX_EXPANDS);
    return !strpbrk(p->text, "*?[$`{(~");
}

/* Makes a path absolute as bash would, without expanding patterns: only a home
 * or working directory at its start is replaced. False: it has another
 * expansion. */
static bool
make_absolute(const struct risk_path *p, const struct path_context *where,
              char out[PATH_MAX])
{
    const struct {
        const char *front, *is;
    } fronts[] = {
        {"~", where->home},   {"$HOME", where->home}, {"${HOME}", where->home},
        {"$PWD", where->cwd}, {"${PWD}", where->cwd},
    };
    const char *dir = p->dir ? p->dir : where->cwd, *text = p->text;
    bool literal = is_literal(p);
    int n;

    if (*text == '/')
        dir = "";
    for (size_t i = 0; !literal && i < ARRAY_SIZE(fronts); i++) {
        size_t len = strlen(fronts[i].front);

        if (strncmp(text, fronts[i].front, len) == 0 &&
            (text[len] == '/' || !text[len])) {
            dir = fronts[i].is;
            text += len;
            break;
        }
    }
    if (!dir || (!literal && (*text == '~' || strpbrk(text, "$`{("))))
        return false;
    n = snprintf(out, PATH_MAX, "%s%s%s", dir, *text == '/' ? "" : "/", text);
    return n < PATH_MAX && out[0] == '/';
}

/* Adds each file that a pattern matches. 1: there are too many. */
static int
add_matches(struct policy_targets *out, const struct risk_path *p,
            const char *path, const struct policy_context *ctx)
{
    CLEANUP(glob_list_done) struct glob_list found = {0};
    CLEANUP_BUF struct buf pattern = buf_of(2 * PATH_MAX);
    struct glob_limit limit = {.until_us = ctx->until_us,
                               .entries = LOOK_ENTRIES,
                               .unwanted = ctx->where->unwanted};
    int rc = 0;

    for (const char *c = path; *c; c++)
        buf_printf(&pattern, *c == '\\' ? "\\%c" : "%c", *c);
    glob_expand(pattern.p, &limit, &found);
    if (limit.more || found.more || pattern.bad || found.n > POLICY_TARGETS_MAX)
        return 1;
    if (found.n == 0) /* bash then passes on the pattern itself */
        return add_target(out, p, path, false, ctx);
    for (size_t i = 0; rc == 0 && i < found.n; i++)
        rc = add_target(out, p, found.v[i], false, ctx);
    return rc;
}

/* Adds an unknown file below the directory that is known, if one is. */
static int
add_unknown(struct policy_targets *out, const struct risk_path *p,
            const struct policy_context *ctx)
{
    char path[PATH_MAX] = "";
    bool cut;
    size_t n;

    if (path_absolute(p->text, p->dir, ctx->where, path, &cut))
        n = strlen(path);
    else
        n = 0;
    if (n > 0 && n + 3 < sizeof(path)) /* a name that no pattern can contain */
        snprintf(path + n, sizeof(path) - n, "%s\001", n > 1 ? "/" : "");
    else
        path[0] = '\0';
    return add_target(out, p, path, true, ctx);
}

int
policy_targets_find(const struct risk_path *p, const struct policy_context *ctx,
                    struct policy_targets *out)
{
    char path[PATH_MAX];
    int rc;

    if (path_is(p->text, PATH_IS_STDIO))
        return 0;
    if (!p->known || !make_absolute(p, ctx->where, path))
        return add_unknown(out, p, ctx);
    if (is_literal(p) || !strpbrk(path, "*?["))
        return add_target(out, p, path, false, ctx);
    rc = add_matches(out, p, path, ctx);
    return rc <= 0 ? rc : add_unknown(out, p, ctx);
}

/* The part of path behind the base; NULL: it does not lie below it. */
static const char *
path_behind_base(const char *base, const char *path)
{
    size_t n = strlen(base);

    if (n == 1)
        n = 0; /* the base is / */
    if (!base[0] || strncmp(path, base, n) != 0)
        return NULL;
    return path[n] == '/' || !path[n] ? path + n : NULL;
}

static bool
pattern_fits_below(const struct policy_pattern *p, const char *base,
                   const char *path, bool begins)
{
    const char *rest = path_behind_base(base, path);
    char dir[PATH_MAX];
    int n;

    if (!rest)
        return begins && base[0] && path_behind_base(path, base) != NULL;
    if (policy_pattern_matches(p, rest, strlen(rest), false))
        return true;
    n = snprintf(dir, sizeof(dir), "%s/", strcmp(rest, "/") == 0 ? "" : rest);
    return begins && n < (int)sizeof(dir) &&
           policy_pattern_matches(p, dir, (size_t)n, true);
}

bool
policy_path_is(const struct policy_pattern *p, const char *path, bool begins,
               const struct policy_context *ctx)
{
    const char *home = ctx->where->home;

    if (!path[0])
        return false;
    switch (p->base) {
    case POLICY_BASE_HOME:
        return (home && pattern_fits_below(p, home, path, begins)) ||
               pattern_fits_below(p, ctx->real_home, path, begins);
    case POLICY_BASE_HERE:
        return pattern_fits_below(p, ctx->here, path, begins) ||
               pattern_fits_below(p, ctx->real_here, path, begins);
    case POLICY_BASE_NONE:
        break;
    }
    return pattern_fits_below(p, "/", path, begins);
}

enum policy_fit
policy_target_fit(const struct policy_rule *rule, const struct policy_target *t,
                  const struct policy_context *ctx)
{
    const struct policy_pattern *p = &rule->words[0];
    bool path, real;

    if ((rule->kind == POLICY_READ) != (t->use == RISK_READS))
        return POLICY_FIT_NO;
    path = policy_path_is(p, t->path, false, ctx);
    real = policy_path_is(p, t->real, false, ctx);
    if (rule->decision == GUARD_ALLOW)
        return path && real && !t->unknown &&
                       (!t->below || policy_pattern_takes_below(p))
                   ? POLICY_FIT_YES
                   : POLICY_FIT_NO;
    if (path || real)
        return POLICY_FIT_YES;
    if (t->unknown)
        return POLICY_FIT_MAY;
    if (t->below && (policy_path_is(p, t->path, true, ctx) ||
                     policy_path_is(p, t->real, true, ctx)))
        return policy_pattern_is_rooted(p) ? POLICY_FIT_YES : POLICY_FIT_MAY;
    return POLICY_FIT_NO;
}
