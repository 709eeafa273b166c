/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_paths.c - fills the lists of paths in a sandbox's setup. */
#include "sandbox/setup_paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/exists_cache.h"

/* Entries left free for the secrets of the settings, the system and the
 * workspace. */
#define ROOM_LEFT (64 + SECRET_TREE_MAX)

static bool
is_below_any(const char *const *dirs, const char *path)
{
    for (; *dirs; dirs++) {
        if (path_is_below(path, *dirs))
            return true;
    }
    return false;
}

const char *
setup_keep_text(struct sandbox_setup *s, char *text, struct err *e)
{
    if (!text || s->n_texts == SETUP_TEXTS_MAX) {
        free(text);
        err_set(e, ERR_NOMEM, "the sandbox's paths");
        return NULL;
    }
    return s->texts[s->n_texts++] = text;
}

int
setup_append(struct sandbox_setup *s, const char **list, char *text,
             struct err *e)
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
    list[n] = setup_keep_text(s, text, e);
    return list[n] ? 0 : -1;
}

static bool
is_missing(const struct sandbox_setup *s, const char *path)
{
    setup_stamps_path(s->stamps, path);
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

/* The same of what is hidden as a whole, whoever may read it. */
static bool
is_missing_entry(const struct sandbox_setup *s, const char *path)
{
    setup_stamps_entry(s->stamps, path);
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

/* Appends a path if it exists. */
static int
append_existing(struct sandbox_setup *s, const char **list, char *text,
                struct err *e)
{
    if (!text || !is_missing(s, text))
        return setup_append(s, list, text, e);
    free(text);
    return 0;
}

/* Makes a path readable if it exists and no link leads it elsewhere. */
static int
append_readable(struct sandbox_setup *s, char *text, struct err *e)
{
    if (!text || !(is_missing(s, text) || setup_is_redirected(s, text)))
        return setup_append(s, s->spec.readable, text, e);
    free(text);
    return 0;
}

int
setup_append_named(struct sandbox_setup *s, const char *const *named,
                   struct err *e)
{
    for (; named && *named; named++)
        if (append_readable(s, strdup(*named), e) < 0)
            return -1;
    return 0;
}

int
setup_append_setting(struct sandbox_setup *s, const char **list,
                     const struct config *c, enum config_key key, struct err *e)
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
        if ((list == s->spec.readable ? append_readable(s, path, e)
                                      : append_existing(s, list, path, e)) < 0)
            return -1;
    }
    return 0;
}

/* Returns whether a directory is, or contains, the home directory: nobody has
 * that in PATH for its programs. */
static bool
contains_home(const struct sandbox_setup *s, const char *dir)
{
    CLEANUP(free_p) char *real = NULL;

    setup_stamps_path(s->stamps, dir);
    real = realpath(dir, NULL);
    return real && path_is_below(s->spec.home, real);
}

/* The person's own programs below the home directory are found in the sandbox
 * too. */
int
setup_append_search_path(struct sandbox_setup *s, struct err *e)
{
    const char *home_path = seat_home(s->seat), *at = seat_path(s->seat), *p;
    size_t n, home = home_path ? strlen(home_path) : 0;

    while (home_path && path_next_dir(&at, &p, &n)) {
        char *dir = NULL;

        if (n > home + 1 && strncmp(p, home_path, home) == 0 &&
            p[home] == '/' && !memmem(p, n, "/..", 3)) {
            if (asprintf(&dir, "%s%.*s", s->spec.home, (int)(n - home),
                         p + home) < 0)
                dir = NULL;
            if (dir &&
                (is_below_any(s->spec.readable, dir) || contains_home(s, dir)))
                free(dir);
            else if (append_readable(s, dir, e) < 0)
                return -1;
        }
    }
    return 0;
}

