/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_git.c - what of a repository names programs that git runs. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define CONFIG_MAX 65536 /* bytes; a longer one may say anything */

/* One that is missing is made: empty, they mean nothing to git. */
static int
keep_made(const struct scan *s, const struct place *git, const char *name,
          bool directory, struct err *e)
{
    int fd = -1;

    if (s->after)
        return 0;
    if (!protect_has(git->fd, name) && directory)
        (void)mkdirat(git->fd, name, 0777);
    else if (!protect_has(git->fd, name))
        fd = openat(git->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    0666);
    fd_close_p(&fd);
    /* where we cannot make it, the command cannot */
    return protect_has(git->fd, name)
               ? protect_keep(s, git->path, name, false, e)
               : 0;
}

/* Whether git reads config.worktree too, which the configuration itself has to
 * say: no included file may. */
static bool
reads_more(const struct place *git)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, "config", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char text[CONFIG_MAX + 1];
    ssize_t n = fd < 0 ? 0 : read(fd, text, CONFIG_MAX);

    if (n < 0 || n == CONFIG_MAX)
        return true;
    text[n] = '\0';
    return strcasestr(text, "worktreeconfig") != NULL;
}

static int
keep_config(const struct scan *s, const struct place *git, struct err *e)
{
    if (keep_made(s, git, "hooks", true, e) < 0 ||
        keep_made(s, git, "config", false, e) < 0)
        return -1;
    if (!s->after &&
        (protect_has(git->fd, "config.worktree") || reads_more(git)))
        return keep_made(s, git, "config.worktree", false, e);
    return 0;
}

static int keep_inner(const struct scan *s, const struct place *git,
                      const char *name, struct err *e);

/* What a submodule or a linked working tree lives in: .git/modules/NAME,
 * .git/worktrees/NAME; NAME may have parts. */
static int
visit_module(const struct scan *s, const struct place *at,
             const struct dirent64 *entry, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, entry->d_name);
    CLEANUP(free_p) char *path = protect_below(at->path, entry->d_name, e);
    struct place in = {fd, path, at->depth + 1};
    struct stat st;

    if (!path)
        return -1;
    if (fd < 0 || at->depth >= PROTECT_DEPTH || fstat(fd, &st) < 0)
        return 0;
    if (protect_keep(s, at->path, entry->d_name, true, e) < 0)
        return -1;
    if (!protect_has(fd, "HEAD"))
        return protect_walk(s, &in, visit_module, e);
    if (protect_note(s, fd, &st, path, e) < 0)
        return -1;
    if (protect_has(fd, COMMONDIR))
        return protect_keep(s, path, COMMONDIR, false, e) < 0
                   ? -1
                   : keep_made(s, &in, "config.worktree", false, e);
    return keep_config(s, &in, e) < 0 ? -1 : keep_inner(s, &in, "modules", e);
}

static int
keep_inner(const struct scan *s, const struct place *git, const char *name,
           struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(git->fd, name);
    CLEANUP(free_p) char *path = NULL;

    if (fd < 0)
        return 0;
    path = protect_below(git->path, name, e);
    if (!path || protect_keep(s, git->path, name, true, e) < 0)
        return -1;
    return protect_walk(s, &(struct place){fd, path, 0}, visit_module, e);
}

/* `.git` of a directory: a repository, or a file that says where it is. */
int
protect_git(const struct scan *s, const struct place *at, struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, ".git");
    CLEANUP(free_p) char *path = protect_below(at->path, ".git", e);
    struct place git = {fd, path, at->depth};
    struct stat st;

    if (!path)
        return -1;
    if (fstatat(at->fd, ".git", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (protect_note(s, fd, &st, path, e) < 0 ||
        protect_keep(s, at->path, ".git", fd >= 0, e) < 0)
        return -1;
    if (fd < 0)
        return 0;
    if (keep_config(s, &git, e) < 0 || keep_inner(s, &git, "modules", e) < 0)
        return -1;
    return keep_inner(s, &git, "worktrees", e);
}

/* What git takes for one, by is_git_directory() of its setup.c. */
int
protect_bare(const struct scan *s, const struct place *at, struct err *e)
{
    const char *name = strrchr(at->path, '/');
    CLEANUP(free_p) char *dir = NULL;
    struct stat st;

    if (!protect_has(at->fd, "HEAD") || !protect_has(at->fd, "objects") ||
        !protect_has(at->fd, "refs") || fstat(at->fd, &st) < 0)
        return 0;
    name = name ? name + 1 : at->path;
    dir = strndup(at->path, (size_t)(name - at->path) - (name > at->path));
    if (!dir)
        return err_set(e, ERR_NOMEM, "%s: no memory", at->path);
    if (protect_note(s, at->fd, &st, at->path, e) < 0 ||
        (*name && protect_keep(s, dir, name, true, e) < 0) ||
        keep_config(s, at, e) < 0)
        return -1;
    return keep_inner(s, at, "worktrees", e);
}
