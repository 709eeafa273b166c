/* SPDX-License-Identifier: GPL-3.0-or-later */
/* binds.h - which places of the sandbox's view differ from the machine's.
 *
 * Everything is there and read-only, less what is hidden, plus what is put
 * back: a list made of the spec by the parent, where paths still mean what
 * the person meant, and mounted by the child (mounts.h). */
#ifndef SANDBOX_BINDS_H
#define SANDBOX_BINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/spec.h"

enum bind_kind {
    BIND_EMPTY,  /* an empty private directory, writable */
    BIND_HOME,   /* the same, read-only for the command */
    BIND_SECRET, /* the same, whether it is a directory or a file */
    BIND_READ,   /* what is there, read-only */
    BIND_WRITE,  /* what is there */
    BIND_COPY,   /* a copy-on-write view of what is there */
    BIND_PIN,    /* what is there, in something writable; stays in its place */
};

struct bind {
    const char *given; /* as in the spec; borrowed */
    char *real;        /* without links */
    enum bind_kind kind;
    bool directory;
    bool holds; /* another of the list lies in it */
};

/* Places of the machine, those of the spec, resolv.conf, links of /run. */
#define BINDS_MAX                                                              \
    (3 * SPEC_PATHS_MAX + SPEC_SECRETS_MAX + SPEC_READABLE_MAX + 16)

struct binds {
    struct bind at[BINDS_MAX]; /* outer places stand before inner ones */
    size_t n;
    /* while the list is made: a directory that is open, and its path, which
     * ends after so many bytes; NULL: none */
    const char *near;
    size_t near_length;
    int near_fd;
};

/* A path of the spec that is not there is ERR_SANDBOX where the command would
 * miss it, and passed over where not. One that is to be seen in /tmp, or
 * another place that is hidden because everybody writes there, is a file or a
 * directory without a link on its way, or ERR_SANDBOX. */
int binds_of(const struct sandbox_spec *s, struct binds *out, struct err *e);
void binds_done(struct binds *b);

/* How many places are written to, each of which has something to protect. */
size_t binds_writable(const struct binds *b);

/* Says of each hidden place of a list whether it holds another. */
void binds_mark(struct binds *b);

/* Adds the directories between a writable place and what is hidden or fixed
 * in it. A mount moves with the directory that holds it, and a new one of the
 * old name would be there for everybody else; a mount itself is not renamed.
 * Comes before the list is sorted. */
int binds_pin(struct binds *b, struct err *e);

/* Opens a real path of the list again, as O_PATH, in another mount name space:
 * a part of it that has become a link meanwhile is ELOOP. */
int bind_open(const char *real);

#endif