static bool
lists_path(const char *const *list, const char *path)
{
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

/* The target of a link may be visible where the link itself is not; then the
 * target is hidden. */
int
setup_append_secret(struct sandbox_setup *s, char *path, struct err *e)
{
    char *real;

    if (path && is_missing_entry(s, path)) {
        free(path);
        return 0;
    }
    real = path ? realpath(path, NULL) : NULL;
    if (real && strcmp(real, path) != 0 && !spec_shows_path(&s->spec, path) &&
        !lists_path(s->spec.readable, path)) {
        free(path);
        path = TAKE_PTR(real);
    }
    free(real);
    if (path && (!spec_shows_path(&s->spec, path) ||
                 lists_path(s->spec.readable, path))) {
        free(path);
        return 0;
    }
    return setup_append(s, s->spec.secret, path, e);
}

static size_t
count_paths(const char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    return n;
}

/* Hides one entry of a real directory that is visible. An entry that is no link
 * needs no check for links, and cannot be in the list already. */
static int
hide_home_entry(struct sandbox_setup *s, const char *home,
                const struct dirent *entry, size_t n, struct err *e)
{
    char *path = path_join(home, entry->d_name);

    if (!path || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN ||
        lists_path(s->spec.readable, path))
        return setup_append_secret(s, path, e);
    s->spec.secret[n] = setup_keep_text(s, path, e);
    return s->spec.secret[n] ? 0 : -1;
}

/* Hides each entry of a home directory that is closed as a whole or in part. 1:
 * there are too many. */
static int
hide_home_entries(struct sandbox_setup *s, const char *home, struct err *e)
{
    CLEANUP(dir_close_p)
    DIR *dir = NULL;
    const struct dirent *entry;
    size_t n;

    if (spec_shows_path(&s->spec, home)) {
        setup_stamps_names(s->stamps, home);
        dir = opendir(home);
    }
    while (dir && (entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            secret_share_of(name) == SECRET_NONE)
            continue;
        n = count_paths(s->spec.secret);
        if (n + ROOM_LEFT >= SPEC_SECRETS_MAX)
            return 1;
        if (hide_home_entry(s, home, entry, n, e) < 0)
            return -1;
    }
    return 0;
}

static int
hide_home(struct sandbox_setup *s, const char *home, struct err *e)
{
    bool own = s->spec.home && strcmp(home, s->spec.home) == 0;
    int rc = hide_home_entries(s, home, e);

    if (rc <= 0)
        return rc;
    if (own)
        return err_set(e, ERR_SANDBOX,
                       "%.100s: more than %d names that begin with a dot", home,
                       SPEC_SECRETS_MAX - ROOM_LEFT);
    return setup_append_secret(s, strdup(home), e);
}

/* Hides what is closed in home directories of other users, if this user may
 * read them. */
static int
hide_others(struct sandbox_setup *s, const char *homes, struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *entry;

    setup_stamps_names(s->stamps, homes);
    dir = opendir(homes);
    while (dir && (entry = readdir(dir)) != NULL) {
        CLEANUP(free_p) char *home = path_join(homes, entry->d_name);
        bool own = home && s->spec.home && strcmp(home, s->spec.home) == 0;

        if (!home)
            return err_nomem(e);
        if (own || entry->d_name[0] == '.')
            continue;
        setup_stamps_names(s->stamps, home);
        if (access(home, R_OK | X_OK) < 0)
            continue;
        if (hide_home(s, home, e) < 0)
            return -1;
    }
    return 0;
}

static int
append_closed_homes(struct sandbox_setup *s, const char *own, struct err *e)
{
    const char *row;
    size_t at = 0;

    if (s->spec.home && hide_home(s, s->spec.home, e) < 0)
        return -1;
    if (own && (!s->spec.home || strcmp(own, s->spec.home) != 0) &&
        hide_home(s, own, e) < 0)
        return -1;
    while ((row = path_next(PATH_IS_HOMES, &at)))
        if (hide_others(s, row, e) < 0)
            return -1;
    at = 0;
    while ((row = path_next(PATH_IS_ROOT_READABLE, &at))) {
        setup_stamps_names(s->stamps, row);
        if ((!s->spec.home || strcmp(row, s->spec.home) != 0) &&
            access(row, R_OK | X_OK) == 0 && hide_home(s, row, e) < 0)
            return -1;
    }
    return 0;
}

/* Hides our own settings, journal and history, which are not where the table
 * says if an XDG variable is set. */
static int
append_own_files(struct sandbox_setup *s, struct err *e)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};

    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        char *dir = seat_place(s->seat, places[i], NULL, NULL);

        /* a missing one cannot be hidden, but the command could create it */
        if (dir && setup_could_be_created(s, dir) &&
            seat_make_dirs(s->seat, dir, 0700, e) < 0) {
            free(dir);
            return -1;
        }
        if (dir && setup_append_secret(s, dir, e) < 0)
            return -1;
    }
    return 0;
}

