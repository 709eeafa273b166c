/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_named.c - what a person's own words open below a home directory. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "guard/path/secret.h"

#define NAMED_MAX 64 /* paths that one text of a person's opens */

/* Adds what a word means below a directory; -1 without memory. */
static int
add_named(char **named, size_t *n, const char *dir, const char *word)
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

/* What stands around a path in a sentence is none of it. */
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
add_word(char **named, size_t *n, const char *word, const char *home,
         const char *dir)
{
    if (word[0] == '/')
        return add_named(named, n, "/", word + 1);
    if (word[0] == '~' && word[1] == '/')
        return add_named(named, n, home, word + 2);
    if (strncmp(word, "$HOME/", 6) == 0)
        return add_named(named, n, home, word + 6);
    if (word[0] != '.' && !strchr(word, '/') &&
        !secret_file_is_file(word, false))
        return 0;
    if (add_named(named, n, dir, word) < 0)
        return -1;
    return word[0] == '.' ? add_named(named, n, home, word) : 0;
}

/* Below home a directory that holds more than one program's is not opened
 * whole. Below dir it is a file that is a secret by its name. */
static bool
is_narrow(const char *path, const char *home, const char *dir)
{
    const char *rest = secret_behind_home(path, home);

    if (rest && secret_share_of(rest) == SECRET_ALL && !secret_is_known(path))
        return true;
    return dir && path_is_below(path, dir) && secret_file_is(path) &&
           !secret_is_in_place(path);
}

static void
drop_wide(char **named, size_t *n, const char *home, const char *dir)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++) {
        if (is_narrow(named[i], home, dir))
            named[kept++] = named[i];
        else
            free(named[i]);
    }
    *n = kept;
    named[kept] = NULL;
}

/* Adds each word of a text; false without memory. */
static bool
add_words(char **named, size_t *n, const char *text, const char *between,
          const char *home, const char *dir)
{
    while (text && *text) {
        const char *word = text + strspn(text, between);
        size_t len = strcspn(word, between);
        CLEANUP(free_p) char *one = NULL;

        text = word + len;
        len = trim_word(&word, len);
        one = strndup(word, len);
        if (!one || add_word(named, n, one, home, dir) < 0)
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
    if (add_words(named, &n, list, ":", home, dir) &&
        add_words(named, &n, text, " \t\r\n", home, dir))
        drop_wide(named, &n, home, dir);
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
