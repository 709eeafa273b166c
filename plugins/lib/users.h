/* SPDX-License-Identifier: GPL-3.0-or-later */
/* users.h - names of users, from the password file alone.
 *
 * The system's own look-up would ask daemons by sockets that a tool has not,
 * and load libraries for it. A user who is known elsewhere is a number. */
#ifndef PLUGINS_LIB_USERS_H
#define PLUGINS_LIB_USERS_H

#include <stdint.h>

#include "base/buf.h"

#define USERS_NAME_SIZE 64

struct users {
    struct buf text; /* of etc/passwd, "" where it cannot be read */
};

void users_init(struct users *u, int root);
void users_done(struct users *u);

/* "root", or the number as text. Returns name. */
const char *users_name(const struct users *u, uint64_t uid,
                       char name[USERS_NAME_SIZE]);

#endif
