/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_git.c - what of a repository git believes, before and after. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define MODULES_DEPTH 16 /* parts of a submodule's name, submodules in it */

/* One that is missing is lent: empty, it means nothing to git. Where we may
 * not, its owner could let himself: then all of it stays as it is. */
static int
keep_lent(const struct scan *s, struct place *git,
          const struct git_trusted *row, unsigned *had, unsigned bit,
          struct err *e)
{
    bool lent = false;

    if (protect_lend(s, git, row->name, row->text, &lent, e) < 0)
        return -1;
    if (!lent && !protect_has(git->fd, row->name))
        return protect_keep_whole(s, git, e);
    *had |= lent ? 0 : bit;
    return row->kind == GIT_HOOKS ? protect_keep_hooks(s, git, row->name, e)
                                  : protect_keep(s, git, row->name, false, e);
}

/* A linked working tree has its configuration elsewhere. */
static bool
is_shared(const struct place *git)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, "commondir", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char text[sizeof(GIT_COMMONDIR_SELF)];

    return fd >= 0 &&
           (read(fd, text, sizeof(text)) !=
                (ssize_t)strlen(GIT_COMMONDIR_SELF) ||
            memcmp(text, GIT_COMMONDIR_SELF, strlen(GIT_COMMONDIR_SELF)) != 0);
}

/* Whether git reads config.worktree now, or what is written there could wait:
 * else it is enough to look at it afterwards. The configuration itself has to
 * say so; no included file may. */
static bool
reads_more(const struct place *git)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, "config", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = fd < 0 ? NULL : malloc(GIT_CONFIG_MAX + 1);
    ssize_t n = text ? read(fd, text, GIT_CONFIG_MAX) : -1;

    if (n < 0 || n == (ssize_t)GIT_CONFIG_MAX)
        return true; /* a linked working tree has none of its own */
    text[n] = '\0';
    return strcasestr(text, "worktreeconfig") != NULL;
}

static int
keep_row(const struct scan *s, struct place *git, const struct git_trusted *row,
         unsigned *had, unsigned bit, struct err *e)
{
    if (row->missing == GIT_PLACEHOLDER && row->kind == GIT_CONFIG &&
        !protect_has(git->fd, row->name) && !reads_more(git))
        return 0;
    if (row->missing == GIT_UNTOUCHED)
        return 0; /* git goes on with it */
    return keep_lent(s, git, row, had, bit, e);
}

static int
keep_all(const struct scan *s, struct place *git, unsigned *had, struct err *e)
{
    bool shared = is_shared(git);
    unsigned bit = 1;

    for (const struct git_trusted *row = git_trusted_paths(); row->name;
         row++) {
        bool used = !shared || row->missing != GIT_PLACEHOLDER_MAIN;

        if (used && keep_row(s, git, row, had, bit, e) < 0)
            return -1;
        bit <<= 1;
    }
    return 0;
}

static int keep_inner(const struct scan *s, struct place *git, const char *name,
                      struct err *e);

/* A repository's directory, which was found for the first time. tree: where
 * its working tree is; NULL: it is not known, or has none. */
static int
visit_repository(const struct scan *s, struct place *git, const char *tree,
                 struct err *e)
{
    struct stat st;
    const struct protect_repo *repo;
    unsigned had = 0;

    if (fstat(git->fd, &st) < 0)
        return 0;
    repo = protect_known(s->p, &st);
    if (!s->after && repo)
        return tree ? protect_named(s, git, tree, e) : 0;
    if (s->after)
        protect_clean(s, git, repo);
    else if (keep_all(s, git, &had, e) < 0 ||
             protect_note(s->p, &st, had, e) < 0)
        return -1;
    if (!repo && protect_named(s, git, tree, e) < 0)
        return -1;
    for (const struct git_trusted *row = git_trusted_paths(); row->name;
         row++) {
        if (row->kind == GIT_REPOSITORIES &&
            keep_inner(s, git, row->name, e) < 0)
            return -1;
    }
    return 0;
}

/* What a submodule or a linked working tree lives in: .git/modules/NAME,
 * .git/worktrees/NAME; NAME may have parts. */
static int
visit_module(const struct scan *s, struct place *at,
             const struct dirent64 *entry, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, entry->d_name);
    CLEANUP(free_p) char *path = NULL;
    struct place in = {.up = at, .depth = at->depth + 1};
    mode_t mode = 0;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, at->fd, entry->d_name, &mode);
    if (fd < 0 && errno == EACCES)
        return protect_keep_closed(s, at, entry->d_name, e);
    if (at->depth >= MODULES_DEPTH)
        return protect_keep(s, at, entry->d_name, false, e);
    if (fd < 0)
        return 0;
    in.fd = fd;
    in.path = path = protect_below(at->path, entry->d_name, e);
    if (!path || protect_keep(s, at, entry->d_name, true, e) < 0)
        return -1;
    in.pinned = true;
    if (protect_has(fd, "HEAD") || protect_has(fd, "config") ||
        protect_has(fd, "objects"))
        rc = visit_repository(s, &in, NULL, e);
    else
        rc = protect_walk(s, &in, visit_module, e);
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

