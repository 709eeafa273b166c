/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_clean.c - sets aside, after a command, new files that git would
 * believe. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "sandbox/protect/protect_internal.h"

#define TRIES 8
/* Bytes; a longer file is no plan of a rebase. */
#define STEPS_MAX ((size_t)1 << 20)

int
protect_force_open(const struct protect_scan *s, int at, const char *name,
                   mode_t *mode)
{
    CLEANUP(fd_close_p)
    int path = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char link[64];
    struct stat st;
    int fd;

    if (path < 0 && errno == EACCES && fstat(at, &st) == 0 &&
        !protect_find_repo(s->p, &st) &&
        fchmod(at, (st.st_mode & 07777) | S_IRWXU) == 0)
        path = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (path < 0 || fstat(path, &st) < 0 || protect_find_repo(s->p, &st))
        return -1;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", path);
    if (chmod(link, (st.st_mode & 07777) | S_IRWXU) < 0)
        return -1;
    fd = protect_open_dir(at, name);
    *mode = st.st_mode & 07777;
    if (fd < 0)
        (void)chmod(link, *mode);
    return fd;
}

static void
report_aside(const struct protect_scan *s, const struct protect_place *git,
             const char *name)
{
    CLEANUP(free_p) char *path = protect_join(git->path, name, NULL);

    if (path)
        protect_report(s, PROTECT_ASIDE, path);
}

#define SUFFIX PROTECT_SUFFIX "%016" PRIx64 /* set aside in one run */

bool
protect_is_aside(const struct protect *p, const char *name)
{
    char suffix[sizeof(PROTECT_SUFFIX) + 16];

    snprintf(suffix, sizeof(suffix), SUFFIX, p->aside);
    return p->aside && strstr(name, suffix);
}

/* Renames an entry to a name that nobody could know: its number is random and
 * made after the command has ended. */
