/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.c - knows which paths hold secrets, and which run later. */
#include "guard/path/secret.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"

static bool
is_in_key_place(const char *path)
{
    const char *row;
    size_t at = 0;

    if (path[0] != '.' && !strstr(path, "/.") && !path_contains(path, "snap"))
        return false;
    while ((row = path_home_next(PATH_HOME_SECRET, &at)))
        if (path_contains(path, row))
            return true;
    return false;
}

/* Whether a path is secret by its name or by a directory above it alone. */
static bool
has_secret_name(const char *path)
{
    return secret_file_is(path) || is_in_key_place(path);
}

enum secret_share
secret_share_of(const char *name)
{
    enum secret_share share = SECRET_ALL;
    const char *row;
    size_t at = 0;

    if (name[0] != '.' && !path_is_below(name, "snap"))
        return SECRET_NONE;
    while ((row = path_home_next(PATH_HOME_VISIBLE, &at))) {
        if (row[1] != name[1]) /* this is called for each entry of a home */
            continue;
        if (path_is_below(name, row))
            return SECRET_NONE;
        if (path_is_below(row, name))
            share = SECRET_PART;
    }
    return share;
}

/* The part of path behind dir; NULL: it is not below dir. */
static const char *
path_behind_dir(const char *path, const char *dir)
{
    const char *rest = dir && dir[0] && dir[1] ? path_behind(path, dir) : NULL;

    return rest && *rest ? rest : NULL;
}

const char *
secret_path_in_home(const char *path, const char *home)
{
    const char *rest, *row;
    size_t at = 0;

    if (home && home[0] && home[1] && path_is_below(path, home))
        return path_behind_dir(path, home);
    while ((row = path_next(PATH_IS_HOMES, &at))) {
        if (!(rest = path_behind_dir(path, row)))
            continue;
        rest += strcspn(rest, "/");
        return *rest ? rest + 1 : NULL;
    }
    at = 0;
    while ((row = path_next(PATH_IS_ROOT_READABLE, &at)))
        if ((rest = path_behind_dir(path, row)))
            return rest;
    return NULL;
}

static bool
is_person_opened(const char *path, const struct path_context *where)
{
    if (!where)
        return false;
    for (const char *const *n = where->named; n && *n; n++)
        if (path_is_below(path, *n))
            return true;
    return where->workspace && where->workspace[0] &&
           path_is_below(path, where->workspace) &&
           !(where->home && path_is_below(where->home, where->workspace));
}

bool
secret_is_path(const char *path, const struct path_context *where)
{
    const char *home = where ? where->home : NULL, *rest;

    if (has_secret_name(path))
        return true;
    if (path[0] == '~' && path[1] == '/')
        rest = path + 2;
    else
        rest = secret_path_in_home(path, home);
    return rest && secret_share_of(rest) != SECRET_NONE &&
           !is_person_opened(path, where);
}

bool
secret_is_hidden(const char *path, const char *home)
{
    const struct path_context where = {.home = home};

    return home && path_is_below(path, home) && secret_is_path(path, &where);
}

bool
secret_is_key(const char *path)
{
    const char *base = strrchr(path, '/');

    return secret_file_is_key(base ? base + 1 : path) || is_in_key_place(path);
}

/* Settings, start-up files and hooks begin with a dot. Too many programs have
 * some to list their names. */
bool
secret_runs_later(const char *path)
{
    if (path_contains(path, "authorized_keys"))
        return true;
    while (*path) {
        size_t len = strcspn(path, "/");
        bool here = len == 1 || (len == 2 && path[1] == '.');

        if (path[0] == '.' && !here)
            return true;
        path += len;
        path += strspn(path, "/");
    }
    return false;
}

/* Paths that the person names */

#define NAMED_MAX 64 /* paths that one text can name */

/* Adds the path that a word means below a directory; -1: no memory. */
static int
add_named_path(char **named, size_t *n, const char *dir, const char *word)
{
    char *path;

    if (!dir || dir[0] != '/' || *n == NAMED_MAX)
        return 0;
    path = path_join(dir, word);
    if (!path)
        return -1;
    path_clean(path);
    named[(*n)++] = path;
    return 0;
}

/* Removes the punctuation around a path in a sentence. */
static size_t
trim_word(const char **word, size_t n)
{
    static const char around[] = "\"'`()[]{}<>,;:?!";

    while (n > 0 && strchr(around, **word)) {
        (*word)++;
        n--;
    }
    while (n > 0 && (strchr(around, (*word)[n - 1]) || (*word)[n - 1] == '.'))
        n--;
    return n;
}

static int
add_path_word(char **named, size_t *n, const char *word, const char *home,
              const char *dir)
{
    if (word[0] == '/')
        return add_named_path(named, n, "/", word + 1);
    if (word[0] == '~' && word[1] == '/')
        return add_named_path(named, n, home, word + 2);
    if (strncmp(word, "$HOME/", 6) == 0)
        return add_named_path(named, n, home, word + 6);
    if (word[0] != '.' && !strchr(word, '/') &&
        !secret_file_is_file(word, false))
        return 0;
    if (add_named_path(named, n, dir, word) < 0)
        return -1;
    return word[0] == '.' ? add_named_path(named, n, home, word) : 0;
}

/* Below home, a directory that holds the files of several programs is not
 * opened whole. Below dir, only a file that is secret by its name is opened. */
static bool
may_be_opened(const char *path, const char *home, const char *dir)
{
    const char *rest = secret_path_in_home(path, home);

    if (rest && secret_share_of(rest) == SECRET_ALL && !has_secret_name(path))
        return true;
    return dir && path_is_below(path, dir) && secret_file_is(path) &&
           !is_in_key_place(path);
}

static void
drop_too_wide(char **named, size_t *n, const char *home, const char *dir)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++) {
        if (may_be_opened(named[i], home, dir))
            named[kept++] = named[i];
        else
            free(named[i]);
    }
    *n = kept;
    named[kept] = NULL;
}

/* Adds each word of a text; false: no memory. */
static bool
add_path_words(char **named, size_t *n, const char *text, const char *between,
               const char *home, const char *dir)
{
    while (text && *text) {
        const char *word = text + strspn(text, between);
        size_t len = strcspn(word, between);
        CLEANUP(free_p) char *one = NULL;

        text = word + len;
        len = trim_word(&word, len);
        one = strndup(word, len);
        if (!one || add_path_word(named, n, one, home, dir) < 0)
            return false;
    }
    return true;
}

char **
secret_named_in(const char *text, const char *list, const char *home,
                const char *dir)
{
    char **named = calloc(NAMED_MAX + 1, sizeof(*named));
    size_t n = 0;

    if (!named)
        return NULL;
    if (add_path_words(named, &n, list, ":", home, dir) &&
        add_path_words(named, &n, text, " \t\r\n", home, dir))
        drop_too_wide(named, &n, home, dir);
    if (n > 0)
        return named;
    secret_named_free(named);
    return NULL;
}

void
secret_named_free(char **named)
{
    for (char **p = named; p && *p; p++)
        free(*p);
    free(named);
}
