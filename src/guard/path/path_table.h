/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_table.h - the one table of what the paths of a system are.
 *
 * The folder path/ says what a path is: of the system (here), below a home
 * directory (path_home.h), a secret (secret.h, secret_tree.h), a file that runs
 * by its name (path_autorun.h), one that git trusts (git_trusted.h). It must
 * not know command lines, rules or profiles, and changes nothing.
 *
 * This table knows where programs are, what only root writes, what the kernel
 * provides and which devices are disks. The rules, the profiles, the effects,
 * the sandbox and the offline engine ask here and keep no list of their own
 * (tests/check/places.sh). Paths are absolute and clean (path_clean); only
 * their spelling counts, and the file system is not read. Nothing here can
 * fail. base/path has path_is_below. Paths that hold secrets are in secret.h.
 * */
#ifndef GUARD_PATH_PATH_TABLE_H
#define GUARD_PATH_PATH_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The kinds of a path are those of the longest row that it is, or lies
 * below. */
#define PATH_PACKAGES "node_modules" /* of npm: packages, each a directory */

#define PATH_IS_ROOT_WRITABLE (1u << 0) /* only root may write there */
#define PATH_IS_ROOT_READABLE (1u << 1) /* only root may read it */
#define PATH_IS_SYSTEM        (1u << 2) /* a new file may become a program, */
                                        /* a job or a service: no workspace */
#define PATH_IS_KERNEL        (1u << 3) /* the kernel provides it */
#define PATH_IS_VIRTUAL       (1u << 4) /* its bytes are stored nowhere */
#define PATH_IS_DEVICE        (1u << 5)
#define PATH_IS_PROGRAMS      (1u << 6) /* a file is a program of its name */
#define PATH_IS_TEMPORARY     (1u << 7) /* a confined process has its own */
#define PATH_IS_SHARED        (1u << 8) /* every user may write there */
#define PATH_IS_MACHINE_STATE (1u << 9) /* tells what the machine does now: */
                                        /* workspace-write hides or */
                                        /* replaces it */
#define PATH_IS_PACKAGED    (1u << 10)  /* changed by package updates alone */
#define PATH_IS_SETTING     (1u << 11)  /* settings of the whole machine */
#define PATH_IS_SINK        (1u << 12)  /* writing there stores nothing */
#define PATH_IS_CONTROL     (1u << 19)  /* writing there has an effect */
#define PATH_IS_AUTORUN     (1u << 20)  /* a login, a time or a tool runs it */
#define PATH_IS_SECRET      (1u << 21)  /* keys or passwords, for root alone */
#define PATH_IS_SAFE_DEVICE (1u << 22)  /* a confined process has it too */
#define PATH_IS_SOURCE      (1u << 23)  /* a device: every program reads it */
#define PATH_IS_DROP        (1u << 24)  /* programs leave files there for */
                                        /* each other */
#define PATH_IS_SERVICES (1u << 25)     /* services listen there */
#define PATH_IS_TOP      (1u << 13)     /* / itself, or directly below it */

/* These kinds hold for a row itself, and not for the paths below it. */
#define PATH_IS_VITAL    (1u << 14) /* no machine works without its contents */
#define PATH_IS_PRECIOUS (1u << 15) /* nobody means to lose all of it */
#define PATH_IS_BIN_DIR  (1u << 16) /* programs in everybody's PATH */
#define PATH_IS_HOMES    (1u << 17) /* each directory in it is a home */
#define PATH_IS_STDIO    (1u << 18) /* every program has it open anyway */
#define PATH_IS_DEVICES  (1u << 26) /* the directory of all devices */
#define PATH_IS_NULL     (1u << 30) /* opening it never fails; it is empty */
#define PATH_IS_STDIN    (1u << 31) /* the standard input of whoever opens it */

/* These are for path_next alone: their rows may be patterns of names, such as
 * /etc/passwd* for the copies beside the file, whose star also stands for a
 * slash. */
#define PATH_IS_AUTHORITY (1u << 27) /* decides who may do what: a change */
                                     /* changes who controls the machine */
#define PATH_IS_ADDITION (1u << 28)  /* likewise; one added line is enough */
#define PATH_IS_CLOSED   (1u << 29)  /* a normal user may not even read it */

/* Every kind of the path. */
unsigned path_kinds(const char *path);

/* Whether at least one of these kinds holds. */
bool path_is(const char *path, unsigned kinds);

/* Iterates over the rows that have one of these kinds; *at begins at 0. NULL:
 * the end. */
const char *path_next(unsigned kinds, size_t *at);

/* Whether its name is that of a disk, a partition or a volume, attached or not,
 * or of the memory as a device. */
bool path_is_disk(const char *path);

/* What a path is in a profile; home may be NULL. */

/* workspace-write hides it, or shows another directory in its place: $HOME,
 * /run, /proc. /var/log is visible there, and still counts as inspecting the
 * machine. */
bool path_is_hidden(const char *path, const char *home);

/* Something below it is hidden, so a search there would miss files: true for /
 * and for every directory above $HOME. */
bool path_holds_hidden(const char *path, const char *home);

/* Profiles with a private /tmp have another file there. */
bool path_is_temporary(const char *path);

/* Writing there stores nothing: /dev/null, /dev/tty, /dev/stderr, … */
bool path_is_sink(const char *path);

/* It is read-only even in a writable workspace, because a later program runs or
 * trusts it: git's trusted files (git_trusted.h) and .agentsh. */
bool path_runs_later(const char *path);

/* Whether a directory cannot be root's workspace: /, the directories directly
 * below / that the table has, and the system's own. /work can, where something
 * is mounted there. */
bool path_is_system_dir(const char *dir);

/* Whether a directory is never made writable for a command line: /, the
 * directories directly below it, $HOME and what is above it, a directory below
 * $HOME in one whose name begins with a dot, and the system's own. */
bool path_is_never_writable(const char *dir, const char *home);

struct path_context;

/* Makes a path of a command line absolute and clean, by its spelling: ~, $HOME
 * and $PWD at its start are known, and a relative path begins at dir (NULL: not
 * known). The path is cut before the first component that holds a pattern or
 * another expansion; *cut tells so. False: its beginning is not known. */
bool path_absolute(const char *text, const char *dir,
                   const struct path_context *where, char out[PATH_MAX],
                   bool *cut);

#endif
