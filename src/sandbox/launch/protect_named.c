/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_named.c - what a configuration names in the workspace. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define INCLUDES_MAX 10 /* one in another, as git's */
#define SYSTEM       "/etc/gitconfig"

/* Whose names are looked at. */
struct naming {
    const struct scan *s;
    const char *tree; /* a working tree, below the root */
    bool global;      /* it is the person's own, and of every tree */
    const char *dir;  /* of the file, absolute */
    int depth;
    struct err *e;
};

/* A path of a configuration, as it is to be looked for; the caller frees it. */
static char *
expand(const struct naming *n, const char *path)
{
    const char *home = n->s->p->home;

    if (strncmp(path, "~/", 2) == 0)
        return home ? protect_below(home, path + 2, n->e) : strdup("/");
    return strdup(path);
}

/* What is named: before the command it stays; a new repository of the
 * command's has none, where the name is the person's. */
static int
found(const struct naming *n, const char *name, unsigned how)
{
    CLEANUP(free_p) char *path = NULL;

    if (n->s->after) {
        if ((how & ROUTE_ABSENT) != 0 && *name != '/' && *name != '~')
            protect_clean_named(n->s, n->tree, name);
        return 0;
    }
    path = expand(n, name);
    return path ? protect_keep_route(n->s, n->tree, path, how, n->e) : -1;
}

static int
found_word(const struct naming *n, const char *word)
{
    return *word ? found(n, word,
                         strchr(word, '/') ? ROUTE_FILE | ROUTE_ABSENT
                                           : ROUTE_FILE)
                 : 0;
}

/* The next word of a command line, without its quotes. What expands has its
 * text: a file of such a name is as good as any. Returns what is left of the
 * line, NULL at its end. */
static const char *
next_word(const char *line, char word[PATH_MAX])
{
    static const char between[] = " \t\r\n`;|&$(){}<>=!";
    size_t len = 0;
    char quote = '\0';

    line += strspn(line, between);
    if (!*line)
        return NULL;
    for (; *line && (quote || !strchr(between, *line)); line++) {
        if (*line == '\\' && quote != '\'' && line[1])
            line++;
        else if (*line == quote || (!quote && strchr("\"'", *line))) {
            quote = quote ? '\0' : *line;
            continue;
        }
        if (len < PATH_MAX - 1)
            word[len++] = *line;
    }
    word[len] = '\0';
    return line;
}

/* Everything in a command line that could be a file of the working tree; the
 * whole of it may be one too, where git asks no shell. */
static int
keep_words(const struct naming *n, const char *line)
{
    char word[PATH_MAX];

    if (strchr(line, ' ') && strchr(line, '/') && strlen(line) < PATH_MAX &&
        found(n, line, ROUTE_FILE) < 0)
        return -1;
    while ((line = next_word(line, word)) != NULL)
        if (found_word(n, word) < 0)
            return -1;
    return 0;
}

static int read_file(const struct naming *n, int at, const char *path);

/* More configuration: it stays, and what it names does. */
static int
keep_file(const struct naming *n, const char *value)
{
    CLEANUP(free_p) char *path = expand(n, value);
    CLEANUP(free_p) char *whole = NULL;
    struct naming inner = *n;

    if (!path)
        return -1;
    whole = *path == '/' ? strdup(path) : protect_below(n->dir, path, n->e);
    if (!whole || protect_keep_route(n->s, "", whole, ROUTE_FILE | ROUTE_ABSENT,
                                     n->e) < 0)
        return -1;
    if (++inner.depth > INCLUDES_MAX)
        return 0;
    return read_file(&inner, AT_FDCWD, whole);
}

static int
use(const struct naming *n, int how, const char *value)
{
    switch (how) {
    case GIT_COMMAND:
        return keep_words(n, value);
    case GIT_DIRECTORY:
        return found(n, value, ROUTE_ABSENT);
    default:
        return 0;
    }
}

/* For every repository, since a path may be relative to each. One that is not
 * is of the workspace already, or never. */
static int
remember(const struct naming *n, int how, const char *value)
{
    struct protect *p = n->s->p;
    struct protect_named *named = protect_room(p->named, p->n_named,
                                               sizeof(*named), n->e);

    if (!named)
        return -1;
    p->named = named;
    named[p->n_named] = (struct protect_named){how, strdup(value)};
    if (!named[p->n_named].value)
        return err_nomem(n->e);
    p->n_named++;
    return 0;
}

static int
take_key(void *arg, const char *key, const char *value)
{
    const struct naming *n = arg;
    int how = git_config_use_of(key, value);

    if (how == GIT_DATA || how == GIT_TREE)
        return 0;
    if (how == GIT_FILE)
        return keep_file(n, value) < 0 ? 1 : 0;
    if (use(n, how, value) < 0 || (n->global && remember(n, how, value) < 0))
        return 1;
    return 0;
}

/* Not 0 for want of memory only: what git cannot read, it does not believe. */
static int
read_file(const struct naming *n, int at, const char *path)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = fd < 0 ? NULL : malloc(GIT_CONFIG_MAX);
    CLEANUP(free_p) char *dir = NULL;
    struct naming here = *n;
    ssize_t len = text ? read(fd, text, GIT_CONFIG_MAX) : -1;
    char *slash;

    if (len <= 0)
        return 0;
    if (at == AT_FDCWD) {
        here.dir = dir = strdup(path);
        slash = dir ? strrchr(dir, '/') : NULL;
        if (slash)
            *slash = '\0';
    }
    return git_config_read(text, (size_t)len, take_key, &here) > 0 ? -1 : 0;
}

/* The person's own, and the system's. */
int
protect_named_global(const struct scan *s, struct err *e)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    struct naming n = {.s = s, .tree = "", .global = true, .dir = "/", .e = e};
    char path[PATH_MAX];

    if (read_file(&n, AT_FDCWD, SYSTEM) < 0)
        return -1;
    if (!s->p->home)
        return 0;
    snprintf(path, sizeof(path), "%s/.gitconfig", s->p->home);
    if (read_file(&n, AT_FDCWD, path) < 0)
        return -1;
    if (config && *config == '/')
        snprintf(path, sizeof(path), "%s/git/config", config);
    else
        snprintf(path, sizeof(path), "%s/.config/git/config", s->p->home);
    return read_file(&n, AT_FDCWD, path);
}

int
protect_named(const struct scan *s, const struct place *git, const char *tree,
              struct err *e)
{
    CLEANUP(free_p) char *dir = protect_below(s->p->root, git->path, e);
    struct naming n = {
        .s = s, .tree = tree ? tree : git->path, .dir = dir, .e = e};
    const struct protect *p = s->p;

    if (!dir)
        return -1;
    for (size_t i = 0; i < p->n_named; i++)
        if (use(&n, p->named[i].use, p->named[i].value) < 0)
            return -1;
    if (s->after)
        return 0;
    if (!protect_has(git->fd, "config"))
        return read_file(&n, git->fd, "../../config");
    return read_file(&n, git->fd, "config") < 0
               ? -1
               : read_file(&n, git->fd, "config.worktree");
}
