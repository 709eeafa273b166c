/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_tests.c - reads the simple tests of a call of find, and applies them. */
#include "guard/effects/find_tests.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "base/str.h"
#include "guard/effects/glob.h"

#define NAME_SIZE 256
#define DEEP      64 /* deeper directories count as not empty */

struct size_unit {
    char letter;
    uint64_t bytes;
};

/* The units of -size; find(1). */
static const struct size_unit units[] = {
    {'c', 1},       {'w', 2},       {'b', 512},     {'\0', 512},
    {'k', 1 << 10}, {'M', 1 << 20}, {'G', 1 << 30},
};

static bool
read_test_number(const char *word, struct find_number *out, const char **rest)
{
    char *end;

    out->sign = word[0] == '+' || word[0] == '-' ? *word++ : '=';
    if (!isdigit((unsigned char)word[0]))
        return false;
    out->n = strtoull(word, &end, 10);
    *rest = end;
    return true;
}

static bool
read_size_test(const char *word, struct find_number *out)
{
    const char *rest;

    if (!read_test_number(word, out, &rest) || (rest[0] && rest[1]))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(units); i++)
        if (units[i].letter == rest[0])
            out->unit = units[i].bytes;
    return out->unit != 0;
}

static bool
read_age(const char *word, uint64_t unit, struct find_number *out)
{
    const char *rest;

    out->unit = unit;
    return read_test_number(word, out, &rest) && !rest[0];
}

static bool
read_depth(const char *word, unsigned *out)
{
    char *end;

    *out = (unsigned)strtoul(word, &end, 10);
    return end != word && !*end;
}

static bool
add_name_test(struct find_tests *t, const char *pattern, bool any_case)
{
    if (t->n_names == FIND_NAMES_MAX)
        return false;
    t->names[t->n_names] = pattern;
    t->any_case[t->n_names++] = any_case;
    return true;
}

/* Reads a test that takes a word. */
static bool
read_test(struct find_tests *t, const char *test, const char *word)
{
    if (strcmp(test, "-name") == 0 || strcmp(test, "-iname") == 0)
        return add_name_test(t, word, test[1] == 'i');
    if (strcmp(test, "-mtime") == 0)
        return read_age(word, 86400, &t->age);
    if (strcmp(test, "-mmin") == 0)
        return read_age(word, 60, &t->age);
    if (strcmp(test, "-size") == 0)
        return read_size_test(word, &t->size);
    if (strcmp(test, "-maxdepth") == 0)
        return read_depth(word, &t->max_depth);
    if (strcmp(test, "-mindepth") == 0)
        return read_depth(word, &t->min_depth);
    if (strcmp(test, "-type") != 0 || !strchr("fdl", word[0]) || word[1])
        return false;
    t->type = word[0];
    return true;
}

/* Skips the words of -exec. */
static size_t
skip_exec(const struct risk_call *call, size_t i)
{
    static const char *const ends[] = {";", "\\;", "+", NULL};

    while (i < call->n && !str_in_words(call->argv[i], ends))
        i++;
    return i;
}

/* Reads ! -path '*…'; i is the index of the !. */
static bool
read_excluded_path(struct find_tests *t, const struct risk_call *call, size_t i)
{
    if (i + 2 >= call->n || strcmp(call->argv[i + 1], "-path") != 0 ||
        call->argv[i + 2][0] != '*' || t->n_excluded == FIND_NAMES_MAX ||
        (call->expands && (call->expands[i + 2] & SYNTAX_EXPANDS)))
        return false;
    t->excluded[t->n_excluded++] = call->argv[i + 2];
    return true;
}

