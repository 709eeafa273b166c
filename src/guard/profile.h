/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.h - the profiles of the sandbox, and which one a command line gets.
 *
 * What a profile means is enforced by sandbox/; here is its name and the
 * choice: the strictest that can do the work. A command that would see only
 * an emptied view must not run in it: that would be a wrong answer. */
#ifndef GUARD_PROFILE_H
#define GUARD_PROFILE_H

#include "guard/risk/risk.h"

enum profile {
    PROFILE_READ_ONLY,
    PROFILE_OBSERVE,
    PROFILE_OBSERVE_PROC,
    PROFILE_WORKSPACE_WRITE,
    PROFILE_PREVIEW,
    PROFILE_PLUGIN,
    PROFILE_REDUCED, /* without user namespaces: Landlock and the filter */
    PROFILE_FULL,
    PROFILE_N
};

struct profile_row {
    const char *name; /* "workspace-write" */
    const char *help; /* one line */
};
const struct profile_row *profile_row(enum profile p);

/* Whether there is one of that name. */
bool profile_find(const char *name, enum profile *out);

#define PROFILE_DIRS_MAX 16
#define PROFILE_ARGS_MAX 32 /* words of a reader's call */

/* A file that a line adds to the workspace, or appends to. */
struct profile_addition {
    char *path; /* absolute and clean, below the workspace; owned */
    bool below; /* and, where it becomes a directory, all that is in it */
    bool grows; /* it is a file that is there, and may become longer */
};

/* What a line needs to do its work. */
struct profile_choice {
    enum profile profile;
    bool net;
    char *writable[PROFILE_DIRS_MAX]; /* directories beside the workspace */
    size_t n_writable;
    char *readable[PROFILE_DIRS_MAX]; /* below /tmp, which is hidden else */
    size_t n_readable;
    /* of a line that runs unasked: the workspace is a copy-on-write view, of
     * which these alone are kept; none: nothing is writable */
    struct profile_addition added[PROFILE_DIRS_MAX];
    size_t n_added;
    /* the line begins with a call that looks at what other processes hold:
     * this alone runs in observe-proc, executed and by no shell, NULL-ended;
     * what it writes is the input of the rest, which runs in `profile`. No
     * rest: that is observe-proc. Errors of a quiet one are not shown. */
    char *reader[PROFILE_ARGS_MAX + 1];
    size_t n_reader;
    bool reader_quiet;
    char *rest; /* a command line; NULL: none */
    /* of observe: it shows who owns what, which a user namespace of a normal
     * user hides; so it gets none, and its files are kept by Landlock */
    bool owners;
    bool reduced;  /* there are no namespaces for it (profile_reduce) */
    char why[160]; /* why it is not workspace-write; "" when it is */
};

/* What a line needs; r was read from it. workspace NULL: there is none (the cwd
 * is $HOME or /). */
int profile_choose(const struct risk *r, const char *line,
                   const struct risk_place *where, const char *workspace,
                   struct profile_choice *out, struct err *e);

/* Finds the reader that the line begins with, and the rest of the line; only
 * for profile_choose. c is to be done in any case. */
int profile_find_reader(const struct risk *r, const char *line,
                        struct profile_choice *c, bool *found, struct err *e);

/* Makes the choice one for a line that runs without a question: it keeps what
 * it reads and loses what it could write, but for the new files that the line
 * names and the files that it appends to. So a line that was read wrongly
 * costs no data. why: room for the reason, in words, why it can only be run
 * after a yes; "" when it can. -1: no memory. */
int profile_unasked(const struct risk *r, const struct risk_place *where,
                    const char *workspace, struct profile_choice *c,
                    char why[160], struct err *e);

/* Makes the choice one for a machine without namespaces: the same with what
 * Landlock keeps alone, and workspace-write is PROFILE_REDUCED. What is full,
 * or observe-proc, stays so. */
void profile_reduce(struct profile_choice *c);

/* Makes it full, with nothing of what others have. */
void profile_open(struct profile_choice *c);

void profile_choice_done(struct profile_choice *c); /* accepts NULL */

#endif
