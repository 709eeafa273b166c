/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlaid.h - scripts in a copy-on-write view, for the tests of previews. */
#ifndef TESTS_OVERLAID_H
#define TESTS_OVERLAID_H

#include <stdbool.h>
#include <time.h>

#define OVERLAID_PATH_MAX 256

/* A directory of the test's own with the workspace `place` and `state`, which
 * holds upper and work. */
struct overlaid {
    char root[OVERLAID_PATH_MAX];
    char place[OVERLAID_PATH_MAX];
    char state[OVERLAID_PATH_MAX];
    int lower, upper;
    bool as_user; /* scripts run as another user than root */
};

/* Whether this machine lets a process make user and mount namespaces, and
 * mount an overlay in them, as root or (as_user) as a normal user. */
bool overlaid_is_possible(bool as_user);

void overlaid_open(struct overlaid *o, bool as_user);
void overlaid_close(struct overlaid *o); /* removes it all */

/* Runs `sh -c script` in the workspace, plainly or in the view; its exit
 * status. */
int overlaid_plain(const struct overlaid *o, const char *script);
int overlaid_run(const struct overlaid *o, const char *script);

/* changes_begin, which does not fail. */
struct timespec overlaid_now(void);

#endif
