/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seat.c - the place that one session works from. */
#include "base/seat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct seat {
    char *dir;
    int fd;
    char **roots;
    char **variables; /* the strings stand in the same block */
    char *home;
};

void
seat_free(struct seat *s)
{
    if (!s)
        return;
    for (char **r = s->roots; r && *r; r++)
        free(*r);
    free(s->roots);
    free(s->variables);
    free(s->home);
    free(s->dir);
    fd_close_p(&s->fd);
    free(s);
}

/* The value in NAME=value, if that is its name. */
static const char *
variable_value(const char *variable, const char *name, size_t n)
{
    return strncmp(variable, name, n) == 0 && variable[n] == '='
               ? variable + n + 1
               : NULL;
}

const char *
seat_variable(const struct seat *s, const char *name)
{
    size_t n = strlen(name);
    const char *value;

    for (char **v = s->variables; *v; v++)
        if ((value = variable_value(*v, name, n)) != NULL)
            return value;
    return NULL;
}

/* Copies the variables into one block, which the array begins. */
static int
copy_variables(struct seat *s, const char *const *from, struct err *e)
{
    size_t n = 0, bytes = 0, room;
    char *to;

    for (; from && from[n]; n++)
        bytes += strlen(from[n]) + 1;
    s->variables = malloc((n + 1) * sizeof(*s->variables) + bytes);
    if (!s->variables)
        return err_nomem(e);
    to = (char *)(s->variables + n + 1);
    for (size_t i = 0; i < n; i++, to += room) {
        room = strlen(from[i]) + 1;
        s->variables[i] = memcpy(to, from[i], room);
    }
    s->variables[n] = NULL;
    return 0;
}

static int
find_seat_home(struct seat *s, struct err *e)
{
    const char *named = seat_variable(s, "HOME");

    s->home = path_home_of(named);
    return named && named[0] == '/' && !s->home ? err_nomem(e) : 0;
}

static struct seat *
seat_alloc(struct err *e)
{
    struct seat *s = calloc(1, sizeof(*s));

    if (!s || !(s->roots = calloc(SEAT_ROOTS_MAX + 1, sizeof(*s->roots)))) {
        free(s);
        err_nomem(e);
        return NULL;
    }
    s->fd = -1;
    return s;
}

struct seat *
seat_of_process(struct err *e)
{
    CLEANUP(seat_free_p) struct seat *s = seat_alloc(e);

    if (!s || copy_variables(s, (const char *const *)environ, e) < 0 ||
        find_seat_home(s, e) < 0)
        return NULL;
    s->dir = getcwd(NULL, 0);
    s->fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return TAKE_PTR(s);
}

/* Opens a directory that a peer names, and sets *dir to its real name. */
static int
open_named_dir(const char *path, char **dir, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (path[0] != '/')
        return err_set(e, ERR_INVALID, "%.200s: not an absolute path", path);
    fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || !(*dir = realpath(path, NULL)))
        return err_sys(e, "%.200s", path);
    return TAKE_FD(fd);
}

static int
add_seat_roots(struct seat *s, const char *const *roots, struct err *e)
{
    for (size_t i = 0; roots && roots[i]; i++) {
        CLEANUP(fd_close_p) int fd = -1;

        if (i == SEAT_ROOTS_MAX)
            return err_set(e, ERR_INVALID, "more than %d directories",
                           SEAT_ROOTS_MAX);
        if ((fd = open_named_dir(roots[i], &s->roots[i], e)) < 0)
            return -1;
    }
    return 0;
}

/* Two values of a name would be one thing to us and another to a child. */
static int
check_variables(const char *const *variables, struct err *e)
{
    size_t bytes = 0;

    for (size_t i = 0; variables && variables[i]; i++) {
        size_t n = strcspn(variables[i], "=");

        bytes += strlen(variables[i]) + 1;
        if (i == SEAT_VARIABLES_MAX || bytes > SEAT_VARIABLES_BYTES_MAX)
            return err_set(e, ERR_INVALID, "too many variables");
        if (n == 0 || !variables[i][n])
            return err_set(e, ERR_INVALID, "a variable is not NAME=value");
        for (size_t k = 0; k < i; k++)
            if (variable_value(variables[k], variables[i], n))
                return err_set(e, ERR_INVALID, "the variable %.*s comes twice",
                               (int)(n < 100 ? n : 100), variables[i]);
    }
    return 0;
}

