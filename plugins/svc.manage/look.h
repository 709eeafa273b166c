/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.h - asks a service's manager how the service is. */
#ifndef PLUGINS_SVC_MANAGE_LOOK_H
#define PLUGINS_SVC_MANAGE_LOOK_H

#include "plugins/lib/need.h"
#include "plugins/svc.manage/init.h"
#include "plugins/svc.manage/state.h"

#define LOOK_NAME_MAX   255 /* as long as a file's */
#define LOOK_TARGET_MAX (LOOK_NAME_MAX + sizeof("system/"))

/* One look at one service. */
struct look {
    const struct request *request;
    const struct init *init;
    const char *service;
    char target[LOOK_TARGET_MAX]; /* the same in launchd's system domain */
    bool as_root; /* the state is asked for by a need: within a call that a
                     person agreed to */
    /* set by the look */
    struct state state;
    struct need_answer answer; /* what the manager's program wrote, and its exit
                                status */
    char note[160];            /* why it could not be asked, or "" */
};

void look_init(struct look *l, const struct request *r, const struct init *init,
               const char *service);
void look_done(struct look *l); /* accepts NULL */

/* Looks, as the row's manager is asked. ERR_NOT_FOUND: no such service. */
int look_run(struct look *l, struct err *e);

/* The ways, one a manager: members of its row. */
int look_systemd(struct look *l, struct err *e);
int look_openrc(struct look *l, struct err *e);
int look_sysvinit(struct look *l, struct err *e);
int look_launchd(struct look *l, struct err *e);

/* Puts a row's words together for the service. */
int look_fill(const struct look *l, const char *const row[WORDS_ROW],
              struct words *w, struct err *e);

#endif
