/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.h - one action on one service, and its answer. */
#ifndef PLUGINS_SVC_MANAGE_ACT_H
#define PLUGINS_SVC_MANAGE_ACT_H

#include "plugins/lib/request.h"
#include "plugins/svc.manage/init.h"

/* What svc.manage is asked to do; the texts are borrowed from the request. */
struct act {
    enum init_ask action;
    const char *service;
    const char *manager; /* NULL: the system's */
};

/* ERR_INVALID names the argument. */
int act_read(const struct request *r, struct act *out, struct err *e);

/* Does it and answers. -1: nothing was answered, and e says why. */
int act_run(const struct request *r, const struct act *a, const struct init *i,
            struct err *e);

#endif