struct seat *
seat_new(const struct seat_params *p, struct err *e)
{
    CLEANUP(seat_free_p) struct seat *s = NULL;

    if (check_variables(p->variables, e) < 0 || !(s = seat_alloc(e)) ||
        copy_variables(s, p->variables, e) < 0 || find_seat_home(s, e) < 0 ||
        (s->fd = open_named_dir(p->dir, &s->dir, e)) < 0 ||
        add_seat_roots(s, p->roots, e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

struct seat *
seat_move(const struct seat *from, const char *dir, const char *variable,
          struct err *e)
{
    size_t name = variable ? strcspn(variable, "=") : 0, n = 0, max = 0;
    CLEANUP(seat_free_p) struct seat *s = NULL;
    CLEANUP(free_p) const char **all = NULL;

    while (from->variables[max])
        max++;
    if (!(all = calloc(max + 2, sizeof(*all)))) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < max; i++)
        if (!variable || !variable_value(from->variables[i], variable, name))
            all[n++] = from->variables[i];
    all[n] = variable;
    if (!(s = seat_alloc(e)) || copy_variables(s, all, e) < 0 ||
        find_seat_home(s, e) < 0 ||
        (s->fd = open_named_dir(dir, &s->dir, e)) < 0 ||
        add_seat_roots(s, seat_roots(from), e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

const char *
seat_dir(const struct seat *s)
{
    return s->dir;
}

const char *
seat_need_dir(const struct seat *s, struct err *e)
{
    if (!s->dir)
        err_set(e, ERR_NOT_FOUND,
                "the working directory was removed: enter another one");
    return s->dir;
}

int
seat_fd(const struct seat *s)
{
    return s->fd;
}

const char *const *
seat_roots(const struct seat *s)
{
    return (const char *const *)s->roots;
}

const char *
seat_home(const struct seat *s)
{
    return s->home;
}

const char *
seat_path(const struct seat *s)
{
    return seat_variable(s, "PATH");
}

const char *const *
seat_variables(const struct seat *s)
{
    return (const char *const *)s->variables;
}

int
seat_stat(const struct seat *s, const char *path, int flags, struct stat *st)
{
    if (s)
        return fstatat(s->fd, path, st, flags);
    errno = ENOENT;
    return -1;
}

bool
seat_has(const struct seat *s, const char *path)
{
    struct stat st;

    return seat_stat(s, path, 0, &st) == 0;
}

char *
seat_resolve(const struct seat *s, const char *path)
{
    if (path[0] == '/' || !path[0])
        return strdup(path);
    return s->dir ? path_join(s->dir, path) : NULL;
}

char *
seat_expand_home(const struct seat *s, const char *path)
{
    return path_expand_below(s->home, path);
}

char *
seat_find_program(const struct seat *s, const char *name)
{
    CLEANUP(free_p) char *full = NULL;
    char gone[32], found[PATH_MAX];

    /* a directory that was deleted has no other path, and no programs */
    snprintf(gone, sizeof(gone), "/proc/self/fd/%d", s->fd);
    if (!strchr(name, '/'))
        return path_find_in(seat_path(s), s->dir ? s->dir : gone, name, found)
                   ? strdup(found)
                   : NULL;
    full = seat_resolve(s, name);
    return full && path_is_program(full) ? TAKE_PTR(full) : NULL;
}

char *
seat_place(const struct seat *s, enum path_place place, const char *name,
           struct err *e)
{
    return path_of_variables(place, seat_variable(s, path_variable(place)),
                             seat_variable(s, "HOME"), name, e);
}

int
seat_make_dirs(const struct seat *s, const char *path, mode_t mode,
               struct err *e)
{
    return path_make_dirs_apart(path, s->home, mode, e);
}
