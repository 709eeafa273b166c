/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_paths.c - the lists of paths of a site. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/present.h"
#include "sandbox/site_paths.h"

bool
site_is_in(const char *const *dirs, const char *path)
{
    for (; *dirs; dirs++) {
        if (path_is_below(path, *dirs))
            return true;
    }
    return false;
}

/* The longest of the directories that the path lies in; 0: none. */
static size_t
nearest(const char *const *dirs, const char *path)
{
    size_t longest = 0;

    for (; *dirs; dirs++) {
        size_t n = strlen(*dirs);

        if (n > longest && path_is_below(path, *dirs))
            longest = n;
    }
    return longest;
}

bool
site_shows(const struct sandbox_spec *spec, const char *path)
{
    const char *const *const lists[] = {spec->readable, spec->cache,
                                        spec->writable, spec->programs};
    size_t hidden = nearest(spec->secret, path), shown = 0;

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        size_t n = nearest(lists[i], path);

        shown = n > shown ? n : shown;
    }
    if (spec->workspace && path_is_below(path, spec->workspace) &&
        strlen(spec->workspace) > shown)
        shown = strlen(spec->workspace);
    if (hidden)
        return shown > hidden;
    return shown || !site_hides_home(spec) || !spec->home ||
           !path_is_below(path, spec->home);
}

const char *
site_keep(struct site *s, char *text, struct err *e)
{
    if (!text || s->n_texts == SITE_TEXTS_MAX) {
        free(text);
        err_set(e, ERR_NOMEM, "the sandbox's paths");
        return NULL;
    }
    return s->texts[s->n_texts++] = text;
}

int
site_append(struct site *s, const char **list, char *text, struct err *e)
{
    size_t max = list == s->spec.secret     ? SPEC_SECRETS_MAX
                 : list == s->spec.readable ? SPEC_READABLE_MAX
                                            : SPEC_PATHS_MAX;
    size_t n = 0;

    for (; text && list[n]; n++) {
        if (strcmp(list[n], text) == 0) {
            free(text);
            return 0;
        }
    }
    if (n == max) {
        free(text);
        return err_set(e, ERR_CONFIG,
                       "more than %zu paths of one kind for the sandbox", max);
    }
    list[n] = site_keep(s, text, e);
    return list[n] ? 0 : -1;
}

static bool
is_missing(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

/* For one that may be missing. */
static int
append_present(struct site *s, const char **list, char *text, struct err *e)
{
    if (!text || !is_missing(text))
        return site_append(s, list, text, e);
    free(text);
    return 0;
}

/* For one that is seen only where it is what it is called. */
static int
append_seen(struct site *s, char *text, struct err *e)
{
    if (!text || !(is_missing(text) || site_is_led(s, text)))
        return site_append(s, s->spec.readable, text, e);
    free(text);
    return 0;
}

int
site_append_named(struct site *s, const char *const *named, struct err *e)
{
    for (; named && *named; named++)
        if (append_seen(s, strdup(*named), e) < 0)
            return -1;
    return 0;
}

int
site_append_setting(struct site *s, const char **list, const struct config *c,
                    enum config_key key, struct err *e)
{
    const char *at = config_text(c, key), *item;
    size_t n;

    while (config_list_next(&at, &item, &n)) {
        bool in_home = item[0] == '~';
        char *path = NULL;

        if (in_home && !s->spec.home)
            continue;
        if (asprintf(&path, "%s%.*s", in_home ? s->spec.home : "",
                     (int)n - in_home, item + in_home) < 0)
            path = NULL;
        if ((list == s->spec.readable ? append_seen(s, path, e)
                                      : append_present(s, list, path, e)) < 0)
            return -1;
    }
    return 0;
}

/* ~/. is in nobody's PATH for its programs. */
static bool
shows_home(const struct sandbox_spec *spec, const char *dir)
{
    CLEANUP(free_p) char *real = realpath(dir, NULL);

    return real && path_is_below(spec->home, real);
}

/* Programs that a person has below the home directory are found inside too. */
int
site_append_path(struct site *s, struct err *e)
{
    const char *told = path_home(), *at = getenv("PATH"), *p;
    size_t n, home = told ? strlen(told) : 0;

    while (told && path_next_dir(&at, &p, &n)) {
        char *dir = NULL;

        if (n > home + 1 && strncmp(p, told, home) == 0 && p[home] == '/' &&
            !memmem(p, n, "/..", 3)) {
            if (asprintf(&dir, "%s%.*s", s->spec.home, (int)(n - home),
                         p + home) < 0)
                dir = NULL;
            if (dir && (site_is_in(s->spec.readable, dir) ||
                        shows_home(&s->spec, dir)))
                free(dir);
            else if (append_seen(s, dir, e) < 0)
                return -1;
        }
    }
    return 0;
}

bool
site_is_named(const char *const *list, const char *path)
{
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

/* Unless it is not seen anyway, or a person has named just it. What it is a
 * link to may be seen where the link is not. */
int
site_append_secret(struct site *s, char *path, struct err *e)
{
    char *real;

    if (path && is_missing(path)) {
        free(path);
        return 0;
    }
    real = path ? realpath(path, NULL) : NULL;
    if (real && strcmp(real, path) != 0 && !site_shows(&s->spec, path) &&
        !site_is_named(s->spec.readable, path)) {
        free(path);
        path = TAKE_PTR(real);
    }
    free(real);
    if (path && (!site_shows(&s->spec, path) ||
                 site_is_named(s->spec.readable, path))) {
        free(path);
        return 0;
    }
    return site_append(s, s->spec.secret, path, e);
}

/* Our own settings, journal and history: elsewhere than in the table, where
 * an XDG variable says so. */
static int
append_ours(struct site *s, struct err *e)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        char *dir = path_of(places[i], NULL, NULL);

        /* one that is missing is nothing to hide, but could be made inside */
        if (dir && site_could_make(s, dir) &&
            path_make_dirs(dir, 0700, e) < 0) {
            free(dir);
            return -1;
        }
        if (dir && site_append_secret(s, dir, e) < 0)
            return -1;
    }
    return 0;
}

