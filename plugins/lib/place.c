/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - finds where a path leads, and holds the directory it is in. */
#include "plugins/lib/place.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"

static const struct place_kind {
    mode_t type;
    const char *word;
} kinds[] = {
    {S_IFREG, "file"},   {S_IFDIR, "directory"}, {S_IFLNK, "symlink"},
    {S_IFIFO, "fifo"},   {S_IFSOCK, "socket"},   {S_IFCHR, "device"},
    {S_IFBLK, "device"},
};

const char *
place_kind(mode_t mode)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if ((mode & S_IFMT) == kinds[i].type)
            return kinds[i].word;
    }
    return "unknown";
}

const char *
place_show(const char *path, char text[PLACE_SHOWN_SIZE])
{
    size_t n = strlen(path);
    const char *from = path;

    if (n >= PLACE_SHOWN_SIZE) {
        from = path + n - (PLACE_SHOWN_SIZE - sizeof("..."));
        while ((*from & 0xC0) == 0x80) /* not into a character */
            from++;
    }
    snprintf(text, PLACE_SHOWN_SIZE, "%s%s", from == path ? "" : "...", from);
    return text;
}

/* Opens `name` in dir, and no link. O_NONBLOCK: a FIFO makes nobody wait. */
static int
open_name(int dir, const char *name, int flags)
{
    flags |= O_NOFOLLOW | O_CLOEXEC;
    if (!(flags & O_PATH))
        flags |= O_NONBLOCK | O_NOCTTY;
    return openat(dir, name, flags | O_CLOEXEC);
}

/* Opens what lies below dir, or at an absolute path, name by name: a path
 * without links stays one, also when somebody puts a link into it meanwhile.
 * openat2(2) would do it at once, but is refused in a sandbox where a file can
 * be made: a filter does not see its mode. */
static int
open_beneath(int dir, const char *path, int flags)
{
    CLEANUP(free_p) char *names = strdup(path);
    CLEANUP(fd_close_p) int at = -1;
    char *next = NULL;
    char *name = names ? strtok_r(names, "/", &next) : NULL;

    if (!names)
        return -1;
    if (path[0] == '/' && (at = open("/", O_PATH | O_CLOEXEC)) < 0)
        return -1;
    if (!name && at >= 0 && flags == (O_PATH | O_DIRECTORY))
        return TAKE_FD(at);
    for (char *after; name; name = after) {
        int from = at < 0 ? dir : at, to;

        after = strtok_r(NULL, "/", &next);
        to = open_name(from, name, after ? O_PATH | O_DIRECTORY : flags);
        if (to < 0 || !after)
            return to;
        if (at >= 0)
            close(at);
        at = to;
    }
    return open_name(at < 0 ? dir : at, ".", flags);
}

/* Somebody put a link where there was none a moment ago. */
static int
fail_open(const struct place *p, struct err *e)
{
    if (errno == ELOOP || errno == ENOTDIR)
        return err_set(e, ERR_PERMISSION, "%s: changed while it was opened",
                       p->shown);
    return err_sys(e, "%s", p->shown);
}

/* Opens the directory that holds `rest` of a root. */
static int
hold(struct place *p, const char *root, const char *rest, struct err *e)
{
    const char *slash = strrchr(rest, '/');
    CLEANUP(free_p) char *parent = NULL;
    CLEANUP(fd_close_p) int top = -1;

    top = open_beneath(AT_FDCWD, root, O_PATH | O_DIRECTORY);
    if (top < 0)
        return fail_open(p, e);
    p->root = rest[0] == '\0';
    p->name = p->root ? "." : slash ? slash + 1 : rest;
    if (!slash) {
        p->dir = TAKE_FD(top);
        return 0;
    }
    parent = strndup(rest, (size_t)(slash - rest));
    if (!parent)
        return err_sys(e, "%s", p->shown);
    p->dir = open_beneath(top, parent, O_PATH | O_DIRECTORY);
    return p->dir < 0 ? fail_open(p, e) : 0;
}

static int
outside(const struct place *p, const struct json *roots, const char *own,
        struct err *e)
{
    char root[PLACE_SHOWN_SIZE];
    const char *first = json_str(json_at(roots, 0), NULL);
    size_t n = json_count(roots);

    if (roots && n == 0)
        return err_set(e, ERR_PERMISSION, "%s: permission denied", p->shown);
    place_show(roots ? first : own, root);
    if (n > 1)
        return err_set(e, ERR_PERMISSION,
                       "%s: is outside of %s and %zu more roots", p->shown,
                       root, n - 1);
    return err_set(e, ERR_PERMISSION, "%s: is outside of %s", p->shown, root);
}

/* The first root above p->real; roots are taken by their real names. */
static int
find_root(struct place *p, const struct json *roots, const char *own,
          struct err *e)
{
    const struct json *v = json_first(roots);

    for (const char *root = roots ? json_str(v, NULL) : own; root;
         root = json_str(v, NULL)) {
        CLEANUP(free_p) char *real = realpath(root, NULL);
        const char *rest = real ? path_behind(p->real, real) : NULL;

        if (rest)
            return hold(p, real, rest, e);
        v = json_next(v);
    }
    return outside(p, roots, own, e);
}

static int
find(const char *path, enum place_last last, const struct json *roots,
     const char *own, struct place *out, struct err *e)
{
    CLEANUP(place_done) struct place p = {.dir = -1};

    place_show(path, p.shown);
    p.real = place_real(path, last, e);
    if (!p.real || find_root(&p, roots, own, e) < 0)
        return -1;
    *out = p;
    p = (struct place){.dir = -1};
    return 0;
}

int
place_to_read(const struct request *r, const char *path, struct place *out,
              struct err *e)
{
    return find(path, PLACE_TARGET, r->read_roots, "/", out, e);
}

int
place_to_write(const struct request *r, const char *path, enum place_last last,
               struct place *out, struct err *e)
{
    CLEANUP(free_p) char *own = getcwd(NULL, 0);

    if (!own)
        return err_sys(e, "the working directory");
    return find(path, last, r->write_roots, own, out, e);
}

void
place_done(struct place *p)
{
    if (!p)
        return;
    if (p->real && p->dir >= 0)
        close(p->dir);
    free(p->real);
    *p = (struct place){.dir = -1};
}

int
place_stat(const struct place *p, struct stat *st, struct err *e)
{
    if (fstatat(p->dir, p->name, st, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s", p->shown);
    return 0;
}

int
place_check_file(const struct place *p, const struct stat *st, struct err *e)
{
    if (S_ISREG(st->st_mode))
        return 0;
    return err_set(e, ERR_IO, "%s: is a %s, not a regular file", p->shown,
                   place_kind(st->st_mode));
}

int
place_open_dir(const struct place *p, struct err *e)
{
    struct stat st;
    int fd;

    if (place_stat(p, &st, e) < 0)
        return -1;
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_IO, "%s: is a %s, not a directory", p->shown,
                       place_kind(st.st_mode));
    fd = open_beneath(p->dir, p->name, O_RDONLY | O_DIRECTORY);
    return fd < 0 ? fail_open(p, e) : fd;
}

int
place_open_file(const struct place *p, struct stat *st, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    /* looked at first: opening alone wakes some devices */
    if (place_stat(p, st, e) < 0 || place_check_file(p, st, e) < 0)
        return -1;
    fd = open_beneath(p->dir, p->name, O_RDONLY);
    if (fd < 0)
        return fail_open(p, e);
    if (fstat(fd, st) < 0)
        return err_sys(e, "%s", p->shown);
    if (place_check_file(p, st, e) < 0)
        return -1;
    return TAKE_FD(fd);
}
