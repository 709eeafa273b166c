/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.c - walks through a writable directory, before a command and after
 * it, and protects what git believes. */
#include "sandbox/protect/protect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/git_files.h"
#include "guard/path/path_table.h"
#include "sandbox/protect/protect_internal.h"

/* Parts of a submodule's name, and submodules in it. */
#define MODULES_DEPTH 16

/* Keeps one path of a repository. If it is missing, a placeholder is made,
 * which means nothing to git. If we may not, the directory is read-only as a
 * whole, since its owner could allow himself to write. */
static int
keep_lent(const struct protect_scan *s, struct protect_place *git,
          const struct git_trusted *row, unsigned *had, unsigned bit,
          struct err *e)
{
    bool lent = false;

    if (protect_add_placeholder(s, git, row->name, row->text, &lent, e) < 0)
        return -1;
    if (!lent && !protect_exists(git->fd, row->name))
        return protect_keep_whole(s, git, e);
    *had |= lent ? 0 : bit;
    return row->kind == GIT_HOOKS ? protect_keep_hooks(s, git, row->name, e)
                                  : protect_keep(s, git, row->name, false, e);
}

/* Returns whether this is a linked working tree, whose configuration lies
 * elsewhere. */
static bool
is_shared(const struct protect_place *git)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, "commondir", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char text[sizeof(GIT_COMMONDIR_SELF)];

    return fd >= 0 &&
           (read(fd, text, sizeof(text)) !=
                (ssize_t)strlen(GIT_COMMONDIR_SELF) ||
            memcmp(text, GIT_COMMONDIR_SELF, strlen(GIT_COMMONDIR_SELF)) != 0);
}

/* Returns whether git reads config.worktree. If not, checking that file after
 * the command is enough. Only the configuration itself can say so, no included
 * file. */
static bool
reads_worktree_config(const struct protect_place *git)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, "config", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = fd < 0 ? NULL : malloc(GIT_CONFIG_MAX + 1);
    ssize_t n = text ? read(fd, text, GIT_CONFIG_MAX) : -1;

    if (n < 0 || n == (ssize_t)GIT_CONFIG_MAX)
        return true; /* too large to be sure, or a linked working tree, which
                        has none */
    text[n] = '\0';
    return strcasestr(text, "worktreeconfig") != NULL;
}

static int
keep_row(const struct protect_scan *s, struct protect_place *git,
         const struct git_trusted *row, unsigned *had, unsigned bit,
         struct err *e)
{
    if (row->missing == GIT_PLACEHOLDER && row->kind == GIT_CONFIG &&
        !protect_exists(git->fd, row->name) && !reads_worktree_config(git))
        return 0;
    if (row->missing == GIT_UNTOUCHED)
        return 0; /* git works without it */
    return keep_lent(s, git, row, had, bit, e);
}

static int
keep_all(const struct protect_scan *s, struct protect_place *git, unsigned *had,
         struct err *e)
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

static int keep_inner(const struct protect_scan *s, struct protect_place *git,
                      const char *name, struct err *e);

/* Handles a repository's directory when it is found. tree: the path of its
 * working tree; NULL: unknown, or there is none. */