bool
find_tests_read(const struct risk_call *call, struct find_tests *out)
{
    static const char *const plain[] = {"-print", "-print0", "-ls", "-depth",
                                        "-mount", "-xdev",   "-P",  NULL};
    static const char *const not [] = {"!", "-not", NULL};
    static const char *const exec[] = {"-exec", "-execdir", NULL};
    struct find_tests t = {.max_depth = 1000};
    size_t i = 1;

    while (i < call->n && !strchr("-(!", call->argv[i][0]))
        i++;
    for (; i < call->n; i++) {
        const char *word = call->argv[i];

        if (str_in_words(word, plain))
            continue;
        if (str_in_words(word, exec)) {
            i = skip_exec(call, i);
        } else if (strcmp(word, "-delete") == 0) {
            t.deletes = true;
        } else if (strcmp(word, "-empty") == 0) {
            t.empty = t.narrow = true;
        } else if (str_in_words(word, not )) {
            if (!read_excluded_path(&t, call, i))
                return false;
            i += 2;
        } else {
            if (++i == call->n ||
                (call->expands && (call->expands[i] & SYNTAX_EXPANDS)) ||
                !read_test(&t, word, call->argv[i]))
                return false;
            t.narrow |= strcmp(word, "-type") != 0;
        }
    }
    *out = t;
    return true;
}

static bool
number_holds(const struct find_number *t, uint64_t v)
{
    if (t->sign == '+')
        return v > t->n;
    return t->sign == '-' ? v < t->n : v == t->n;
}

static void
copy_lower(char out[NAME_SIZE], const char *text)
{
    size_t i;

    for (i = 0; text[i] && i + 1 < NAME_SIZE; i++)
        out[i] = (char)tolower((unsigned char)text[i]);
    out[i] = '\0';
}

static bool
name_holds(const struct find_tests *t, size_t i, const char *name)
{
    char pattern[NAME_SIZE], text[NAME_SIZE];

    if (!t->any_case[i])
        return glob_match_any(t->names[i], name);
    copy_lower(pattern, t->names[i]);
    copy_lower(text, name);
    return glob_match_any(pattern, text);
}

/* Whether find -delete, which deletes a directory's contents first, has deleted
 * this entry by the time it tests the directory. */
static bool
is_deleted_before(const struct find_tests *t, const char *dir, const char *name,
                  unsigned depth)
{
    char path[PATH_MAX];
    struct stat st;

    return t->deletes && depth < DEEP &&
           snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
           lstat(path, &st) == 0 && find_tests_hold(t, path, &st, depth + 1);
}

static bool
is_empty(const struct find_tests *t, const char *path, const struct stat *st,
         unsigned depth)
{
    CLEANUP(dir_close_p) DIR *d = NULL;
    const struct dirent *entry;

    if (!S_ISDIR(st->st_mode))
        return S_ISREG(st->st_mode) && st->st_size == 0;
    d = opendir(path);
    while (d && (entry = readdir(d)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            !is_deleted_before(t, path, entry->d_name, depth))
            return false;
    }
    return d != NULL;
}

bool
find_tests_hold(const struct find_tests *t, const char *path,
                const struct stat *st, unsigned depth)
{
    time_t age = time(NULL) - st->st_mtime;
    uint64_t size = (uint64_t)st->st_size;

    if (depth < t->min_depth || depth > t->max_depth ||
        (t->type == 'f' && !S_ISREG(st->st_mode)) ||
        (t->type == 'd' && !S_ISDIR(st->st_mode)) ||
        (t->type == 'l' && !S_ISLNK(st->st_mode)))
        return false;
    for (size_t i = 0; i < t->n_names; i++)
        if (!name_holds(t, i, path_base(path)))
            return false;
    if (t->age.sign &&
        !number_holds(&t->age, age > 0 ? (uint64_t)age / t->age.unit : 0))
        return false;
    /* find rounds sizes up to whole units */
    if (t->size.sign &&
        !number_holds(&t->size, (size + t->size.unit - 1) / t->size.unit))
        return false;
    for (size_t i = 0; i < t->n_excluded; i++)
        if (fnmatch(t->excluded[i], path, 0) == 0)
            return false;
    return !t->empty || is_empty(t, path, st, depth);
}
