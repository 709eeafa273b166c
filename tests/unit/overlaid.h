/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlaid.h - scripts in a copy-on-write view, or a copy, for the tests of
 * previews. */
#ifndef TESTS_OVERLAID_H
#define TESTS_OVERLAID_H

#include <stdbool.h>

#include "sandbox/preview/changes.h"

#define OVERLAID_PATH_MAX 256

/* What a script runs in. */
enum overlaid_way {
    OVERLAID_VIEW,
    OVERLAID_USER, /* the same as another user than root */
    OVERLAID_COPY, /* a copy of the workspace */
};

/* A directory of the test's own with the workspace `place` and `state`, which
 * holds upper and work. */
struct overlaid {
    enum overlaid_way way;
    char root[OVERLAID_PATH_MAX];
    char place[OVERLAID_PATH_MAX];
    char state[OVERLAID_PATH_MAX];
    int lower, upper;
    struct workcopy *copied;
};

/* Whether this machine lets a process make user and mount namespaces, and
 * mount an overlay in them, as root and as a normal user. */
bool overlaid_is_possible(void);

void overlaid_open(struct overlaid *o, enum overlaid_way way);
void overlaid_close(struct overlaid *o); /* removes it all */

/* Runs `sh -c script` in the workspace, plainly or in the view; its exit
 * status. */
int overlaid_plain(const struct overlaid *o, const char *script);
int overlaid_run(const struct overlaid *o, const char *script);

/* The run begins: the workspace is as it should be, and is copied where it
 * has to be. Borrows from o. */
struct changes_spec overlaid_begin(struct overlaid *o);

#endif