static int
keep_secret(struct site *s, size_t at, const char *place, struct err *e)
{
    char *real;

    s->secrets[at] = site_keep(s, path_join(s->spec.home, place), e);
    if (!s->secrets[at])
        return -1;
    if ((real = realpath(s->secrets[at], NULL)) == NULL)
        return 0;
    s->secrets_real[at] = site_keep(s, real, e);
    return s->secrets_real[at] ? 0 : -1;
}

int
site_find_secrets(struct site *s, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(present_done) struct present there = {0};
    size_t n = 0;

    if (!s->spec.home)
        return 0;
    present_init(&there, s->spec.home);
    while ((row = path_home_next(PATH_HOME_SECRET, &at))) {
        if (!present_has(&there, row))
            continue;
        if (n == SITE_SECRETS_MAX)
            return err_set(e, ERR_SANDBOX,
                           "more than %d directories of secrets",
                           SITE_SECRETS_MAX);
        if (keep_secret(s, n++, row, e) < 0)
            return -1;
    }
    return 0;
}

/* Of another home than the one that is set. */
static int
append_places(struct site *s, const char *home, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(present_done) struct present there = {0};

    present_init(&there, home);
    while ((row = path_home_next(PATH_HOME_SECRET, &at))) {
        if (present_has(&there, row) &&
            site_append_secret(s, path_join(home, row), e) < 0)
            return -1;
    }
    return 0;
}

/* HOME may be another's, or nobody's: the keys are where they are. */
int
site_append_secrets(struct site *s, const struct config *c, struct err *e)
{
    const char *row;
    size_t at = 0;
    const char *told = path_passwd_home();
    CLEANUP(free_p) char *own = told ? realpath(told, NULL) : NULL;
    bool root = geteuid() == 0;
    const char *const *p;

    if (site_append_closed(s, own, e) < 0)
        return -1;
    for (p = s->secrets; *p; p++) {
        if (site_append_secret(s, strdup(*p), e) < 0)
            return -1;
    }
    if (own && (!s->spec.home || strcmp(own, s->spec.home) != 0) &&
        append_places(s, own, e) < 0)
        return -1;
    while (root && (row = path_next(PATH_IS_SECRET, &at))) {
        if (site_append_secret(s, strdup(row), e) < 0)
            return -1;
    }
    if (append_ours(s, e) < 0)
        return -1;
    return site_append_setting(s, s->spec.secret, c, CONFIG_SANDBOX_SECRET, e);
}
