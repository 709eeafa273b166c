/* SPDX-License-Identifier: GPL-3.0-or-later */
/* init.h - the managers of services: one row each, with what they are told.
 *
 * svc.manage is the same actions under any of them. As in pkg.manage a
 * row holds words for argv, and what takes root goes to the front as a need;
 * a service's state is read without it where that can be done. */
#ifndef PLUGINS_SVC_MANAGE_INIT_H
#define PLUGINS_SVC_MANAGE_INIT_H

#include <stdbool.h>

#include "base/err.h"
#include "plugins/lib/words.h"

/* What a manager is asked: the actions, in the order of their names, and what
 * is asked on the way. */
enum init_ask {
    ASK_START,
    ASK_STOP,
    ASK_RESTART,
    ASK_RELOAD,
    ASK_ENABLE,
    ASK_DISABLE,
    ASK_STATUS,
    ASK_STATE,   /* has no row: it is asked by others */
    ASK_REVERSE, /* the same */
    ASK_ACTIONS,
    ASK_REGISTER = ASK_ACTIONS, /* before the first ASK_ENABLE */
    ASK_EXISTS,                 /* exit status 0: there is such a service */
    ASK_BOOT,                   /* is it started at boot? */
    ASK_N
};

struct look;

struct init {
    const char *name; /* "systemd" */
    const char *mark; /* there when the system was started by it */
    bool lsb;         /* its exit statuses are those of LSB init scripts */
    /* fills l->state and l->answer */
    int (*look)(struct look *l, struct err *e);
    /* "%s" the service, "%t" the service in launchd's system domain */
    const char *row[ASK_N][WORDS_ROW];
};

/* The one of that name, or with NULL the one that runs this system.
 * ERR_UNSUPPORTED says what was looked for. */
const struct init *init_find(const char *name, struct err *e);

const char *init_action_name(enum init_ask ask); /* "start"… */

#endif
