/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_internal.h - what the files protect*.c share.
 *
 * protect_tree.c has the helpers that all others call. Before the command
 * protect_keep.c, protect_placeholder.c and protect_named.c note what stays as
 * it is; after it protect_clean.c and protect_restore.c put right what was
 * changed. protect.c walks the tree and calls them. */
#ifndef SANDBOX_PROTECT_PROTECT_INTERNAL_H
#define SANDBOX_PROTECT_PROTECT_INTERNAL_H

#include <dirent.h>
#include <sys/stat.h>

#include "guard/path/git_config.h"
#include "guard/path/git_trusted.h"
#include "sandbox/protect/protect.h"

/* One walk through the tree: before the command or after it. */
struct protect_scan {
    struct protect *p;
    bool after;
    protect_report_fn *report; /* NULL: nobody is told */
    void *arg;
};

/* A directory on the way down. */
struct protect_place {
    struct protect_place *up; /* NULL: this is the root, or was not reached by
                                 the walk */
    int fd;
    const char *path; /* below the root; "" for the root itself */
    int depth;
    bool pinned;    /* it and the directories above it cannot be renamed */
    unsigned marks; /* git_trusted_entry of its entries, or-ed */
};

/* protect_tree.c */

/* Opens a directory, but not a link to one; -1. */
int protect_open_dir(int at, const char *name);
bool protect_exists(int dir, const char *name);

/* Opens a path below the root; a link on its way is an error. -1 with errno. */
int protect_reopen(const struct protect *p, const char *path, int flags);

/* Joins path and name; the caller frees the result. NULL with ERR_NOMEM. */
char *protect_join(const char *path, const char *name, struct err *e);

/* Makes room for one more item after n items that this function allocated.
 * NULL: no memory, or there are PROTECT_MAX items (ERR_SANDBOX). */
void *protect_grow(void *items, size_t n, size_t size, struct err *e);

/* Tells the caller of protect_close what was done with a path. */
void protect_report(const struct protect_scan *s, const char *what,
                    const char *path);

/* Calls visit for each entry except "." and "..". A directory that cannot be
 * read is skipped. */
typedef int protect_visit_fn(const struct protect_scan *s,
                             struct protect_place *at,
                             const struct dirent64 *entry, struct err *e);
int protect_walk(const struct protect_scan *s, struct protect_place *at,
                 protect_visit_fn *visit, struct err *e);

/* Remembers a repository, and finds it again by its inode; NULL: it was not
 * there before the command. */
int protect_remember(struct protect *p, const struct stat *st, unsigned had,
                     struct err *e);
const struct protect_repo *protect_find_repo(const struct protect *p,
                                             const struct stat *st);
#define PROTECT_WHOLE (~0u) /* `had`, if all of it was kept */

/* protect_keep.c: what is bound on itself before the command */

/* Keeps an entry of the directory as it is (writable: only where it is), and
 * so the target of a link, and pins the directories above. */
int protect_keep(const struct protect_scan *s, struct protect_place *at,
                 const char *name, bool writable, struct err *e);

/* Keeps the directory itself with everything in it. */
int protect_keep_whole(const struct protect_scan *s, struct protect_place *at,
                       struct err *e);

/* Keeps an entry that cannot be opened, with everything in it. If the
 * directory that holds it cannot be searched either, keeps that one. */
int protect_keep_closed(const struct protect_scan *s, struct protect_place *at,
                        const char *name, struct err *e);

/* Keeps a directory of programs, and the targets of the links in it. */
int protect_keep_hooks(const struct protect_scan *s, struct protect_place *at,
                       const char *name, struct err *e);

/* Keeps what a path leads to, starting from a directory below the root: every
 * link on the way, and its end. */
enum {
    ROUTE_FILE = 1,   /* the end is not a directory */
    ROUTE_ABSENT = 2, /* if there is no end, the path is remembered */
};
int protect_keep_route(const struct protect_scan *s, const char *from,
                       const char *target, unsigned how, struct err *e);

/* protect_placeholder.c: what is made for the time of the command */

/* Creates a missing file with this text, which is static, or, where text is
 * NULL, a directory. *lent: it is a placeholder of ours, or of another launcher
 * that runs at the same time. */
int protect_add_placeholder(const struct protect_scan *s,
                            const struct protect_place *at, const char *name,
                            const char *text, bool *lent, struct err *e);
void protect_remove_placeholders(struct protect *p);

/* Removes a copy of a placeholder file, unless another launcher relies on it.
 * Returns whether it was one. */
bool protect_remove_placeholder_copy(int dir, const char *name,
                                     const char *text);

/* protect_named.c: what configurations of git name */

/* Reads the configurations of the person and of the system; and that of a
 * repository. tree: the path of its working tree; NULL: unknown, or there is
 * none. After the command only paths of a new repository that the person's
 * configuration names are looked at. */
int protect_named_global(const struct protect_scan *s, struct err *e);
int protect_named(const struct protect_scan *s, const struct protect_place *git,
                  const char *tree, struct err *e);

/* protect_clean.c: what is set aside after the command */

/* Makes sure that nothing new in a repository makes git run a program. repo: as
 * it was before; NULL: it is new. */
void protect_clean(const struct protect_scan *s,
                   const struct protect_place *git,
                   const struct protect_repo *repo);

/* Sets aside what a configuration names, was missing before and exists now; the
 * same for a path that starts from a directory below the root. */
void protect_clean_absent(const struct protect_scan *s);
void protect_clean_named(const struct protect_scan *s, const char *from,
                         const char *path);

/* Opens a directory that its owner, who we are, may not search, unless it was
 * kept as it is. *mode: what the caller restores by fchmod(2). */
int protect_force_open(const struct protect_scan *s, int at, const char *name,
                       mode_t *mode);

/* Renames an entry, so that git does not find it, and reports that. */
#define PROTECT_SUFFIX ".aside-" /* and a number */
void protect_set_aside(const struct protect_scan *s,
                       const struct protect_place *at, const char *name);

/* Returns whether an entry was set aside in this run; the name alone proves
 * nothing, since a command chooses its names itself. */
bool protect_is_aside(const struct protect *p, const char *name);

/* protect_restore.c: for a sandbox in which nothing could be bound */

/* Puts back what was copied; clears `loose` where all of it was. */
void protect_restore(const struct protect_scan *s);
void protect_copies_done(struct protect *p);

#endif
