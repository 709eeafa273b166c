/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply.h - makes a list of changes true in the directory itself.
 *
 * First it looks whether every original is as it was (changes.h says how
 * exactly); if one is not, nothing is touched. Then what is to be written, as
 * long as it is what was listed, is copied (a shared copy where the filesystem
 * has that) into one directory inside the workspace, .agentsh-keep-RUN, and
 * reaches the disk: what can fail for want of space fails here, with nothing
 * changed. Then files are renamed into place one by one, directories before
 * what is in them, deletions last. Every path is resolved below the directory's
 * descriptor, through no link (beneath.h).
 *
 * Ended in the middle, by an error or by force, it may be done again: what is
 * there already is no change any more when the list is read anew.
 *
 * Kept are bytes, permission bits, time, owner (where we may), user
 * attributes and access lists. Not kept: setuid and setgid bits that the
 * original did not have, hard links (the name gets a file of its own), and
 * entries that have a bar. */
#ifndef SANDBOX_APPLY_H
#define SANDBOX_APPLY_H

#include "sandbox/preview/changes.h"

enum apply_state {
    APPLY_WAITING, /* not yet done */
    APPLY_DONE,
    APPLY_LEFT_OUT,   /* it has a bar */
    APPLY_CHANGED,    /* refused: the original is not what it was */
    APPLY_GONE,       /* refused: the original is no longer there */
    APPLY_APPEARED,   /* refused: there was none, and now there is */
    APPLY_MOVED,      /* refused: its directory is gone, or a link */
    APPLY_UNWRITABLE, /* refused: its directory cannot be written in */
    APPLY_STATE_N
};

/* What a refused entry is called: "was changed meanwhile", … */
const char *apply_state_text(enum apply_state s);

struct apply_spec {
    const struct changes_spec *view;
    const struct changes *list; /* of changes_read with the same view */
    const char *run;            /* a name for the staging directory */
    /* Asked before each entry; false ends it (ERR_INTERRUPTED). NULL: yes. */
    bool (*goes_on)(void *arg, size_t done, size_t of);
    /* Hears of what git would have believed, and is elsewhere now: repositories
     * that were kept are looked at as after any command (launch/protect.h).
     * NULL: nobody does. */
    void (*on_aside)(void *arg, const char *path);
    void *arg;
};

struct apply_report {
    unsigned char *state; /* enum apply_state, one an entry of the list */
    size_t done, refused, left_out;
};

/* Looks only. ERR_PERMISSION when an entry is refused. */
int apply_check(const struct apply_spec *s, struct apply_report *out,
                struct err *e);

/* Looks, then does. On failure the report says which are done. out needs
 * apply_report_done in any case, and begins as {0}. */
int apply_keep(const struct apply_spec *s, struct apply_report *out,
               struct err *e);
void apply_report_done(struct apply_report *r); /* accepts NULL */

/* Removes what an apply_keep that was ended by force left in the directory. */
int apply_sweep(int place, const char *run, struct err *e);

#endif
