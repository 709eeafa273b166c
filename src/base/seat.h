/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seat.h - the place that one session works from.
 *
 * A process may serve several sessions, each with a directory, a home and
 * variables of its own. What judges, runs or explains a request is handed the
 * seat of its session, and asks the process for none of these: guard/,
 * sandbox/, tool/, model/, offline/ and action/ call no getcwd(3) and no
 * getenv(3) (tests/check/layers.sh). A seat never changes: where the directory
 * or a variable has changed, a new one is made. */
#ifndef BASE_SEAT_H
#define BASE_SEAT_H

#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/path.h"

#define SEAT_ROOTS_MAX     64   /* folders that one window of an editor opens */
#define SEAT_VARIABLES_MAX 4096 /* each is compared with each */
/* As much as execve(2) takes, where the stack is 8 MiB. */
#define SEAT_VARIABLES_BYTES_MAX (2u << 20)

struct seat; /* owns all that it was made from */

/* What a peer says of its session. The lists end with NULL, or are NULL. */
struct seat_params {
    const char *dir;              /* absolute */
    const char *const *roots;     /* absolute; directories beside it */
    const char *const *variables; /* NAME=value, each name once */
};

/* The seat of a session that a peer describes, all copied. ERR_INVALID: a path
 * is not absolute, a variable has no name or comes twice, or there are too
 * many; ERR_NOT_FOUND, ERR_PERMISSION: a directory cannot be opened. */
struct seat *seat_new(const struct seat_params *p, struct err *e);

/* The seat of this process, as it is now, for a main. A directory that was
 * deleted, or that cannot be entered, is no error: see seat_dir. ERR_NOMEM. */
struct seat *seat_of_process(struct err *e);

/* A copy of the seat that works from another directory, absolute, and has one
 * variable set otherwise (NAME=value; NULL: none). The errors are those of
 * seat_new. */
struct seat *seat_move(const struct seat *s, const char *dir,
                       const char *variable, struct err *e);

void seat_free(struct seat *s); /* accepts NULL */
DEFINE_CLEANUP(struct seat, seat_free)

/* All strings below are borrowed from the seat, unless it says otherwise. */

/* The directory: absolute, without symbolic links. NULL: it was deleted, which
 * happens to a seat of the process alone. */
const char *seat_dir(const struct seat *s);

/* seat_dir for a caller that needs one; NULL with the reason in e. */
const char *seat_need_dir(const struct seat *s, struct err *e);

/* The directory, opened with O_PATH, for openat(2) and its kin; -1: it cannot
 * be entered, which happens to a seat of the process alone. Borrowed. */
int seat_fd(const struct seat *s);

/* Further directories, like seat_dir; NULL at the end. */
const char *const *seat_roots(const struct seat *s);

/* $HOME where that is absolute, else what /etc/passwd says; NULL: neither. */
const char *seat_home(const struct seat *s);

/* The value of a variable; NULL: it is not set. */
const char *seat_variable(const struct seat *s, const char *name);

/* The value of PATH, of which an empty or relative element is below the
 * seat's directory (path_find_in); NULL: it is not set. */
const char *seat_path(const struct seat *s);

/* All variables, as environ(7) has them; NULL at the end. */
const char *const *seat_variables(const struct seat *s);

/* fstatat(2) of a path as a command in the directory would name it. s NULL:
 * ENOENT, for a text that nobody asks about. */
int seat_stat(const struct seat *s, const char *path, int flags,
              struct stat *st);

/* Whether there is something, as access(2) with F_OK says it. */
bool seat_has(const struct seat *s, const char *path);

/* The rest returns strings that the caller frees. */

/* A path that a command line in this directory would mean: an absolute one as
 * it is, another below seat_dir; "" stays "". It is not cleaned. NULL without
 * memory, or without a directory. */
char *seat_resolve(const struct seat *s, const char *path);

/* path_expand_below, path_find_program, path_of and path_make_dirs, for the
 * home and the variables of the seat. */
char *seat_expand_home(const struct seat *s, const char *path);
char *seat_find_program(const struct seat *s, const char *name);
char *seat_place(const struct seat *s, enum path_place place, const char *name,
                 struct err *e);
int seat_make_dirs(const struct seat *s, const char *path, mode_t mode,
                   struct err *e);

#endif
