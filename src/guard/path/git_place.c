/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_place.c - what of a repository git believes: the one table of it. */
#include "guard/path/git_place.h"

#include <string.h>
#include <strings.h>

static const struct git_place places[] = {
    {"hooks", GIT_HOOKS, GIT_LENT_MAIN, NULL},
    {"config", GIT_CONFIG, GIT_LENT_MAIN, ""},
    {"commondir", GIT_COMMON, GIT_LENT, GIT_HERE},
    {"config.worktree", GIT_CONFIG, GIT_LENT, ""}, /* where it is read */
    {"rebase-merge/git-rebase-todo", GIT_STEPS, GIT_LEFT, NULL},
    {"modules", GIT_REPOSITORIES, GIT_LEFT, NULL},
    {GIT_WORKTREES, GIT_REPOSITORIES, GIT_LEFT, NULL},
    {NULL, GIT_HOOKS, GIT_LEFT, NULL},
};

const struct git_place *
git_places(void)
{
    return places;
}

/* The rest of path behind the components of name; NULL: they are others. */
static const char *
behind(const char *path, const char *name)
{
    size_t n = strlen(name);

    if (strncasecmp(path, name, n) != 0 || (path[n] != '/' && path[n] != '\0'))
        return NULL;
    return path + n + (path[n] == '/');
}

static const char *
next(const char *path)
{
    path += strcspn(path, "/");
    return path + strspn(path, "/");
}

static bool is_inside(const char *below, bool linked);

/* Below modules and worktrees stand names of any depth, and then a repository
 * again: any component may begin it, until one is plain data. */
static bool
is_inside_another(const char *path, bool linked)
{
    static const char *const data[] = {"refs", "objects", "logs"};

    for (; *path; path = next(path)) {
        if (is_inside(path, linked))
            return true;
        for (size_t i = 0; i < sizeof(data) / sizeof(*data); i++)
            if (behind(path, data[i]))
                return false;
    }
    return false;
}

/* linked: of a linked working tree, which has a commondir of its own. */
static bool
is_inside(const char *below, bool linked)
{
    for (const struct git_place *p = places; p->name; p++) {
        const char *rest = behind(below, p->name);

        if (!rest || (linked && p->kind == GIT_COMMON))
            continue;
        if (p->kind != GIT_REPOSITORIES ||
            is_inside_another(rest, strcmp(p->name, GIT_WORKTREES) == 0))
            return true;
    }
    return false;
}

bool
git_place_is_inside(const char *below)
{
    return is_inside(below, false);
}

bool
git_place_holds(const char *path)
{
    for (path += strspn(path, "/"); *path; path = next(path)) {
        const char *rest = behind(path, GIT_DIR);

        if (rest && git_place_is_inside(rest))
            return true;
    }
    return false;
}

/* By is_git_directory() of git's setup.c. */
enum { HEAD = 1, OBJECTS = 2, REFS = 4, COMMON = 8 };

unsigned
git_place_mark(const char *name)
{
    static const struct {
        const char *name;
        unsigned mark;
    } marks[] = {
        {"HEAD", HEAD},
        {"objects", OBJECTS},
        {"refs", REFS},
        {"commondir", COMMON},
    };

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (strcmp(name, marks[i].name) == 0)
            return marks[i].mark;
    return 0;
}

bool
git_place_is_repository(unsigned marks)
{
    return (marks & HEAD) != 0 &&
           ((marks & COMMON) != 0 ||
            (marks & (OBJECTS | REFS)) == (OBJECTS | REFS));
}