static int
move_aside(struct protect *p, int dir, const char *name)
{
    char other[NAME_MAX + 1];

    if (!p->aside &&
        getrandom(&p->aside, sizeof(p->aside), 0) != sizeof(p->aside))
        return -1;
    for (int i = 0; i < TRIES; i++) {
        snprintf(other, sizeof(other), "%.200s" SUFFIX "%u", name, p->aside,
                 p->n_aside++);
        if (linux_renameat2(dir, name, dir, other, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno == EINVAL) /* a filesystem that has no RENAME_NOREPLACE */
            return renameat(dir, name, dir, other);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Makes the directory that holds the name writable for its owner, who we
 * are. */
static bool
open_holder(int dir, const char *name)
{
    const char *slash = strrchr(name, '/');
    CLEANUP(free_p)
    char *above = slash ? strndup(name, (size_t)(slash - name)) : strdup(".");
    CLEANUP(fd_close_p)
    int holder = above ? openat(dir, above,
                                O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                       : -1;
    char link[32];
    struct stat st;

    if (holder < 0 || fstat(holder, &st) < 0)
        return false;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", holder);
    return chmod(link, (st.st_mode & 07777) | S_IRWXU) == 0;
}

/* If the command made the directory read-only, it is made writable for this. */
void
protect_set_aside(const struct protect_scan *s, const struct protect_place *git,
                  const char *name)
{
    int rc = move_aside(s->p, git->fd, name);

    if (rc < 0 && errno == EACCES && open_holder(git->fd, name))
        rc = move_aside(s->p, git->fd, name);
    if (rc == 0) {
        report_aside(s, git, name);
        return;
    }
    protect_report(s, PROTECT_STAYS, git->path);
}

static bool
is_sample(const char *name)
{
    size_t n = strlen(name), m = sizeof(GIT_SAMPLE_SUFFIX) - 1;

    return n > m && strcmp(name + n - m, GIT_SAMPLE_SUFFIX) == 0;
}

static bool
is_older(const struct stat *st, const struct timespec *since)
{
    return st->st_ctim.tv_sec < since->tv_sec ||
           (st->st_ctim.tv_sec == since->tv_sec &&
            st->st_ctim.tv_nsec < since->tv_nsec);
}

static int
find_new_hook(const struct protect_scan *s, struct protect_place *at,
              const struct dirent64 *entry, struct err *e)
{
    struct stat st;

    (void)e;
    return is_sample(entry->d_name) ||
                   fstatat(at->fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) <
                       0 ||
                   is_older(&st, &s->p->since)
               ? 0
               : -1;
}

/* Returns whether a file was changed that could not be bound. */
static bool
is_entry_changed(const struct protect_scan *s, const struct protect_place *git,
                 const struct git_trusted *row)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct protect_place at = {.path = ""};
    struct stat st;

    if (fstatat(git->fd, row->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    if (!is_older(&st, &s->p->since))
        return true;
    if (row->kind != GIT_HOOKS)
        return false;
    at.fd = fd = protect_open_dir(git->fd, row->name);
    return fd < 0 || protect_walk(s, &at, find_new_hook, NULL) < 0;
}

static int
find_hook(const struct protect_scan *s, struct protect_place *at,
          const struct dirent64 *entry, struct err *e)
{
    (void)s;
    (void)at;
    (void)e;
    return is_sample(entry->d_name) ? 0 : -1;
}

/* Sets aside new hooks, also those that are not executable, since that could
 * change later. */
static void
clean_hooks(const struct protect_scan *s, const struct protect_place *git,
            const char *name)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(git->fd, name);
    struct protect_place at = {.fd = fd, .path = ""};

    if (fd < 0 || protect_walk(s, &at, find_hook, NULL) < 0)
        protect_set_aside(s, git, name);
}

/* Returns the text of a regular file, which the caller frees. NULL: it cannot
 * be trusted; a file with a second name, for one, could be written later. */
static char *
read_trusted_text(int dir, const char *name, size_t max, size_t *n,
                  struct stat *st)
{
    CLEANUP(fd_close_p)
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = NULL;
    ssize_t got;

    if (fd < 0 || fstat(fd, st) < 0 || !S_ISREG(st->st_mode) ||
        !(text = malloc(max + 1)))
        return NULL;
    for (*n = 0; (got = read(fd, text + *n, max - *n)) > 0;)
        *n += (size_t)got;
    text[*n] = '\0';
    return got < 0 ? NULL : TAKE_PTR(text);
}

/* Writes a text in place of a file that was set aside, with the same
 * permissions. */
static void
write_anew(const struct protect_place *git, const char *name,
           const struct stat *old, const struct buf *text)
{
    CLEANUP(fd_close_p)
    int fd = openat(git->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    0600);

    if (fd < 0)
        return;
    if (write(fd, text->p, text->len) != (ssize_t)text->len ||
        (geteuid() == 0 && fchown(fd, old->st_uid, old->st_gid) < 0) ||
        fchmod(fd, old->st_mode & 0666) < 0)
        (void)unlinkat(git->fd, name, 0);
}

static unsigned
path_depth(const char *path)
{
    unsigned n = *path != '\0';

    for (; *path; path++)
        n += *path == '/';
    return n;
}

static void
clean_config(const struct protect_scan *s, const struct protect_place *git,
             const char *name)
{
    CLEANUP_BUF struct buf data = buf_of(2 * GIT_CONFIG_MAX);
    CLEANUP(free_p) char *text = NULL;
    struct stat st;
    size_t n = 0;

    text = read_trusted_text(git->fd, name, GIT_CONFIG_MAX + 1, &n, &st);
    if (text && st.st_nlink == 1 &&
        git_config_is_data(text, n, path_depth(git->path)))
        return;
    if (text)
        (void)git_config_keep_data(text, n, path_depth(git->path), &data);
    protect_set_aside(s, git, name);
    if (!data.bad)
        write_anew(git, name, &st, &data);
}

static const struct git_trusted *
trusted_row(enum git_trusted_kind kind)
{
    const struct git_trusted *row = git_trusted_paths();

    while (row->name && row->kind != kind)
        row++;
    return row;
}

static void clean_row(const struct protect_scan *s,
                      const struct protect_place *git,
                      const struct git_trusted *row);

/* The directory two levels above that of a linked working tree is the
 * repository. It is cleaned too, if the walk did not recognize it. */
static void
clean_above(const struct protect_scan *s, const struct protect_place *git)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(git->fd, "../..");
    CLEANUP(free_p) char *path = protect_join(git->path, "../..", NULL);
    struct protect_place above = {.fd = fd, .path = path};
    struct stat st;

    if (fd < 0 || !path || fstat(fd, &st) < 0 || protect_find_repo(s->p, &st))
        return;
    clean_row(s, &above, trusted_row(GIT_HOOKS));
    clean_row(s, &above, trusted_row(GIT_CONFIG));
}

/* git itself makes only one such file, which leads from worktrees/NAME to the
 * repository; any other is set aside. */
static void
clean_common(const struct protect_scan *s, const struct protect_place *git,
             const char *name)
{
    CLEANUP(free_p) char *text = NULL;
    struct stat st;
    size_t n = 0;
    const char *parent = strstr(git->path, "/" GIT_WORKTREES "/");

    text = read_trusted_text(git->fd, name, PATH_MAX, &n, &st);
    if (text && strcmp(text, GIT_COMMONDIR_SELF) == 0 &&
        (protect_remove_placeholder_copy(git->fd, name, GIT_COMMONDIR_SELF) ||
         st.st_nlink == 1))
        return;
    if (text && st.st_nlink == 1 && strcmp(text, GIT_COMMONDIR_MAIN) == 0 &&
        parent && !strchr(parent + sizeof(GIT_WORKTREES) + 1, '/'))
        clean_above(s, git);
    else
        protect_set_aside(s, git, name);
}

/* Returns whether a line of a rebase's plan runs no program. */
static bool
is_plain_step(const char *line, size_t n)
{
    static const char words[] =
        " pick p reword r edit e squash s fixup f drop d label l reset t"
        " merge m update-ref u noop break b ";
    char word[16];
    size_t len = 0;

    while (n > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        n--;
    }
    if (n == 0 || *line == '#')
        return true;
    word[len++] = ' ';
    while (len < sizeof(word) - 2 && len <= n &&
           (islower((unsigned char)line[len - 1]) || line[len - 1] == '-')) {
        word[len] = line[len - 1];
        len++;
    }
    word[len++] = ' ';
    word[len] = '\0';
    return strstr(words, word) != NULL;
}

/* A rebase may go on, except for the commands in its plan. */
static void
clean_steps(const struct protect_scan *s, const struct protect_place *git,
            const char *name)
{
    CLEANUP_BUF struct buf plain = buf_of(STEPS_MAX + 1);
    CLEANUP(free_p) char *text = NULL;
    struct stat st;
    size_t n = 0;
    bool all = true;

    text = read_trusted_text(git->fd, name, STEPS_MAX + 1, &n, &st);
    if (text && n > STEPS_MAX) { /* too long for a plan */
        protect_set_aside(s, git, name);
        return;
    }
    for (const char *p = text; p && p < text + n;) {
        size_t len = strcspn(p, "\n");
        bool is = is_plain_step(p, len);

        all &= is;
        if (is)
            buf_printf(&plain, "%.*s\n", (int)len, p);
        p += len + 1;
    }
    if (text && all && st.st_nlink == 1 && strlen(text) == n)
        return;
    protect_set_aside(s, git, name);
    if (text && !plain.bad)
        write_anew(git, name, &st, &plain);
}

/* Returns whether git would read a file through a link, which could lead
 * anywhere. */
static bool
is_linked(const struct protect_scan *s, const struct protect_place *git,
          const char *name)
{
    char first[NAME_MAX + 1];
    size_t n = strcspn(name, "/");
    struct stat st;

    memcpy(first, name, n);
    first[n] = '\0';
    if (!name[n] || fstatat(git->fd, first, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISLNK(st.st_mode))
        return false;
    protect_set_aside(s, git, first);
    return true;
}

/* Returns whether the directory is older than the run; a file that was moved
 * together with its directory keeps its time. */
static bool
holder_is_older(const struct protect_scan *s, const struct protect_place *git,
                const char *name)
{
    char first[NAME_MAX + 1];
    struct stat st;

    snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, "/"), name);
    return fstatat(git->fd, first, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           is_older(&st, &s->p->since);
}

static void
clean_row(const struct protect_scan *s, const struct protect_place *git,
          const struct git_trusted *row)
{
    struct stat st;
    int rc;

    if (is_linked(s, git, row->name))
        return;
    rc = fstatat(git->fd, row->name, &st, AT_SYMLINK_NOFOLLOW);
    /* the next command could open what was closed */
    if (rc < 0 && errno == EACCES && open_holder(git->fd, row->name))
        rc = fstatat(git->fd, row->name, &st, AT_SYMLINK_NOFOLLOW);
    if (rc < 0)
        return;
    switch (row->kind) {
    case GIT_HOOKS:
        clean_hooks(s, git, row->name);
        return;
    case GIT_CONFIG:
        clean_config(s, git, row->name);
        return;
    case GIT_COMMON:
        clean_common(s, git, row->name);
        return;
    case GIT_STEPS:
        if (!is_older(&st, &s->p->since) || !holder_is_older(s, git, row->name))
            clean_steps(s, git, row->name);
        return;
    case GIT_REPOSITORIES:
        if (S_ISLNK(st.st_mode))
            protect_set_aside(s, git, row->name);
        return;
    }
}

void
protect_clean(const struct protect_scan *s, const struct protect_place *git,
              const struct protect_repo *repo)
{
    unsigned bit = 1;

    if (!repo)
        protect_report(s, PROTECT_NEW, git->path);
    for (const struct git_trusted *row = git_trusted_paths(); row->name;
         row++) {
        if (!repo || (repo->had & bit) == 0 ||
            (s->p->loose && is_entry_changed(s, git, row)))
            clean_row(s, git, row);
        bit <<= 1;
    }
}

/* Sets aside what a path leads to now, through links or not, if that is below
 * the root. */
static void
clean_named(const struct protect_scan *s, const char *path)
{
    CLEANUP(free_p) char *whole = protect_join(s->p->root, path, NULL);
    CLEANUP(free_p) char *real = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    struct protect_place at = {.path = ""};
    char *slash = whole ? strrchr(whole, '/') : NULL;
    struct stat st;

    if (!slash || lstat(whole, &st) < 0)
        return;
    *slash = '\0';
    real = realpath(whole, NULL);
    at.path = real ? path_behind(real, s->p->root) : NULL;
    if (!at.path)
        return;
    at.fd = fd = protect_reopen(s->p, at.path, O_RDONLY | O_DIRECTORY);
    if (fd >= 0)
        protect_set_aside(s, &at, slash + 1);
}

void
protect_clean_named(const struct protect_scan *s, const char *from,
                    const char *path)
{
    CLEANUP(free_p) char *below = protect_join(from, path, NULL);

    if (below)
        clean_named(s, below);
}

void
protect_clean_absent(const struct protect_scan *s)
{
    for (size_t i = 0; i < s->p->n_absent; i++)
        clean_named(s, s->p->absent[i]);
}
