/* SPDX-License-Identifier: GPL-3.0-or-later */
/* binds.c - lists the places where the sandbox's view differs from the
 * machine's files. */
#include "sandbox/launch/binds.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "sandbox/spec.h"

#define RESOLV_CONF "/etc/resolv.conf"

int
binds_open_real(const char *real)
{
    struct open_how how = {
        .flags = O_PATH | O_CLOEXEC,
        .resolve = RESOLVE_NO_SYMLINKS,
    };

    return (int)syscall(SYS_openat2, AT_FDCWD, real, &how, sizeof(how));
}

/* Returns the path of an open file; the caller frees it. */
static char *
real_of(int fd, struct err *e)
{
    char link[32], real[PATH_MAX];
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = readlink(link, real, sizeof(real) - 1);
    if (n <= 0 || real[0] != '/') {
        sandbox_layer_missing(e, "/proc");
        return NULL;
    }
    real[n] = '\0';
    return strdup(real);
}

/* Returns whether a path has no empty part and no "." or "..". */
static bool
is_clean_path(const char *path)
{
    size_t n;

    for (; *path; path += n) {
        path++;
        n = strcspn(path, "/");
        if (n == 0 || (path[0] == '.' && n == 1) ||
            (path[0] == '.' && path[1] == '.' && n == 2))
            return false;
    }
    return true;
}

/* Opens a path that may contain links. Most paths have none; they are opened
 * without following links first, which saves a system call. */
static int
open_place(const char *path, char **real, struct err *e)
{
    int fd = is_clean_path(path) ? binds_open_real(path) : -1;

    if (fd >= 0) {
        *real = strdup(path);
        return fd;
    }
    fd = open(path, O_PATH | O_CLOEXEC);
    *real = fd < 0 ? NULL : real_of(fd, e);
    return fd;
}

static void
close_near(struct binds *b)
{
    if (b->near)
        close(b->near_fd);
    b->near = NULL;
}

/* Opens the directory that holds a path, unless it is open already. */
static bool
open_near(struct binds *b, const char *path, size_t length)
{
    char dir[PATH_MAX];

    if (b->near && b->near_length == length &&
        memcmp(b->near, path, length) == 0)
        return true;
    close_near(b);
    if (length == 0 || length >= sizeof(dir))
        return false;
    memcpy(dir, path, length);
    dir[length] = '\0';
    b->near_fd = binds_open_real(dir);
    if (b->near_fd < 0)
        return false;
    b->near = path;
    b->near_length = length;
    return true;
}

/* Most secrets lie in one directory and are no links, so that one system call
 * for each is enough. Returns false when it is a link, or missing. */
static bool
stat_near(struct binds *b, const char *path, struct stat *st)
{
    const char *name = path_base(path);

    return is_clean_path(path) &&
           open_near(b, path, (size_t)(name - path) - 1) &&
           fstatat(b->near_fd, name, st, AT_SYMLINK_NOFOLLOW) == 0 &&
           !S_ISLNK(st->st_mode);
}

static int
add_near(struct binds *b, const char *path, const struct stat *st,
         struct err *e)
{
    struct bind *at = &b->at[b->n];

    *at = (struct bind){.given = path,
                        .real = strdup(path),
                        .kind = BIND_SECRET,
                        .directory = S_ISDIR(st->st_mode)};
    if (!at->real)
        return err_nomem(e);
    b->n++;
    return 0;
}

static int
add_bind(struct binds *b, const char *path, enum bind_kind kind, bool needed,
         struct err *e)
{
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(fd_close_p) int fd = open_place(path, &real, e);
    struct bind *at = &b->at[b->n];
    struct stat st;

    if (fd < 0 && !needed)
        return 0;
    if (fd < 0 || fstat(fd, &st) < 0)
        return sandbox_layer_missing_at(e, "path", path);
    if (!real)
        return -1;
    *at = (struct bind){.given = path,
                        .real = TAKE_PTR(real),
                        .kind = kind,
                        .directory = S_ISDIR(st.st_mode)};
    b->n++;
    return 0;
}

