/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manpath.c - finds the file of a command's manual page. */
#include "offline/manual/manpath.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"

/* The sections in the order in which they are tried; the first three are tried
 * in every tree before the others. Directories are not listed: section 1 of a
 * machine with an SDK has 18,000 files. */
static const struct {
    const char *dir, *section;
} sections[] = {
    {"man1", "1"},     {"man8", "8"},      {"man6", "6"},  {"man1", "1p"},
    {"man1", "1ssl"},  {"man1", "1posix"}, {"man1", "1x"}, {"man1", "1m"},
    {"man1", "1perl"}, {"man1", "1.mawk"}, {"man8", "8c"},
};

#define USUAL_SECTIONS 3
#define ALL_SECTIONS   ARRAY_SIZE(sections)

/* The name to search, and the rows of the table to try. */
struct page_search {
    const struct seat *seat;
    const char *name;
    size_t first, last;
};

static const char *const packings[] = {".gz", ""};

static bool
is_page_name(const char *name)
{
    return *name && *name != '.' && *name != '-' && !strchr(name, '/') &&
           strlen(name) < 200;
}

/* Searches the tree dir[0..n). */
static int
find_in_tree(const char *dir, size_t n, const struct page_search *want,
             struct manpath_hit *out)
{
    char tree[4096];

    if (n == 0 || *dir != '/' || n >= sizeof(tree))
        return -1;
    memcpy(tree, dir, n);
    tree[n] = '\0';
    if (access(tree, X_OK) < 0)
        return -1; /* most directories of PATH have no tree beside them */
    for (size_t i = want->first; i < want->last; i++)
        for (size_t k = 0; k < 2; k++) {
            char *path;

            if (asprintf(&path, "%.*s/%s/%s.%s%s", (int)n, dir, sections[i].dir,
                         want->name, sections[i].section, packings[k]) < 0)
                return -1;
            if (access(path, R_OK) == 0) {
                out->path = path;
                out->root = n;
                snprintf(out->section, sizeof(out->section), "%s",
                         sections[i].section);
                return 0;
            }
            free(path);
        }
    return -1;
}

/* The pages for /opt/x/bin are in /opt/x/share/man or /opt/x/man. */
static int
find_beside_bin(const char *bin, size_t n, const struct page_search *want,
                struct manpath_hit *out)
{
    static const char *const places[] = {"share/man", "man"};
    char dir[4096];

    while (n > 1 && bin[n - 1] == '/')
        n--;
    while (n > 1 && bin[n - 1] != '/')
        n--;
    for (size_t i = 0; i < 2; i++) {
        int len = snprintf(dir, sizeof(dir), "%.*s%s", (int)n, bin, places[i]);

        if (len < (int)sizeof(dir) &&
            find_in_tree(dir, (size_t)len, want, out) == 0)
            return 0;
    }
    return -1;
}

static int
find_in_usual_trees(const struct page_search *want, struct manpath_hit *out)
{
    static const char *const usual[] = {"/usr/local/share/man",
                                        "/usr/local/man", "/usr/share/man"};
    const char *at = seat_path(want->seat), *dir;
    size_t n;

    for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
        if (find_in_tree(usual[i], strlen(usual[i]), want, out) == 0)
            return 0;
    while (path_next_dir(&at, &dir, &n))
        if (*dir == '/' && find_beside_bin(dir, n, want, out) == 0)
            return 0;
    return -1;
}

static int
find_in_all_trees(const struct page_search *want, struct manpath_hit *out)
{
    const char *p = seat_variable(want->seat, "MANPATH");

    if (!p || !*p)
        return find_in_usual_trees(want, out);
    for (;;) {
        size_t n = strcspn(p, ":");
        int rc = n ? find_in_tree(p, n, want, out)
                   : find_in_usual_trees(want, out);

        if (rc == 0)
            return 0;
        if (!p[n])
            return -1;
        p += n + 1;
    }
}

int
manpath_find(const struct seat *s, const char *name, struct manpath_hit *out)
{
    const struct page_search usual = {s, name, 0, USUAL_SECTIONS};
    const struct page_search other = {s, name, USUAL_SECTIONS, ALL_SECTIONS};

    if (!is_page_name(name))
        return -1;
    if (find_in_all_trees(&usual, out) == 0)
        return 0;
    return find_in_all_trees(&other, out);
}

char *
manpath_follow(const char *path, size_t root, const char *target)
{
    for (size_t i = 0; i < 2; i++) {
        CLEANUP(free_p) char *to = NULL;

        if (*target == '/' || strstr(target, ".."))
            return NULL;
        if (asprintf(&to, "%.*s/%s%s", (int)root, path, target, packings[i]) <
            0) {
            to = NULL;
            return NULL;
        }
        if (access(to, R_OK) == 0)
            return TAKE_PTR(to);
    }
    return NULL;
}