static int
visit_repository(const struct protect_scan *s, struct protect_place *git,
                 const char *tree, struct err *e)
{
    struct stat st;
    const struct protect_repo *repo;
    unsigned had = 0;

    if (fstat(git->fd, &st) < 0)
        return 0;
    repo = protect_find_repo(s->p, &st);
    if (!s->after && repo)
        return tree ? protect_named(s, git, tree, e) : 0;
    if (s->after)
        protect_clean(s, git, repo);
    else if (keep_all(s, git, &had, e) < 0 ||
             protect_remember(s->p, &st, had, e) < 0)
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

/* Handles a directory of a submodule or a linked working tree:
 * .git/modules/NAME, .git/worktrees/NAME; NAME may have several parts. */
static int
visit_module(const struct protect_scan *s, struct protect_place *at,
             const struct dirent64 *entry, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, entry->d_name);
    CLEANUP(free_p) char *path = NULL;
    struct protect_place in = {.up = at, .depth = at->depth + 1};
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
    in.path = path = protect_join(at->path, entry->d_name, e);
    if (!path || protect_keep(s, at, entry->d_name, true, e) < 0)
        return -1;
    in.pinned = true;
    if (protect_exists(fd, "HEAD") || protect_exists(fd, "config") ||
        protect_exists(fd, "objects"))
        rc = visit_repository(s, &in, NULL, e);
    else
        rc = protect_walk(s, &in, visit_module, e);
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

static int
keep_inner(const struct protect_scan *s, struct protect_place *git,
           const char *name, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(git->fd, name);
    CLEANUP(free_p) char *path = NULL;
    struct protect_place in = {.up = git, .depth = 0, .pinned = true};
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
    in.path = path = protect_join(git->path, name, e);
    if (!path || protect_keep(s, git, name, true, e) < 0)
        return -1;
    rc = protect_walk(s, &in, visit_module, e);
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

/* Returns the path below the root to which a `.git` file or link leads; the
 * caller frees it. NULL: it leads nowhere, or out of the root, where nothing is
 * writable. */
static char *
git_link_target(const struct protect_scan *s, const struct protect_place *at,
                const struct stat *st)
{
    char text[PATH_MAX];
    CLEANUP(free_p) char *above = protect_join(s->p->root, at->path, NULL);
    CLEANUP(free_p) char *whole = NULL;
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    const char *named = GIT_DIR, *rest;
    ssize_t len;

    if (S_ISREG(st->st_mode)) {
        fd = openat(at->fd, GIT_DIR,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
        text[len < 0 ? 0 : len] = '\0';
        if (!(named = git_files_link(text)))
            return NULL;
    }
    whole = above ? protect_join(above, named, NULL) : NULL;
    real = whole ? realpath(*named == '/' ? named : whole, NULL) : NULL;
    rest = real ? path_behind(real, s->p->root) : NULL;
    return rest && *rest ? strdup(rest) : NULL;
}

/* Handles a `.git` that is no directory: keeps it, and the repository to which
 * it leads. */
static int
visit_link(const struct protect_scan *s, struct protect_place *at,
           const struct stat *st, const char *path, struct err *e)
{
    CLEANUP(free_p) char *target = git_link_target(s, at, st);
    CLEANUP(fd_close_p) int fd = -1;
    struct protect_place git = {.depth = 1, .path = target};

    if (s->after && !protect_find_repo(s->p, st))
        protect_report(s, PROTECT_NEW, path);
    if (!s->after &&
        (protect_remember(s->p, st, 0, e) < 0 ||
         protect_keep(s, at, GIT_DIR, S_ISLNK(st->st_mode), e) < 0))
        return -1;
    git.fd = fd = target ? protect_reopen(s->p, target, O_RDONLY | O_DIRECTORY)
                         : -1;
    return fd < 0 ? 0 : visit_repository(s, &git, at->path, e);
}

/* Handles `.git` in a directory: a repository, or a file that names one. */
static int
visit_git(const struct protect_scan *s, struct protect_place *at, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, GIT_DIR);
    CLEANUP(free_p) char *path = NULL;
    struct protect_place git = {
        .up = at, .depth = at->depth + 1, .pinned = true};
    mode_t mode = 0;
    struct stat st;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, at->fd, GIT_DIR, &mode);
    if (fstatat(at->fd, GIT_DIR, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == EACCES ? protect_keep_closed(s, at, GIT_DIR, e) : 0;
    git.fd = fd;
    git.path = path = protect_join(at->path, GIT_DIR, e);
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

static int
visit_bare(const struct protect_scan *s, struct protect_place *at,
           struct err *e)
{
    const char *name = strrchr(at->path, '/');

    name = name ? name + 1 : at->path;
    if (at->up && protect_keep(s, at->up, name, true, e) < 0)
        return -1;
    at->pinned = true;
    return visit_repository(s, at, at->path, e);
}

#define PATH_ROOM 64 /* bytes for names below a directory */

static int visit_protected_dir(const struct protect_scan *s,
                               struct protect_place *at, struct err *e);

static int
visit_below(const struct protect_scan *s, struct protect_place *at,
            const char *name, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, name);
    CLEANUP(free_p) char *path = NULL;
    struct protect_place below = {.up = at, .depth = at->depth + 1};
    mode_t mode = 0;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, at->fd, name, &mode);
    else if (fd < 0 && errno == EACCES)
        return protect_keep_closed(s, at, name, e);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return err_sys(e, "%s/%s", at->path, name);
    if (fd < 0) /* it is no directory any more */
        return 0;
    below.fd = fd;
    below.path = path = protect_join(at->path, name, e);
    rc = path ? visit_protected_dir(s, &below, e) : -1;
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

static bool
may_be_subdirectory(const struct dirent64 *entry)
{
    return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
}

/* Returns whether a directory looks like a repository, with a working tree or
 * without. */
static bool
may_be_repository(const struct protect_place *at, const char *name)
{
    static const char *const marks[] = {GIT_DIR, "HEAD"};
    char path[NAME_MAX + sizeof("/" GIT_DIR)];

    for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
        snprintf(path, sizeof(path), "%s/%s", name, marks[i]);
        if (protect_exists(at->fd, path) || errno == EACCES)
            return true;
    }
    return false;
}

static int visit_packages(const struct protect_scan *s,
                          struct protect_place *at, struct err *e);

static int
visit_scope(const struct protect_scan *s, struct protect_place *at,
            const char *name, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, name);
    CLEANUP(free_p) char *path = protect_join(at->path, name, e);
    struct protect_place below = {
        .up = at, .fd = fd, .path = path, .depth = at->depth};

    if (!path)
        return -1;
    if (fd < 0)
        return protect_keep_closed(s, at, name, e);
    below.depth++;
    return visit_packages(s, &below, e);
}

static int
visit_package(const struct protect_scan *s, struct protect_place *at,
              const struct dirent64 *entry, struct err *e)
{
    const char *name = entry->d_name;

    if (strcmp(name, GIT_DIR) == 0)
        return visit_git(s, at, e);
    at->marks |= git_trusted_entry(name);
    if (!may_be_subdirectory(entry))
        return 0;
    if (name[0] == '@')
        return visit_scope(s, at, name, e);
    return may_be_repository(at, name) ? visit_below(s, at, name, e) : 0;
}

/* Packages are not searched, since there are too many directories. Found are a
 * package that is a repository itself, also one in a scope (@SCOPE/NAME), and
 * the directory of packages itself. */
static int
visit_packages(const struct protect_scan *s, struct protect_place *at,
               struct err *e)
{
    if (protect_walk(s, at, visit_package, e) < 0)
        return -1;
    return git_trusted_is_repository(at->marks) ? visit_bare(s, at, e) : 0;
}

static int
visit_tree_entry(const struct protect_scan *s, struct protect_place *at,
                 const struct dirent64 *entry, struct err *e)
{
    const char *name = entry->d_name;

    if (strcmp(name, GIT_DIR) == 0)
        return visit_git(s, at, e);
    if (at->depth == 0 && s->p->policy && strcmp(name, PROTECT_POLICY) == 0)
        return 0; /* all of it is kept already */
    at->marks |= git_trusted_entry(name);
    if (!may_be_subdirectory(entry))
        return 0;
    if (at->depth >= PROTECT_DEPTH ||
        strlen(at->path) + strlen(name) + PATH_ROOM > PATH_MAX)
        return protect_keep(s, at, name, false, e);
    return visit_below(s, at, name, e);
}

/* Returns whether the directory holds packages, by its name. */
static bool
holds_packages(const struct protect_place *at)
{
    const char *slash = strrchr(at->path, '/');

    return strcmp(slash ? slash + 1 : at->path, PATH_PACKAGES) == 0;
}

static int
visit_protected_dir(const struct protect_scan *s, struct protect_place *at,
                    struct err *e)
{
    if (holds_packages(at))
        return visit_packages(s, at, e);
    if (protect_walk(s, at, visit_tree_entry, e) < 0)
        return -1;
    return git_trusted_is_repository(at->marks) ? visit_bare(s, at, e) : 0;
}

int
protect_open(struct protect *p, const char *root, const struct git_person *who,
             bool own_policy, struct err *e)
{
    struct protect_scan s = {.p = p};
    struct protect_place top = {.path = "", .pinned = true};

    *p = (struct protect){.root = strdup(root), .dir = -1};
    if (who)
        p->person = *who;
    if (!p->root)
        return err_nomem(e);
    if (clock_gettime(CLOCK_REALTIME_COARSE, &p->since) < 0)
        return err_sys(e, "clock");
    top.fd = p->dir = protect_open_dir(AT_FDCWD, root);
    if (p->dir < 0) /* a writable file has nothing below it */
        return errno == ENOTDIR ? 0 : err_sys(e, "%s", root);
    p->policy = own_policy && protect_exists(p->dir, PROTECT_POLICY);
    p->no_policy = own_policy && !p->policy;
    if (p->policy && protect_keep(&s, &top, PROTECT_POLICY, false, e) < 0)
        return -1;
    return protect_named_global(&s, e) < 0 ? -1
                                           : visit_protected_dir(&s, &top, e);
}

static void
free_protect(struct protect *p)
{
    fd_close_p(&p->dir);
    protect_copies_done(p);
    for (size_t i = 0; i < p->n_paths; i++)
        free(p->paths[i].path);
    for (size_t i = 0; i < p->n_absent; i++)
        free(p->absent[i]);
    for (size_t i = 0; i < p->n_named; i++)
        free(p->named[i].value);
    free(p->named);
    free(p->absent);
    free(p->paths);
    free(p->repos);
    free(p->root);
}

void
protect_close(struct protect *p, protect_report_fn *report, void *arg)
{
    struct protect_scan s = {p, true, report, arg};
    struct protect_place top = {.path = "", .fd = p->dir, .pinned = true};

    if (p->loose)
        protect_restore(&s);
    protect_remove_placeholders(p);
    if (p->root && p->dir >= 0 && lseek(p->dir, 0, SEEK_SET) == 0) {
        if (visit_protected_dir(&s, &top, NULL) <
            0) /* not everything was searched */
            protect_report(&s, PROTECT_STAYS, "");
        protect_clean_absent(&s);
        if (p->no_policy && protect_exists(p->dir, PROTECT_POLICY))
            protect_set_aside(&s, &top, PROTECT_POLICY);
    }
    free_protect(p);
}
