/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_named.c - keeps the paths of the workspace that git's configurations
 * name. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "guard/path/git_files.h"
#include "sandbox/protect/protect_internal.h"

/* The configuration that is being read. */
struct git_config_reader {
    const struct protect_scan *s;
    const char *tree; /* a working tree, below the root */
    bool global;      /* it is the person's own, and applies to every tree */
    const char *dir;  /* of the configuration file, absolute */
    int depth;
    struct err *e;
};

/* Expands a path of a configuration; the caller frees the result. */
static char *
expand_config_path(const struct git_config_reader *n, const char *path)
{
    const char *home = n->s->p->person.home;

    if (strncmp(path, "~/", 2) == 0)
        return home ? protect_join(home, path + 2, n->e) : strdup("/");
    return strdup(path);
}

/* Handles a path that is named. Before the command it is kept; after it, a file
 * that the person's configuration names is set aside in a new repository. */
static int
keep_named(const struct git_config_reader *n, const char *name, unsigned how)
{
    CLEANUP(free_p) char *path = NULL;

    if (n->s->after) {
        if ((how & ROUTE_ABSENT) != 0 && *name != '/' && *name != '~')
            protect_clean_named(n->s, n->tree, name);
        return 0;
    }
    path = expand_config_path(n, name);
    return path ? protect_keep_route(n->s, n->tree, path, how, n->e) : -1;
}

static int
found_word(const struct git_config_reader *n, const char *word)
{
    return *word ? keep_named(n, word,
                              strchr(word, '/') ? ROUTE_FILE | ROUTE_ABSENT
                                                : ROUTE_FILE)
                 : 0;
}

/* Copies the next word of a command line without its quotes. An expansion is
 * taken as text, since a file may have that name. Returns the rest of the line;
 * NULL at its end. */
static const char *
next_command_word(const char *line, char word[PATH_MAX])
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

/* Keeps every word of a command line that could be a file of the working tree,
 * and the whole line too, where git uses no shell. */
static int
keep_words(const struct git_config_reader *n, const char *line)
{
    char word[PATH_MAX];

    if (strchr(line, ' ') && strchr(line, '/') && strlen(line) < PATH_MAX &&
        keep_named(n, line, ROUTE_FILE) < 0)
        return -1;
    while ((line = next_command_word(line, word)) != NULL)
        if (found_word(n, word) < 0)
            return -1;
    return 0;
}

static int read_named_config(const struct git_config_reader *n, int at,
                             const char *path);

/* Keeps an included configuration file and what it names. */
static int
keep_file(const struct git_config_reader *n, const char *value)
{
    CLEANUP(free_p) char *path = expand_config_path(n, value);
    CLEANUP(free_p) char *whole = NULL;
    struct git_config_reader inner = *n;

    if (!path)
        return -1;
    whole = *path == '/' ? strdup(path) : protect_join(n->dir, path, n->e);
    if (!whole || protect_keep_route(n->s, "", whole, ROUTE_FILE | ROUTE_ABSENT,
                                     n->e) < 0)
        return -1;
    if (++inner.depth > GIT_CONFIG_INCLUDES_MAX)
        return 0;
    return read_named_config(&inner, AT_FDCWD, whole);
}

static int
keep_value(const struct git_config_reader *n, int how, const char *value)
{
    switch (how) {
    case GIT_COMMAND:
        return keep_words(n, value);
    case GIT_DIRECTORY:
        return keep_named(n, value, ROUTE_ABSENT);
    default:
        return 0;
    }
}

/* Remembers a path of the person's configuration for every repository that is
 * found, since it may be relative to the working tree. An absolute path is the
 * same for all. */
static int
remember_named(const struct git_config_reader *n, int how, const char *value)
{
    struct protect *p = n->s->p;
    struct protect_named *named = protect_grow(p->named, p->n_named,
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
handle_key(void *arg, const char *key, const char *value)
{
    const struct git_config_reader *n = arg;
    int how = git_config_use_of(key, value);

    if (how == GIT_DATA || how == GIT_TREE)
        return 0;
    if (how == GIT_FILE)
        return keep_file(n, value) < 0 ? 1 : 0;
    if (keep_value(n, how, value) < 0 ||
        (n->global && remember_named(n, how, value) < 0))
        return 1;
    return 0;
}

/* Returns -1 only for lack of memory: what git cannot read, it does not
 * believe. */
static int
read_named_config(const struct git_config_reader *n, int at, const char *path)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = fd < 0 ? NULL : malloc(GIT_CONFIG_MAX);
    CLEANUP(free_p) char *dir = NULL;
    struct git_config_reader here = *n;
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
    return git_config_read(text, (size_t)len, handle_key, &here) > 0 ? -1 : 0;
}

/* Reads the person's own configurations and the system's. */
int
protect_named_global(const struct protect_scan *s, struct err *e)
{
    struct git_config_reader n = {
        .s = s, .tree = "", .global = true, .dir = "/", .e = e};
    char path[PATH_MAX];
    size_t at = 0;

    while (git_files_next(GIT_FILES_SYSTEM | GIT_FILES_PERSON, &s->p->person,
                          &at, path))
        if (read_named_config(&n, AT_FDCWD, path) < 0)
            return -1;
    return 0;
}

int
protect_named(const struct protect_scan *s, const struct protect_place *git,
              const char *tree, struct err *e)
{
    CLEANUP(free_p) char *dir = protect_join(s->p->root, git->path, e);
    struct git_config_reader n = {
        .s = s, .tree = tree ? tree : git->path, .dir = dir, .e = e};
    const struct protect *p = s->p;

    if (!dir)
        return -1;
    for (size_t i = 0; i < p->n_named; i++)
        if (keep_value(&n, p->named[i].use, p->named[i].value) < 0)
            return -1;
    if (s->after)
        return 0;
    if (!protect_exists(git->fd, "config"))
        return read_named_config(&n, git->fd, "../../config");
    return read_named_config(&n, git->fd, "config") < 0
               ? -1
               : read_named_config(&n, git->fd, "config.worktree");
}
