/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_links.c - links that a command may have made in a path of ours. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/site_paths.h"

#define LINKS_MAX 40 /* as the kernel follows, path_resolution(7) */

/* A path on its way to what it is: `at` has no links, `rest` is to come. */
struct way {
    char at[PATH_MAX], rest[PATH_MAX];
    int links;
    bool made; /* one of them lies where a command writes */
};

/* The next component, which may be a link, to the end of `at`. Returns how
 * long that was before, or -1: there is none, or no room for it. */
static long
step(struct way *w)
{
    size_t skip = strspn(w->rest, "/"), len = strlen(w->at);
    size_t n = strcspn(w->rest + skip, "/");

    if (n == 0 || len + n + 2 > sizeof(w->at))
        return -1;
    w->at[len] = '/';
    memcpy(w->at + len + 1, w->rest + skip, n);
    w->at[len + 1 + n] = '\0';
    memmove(w->rest, w->rest + skip + n, strlen(w->rest + skip + n) + 1);
    return (long)len;
}

/* "." and ".." of the end of `at`, which was `len` long before. */
static void
drop_dots(struct way *w, long len)
{
    const char *name = w->at + len + 1;
    char *slash;

    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
        return;
    w->at[len] = '\0';
    if (name[1] == '.' && (slash = strrchr(w->at, '/')) != NULL)
        *slash = '\0';
}

/* What a link holds goes before the rest. */
static bool
turn(struct way *w, const char *target, size_t n)
{
    size_t rest = strlen(w->rest);

    if (n + 1 + rest + 1 > sizeof(w->rest))
        return false;
    memmove(w->rest + n + 1, w->rest, rest + 1);
    memcpy(w->rest, target, n);
    w->rest[n] = '/';
    if (target[0] == '/')
        w->at[0] = '\0';
    return true;
}

/* Whether a link that lies in `within`, a real path, leads out of it. What
 * is not there leads nowhere. */
static bool
leaves(const char *path, const char *within)
{
    CLEANUP(free_p) struct way *w = calloc(1, sizeof(*w));
    size_t size = strlen(path) + 1;
    long len;

    if (!w || size > sizeof(w->rest))
        return true;
    memcpy(w->rest, path, size);
    while ((len = step(w)) >= 0) {
        char target[PATH_MAX];
        ssize_t n;

        drop_dots(w, len);
        n = w->at[0] ? readlink(w->at, target, sizeof(target)) : -1;
        if (n < 0)
            continue;
        w->at[len] = '\0';
        w->made |= path_is_below(w->at[0] ? w->at : "/", within);
        if (++w->links > LINKS_MAX || !turn(w, target, (size_t)n))
            return true;
    }
    return w->made && !path_is_below(w->at, within);
}

static bool
leaves_real(const char *path, const char *within)
{
    CLEANUP(free_p) char *real = realpath(within, NULL);

    return real && leaves(path, real);
}

/* As the home directory's own name is in the site. */
static char *
spell(const struct site *s, const char *path)
{
    const char *told = path_home();
    size_t n = told ? strlen(told) : 0;

    if (s->spec.home && n > 1 && path_is_below(path, told))
        return path_join(s->spec.home, path + n + strspn(path + n, "/"));
    return strdup(path);
}

/* Whether it is in a place of secrets, `real` being what it is, without saying
 * so. */
static bool
enters_secrets(const struct site *s, const char *path, const char *real)
{
    CLEANUP(free_p) char *said = spell(s, path);
    const char *home = s->spec.home;
    const struct risk_context own = {.home = home};

    /* what is closed, under a name that is open */
    if (home && path_is_below(real, home) && secret_is_path(real, &own) &&
        (!said || !secret_is_path(said, &own)))
        return true;

    for (size_t i = 0; s->secrets[i]; i++) {
        const char *place = s->secrets_real[i];

        if (place && path_is_below(real, place) &&
            (!said || !(path_is_below(said, s->secrets[i]) ||
                        path_is_below(said, place))))
            return true;
    }
    return false;
}

/* Whether it lies where everybody may make links, and one is on its way. */
static bool
is_led_by_anybody(const struct site *s, const char *path, const char *real)
{
    const char *place;
    size_t at = 0;

    if ((s->spec.home && path_is_below(path, s->spec.home)) ||
        (s->spec.workspace && path_is_below(path, s->spec.workspace)))
        return false;
    while ((place = path_next(PATH_IS_TEMPORARY, &at)) != NULL) {
        CLEANUP(free_p) char *top = realpath(place, NULL);
        CLEANUP(free_p) char *plain = NULL;

        if (!path_is_below(path, place) || !top)
            continue;
        if (asprintf(&plain, "%s%s", top, path + strlen(place)) < 0)
            plain = NULL;
        return !plain || strcmp(plain, real) != 0;
    }
    return false;
}

bool
site_is_led(const struct site *s, const char *path)
{
    CLEANUP(free_p) char *real = realpath(path, NULL);

    if (real && strcmp(real, path) == 0) /* no link is on its way */
        return false;
    if ((real &&
         (enters_secrets(s, path, real) || is_led_by_anybody(s, path, real))) ||
        (s->spec.workspace && leaves(path, s->spec.workspace)))
        return true;
    for (const char *const *p = s->spec.writable; *p; p++)
        if (strcmp(path, *p) != 0 && leaves_real(path, *p))
            return true;
    return false;
}

int
site_check_links(const struct site *s, const char *const *paths, struct err *e)
{
    for (; *paths; paths++)
        if (site_is_led(s, *paths))
            return err_set(
                e, ERR_DENIED,
                "%.200s: a symbolic link in it leads to keys, or out of a "
                "directory that others can write to; name the target",
                *paths);
    return 0;
}

/* The real name of the nearest directory above the path that is there. */
static char *
real_above(const char *path)
{
    CLEANUP(free_p) char *above = strdup(path);
    char *slash;

    while (above && (slash = strrchr(above, '/')) != NULL && slash > above) {
        char *real;

        *slash = '\0';
        if ((real = realpath(above, NULL)) != NULL)
            return real;
    }
    return NULL;
}

static bool
is_real_below(const char *real, const char *dir)
{
    CLEANUP(free_p) char *place = realpath(dir, NULL);

    return place && path_is_below(real, place);
}

bool
site_could_make(const struct site *s, const char *path)
{
    CLEANUP(free_p)
    char *above = access(path, F_OK) == 0 ? NULL : real_above(path);
    enum profile p = s->spec.profile;
    bool writes = p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
                  p == PROFILE_REDUCED;

    if (!above)
        return false;
    if (writes && s->spec.workspace && path_is_below(above, s->spec.workspace))
        return true;
    for (const char *const *w = s->spec.writable; *w; w++)
        if (is_real_below(above, *w))
            return true;
    return false;
}