static int
add_secret_place(struct sandbox_setup *s, size_t at, const char *place,
                 struct err *e)
{
    char *real;

    s->secrets[at] = setup_keep_text(s, path_join(s->spec.home, place), e);
    if (!s->secrets[at])
        return -1;
    setup_stamps_entry(s->stamps, s->secrets[at]);
    if ((real = realpath(s->secrets[at], NULL)) == NULL)
        return 0;
    s->secrets_real[at] = setup_keep_text(s, real, e);
    return s->secrets_real[at] ? 0 : -1;
}

int
setup_find_secrets(struct sandbox_setup *s, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(exists_cache_done) struct exists_cache there = {0};
    size_t n = 0;

    if (!s->spec.home)
        return 0;
    exists_cache_init(&there, s->spec.home, s->stamps);
    while ((row = path_home_next(PATH_HOME_SECRET, &at))) {
        if (!exists_cache_has(&there, row))
            continue;
        if (n == SETUP_SECRETS_MAX)
            return err_set(e, ERR_SANDBOX,
                           "more than %d directories of secrets",
                           SETUP_SECRETS_MAX);
        if (add_secret_place(s, n++, row, e) < 0)
            return -1;
    }
    return 0;
}

/* Hides the places of secrets of another home directory than $HOME. */
static int
append_secret_places(struct sandbox_setup *s, const char *home, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(exists_cache_done) struct exists_cache there = {0};

    exists_cache_init(&there, home, s->stamps);
    while ((row = path_home_next(PATH_HOME_SECRET, &at))) {
        if (exists_cache_has(&there, row) &&
            setup_append_secret(s, path_join(home, row), e) < 0)
            return -1;
    }
    return 0;
}

/* $HOME may be another directory than the user's own, where the keys are. */
int
setup_append_secrets(struct sandbox_setup *s, const struct config *c,
                     struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(free_p) char *own_path = path_passwd_home();
    CLEANUP(free_p) char *own = NULL;
    bool root = geteuid() == 0;
    const char *const *p;

    if (own_path)
        setup_stamps_path(s->stamps, own_path);
    own = own_path ? realpath(own_path, NULL) : NULL;
    if (append_closed_homes(s, own, e) < 0)
        return -1;
    for (p = s->secrets; *p; p++) {
        if (setup_append_secret(s, strdup(*p), e) < 0)
            return -1;
    }
    if (own && (!s->spec.home || strcmp(own, s->spec.home) != 0) &&
        append_secret_places(s, own, e) < 0)
        return -1;
    while (root && (row = path_next(PATH_IS_SECRET, &at))) {
        if (setup_append_secret(s, strdup(row), e) < 0)
            return -1;
    }
    if (append_own_files(s, e) < 0)
        return -1;
    return setup_append_setting(s, s->spec.secret, c, CONFIG_SANDBOX_SECRET, e);
}

int
setup_append_harmless(struct sandbox_setup *s, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(exists_cache_done) struct exists_cache there = {0};

    exists_cache_init(&there, s->spec.home, s->stamps);
    while ((row = path_home_next(PATH_HOME_VISIBLE, &at))) {
        char *path;

        /* an open directory is visible anyway */
        if (!strchr(row, '/') || !exists_cache_has(&there, row))
            continue;
        path = path_join(s->spec.home, row);
        if (path && setup_is_redirected(s, path)) {
            free(path);
            continue;
        }
        if (setup_append(s, s->spec.readable, path, e) < 0)
            return -1;
    }
    return 0;
}
