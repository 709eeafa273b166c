/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_links.c - finds links in a path that a command may have made. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/setup_paths.h"

/* A path that is being resolved: `at` is resolved and has no links, `rest` is
 * still to be resolved. */
struct link_path {
    char at[PATH_MAX], rest[PATH_MAX];
    int links;
    bool made; /* one of the links lies where a command may write */
};

/* Moves the next component, which may be a link, from `rest` to the end of
 * `at`. Returns the length of `at` before that; -1: there is none, or no room
 * for it. */
static long
resolve_next(struct link_path *w)
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

/* Resolves "." and ".." at the end of `at`, whose length was `len` before. */
static void
resolve_dots(struct link_path *w, long len)
{
    const char *name = w->at + len + 1;
    char *slash;

    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
        return;
    w->at[len] = '\0';
    if (name[1] == '.' && (slash = strrchr(w->at, '/')) != NULL)
        *slash = '\0';
}

/* Puts a link's target in front of the rest. */
static bool
follow_link(struct link_path *w, const char *target, size_t n)
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

/* Returns whether a link that lies in `within`, a real path, leads out of it. A
 * dangling link leads nowhere. */
static bool
leads_out(const char *path, const char *within)
{
    CLEANUP(free_p) struct link_path *w = calloc(1, sizeof(*w));
    size_t size = strlen(path) + 1;
    long len;

    if (!w || size > sizeof(w->rest))
        return true;
    memcpy(w->rest, path, size);
    while ((len = resolve_next(w)) >= 0) {
        char target[PATH_MAX];
        ssize_t n;

        resolve_dots(w, len);
        n = w->at[0] ? readlink(w->at, target, sizeof(target)) : -1;
        if (n < 0)
            continue;
        w->at[len] = '\0';
        w->made |= path_is_below(w->at[0] ? w->at : "/", within);
        if (++w->links > PATH_LINKS_MAX || !follow_link(w, target, (size_t)n))
            return true;
    }
    return w->made && !path_is_below(w->at, within);
}

static bool
leads_out_of_real(const struct sandbox_setup *s, const char *path,
                  const char *within)
{
    CLEANUP(free_p) char *real = NULL;

    setup_stamps_path(s->stamps, within);
    real = realpath(within, NULL);
    return real && leads_out(path, real);
}

/* Returns the path with the home directory spelled as in the spec. */
static char *
respell_home(const struct sandbox_setup *s, const char *path)
{
    const char *home_path = seat_home(s->seat);
    const char *rest = home_path && home_path[0] && home_path[1]
                           ? path_behind(path, home_path)
                           : NULL;

    return s->spec.home && rest ? path_join(s->spec.home, rest) : strdup(path);
}

/* Returns whether a path leads into a place of secrets though its name does not
 * say so. `real` is the path without links. */
static bool
enters_secrets(const struct sandbox_setup *s, const char *path,
               const char *real)
{
    CLEANUP(free_p) char *respelled = respell_home(s, path);
    const char *home = s->spec.home;
    const struct path_context own = {.home = home};

    /* a closed directory, under the name of an open one */
    if (home && path_is_below(real, home) && secret_is_path(real, &own) &&
        (!respelled || !secret_is_path(respelled, &own)))
        return true;

    for (size_t i = 0; s->secrets[i]; i++) {
        const char *place = s->secrets_real[i];

        if (place && path_is_below(real, place) &&
            (!respelled || !(path_is_below(respelled, s->secrets[i]) ||
                             path_is_below(respelled, place))))
            return true;
    }
    return false;
}

/* Returns whether the path lies in /tmp or a similar directory, where everybody
 * can make links, and goes through a link. */
static bool
is_led_through_tmp(const struct sandbox_setup *s, const char *path,
                   const char *real)
{
    const char *place;
    size_t at = 0;

    if ((s->spec.home && path_is_below(path, s->spec.home)) ||
        (s->spec.workspace && path_is_below(path, s->spec.workspace)))
        return false;
    while ((place = path_next(PATH_IS_TEMPORARY, &at)) != NULL) {
        CLEANUP(free_p) char *top = NULL;
        CLEANUP(free_p) char *plain = NULL;

        setup_stamps_path(s->stamps, place);
        top = realpath(place, NULL);
        if (!path_is_below(path, place) || !top)
            continue;
        if (asprintf(&plain, "%s%s", top, path + strlen(place)) < 0)
            plain = NULL;
        return !plain || strcmp(plain, real) != 0;
    }
    return false;
}

bool
setup_is_redirected(const struct sandbox_setup *s, const char *path)
{
    CLEANUP(free_p) char *real = NULL;

    setup_stamps_path(s->stamps, path);
    real = realpath(path, NULL);
    if (real && strcmp(real, path) == 0) /* there is no link in it */
        return false;
    if ((real && (enters_secrets(s, path, real) ||
                  is_led_through_tmp(s, path, real))) ||
        (s->spec.workspace && leads_out(path, s->spec.workspace)))
        return true;
    for (const char *const *p = s->spec.writable; *p; p++)
        if (strcmp(path, *p) != 0 && leads_out_of_real(s, path, *p))
            return true;
    return false;
}

int
setup_check_links(const struct sandbox_setup *s, const char *const *paths,
                  struct err *e)
{
    for (; *paths; paths++)
        if (setup_is_redirected(s, *paths))
            return err_set(
                e, ERR_DENIED,
                "%.200s: a symbolic link in it leads to keys, or out of a "
                "directory that others can write to; name the target",
                *paths);
    return 0;
}

/* Returns the real path of the nearest existing directory above the path; the
 * caller frees it. */
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
is_real_below(const struct sandbox_setup *s, const char *real, const char *dir)
{
    CLEANUP(free_p) char *place = NULL;

    setup_stamps_path(s->stamps, dir);
    place = realpath(dir, NULL);
    return place && path_is_below(real, place);
}

bool
setup_could_be_created(const struct sandbox_setup *s, const char *path)
{
    CLEANUP(free_p) char *above = NULL;
    enum profile p = s->spec.profile;
    bool writes = p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
                  p == PROFILE_REDUCED;

    setup_stamps_path(s->stamps, path);
    if (access(path, F_OK) == 0 || !(above = real_above(path)))
        return false;
    if (writes && s->spec.workspace && path_is_below(above, s->spec.workspace))
        return true;
    for (const char *const *w = s->spec.writable; *w; w++)
        if (is_real_below(s, above, *w))
            return true;
    return false;
}