static int
bind_paths(struct binds *b, const char *const *paths, enum bind_kind kind,
           bool needed, struct err *e)
{
    for (; *paths; paths++) {
        if (add_bind(b, *paths, kind, needed, e) < 0)
            return -1;
    }
    return 0;
}

/* Returns the shared directory of the list in which a path lies; NULL: none, or
 * the path lies in the home directory or the workspace. */
static const struct bind *
shared_above(const struct binds *b, const struct sandbox_spec *s,
             const char *path)
{
    if ((s->home && path_is_below(path, s->home)) ||
        (s->workspace && path_is_below(path, s->workspace)))
        return NULL;
    for (size_t i = 0; i < b->n; i++) {
        if (b->at[i].kind == BIND_EMPTY && path_is_below(path, b->at[i].given))
            return &b->at[i];
    }
    return NULL;
}

/* Anybody may have made a link there, so none is followed. */
static int
add_shared(struct binds *b, const struct bind *place, const char *path,
           struct err *e)
{
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    struct bind *at = &b->at[b->n];
    struct stat st;

    if (asprintf(&real, "%s%s", place->real, path + strlen(place->given)) < 0)
        real = NULL;
    if (!real)
        return err_nomem(e);
    fd = binds_open_real(real);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (!is_clean_path(real) || (fd < 0 && errno == ELOOP))
        return err_set(e, ERR_SANDBOX,
                       "sandbox: %.150s: symbolic links there are not "
                       "followed; name the target",
                       path);
    if (fd < 0 || fstat(fd, &st) < 0)
        return sandbox_layer_missing_at(e, "path", path);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
        return err_set(e, ERR_SANDBOX,
                       "sandbox: %.150s is neither a file nor a directory",
                       path);
    *at = (struct bind){.given = path,
                        .real = TAKE_PTR(real),
                        .kind = BIND_READ,
                        .directory = S_ISDIR(st.st_mode)};
    b->n++;
    return 0;
}

/* `observe` shows a path as it is, unless it lies in a shared directory. */
static int
add_seen(struct binds *b, const char *path, bool needed, struct err *e)
{
    size_t before = b->n;
    bool hidden = false;

    if (add_bind(b, path, BIND_READ, needed, e) < 0)
        return -1;
    if (b->n == before)
        return 0;
    for (size_t i = 0; i < before; i++)
        hidden |= (b->at[i].kind == BIND_EMPTY ||
                   b->at[i].kind == BIND_SECRET) &&
                  path_is_below(b->at[before].real, b->at[i].real);
    if (!hidden)
        free(b->at[--b->n].real);
    return 0;
}

/* Returns whether nothing is hidden, so that nothing need be put back. */
static bool
sees_all(const struct sandbox_spec *s)
{
    return s->profile == PROFILE_PLUGIN && s->sees_all;
}

static int
bind_readable(struct binds *b, const struct sandbox_spec *s, struct err *e)
{
    bool shown = s->profile == PROFILE_OBSERVE || sees_all(s);

    for (const char *const *p = s->readable; *p; p++) {
        const struct bind *place = shared_above(b, s, *p);
        int rc = place   ? add_shared(b, place, *p, e)
                 : shown ? add_seen(b, *p, false, e)
                         : add_bind(b, *p, BIND_READ, false, e);

        if (rc < 0)
            return -1;
    }
    return 0;
}

static int
add_home(struct binds *b, const struct sandbox_spec *s, struct err *e)
{
    if (!s->home || s->home[1] == '\0' || sees_all(s))
        return 0;
    if (s->profile == PROFILE_OBSERVE)
        return add_seen(b, s->home, false, e);
    return add_bind(b, s->home, BIND_HOME, false, e);
}

/* A cache directory need not exist outside. */
static int
add_caches(struct binds *b, const char *const *paths, struct err *e)
{
    for (; *paths; paths++) {
        struct bind *at = &b->at[b->n];
        size_t before = b->n;

        if (add_bind(b, *paths, BIND_EMPTY, false, e) < 0)
            return -1;
        if (b->n > before)
            continue;
        *at = (struct bind){.given = *paths,
                            .real = strdup(*paths),
                            .kind = BIND_EMPTY,
                            .directory = true};
        if (!at->real)
            return err_nomem(e);
        b->n++;
    }
    return 0;
}

