/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protected_paths.c - finds commands that would delete /, a home or a system
 * directory. */
#include "offline/engine/protected_paths.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"
#include "offline/index/recipe_example.h"

/* The length of a path without an ending that means all its contents. */
static size_t
stem_of(const char *text, bool *all)
{
    static const char *const ends[] = {"/*", "/.*", "/.", "/{*,.*}", "/{.,}*"};
    size_t n = strlen(text), was;

    *all = false;
    do {
        was = n;
        for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
            size_t k = strlen(ends[i]);

            if (n >= k && memcmp(text + n - k, ends[i], k) == 0) {
                n -= k;
                *all = true;
            }
        }
        while (n > 0 && text[n - 1] == '/')
            n--;
    } while (n != was);
    return n;
}

/* Whether nobody means to lose all of the path, n bytes; "" is /. A stand-in
 * for the home directory shows which spellings mean it. */
static bool
is_protected(const char *text, size_t n)
{
    static const struct path_context where = {.home = RECIPE_EXAMPLE_HOME};
    char stem[PATH_MAX], path[PATH_MAX];
    bool cut;

    if (n >= sizeof(stem))
        return false;
    snprintf(stem, sizeof(stem), "%.*s", n ? (int)n : 1, n ? text : "/");
    return path_absolute(stem, NULL, &where, path, &cut) && !cut &&
           (path_is(path, PATH_IS_PRECIOUS) || strcmp(path, where.home) == 0);
}

/* Whether it is the working directory or the one above. Everything in the
 * working directory may be deleted: that is how a request names it. */
static bool
is_own_dir(const char *text, size_t n, bool all)
{
    return (n == 1 && text[0] == '.' && !all) ||
           (n == 2 && memcmp(text, "..", 2) == 0);
}

static bool
is_precious(const char *text, bool deletes)
{
    bool all;
    size_t n = stem_of(text, &all);

    if (!text[0])
        return false;
    return is_protected(text, n) ||
           (deletes &&
            (path_is(text, PATH_IS_DEVICE) || is_own_dir(text, n, all)));
}

/* Whether find has a test: a name, a size, a time. */
static bool
find_has_test(const struct risk_call *c)
{
    static const char tests[] =
        " -name -iname -path -ipath -regex -iregex -size -mtime -mmin -ctime "
        "-cmin -atime -amin -empty -newer -newermt -user -group -perm -links "
        "-inum -samefile -lname -wholename -nouser -nogroup -used -xtype ";
    char word[PATH_MAX];

    for (size_t i = 1; i < c->n; i++) {
        size_t n = strlen(c->argv[i]);

        if (n + 3 > sizeof(word) || n == 0)
            continue;
        word[0] = ' ';
        memcpy(word + 1, c->argv[i], n);
        memcpy(word + 1 + n, " ", 2);
        if (c->argv[i][0] == '-' && strstr(tests, word))
            return true;
    }
    return false;
}

/* The call that has the path, or NULL. */
static const struct risk_call *
call_of(const struct risk *r, const struct risk_path *p)
{
    for (size_t i = 0; i < r->n_calls; i++) {
        if (r->calls[i].from <= p->from && p->to <= r->calls[i].to)
            return &r->calls[i];
    }
    return NULL;
}

/* Whether everything below the path is changed. */
static bool
changes_below(const struct risk_call *c, const struct risk_path *p)
{
    return p->recursive &&
           (p->use == RISK_CHANGES || (c && (strcmp(c->name, "chmod") == 0 ||
                                             strcmp(c->name, "chown") == 0 ||
                                             strcmp(c->name, "chgrp") == 0)));
}

static bool
hits_protected(const struct risk *r, struct buf *which)
{
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];
        const struct risk_call *c = call_of(r, p);
        bool deletes = p->use == RISK_DELETES;

        if ((!deletes && !changes_below(c, p)) ||
            !is_precious(p->text, deletes) ||
            (c && strcmp(c->name, "find") == 0 && find_has_test(c)))
            continue;
        buf_str(which, p->text);
        return true;
    }
    return false;
}

bool
protected_paths_hit(const char *commands, struct buf *which)
{
    static const struct path_context nowhere;
    struct syntax s = {0};
    struct risk r = {0};
    struct err e;
    bool found = syntax_read(commands, strlen(commands), &s, &e) == 0 &&
                 risk_read(&s, &nowhere, &r, &e) == 0 &&
                 hits_protected(&r, which);

    risk_done(&r);
    syntax_done(&s);
    return found;
}