static int
keep_inner(const struct scan *s, struct place *git, const char *name,
           struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(git->fd, name);
    CLEANUP(free_p) char *path = NULL;
    struct place in = {.up = git, .depth = 0, .pinned = true};
    mode_t mode = 0;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, git->fd, name, &mode);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0 && errno == EACCES)
        return protect_keep_closed(s, git, name, e);
    if (fd < 0) /* a link */
        return protect_keep(s, git, name, false, e);
    in.fd = fd;
    in.path = path = protect_below(git->path, name, e);
    if (!path || protect_keep(s, git, name, true, e) < 0)
        return -1;
    rc = protect_walk(s, &in, visit_module, e);
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

/* Where a `.git` that is a file or a link leads, below the root; the caller
 * frees it. NULL: nowhere, or elsewhere, where nothing is writable. */
static char *
target_of(const struct scan *s, const struct place *at, const struct stat *st)
{
    static const char mark[] = "gitdir: ";
    const size_t m = sizeof(mark) - 1, n = strlen(s->p->root);
    char text[PATH_MAX];
    CLEANUP(free_p) char *above = protect_below(s->p->root, at->path, NULL);
    CLEANUP(free_p) char *whole = NULL;
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    const char *named = GIT_DIR;
    ssize_t len;

    if (S_ISREG(st->st_mode)) {
        fd = openat(at->fd, GIT_DIR,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
        text[len < 0 ? 0 : len] = '\0';
        if (len <= (ssize_t)m || memcmp(text, mark, m) != 0)
            return NULL;
        text[m + strcspn(text + m, "\r\n")] = '\0';
        named = text + m;
    }
    whole = above ? protect_below(above, named, NULL) : NULL;
    real = whole ? realpath(*named == '/' ? named : whole, NULL) : NULL;
    return real && strncmp(real, s->p->root, n) == 0 && real[n] == '/'
               ? strdup(real + n + 1)
               : NULL;
}

/* A `.git` that is no directory: it stays, and so does what is believed where
 * it leads. */
static int
visit_link(const struct scan *s, struct place *at, const struct stat *st,
           const char *path, struct err *e)
{
    CLEANUP(free_p) char *target = target_of(s, at, st);
    CLEANUP(fd_close_p) int fd = -1;
    struct place git = {.depth = 1, .path = target};

    if (s->after && !protect_known(s->p, st))
        protect_tell(s, PROTECT_NEW, path);
    if (!s->after &&
        (protect_note(s->p, st, 0, e) < 0 ||
         protect_keep(s, at, GIT_DIR, S_ISLNK(st->st_mode), e) < 0))
        return -1;
    git.fd = fd = target ? protect_reopen(s->p, target, O_RDONLY | O_DIRECTORY)
                         : -1;
    return fd < 0 ? 0 : visit_repository(s, &git, at->path, e);
}

/* `.git` of a directory: a repository, or a file that says where it is. */
int
protect_git(const struct scan *s, struct place *at, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, GIT_DIR);
    CLEANUP(free_p) char *path = NULL;
    struct place git = {.up = at, .depth = at->depth + 1, .pinned = true};
    mode_t mode = 0;
    struct stat st;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, at->fd, GIT_DIR, &mode);
    if (fstatat(at->fd, GIT_DIR, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == EACCES ? protect_keep_closed(s, at, GIT_DIR, e) : 0;
    git.fd = fd;
    git.path = path = protect_below(at->path, GIT_DIR, e);
    if (!path)
        return -1;
    if (fd < 0 && !S_ISDIR(st.st_mode))
        return visit_link(s, at, &st, path, e);
    if (!s->after && (fd < 0 || faccessat(fd, ".", X_OK, AT_EACCESS) < 0))
        return protect_keep_closed(s, at, GIT_DIR, e);
    if (fd < 0)
        return 0;
    rc = protect_keep(s, at, GIT_DIR, true, e);
    if (rc == 0)
        rc = visit_repository(s, &git, at->path, e);
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

int
protect_bare(const struct scan *s, struct place *at, struct err *e)
{
    const char *name = strrchr(at->path, '/');

    name = name ? name + 1 : at->path;
    if (at->up && protect_keep(s, at->up, name, true, e) < 0)
        return -1;
    at->pinned = true;
    return visit_repository(s, at, at->path, e);
}