/* Puts back the file of name servers, which systemd and others keep in /run. */
static int
add_resolver(struct binds *b, struct err *e)
{
    char *real = realpath(RESOLV_CONF, NULL);
    bool hidden = real && path_is(real, PATH_IS_SERVICES);

    free(real);
    return hidden ? add_bind(b, RESOLV_CONF, BIND_READ, false, e) : 0;
}

static bool
is_below(const char *const *paths, const char *path)
{
    for (; *paths; paths++) {
        if (path_is_below(path, *paths))
            return true;
    }
    return false;
}

/* Below a hidden home directory, secrets need to be hidden only in what is put
 * back. */
static int
add_secrets(struct binds *b, const struct sandbox_spec *s, struct err *e)
{
    struct stat st;

    for (size_t i = 0; s->secret[i]; i++) {
        const char *path = s->secret[i];
        bool hidden = s->profile != PROFILE_OBSERVE && !sees_all(s) &&
                      s->home && path_is_below(path, s->home);

        if (hidden && !is_below(s->readable, path) &&
            !is_below(s->writable, path) &&
            !(s->workspace && path_is_below(path, s->workspace)))
            continue;
        if ((stat_near(b, path, &st)
                 ? add_near(b, path, &st, e)
                 : add_bind(b, path, BIND_SECRET, false, e)) < 0)
            return -1;
    }
    close_near(b);
    return 0;
}

static bool
profile_writes_files(const struct sandbox_spec *s)
{
    return s->profile != PROFILE_OBSERVE_PROC && s->profile != PROFILE_FULL;
}

static int
add_workspace(struct binds *b, const struct sandbox_spec *s, struct err *e)
{
    enum bind_kind kind = s->preview && !spec_is_reduced(s) ? BIND_COPY
                          : s->profile == PROFILE_WORKSPACE_WRITE ||
                                  s->profile == PROFILE_REDUCED
                              ? BIND_WRITE
                              : BIND_READ;
    const char *real;

    if ((s->profile == PROFILE_PREVIEW && (!s->preview || s->reduced)) ||
        (s->preview && !s->workspace))
        return err_set(e, ERR_SANDBOX,
                       "sandbox: preview: needs a workspace and a directory");
    if (!s->workspace || sees_all(s))
        return 0;
    if (s->profile == PROFILE_OBSERVE && !s->preview)
        return add_seen(b, s->workspace, true, e);
    if (add_bind(b, s->workspace, kind, true, e) < 0)
        return -1;
    real = b->at[b->n - 1].real;
    if (strcmp(real, "/") == 0 || (s->home && path_is_below(s->home, real)))
        return err_set(
            e, ERR_SANDBOX,
            "sandbox: workspace: '%.100s' contains the home directory", real);
    return 0;
}

/* Returns whether a command could rename the directory: the nearest entry of
 * the list that contains it is writable, and it is no mount point itself. */
static bool
is_loose(const struct binds *b, const char *dir)
{
    const struct bind *nearest = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];
        size_t length = strlen(at->real);

        if (strcmp(at->real, dir) == 0)
            return false;
        if (at->kind != BIND_PIN && length >= longest &&
            path_is_below(dir, at->real)) {
            longest = length;
            nearest = at;
        }
    }
    return nearest && nearest->kind == BIND_WRITE;
}

static int
pin_directory(struct binds *b, const char *dir, struct err *e)
{
    char *real = strdup(dir);

    if (!real)
        return err_nomem(e);
    if (b->n == BINDS_MAX) {
        free(real);
        errno = E2BIG;
        return sandbox_layer_missing_at(e, "mounts", dir);
    }
    b->at[b->n++] = (struct bind){
        .given = real, .real = real, .kind = BIND_PIN, .directory = true};
    return 0;
}

