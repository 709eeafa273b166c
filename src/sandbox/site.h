/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.h - from the settings to what a confined child is started with.
 *
 * Where a child works, what it sees of the home directory, what is kept from
 * it, and how much it may take, for any caller that starts one: `agentsh
 * exec`, a step, a tool. The caller sets what is its own affair afterwards
 * (site_use_view, keep_terminal, report). */
#ifndef SANDBOX_SITE_H
#define SANDBOX_SITE_H

#include "config/config.h"
#include "sandbox/preview/view.h"
#include "sandbox/spec.h"

#define SITE_SECRETS_MAX 160 /* places of secrets below the home directory */
/* Each list of a spec, workspace and home, both of a copy too, the places of
 * secrets twice. */
#define SITE_TEXTS_MAX                                                         \
    (3 * SPEC_PATHS_MAX + 2 * SPEC_SECRETS_MAX + SPEC_READABLE_MAX + 3 +       \
     2 * SITE_SECRETS_MAX)

struct site_wish {
    enum profile profile;
    bool net;
    const char *workspace; /* NULL: the working directory, where that will do */
    /* absolute directories beside it; NULL, or NULL at the end */
    const char *const *writable;
    const char *const *readable; /* the same, and files; a place of secrets that
                                    is named just so is seen; what lies in /tmp
                                    is seen over the child's own, never led
                                    there by a link */
    /* what the person opened below the home directory (secret_named_in) */
    const char *const *named;
    /* of a child that nobody was asked about: files of the workspace that it
     * must not read (secret_tree_find); NULL at the end */
    char *const *closed;
    bool made; /* a user namespace was, just now */
    /* workspace-write becomes read-only, instead of an error, where there are
     * no namespaces and the settings do not allow `reduced` */
    bool or_reads;
    bool sees_all; /* as in the spec */
    bool programs; /* the child is one of ours: show it libexec and plugins */
    const char *plugin; /* the directory of its program, where it is not */
};

struct site {
    struct sandbox_spec spec;
    const char *secrets[SITE_SECRETS_MAX + 1];  /* those that are there */
    const char *secrets_real[SITE_SECRETS_MAX]; /* without links; NULL: it
                                                   leads nowhere */
    char *texts[SITE_TEXTS_MAX];                /* what spec points to */
    size_t n_texts;
};

/* Fills s, which is all zero, and needs site_done in any case; the spec is
 * valid until then.
 * ERR_USAGE: the workspace is no directory; or it is the home directory, one
 * above it, or a place of secrets, and the profile would make it writable.
 * ERR_DENIED: a path is led elsewhere by a link; or, where it is reduced, a
 * writable directory holds our settings.
 * ERR_SANDBOX: `reduced`, and the settings do not allow it, though this machine
 * has namespaces; or it has none, and the profile needs them. What needs them
 * and writes no workspace, or only in a view, is reduced there by itself.
 * ERR_CONFIG: more paths than a spec holds. */
int site_fill(struct site *s, const struct site_wish *w, const struct config *c,
              struct err *e);
void site_done(struct site *s); /* accepts NULL */

/* Has the child, of a site for `preview` or of a step of which only additions
 * are kept, work in the view of its workspace, which lives as long. */
int site_use_view(struct site *s, const struct view *v, struct err *e);

/* Whether the home directory is hidden but for what is readable. */
bool site_hides_home(const struct sandbox_spec *spec);

/* Whether the child sees what is there on disk at an absolute path. */
bool site_shows(const struct sandbox_spec *spec, const char *path);

#endif
