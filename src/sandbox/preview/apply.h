/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply.h - applies a list of changes to the workspace itself.
 *
 * First every original is checked: if one is not as it was (changes.h says how
 * exactly that is known), nothing is changed. Then everything that will be
 * written is copied into one directory in the workspace, .agentsh-keep-RUN, if
 * it still is what was listed, and is synced to disk. The bytes are shared
 * where the filesystem can do that. So a lack of space fails here, with nothing
 * changed. Then files are renamed into place one by one, directories before
 * what is in them, deletions last. Every path is resolved below the directory's
 * descriptor, and never through a link (beneath.h).
 *
 * After an error in the middle, or a kill, it can be done again: what is in
 * place already is no change any more when the list is read again.
 *
 * Kept are bytes, permission bits, times, owner (where we may set it), user
 * attributes and access lists. Not kept are setuid and setgid bits that the
 * original did not have, hard links (each name gets a file of its own), and
 * entries with a bar. */
#ifndef SANDBOX_PREVIEW_APPLY_H
#define SANDBOX_PREVIEW_APPLY_H

#include "guard/path/git_files.h"
#include "sandbox/preview/changes.h"

enum apply_state {
    APPLY_WAITING, /* not done yet */
    APPLY_DONE,
    APPLY_LEFT_OUT,   /* it has a bar */
    APPLY_CHANGED,    /* refused: the original is not what it was */
    APPLY_GONE,       /* refused: the original is no longer there */
    APPLY_APPEARED,   /* refused: there was none, and now there is */
    APPLY_MOVED,      /* refused: its directory is gone, or a link */
    APPLY_UNWRITABLE, /* refused: its directory cannot be written in */
    APPLY_STATE_N
};

/* Returns the words for a state: "was changed in the meantime", ... */
const char *apply_state_text(enum apply_state s);

struct apply_spec {
    const struct changes_spec *view;
    const struct changes *list; /* from changes_read, for the same view */
    const char *run;            /* a name for the staging directory */
    /* Files are moved out of the view where they are on the same filesystem,
     * with their hard links, and nothing is synced: after a failure it cannot
     * be done again, and the caller puts back what was there. */
    bool move;
    /* Called when every original was found to be as it was, before anything is
     * changed: keeps them. -1 ends it. NULL: none. */
    int (*keep)(void *arg, struct err *e);
    /* whose configuration git reads; NULL: not known */
    const struct git_person *who;
    /* Called before each entry; false ends it (ERR_INTERRUPTED). NULL: none. */
    bool (*goes_on)(void *arg, size_t done, size_t of);
    /* Called for each path that git would have believed and that was set aside:
     * a repository that is kept is checked as after any command
     * (protect/protect.h). NULL: none. */
    void (*on_aside)(void *arg, const char *path);
    void *arg;
};

struct apply_report {
    unsigned char *state; /* an enum apply_state for each entry */
    size_t done, refused, left_out;
};

/* Checks every original, then applies the changes. ERR_PERMISSION: an entry is
 * refused, and nothing was done. On any failure the report says which entries
 * were done. out begins as {0}; the caller calls apply_report_done also after
 * an error. */
int apply_keep(const struct apply_spec *s, struct apply_report *out,
               struct err *e);
void apply_report_done(struct apply_report *r); /* accepts NULL */

/* Removes what an apply_keep that was killed left in the directory. */
int apply_sweep(int place, const char *run, struct err *e);

#endif
