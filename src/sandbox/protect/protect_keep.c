/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_keep.c - lists the paths that a command finds read-only, or cannot
 * rename. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "sandbox/protect/protect_internal.h"

/* Bytes of a program; a larger file is not copied. */
#define COPY_MAX (1 << 26)

/* Adds a path; takes ownership of it. */
static int
add_path(struct protect *p, char *path, bool writable, struct err *e)
{
    struct protect_path *paths = protect_grow(p->paths, p->n_paths,
                                              sizeof(*paths), e);

    if (paths)
        p->paths = paths;
    if (!paths || !path) {
        free(path);
        return -1;
    }
    paths[p->n_paths++] = (struct protect_path){path, writable};
    return 0;
}

static bool
is_path_kept(const struct protect *p, const char *path)
{
    for (size_t i = 0; i < p->n_paths; i++)
        if (strcmp(p->paths[i].path, path) == 0)
            return true;
    return false;
}

/* Pins the directories above a path that the walk did not reach. */
static int
pin_parents(const struct protect_scan *s, const char *path, struct err *e)
{
    for (const char *p = path; (p = strchr(p, '/')) != NULL; p++) {
        char *above = strndup(path, (size_t)(p - path));

        if (!above)
            return err_nomem(e);
        if (is_path_kept(s->p, above))
            free(above);
        else if (add_path(s->p, above, true, e) < 0)
            return -1;
    }
    return 0;
}

/* Pins a directory and those above it: a mount point cannot be renamed. */
static int
pin_with_parents(const struct protect_scan *s, struct protect_place *at,
                 struct err *e)
{
    if (at->pinned || !*at->path)
        return 0;
    if (at->up ? pin_with_parents(s, at->up, e) < 0
               : pin_parents(s, at->path, e) < 0)
        return -1;
    at->pinned = true;
    return add_path(s->p, protect_join("", at->path, e), true, e);
}

/* Copies the bytes of a file to a new one; -1 with errno. */
static int
copy_whole_file(int from, int to, const struct stat *st)
{
    off_t left = st->st_size;
    const struct timespec times[] = {st->st_atim, st->st_mtim};

    while (left > 0) {
        ssize_t n = sendfile(to, from, NULL, (size_t)left);

        if (n <= 0)
            return -1;
        left -= n;
    }
    if (fchown(to, st->st_uid, st->st_gid) < 0 && errno != EPERM)
        return -1;
    return fchmod(to, st->st_mode & 07777) < 0 ? -1 : futimens(to, times);
}

/* Makes a name for a new file in the same directory. It is random, because
 * whoever guesses it could put a file there first and so stop the command. */
static int
random_name_beside(const char *name, char out[NAME_MAX + 1])
{
    uint64_t number;

    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return -1;
    snprintf(out, NAME_MAX + 1, "%.200s.agentsh-%016" PRIx64, name, number);
    return 0;
}

/* Replaces a file that has several names by a copy, since its other names in
 * the workspace would not be read-only. */