/* Pins the directories above one place. */
static int
pin_directories_above(struct binds *b, const char *real, struct err *e)
{
    CLEANUP(free_p) char *dir = strdup(real);
    char *slash;

    if (!dir)
        return err_nomem(e);
    while ((slash = strrchr(dir, '/')) != NULL && slash > dir) {
        *slash = '\0';
        if (is_loose(b, dir) && pin_directory(b, dir, e) < 0)
            return -1;
    }
    return 0;
}

/* Only in a writable place can a directory be renamed. */
static bool
has_writable(const struct binds *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->at[i].kind == BIND_WRITE)
            return true;
    return false;
}

static int
pin_places(struct binds *b, struct err *e)
{
    size_t n = b->n;

    if (!has_writable(b))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (b->at[i].kind != BIND_WRITE &&
            pin_directories_above(b, b->at[i].real, e) < 0)
            return -1;
    return 0;
}

/* Sorts outer places before inner ones, and keeps the order otherwise: a place
 * that is put back comes after the one that hides it. */
static void
sort_binds(struct binds *b)
{
    for (size_t i = 1; i < b->n; i++) {
        struct bind one = b->at[i];
        size_t length = strlen(one.real), j = i;

        for (; j > 0 && strlen(b->at[j - 1].real) > length; j--)
            b->at[j] = b->at[j - 1];
        b->at[j] = one;
    }
}

size_t
binds_writable(const struct binds *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        n += b->at[i].kind == BIND_WRITE || b->at[i].kind == BIND_COPY;
    return n;
}

void
binds_mark(struct binds *b)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; b->at[i].kind != BIND_SECRET && j < b->n; j++)
            if (b->at[j].kind == BIND_SECRET &&
                path_is_below(b->at[i].real, b->at[j].real))
                b->at[j].holds = true;
}

static bool
is_in_writable(const struct binds *b, const char *real)
{
    for (size_t i = 0; i < b->n; i++)
        if ((b->at[i].kind == BIND_WRITE || b->at[i].kind == BIND_COPY) &&
            path_is_below(real, b->at[i].real))
            return true;
    return false;
}

/* Only a regular file is as read-only as its mount. */
static bool
is_regular_place(const char *real)
{
    CLEANUP(fd_close_p) int fd = binds_open_real(real);
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

bool
binds_shows_more(const struct binds *b, const struct bind *empty)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];

        if (at->kind == BIND_READ && path_is_below(at->real, empty->real) &&
            !is_in_writable(b, at->real) && !is_regular_place(at->real))
            return true;
    }
    return false;
}

/* A confined process gets its own directories where programs leave files for
 * each other and services listen; `observe` shows the latter as they are. */
static int
add_private(struct binds *b, const struct sandbox_spec *s, struct err *e)
{
    unsigned kinds = s->profile == PROFILE_OBSERVE
                         ? PATH_IS_DROP
                         : PATH_IS_DROP | PATH_IS_SERVICES;
    const char *row;
    size_t at = 0;

    while (!sees_all(s) && (row = path_next(kinds, &at)))
        if (add_bind(b, row, BIND_EMPTY, false, e) < 0)
            return -1;
    return 0;
}

int
binds_make(const struct sandbox_spec *s, struct binds *out, struct err *e)
{
    bool looks = s->profile == PROFILE_OBSERVE;

    if (add_private(out, s, e) < 0 || add_home(out, s, e) < 0)
        return -1;
    if (add_secrets(out, s, e) < 0 || bind_readable(out, s, e) < 0 ||
        (!looks && add_caches(out, s->cache, e) < 0) ||
        add_workspace(out, s, e) < 0 ||
        (profile_writes_files(s) &&
         bind_paths(out, s->writable, BIND_WRITE, true, e) < 0) ||
        bind_paths(out, s->programs, BIND_READ, true, e) < 0 ||
        (s->net && add_resolver(out, e) < 0) || pin_places(out, e) < 0)
        return -1;
    sort_binds(out);
    binds_mark(out);
    return 0;
}

void
binds_done(struct binds *b)
{
    close_near(b);
    for (size_t i = 0; i < b->n; i++)
        free(b->at[i].real);
}
