/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_git.c - the files that `git clean` would delete. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "guard/effects/effects_look.h"

#define SETTINGS_MAX (64 * 1024) /* people write them by hand */

/* What a call of git clean says. */
struct clean {
    struct effects_look *look;
    const struct git_index *index;
    const char *top;
    bool directories, ignored; /* -d, -x */
    unsigned force;            /* twice: repositories inside go too */
    struct glob_list ahead;    /* directories that git knows something of */
};

static bool
is_there(const char *dir, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
           lstat(path, &st) == 0;
}

/* The letters of -fdx. False: one that we do not know, such as -X or -e. */
static bool
take_letters(struct clean *c, const char *letters)
{
    for (; *letters; letters++) {
        if (*letters == 'f')
            c->force++;
        else if (*letters == 'd')
            c->directories = true;
        else if (*letters == 'x')
            c->ignored = true;
        else if (*letters != 'q')
            return false;
    }
    return true;
}

/* The options of `git clean …`, and no paths. False: more than that. */
static bool
take_words(struct clean *c, const struct risk_call *call)
{
    for (size_t i = 2; i < call->n; i++) {
        const char *word = call->argv[i];

        if (call->expands && (call->expands[i] & SYNTAX_EXPANDS))
            return false;
        if (strcmp(word, "--force") == 0)
            c->force++;
        else if (word[0] != '-' || word[1] == '-' || !word[1] ||
                 !take_letters(c, word + 1))
            return false;
    }
    return c->force > 0;
}

/* Whether a file of settings holds a line that is no comment, or that word. */
static bool
says(const char *dir, const char *name, const char *word)
{
    CLEANUP_BUF struct buf b = buf_of(SETTINGS_MAX);
    CLEANUP(free_p) char *path = path_join(dir, name);

    if (!path || file_read(path, &b, NULL) < 0)
        return path && is_there(dir, name);
    if (word)
        return strcasestr(b.p, word) != NULL;
    for (const char *p = b.p; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strchr("#\n", *p))
            return true;
    return false;
}

/* Patterns of what is ignored are git's own business: where there are some
 * outside the tree, nobody but git can say what stays. */
static bool
may_ignore(const struct clean *c)
{
    CLEANUP(free_p) char *git = git_index_dir(c->top);
    const char *home = c->look->where->home;

    return !git || says(git, "info/exclude", NULL) ||
           says(git, "config", "excludesfile") ||
           (home && (says(home, ".gitconfig", "excludesfile") ||
                     says(home, ".config/git/config", "excludesfile") ||
                     says(home, ".config/git/ignore", NULL)));
}

static void
clean_directory(struct clean *c, const char *path, const char *name)
{
    if (git_index_has_below(c->index, name))
        glob_list_add(&c->ahead, path, strlen(path));
    else if (c->directories && (c->force > 1 || !is_there(path, ".git")))
        effects_add_path(c->look, path, RISK_DELETES, true);
}

/* False: what is ignored is not known. */
static bool
clean_entry(struct clean *c, const char *dir, const char *entry)
{
    char path[PATH_MAX];
    const char *name;
    struct stat st;

    if (strcmp(entry, ".") == 0 || strcmp(entry, "..") == 0 ||
        strcmp(entry, ".git") == 0)
        return true;
    if (!c->ignored && strcmp(entry, ".gitignore") == 0)
        return false;
    if (snprintf(path, sizeof(path), "%s/%s", dir, entry) >= PATH_MAX ||
        lstat(path, &st) < 0)
        return true;
    name = path + strlen(c->top) + 1;
    if (S_ISDIR(st.st_mode))
        clean_directory(c, path, name);
    else if (!git_index_has(c->index, name))
        effects_add_path(c->look, path, RISK_DELETES, false);
    return true;
}

static bool
clean_below(struct clean *c, const char *dir)
{
    CLEANUP(dir_close_p) DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d && glob_limit_take(&c->look->limit) &&
           (entry = readdir(d)) != NULL)
        if (!clean_entry(c, dir, entry->d_name))
            return false;
    return true;
}

/* False: nobody can say. */
static bool
look_clean(struct effects_look *l, const struct risk_call *call,
           const char *dir)
{
    struct clean c = {.look = l};
    char inside[PATH_MAX], cwd[PATH_MAX];
    bool known;

    if (!dir || !take_words(&c, call) || !realpath(dir, cwd) ||
        snprintf(inside, sizeof(inside), "%s/.", cwd) >= PATH_MAX)
        return false;
    c.index = effects_repo(l, inside); /* of cwd itself, which may be the top */
    c.top = l->top;
    if (!c.index || (!c.ignored && may_ignore(&c)))
        return false;
    glob_list_add(&c.ahead, cwd, strlen(cwd));
    known = true;
    for (size_t i = 0; i < c.ahead.n && known; i++)
        known = clean_below(&c, c.ahead.v[i]);
    l->out->more |= c.ahead.more;
    glob_list_done(&c.ahead);
    return known;
}

/* Its path is the directory that it starts in, as `.`. */
bool
effects_git_clean(struct effects_look *l, const struct risk_call *call,
                  const struct risk_path *p)
{
    bool clean = false;

    if (strcmp(call->name, "git") != 0)
        return false;
    for (size_t i = 1; i < call->n && !clean; i++)
        clean = strcmp(call->argv[i], "clean") == 0;
    if (!clean)
        return false;
    /* options in front of the word may name another directory */
    l->out->unknown |= strcmp(call->argv[1], "clean") != 0 ||
                       strcmp(p->text, ".") != 0 ||
                       !look_clean(l, call, p->dir);
    if (l->where->home && p->dir && path_is_below(l->where->home, p->dir) &&
        strcmp(p->text, ".") == 0)
        effects_say_never(l, "everything in ", p->dir, " not tracked by git");
    return true;
}
