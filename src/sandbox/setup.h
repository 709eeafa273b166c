/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup.h - makes a sandbox_spec from the settings and a caller's parameters.
 *
 * Decides where a child works, what it sees of the home directory, what is
 * hidden from it and how much it may use, for any caller that starts one:
 * `agentsh exec`, a step, a tool. What concerns the caller alone it sets
 * afterwards (sandbox_setup_use_view, keep_terminal, report). */
#ifndef SANDBOX_SETUP_H
#define SANDBOX_SETUP_H

#include "base/seat.h"
#include "config/config.h"
#include "sandbox/preview/view.h"
#include "sandbox/setup_stamps.h"
#include "sandbox/spec.h"

#define SETUP_SECRETS_MAX 160 /* places of secrets below the home directory */
/* Each list of a spec; workspace and home, both of a copy too; the places of
 * secrets twice. */
#define SETUP_TEXTS_MAX                                                        \
    (3 * SPEC_PATHS_MAX + 2 * SPEC_SECRETS_MAX + SPEC_READABLE_MAX + 3 +       \
     2 * SETUP_SECRETS_MAX)

/* What the caller wants. */
struct sandbox_setup_params {
    enum profile profile;
    const struct seat *seat; /* whose home, PATH and directories these are;
                                borrowed until sandbox_setup_done */
    bool net;
    const char *workspace; /* NULL: the seat's directory, if it is fit */
    /* Absolute paths of directories in addition to the workspace; NULL, or
     * with a NULL at the end. */
    const char *const *writable;
    /* The same, and files. A place of secrets that is named exactly is shown.
     * A path in /tmp is shown over the child's own /tmp, never through a
     * link. */
    const char *const *readable;
    /* What the person opened below the home directory (secret_named_in). */
    const char *const *named;
    /* Files of the workspace that a child which nobody was asked about must
     * not read (secret_tree_find); NULL at the end. */
    char *const *closed;
    bool made; /* the caller has just created a user namespace */
    /* Where there are no namespaces and the settings do not allow `reduced`,
     * workspace-write becomes read-only instead of an error. */
    bool or_reads;
    bool sees_all;      /* as in the spec */
    bool programs;      /* the child is ours: it sees libexec and the plugins */
    const char *plugin; /* the directory of its program, if that is elsewhere */
    /* gets what the setup is made from; borrowed until sandbox_setup_done.
     * NULL: it is made for one child alone */
    struct setup_stamps *stamps;
};

struct sandbox_setup {
    struct sandbox_spec spec;
    const struct seat *seat;                     /* of the params, as … */
    struct setup_stamps *stamps;                 /* … these */
    const char *secrets[SETUP_SECRETS_MAX + 1];  /* those that exist */
    const char *secrets_real[SETUP_SECRETS_MAX]; /* the same without links;
                                                    NULL: a dangling link */
    char *texts[SETUP_TEXTS_MAX];                /* what spec points to */
    size_t n_texts;
};

/* Fills in s, which is all zero; the spec is valid until sandbox_setup_done,
 * which the caller calls also after an error.
 * ERR_USAGE: the workspace is no directory; or the profile would make it
 * writable, and it is the home directory, contains that, or holds secrets.
 * ERR_DENIED: a link leads a path elsewhere; or the sandbox is reduced and a
 * writable directory contains our settings.
 * ERR_SANDBOX: the profile is `reduced`, but the settings do not allow it and
 * this machine has namespaces; or the profile needs namespaces and there are
 * none. A profile that writes to no workspace, or only in a view, is reduced
 * by itself there.
 * ERR_CONFIG: there are more paths than a spec holds. */
int sandbox_setup_fill(struct sandbox_setup *s,
                       const struct sandbox_setup_params *w,
                       const struct config *c, struct err *e);
void sandbox_setup_done(struct sandbox_setup *s); /* accepts NULL */

/* Makes the child work in a view of its workspace; the view must live as long
 * as s. For the profile `preview`, and for a step of which only additions are
 * kept. */
int sandbox_setup_use_view(struct sandbox_setup *s, const struct view *v,
                           struct err *e);

#endif
