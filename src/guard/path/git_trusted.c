/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_trusted.c - the one table of a repository's files that git trusts. */
#include "guard/path/git_trusted.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"

static const struct git_trusted trusted_paths[] = {
    {"hooks", GIT_HOOKS, GIT_PLACEHOLDER_MAIN, NULL},
    {"config", GIT_CONFIG, GIT_PLACEHOLDER_MAIN, ""},
    {"commondir", GIT_COMMON, GIT_PLACEHOLDER, GIT_COMMONDIR_SELF},
    {"config.worktree", GIT_CONFIG, GIT_PLACEHOLDER,
     ""}, /* in a linked working tree */
    {"rebase-merge/git-rebase-todo", GIT_STEPS, GIT_UNTOUCHED, NULL},
    {"modules", GIT_REPOSITORIES, GIT_UNTOUCHED, NULL},
    {GIT_WORKTREES, GIT_REPOSITORIES, GIT_UNTOUCHED, NULL},
    {NULL, GIT_HOOKS, GIT_UNTOUCHED, NULL},
};

const struct git_trusted *
git_trusted_paths(void)
{
    return trusted_paths;
}

/* The part of path behind the components of name; NULL: it begins otherwise. */
static const char *
skip_components(const char *path, const char *name)
{
    size_t n = strlen(name);

    if (strncasecmp(path, name, n) != 0 || (path[n] != '/' && path[n] != '\0'))
        return NULL;
    return path + n + (path[n] == '/');
}

static const char *
next_component(const char *path)
{
    path += strcspn(path, "/");
    return path + strspn(path, "/");
}

static bool is_trusted_below(const char *below, bool linked);

/* Below modules and worktrees, a repository may begin at any depth, so each
 * component is tried until one is a directory of data. */
static bool
is_trusted_in_nested(const char *path, bool linked)
{
    static const char *const data[] = {"refs", "objects", "logs"};

    for (; *path; path = next_component(path)) {
        if (is_trusted_below(path, linked))
            return true;
        for (size_t i = 0; i < ARRAY_SIZE(data); i++)
            if (skip_components(path, data[i]))
                return false;
    }
    return false;
}

/* linked: the repository is a linked working tree's, whose commondir does not
 * count. */
static bool
is_trusted_below(const char *below, bool linked)
{
    for (const struct git_trusted *p = trusted_paths; p->name; p++) {
        const char *rest = skip_components(below, p->name);

        if (!rest || (linked && p->kind == GIT_COMMON))
            continue;
        if (p->kind != GIT_REPOSITORIES ||
            is_trusted_in_nested(rest, strcmp(p->name, GIT_WORKTREES) == 0))
            return true;
    }
    return false;
}

bool
git_trusted_is_below(const char *below)
{
    return is_trusted_below(below, false);
}

bool
git_trusted_holds(const char *path)
{
    for (path += strspn(path, "/"); *path; path = next_component(path)) {
        const char *rest = skip_components(path, GIT_DIR);

        if (rest && git_trusted_is_below(rest))
            return true;
    }
    return false;
}

/* The entries that is_git_directory() in git's setup.c looks for. */
enum { HEAD = 1, OBJECTS = 2, REFS = 4, COMMON = 8 };

unsigned
git_trusted_entry(const char *name)
{
    static const struct {
        const char *name;
        unsigned mark;
    } entries[] = {
        {"HEAD", HEAD},
        {"objects", OBJECTS},
        {"refs", REFS},
        {"commondir", COMMON},
    };

    for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
        if (strcmp(name, entries[i].name) == 0)
            return entries[i].mark;
    return 0;
}

bool
git_trusted_is_repository(unsigned entries)
{
    return (entries & HEAD) != 0 &&
           ((entries & COMMON) != 0 ||
            (entries & (OBJECTS | REFS)) == (OBJECTS | REFS));
}