static int
make_single(int dir, const char *name, const struct stat *st, struct err *e)
{
    CLEANUP(fd_close_p)
    int from = openat(dir, name,
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(fd_close_p) int to = -1;
    char other[NAME_MAX + 1] = "";
    struct stat now;
    /* somebody may have replaced it */
    bool same = from >= 0 && fstat(from, &now) == 0 &&
                now.st_ino == st->st_ino && now.st_dev == st->st_dev;

    if (st->st_size > COPY_MAX)
        errno = EFBIG;
    else if (same && random_name_beside(name, other) == 0)
        to = openat(dir, other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0 || copy_whole_file(from, to, st) < 0 ||
        renameat(dir, other, dir, name) < 0) {
        err_sys(e, "%s has other hard links, and cannot be copied", name);
        if (to >= 0)
            (void)unlinkat(dir, other, 0);
        return -1;
    }
    return 0;
}

/* Checks an entry before it is bound. */
static int
check_kept_entry(const struct protect_scan *s, int dir, const char *dir_path,
                 const char *name, bool writable, struct err *e)
{
    char target[PATH_MAX];
    struct stat st;
    ssize_t n;

    if (writable || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (S_ISREG(st.st_mode) && st.st_nlink > 1)
        return make_single(dir, name, &st, e);
    if (!S_ISLNK(st.st_mode))
        return 0;
    n = readlinkat(dir, name, target, sizeof(target) - 1);
    if (n <= 0)
        return 0;
    target[n] = '\0';
    return protect_keep_route(s, dir_path, target, ROUTE_ABSENT, e);
}

int
protect_keep(const struct protect_scan *s, struct protect_place *at,
             const char *name, bool writable, struct err *e)
{
    char *path;

    if (s->after)
        return 0;
    path = protect_join(at->path, name, e);
    if (!path || pin_with_parents(s, at, e) < 0) {
        free(path);
        return -1;
    }
    if (add_path(s->p, path, writable, e) < 0)
        return -1;
    return check_kept_entry(s, at->fd, at->path, name, writable, e);
}

int
protect_keep_whole(const struct protect_scan *s, struct protect_place *at,
                   struct err *e)
{
    struct stat st;

    if (s->after)
        return 0;
    if (!*at->path)
        return err_set(e, ERR_SANDBOX, "%s: cannot be read", s->p->root);
    if (at->up && pin_with_parents(s, at->up, e) < 0)
        return -1;
    at->pinned = true;
    if (fstat(at->fd, &st) == 0 &&
        protect_remember(s->p, &st, PROTECT_WHOLE, e) < 0)
        return -1;
    return add_path(s->p, protect_join("", at->path, e), false, e);
}

int
protect_keep_closed(const struct protect_scan *s, struct protect_place *at,
                    const char *name, struct err *e)
{
    struct stat st;

    if (s->after)
        return 0;
    if (fstatat(at->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return protect_keep_whole(s, at, e);
    if (protect_remember(s->p, &st, PROTECT_WHOLE, e) < 0)
        return -1;
    return protect_keep(s, at, name, false, e);
}

static int
visit_hook(const struct protect_scan *s, struct protect_place *at,
           const struct dirent64 *entry, struct err *e)
{
    size_t n = strlen(entry->d_name);

    if (n > sizeof(GIT_SAMPLE_SUFFIX) - 1 &&
        strcmp(entry->d_name + n - (sizeof(GIT_SAMPLE_SUFFIX) - 1),
               GIT_SAMPLE_SUFFIX) == 0)
        return 0;
    return check_kept_entry(s, at->fd, at->path, entry->d_name, false, e);
}

int
protect_keep_hooks(const struct protect_scan *s, struct protect_place *at,
                   const char *name, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    CLEANUP(free_p) char *path = NULL;

    if (s->after)
        return 0;
    fd = protect_open_dir(at->fd, name);
    path = protect_join(at->path, name, e);
    if (!path || protect_keep(s, at, name, false, e) < 0)
        return -1;
    if (fd < 0)
        return 0;
    return protect_walk(s, &(struct protect_place){.fd = fd, .path = path},
                        visit_hook, e);
}

/* Remembers a missing path, with what was to be below it. */
static int
add_absent(struct protect *p, const char *path, const char *rest, struct err *e)
{
    char **absent = protect_grow(p->absent, p->n_absent, sizeof(*absent), e);

    if (!absent)
        return -1;
    p->absent = absent;
    absent[p->n_absent] = *rest ? protect_join(path, rest, e) : strdup(path);
    if (!absent[p->n_absent])
        return err_set(e, ERR_NOMEM, "%s: out of memory", path);
    p->n_absent++;
    return 0;
}

/* A path that is being resolved below the root. */
struct route {
    char at[PATH_MAX];   /* the resolved part, without links; "" is the root */
    char rest[PATH_MAX]; /* the part that is left */
    int links;
};

/* Puts the target of a link in front of what is left. Returns false if it leads
 * out of the root, where nothing is writable, or is too long. */
static bool
set_rest(const struct protect *p, struct route *r, const char *target,
         const char *behind)
{
    char joined[PATH_MAX];
    int len;

    if (target[0] == '/') {
        target = path_behind(target, p->root);
        r->at[0] = '\0';
    }
    if (!target)
        return false;
    len = snprintf(joined, sizeof(joined), "%s%s%s", target, *behind ? "/" : "",
                   behind);
    if (len >= (int)sizeof(joined) || ++r->links > PATH_LINKS_MAX)
        return false;
    memcpy(r->rest, joined, (size_t)len + 1);
    return true;
}

/* Takes the next component off what is left; false: there is none. */
static bool
next_route_part(struct route *r, char part[NAME_MAX + 1])
{
    size_t skip = strspn(r->rest, "/");
    size_t n = strcspn(r->rest + skip, "/");

    if (n == 0 || n > NAME_MAX)
        return false;
    memcpy(part, r->rest + skip, n);
    part[n] = '\0';
    skip += n;
    skip += strspn(r->rest + skip, "/");
    memmove(r->rest, r->rest + skip, strlen(r->rest + skip) + 1);
    return true;
}

/* Goes to the parent directory; false: that is out of the root. */
static bool
go_up(struct route *r)
{
    char *slash = strrchr(r->at, '/');

    if (!*r->at)
        return false;
    *(slash ? slash : r->at) = '\0';
    return true;
}

enum { ROUTE_ON, ROUTE_OVER };

static int
keep_at(const struct protect_scan *s, const char *path, struct err *e)
{
    if (is_path_kept(s->p, path))
        return 0;
    if (pin_parents(s, path, e) < 0)
        return -1;
    return add_path(s->p, protect_join("", path, e), false, e);
}

/* Handles the end of the path. */
static int
keep_end(const struct protect_scan *s, int dir, const char *name,
         const char *path, const struct stat *st, unsigned how, struct err *e)
{
    if (S_ISDIR(st->st_mode) && (how & ROUTE_FILE) != 0)
        return ROUTE_OVER;
    if (S_ISREG(st->st_mode) && st->st_nlink > 1 &&
        make_single(dir, name, st, e) < 0)
        return -1;
    return keep_at(s, path, e) < 0 ? -1 : ROUTE_OVER;
}

static int
walk_part(const struct protect_scan *s, struct route *r, const char *part,
          unsigned how, struct err *e)
{
    CLEANUP(fd_close_p) int dir = protect_reopen(s->p, r->at, O_PATH);
    CLEANUP(free_p) char *path = protect_join(r->at, part, e);
    char target[PATH_MAX];
    struct stat st;
    ssize_t n;

    if (!path)
        return -1;
    if (strlen(path) >= sizeof(r->at) || dir < 0)
        return ROUTE_OVER;
    if (fstatat(dir, part, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return (how & ROUTE_ABSENT) != 0 &&
                       add_absent(s->p, path, r->rest, e) < 0
                   ? -1
                   : ROUTE_OVER;
    if (S_ISLNK(st.st_mode)) {
        n = readlinkat(dir, part, target, sizeof(target) - 1);
        target[n < 0 ? 0 : n] = '\0';
        if (keep_at(s, path, e) < 0)
            return -1;
        return n > 0 && set_rest(s->p, r, target, r->rest) ? ROUTE_ON
                                                           : ROUTE_OVER;
    }
    if (!*r->rest)
        return keep_end(s, dir, part, path, &st, how, e);
    memcpy(r->at, path, strlen(path) + 1);
    return ROUTE_ON;
}

/* Handles a path that leaves the root and comes back, as realpath(3) resolves
 * it: a command cannot change links outside the root. */
static int
keep_real(const struct protect_scan *s, const char *from, const char *target,
          unsigned how, struct err *e)
{
    CLEANUP(free_p) char *top = protect_join(s->p->root, from, e);
    CLEANUP(free_p) char *whole = top ? protect_join(top, target, e) : NULL;
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(free_p) char *above = NULL;
    CLEANUP(fd_close_p) int dir = -1;
    const char *path, *name;
    struct stat st;

    if (!whole)
        return -1;
    real = realpath(*target == '/' ? target : whole, NULL);
    path = real ? path_behind(real, s->p->root) : NULL;
    if (!path || !*path)
        return 0;
    /* its directory is open, so changing the path to it has no effect */
    name = strrchr(path, '/');
    above = strndup(path, name ? (size_t)(name - path) : 0);
    if (!above)
        return err_nomem(e);
    name = name ? name + 1 : path;
    dir = protect_reopen(s->p, above, O_PATH | O_DIRECTORY);
    if (dir < 0 || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    return keep_end(s, dir, name, path, &st, how, e) < 0 ? -1 : 0;
}

int
protect_keep_route(const struct protect_scan *s, const char *from,
                   const char *target, unsigned how, struct err *e)
{
    struct route r = {.links = 0};
    char part[NAME_MAX + 1];
    int rc = ROUTE_ON;

    if (s->after || strlen(from) >= sizeof(r.at))
        return 0;
    memcpy(r.at, from, strlen(from) + 1);
    if (!set_rest(s->p, &r, target, ""))
        return keep_real(s, from, target, how, e);
    while (rc == ROUTE_ON && next_route_part(&r, part)) {
        if (strcmp(part, ".") == 0)
            continue;
        if (strcmp(part, "..") != 0)
            rc = walk_part(s, &r, part, how, e);
        else if (!go_up(&r))
            return keep_real(s, from, target, how, e);
    }
    return rc < 0 ? -1 : 0;
}
