/* SPDX-License-Identifier: GPL-3.0-or-later */
/* binds.h - lists the places where the sandbox's view differs from the
 * machine's files.
 *
 * In the view everything is visible and read-only, except what is hidden, plus
 * what is put back. The launcher makes the list from the spec, while paths
 * still mean what the person meant; the child mounts it (mounts.h). */
#ifndef SANDBOX_LAUNCH_BINDS_H
#define SANDBOX_LAUNCH_BINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/spec.h"

enum bind_kind {
    BIND_EMPTY,  /* an empty, private, writable directory */
    BIND_HOME,   /* the same, read-only for the command */
    BIND_SECRET, /* the same, for a directory or a file */
    BIND_READ,   /* what is there, read-only */
    BIND_WRITE,  /* what is there, writable */
    BIND_COPY,   /* a copy-on-write view of what is there */
    BIND_PIN,    /* a directory in a writable place, which cannot be renamed */
};

struct bind {
    const char *given; /* as in the spec; borrowed */
    char *real;        /* without links */
    enum bind_kind kind;
    bool directory;
    bool holds; /* another entry of the list lies in it */
};

/* Places of the machine, those of the spec, resolv.conf, links of /run. */
#define BINDS_MAX                                                              \
    (3 * SPEC_PATHS_MAX + SPEC_SECRETS_MAX + SPEC_READABLE_MAX + 16)

struct binds {
    struct bind at[BINDS_MAX]; /* outer places stand before inner ones */
    size_t n;
    /* While the list is made: a directory that is open, and its path, of
     * near_length bytes; NULL: none. */
    const char *near;
    size_t near_length;
    int near_fd;
};

/* Makes the list. A path of the spec that does not exist is ERR_SANDBOX where
 * the command would miss it, and is skipped otherwise. A path that is to be
 * seen in /tmp, or in another directory that is hidden because everybody can
 * write there, must be a file or directory without a link on its way, or it is
 * ERR_SANDBOX. Directories that a command could rename, so that a hidden or
 * fixed place moved with them, get an entry BIND_PIN: a mount point cannot be
 * renamed. */
int binds_make(const struct sandbox_spec *s, struct binds *out, struct err *e);
void binds_done(struct binds *b);

/* Returns how many places are writable; each has protected paths. */
size_t binds_writable(const struct binds *b);

/* Sets `holds` of each hidden entry. */
void binds_mark(struct binds *b);

/* Returns whether something of the machine that is not writable is seen in an
 * empty place: whoever may write in the place by a rule of Landlock, which
 * holds for all below it, could write into a pipe that lies there, too. Asked
 * in the view, after the mounts. */
bool binds_shows_more(const struct binds *b, const struct bind *empty);

/* Opens a real path of the list again as O_PATH, in another mount namespace.
 * ELOOP: a part of it has become a link in between. */
int binds_open_real(const char *real);

#endif
