/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.h - names the sandbox's profiles, and chooses one for a command line.
 *
 * sandbox/ enforces a profile; this folder only knows its name and chooses the
 * strictest one in which the line can do its work. A line never runs in a
 * profile that hides what it reads: it would give a wrong answer. Nothing is
 * run here, and only memory can fail. */
#ifndef GUARD_PROFILE_PROFILE_H
#define GUARD_PROFILE_PROFILE_H

#include <limits.h>

#include "guard/risk/risk.h"

enum profile {
    PROFILE_READ_ONLY,
    PROFILE_OBSERVE,
    PROFILE_OBSERVE_PROC,
    PROFILE_WORKSPACE_WRITE,
    PROFILE_PREVIEW,
    PROFILE_PLUGIN,
    PROFILE_REDUCED, /* no user namespaces: Landlock and a seccomp filter */
    PROFILE_FULL,
    PROFILE_N
};

struct profile_row {
    const char *name; /* "workspace-write" */
    const char *help; /* one line */
};
const struct profile_row *profile_row(enum profile p);

/* Finds a profile by its name; false: there is none. */
bool profile_find(const char *name, enum profile *out);

#define PROFILE_DIRS_MAX 16
#define PROFILE_ARGS_MAX 32 /* words of the reader's call */

/* A file that a line creates in the workspace, or appends to. */
struct profile_addition {
    char *path; /* absolute and clean, below the workspace; owned */
    bool below; /* if it becomes a directory: everything in it too */
    bool grows; /* the file exists, and is appended to */
};

/* What a line needs in order to work. */
struct profile_choice {
    enum profile profile;
    bool net;
    char *writable[PROFILE_DIRS_MAX]; /* directories beside the workspace */
    size_t n_writable;
    char *readable[PROFILE_DIRS_MAX]; /* paths below /tmp, which is hidden
                                         otherwise */
    size_t n_readable;
    /* Of a line that runs without a question: the workspace is a copy-on-write
     * view, of which only these files are kept. None: nothing is writable. */
    struct profile_addition added[PROFILE_DIRS_MAX];
    size_t n_added;
    /* The line begins with a call that inspects other processes' open files.
     * That call alone runs in observe-proc, executed without a shell; the array
     * ends with NULL. Its output is the input of the rest, which runs in
     * `profile`. Without a rest, profile is observe-proc. The errors of a quiet
     * reader are not shown. */
    char *reader[PROFILE_ARGS_MAX + 1];
    size_t n_reader;
    bool reader_quiet;
    char *rest; /* a command line; NULL: none */
    /* Of observe: the line shows who owns files. A user namespace of an
     * unprivileged user hides that, so the line gets none, and Landlock alone
     * protects the files. */
    bool owners;
    bool reduced;  /* the machine has no namespaces for it (profile_reduce) */
    char why[160]; /* why it is not workspace-write; "": it is */
};

/* Chooses the profile of a line; r was read from line. workspace NULL: there is
 * none, because the working directory is $HOME, above it, or /. */
int profile_choose(const struct risk *r, const char *line,
                   const struct path_context *where, const char *workspace,
                   struct profile_choice *out, struct err *e);

/* Restricts the choice to what may run without a question: the line keeps what
 * it reads and loses what it could write, except new files that it names and
 * files that it appends to. So a line that was analysed wrongly destroys
 * nothing. why receives the reason why the line needs approval after all, or
 * "". -1: no memory. */
int profile_auto_approved(const struct risk *r,
                          const struct path_context *where,
                          const char *workspace, struct profile_choice *c,
                          char why[160], struct err *e);

/* Adapts the choice to a machine without namespaces: Landlock replaces them,
 * and workspace-write becomes PROFILE_REDUCED. full and observe-proc stay as
 * they are. */
void profile_reduce(struct profile_choice *c);

/* Turns the choice into full, and drops what only other profiles need. */
void profile_make_full(struct profile_choice *c);

void profile_choice_done(struct profile_choice *c); /* accepts NULL */

/* Finds the directory that must be writable so that path, absolute and clean,
 * can be changed: the nearest existing directory above it, or the path itself
 * when `itself` is set and it is a directory. dir is set in any case. False: no
 * profile makes that directory writable, because it belongs to the system,
 * holds the person's settings, or, when `writes` is set, holds programs that
 * run by name. */
bool profile_find_writable_dir(const char *path,
                               const struct path_context *where, bool itself,
                               bool writes, char dir[PATH_MAX]);

#endif
