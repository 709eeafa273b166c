/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_table.h - what the places of a system are, in one table.
 *
 * Where programs are, what only root writes, what the kernel shows, which
 * devices are disks: whoever judges a path asks here, the rules, the profiles,
 * what a line would touch, the walls and the engine without a model. Paths are
 * absolute and clean (path_clean); only their spelling is looked at. Nothing
 * here can fail. */
#ifndef GUARD_PATH_TABLE_H
#define GUARD_PATH_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* What a path is, by the nearest row that it is or lies below. */
#define PATH_IS_ROOTS  (1u << 0)    /* only root may write there */
#define PATH_IS_CLOSED (1u << 1)    /* only root may read it */
#define PATH_IS_SYSTEM (1u << 2)    /* nobody's workspace: a new file may be */
                                    /* a program, a job or a service */
#define PATH_IS_KERNEL    (1u << 3) /* the kernel makes it, or holds it */
#define PATH_IS_SHOWN     (1u << 4) /* no file's bytes: the kernel shows it */
#define PATH_IS_DEVICE    (1u << 5)
#define PATH_IS_PROGRAMS  (1u << 6) /* a program's name there is the program */
#define PATH_IS_TEMPORARY (1u << 7) /* a confined child has one of its own */
#define PATH_IS_SHARED    (1u << 8) /* everybody may write there */
#define PATH_IS_MACHINE   (1u << 9) /* tells what the machine does: */
                                    /* workspace-write shows another or none */
#define PATH_IS_UPDATED (1u << 10)  /* only the system's update changes it */
#define PATH_IS_SETTING (1u << 11)  /* settings of the whole machine */
#define PATH_IS_SINK    (1u << 12)  /* writing there keeps nothing */
#define PATH_IS_SWITCH  (1u << 19)  /* what is written there acts */
#define PATH_IS_TOP     (1u << 13)  /* / itself, or what lies right in it */

/* What it is only where it is a row itself, not below one. */
#define PATH_IS_VITAL  (1u << 14) /* no machine lives without what is in it */
#define PATH_IS_KEPT   (1u << 15) /* nobody means to lose all that is in it */
#define PATH_IS_BIN    (1u << 16) /* where an administrator puts programs */
#define PATH_IS_HOMES  (1u << 17) /* each directory in it is somebody's home */
#define PATH_IS_STREAM (1u << 18) /* what every program has open anyway */

/* All that holds of it. */
unsigned path_kinds(const char *path);

/* Whether some of these kinds hold. */
bool path_is(const char *path, unsigned kinds);

/* The rows of a kind one after another; NULL at the end. *at begins at 0. */
const char *path_next(unsigned kinds, size_t *at);

/* By its name a disk, a part or a volume of one, plugged in or not, or the
 * memory as a device. */
bool path_is_disk(const char *path);

/* What a path is to the profiles; home may be NULL. */

/* workspace-write shows an empty or another directory there: $HOME, /run,
 * /proc. /var/log is whole there, but is looked at as the machine is. */
bool path_is_hidden(const char *path, const char *home);

/* Something below it is hidden: what counts or searches there would miss it.
 * Of / itself and of what holds $HOME. */
bool path_holds_hidden(const char *path, const char *home);

/* In a profile with a /tmp of its own it is another file. */
bool path_is_temporary(const char *path);

/* Writing there keeps nothing: /dev/null, /dev/tty, /dev/stderr, … */
bool path_is_sink(const char *path);

/* In the workspace, and read-only all the same, for what is written there is
 * run or believed later: what git believes (git_place.h), .agentsh. */
bool path_runs_later(const char *path);

/* What is no workspace of root's: /, the directories right below it that the
 * table names, and the system's own. /work is one, where that is mounted. */
bool path_is_of_system(const char *dir);

/* A directory that is not made writable because a command line writes there:
 * /, what lies right below it, $HOME, what is above it, what lies below $HOME
 * in a directory whose name begins with a dot, and the system's own. */
bool path_is_protected(const char *dir, const char *home);

#endif
