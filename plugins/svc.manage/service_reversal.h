/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_reversal.h - how a service is as one object, and the calls that take
 * a difference of two such objects back.
 *
 * Its members are "active": running, not running or unknown; and "boot": yes or
 * no, where its manager says whether it is started at boot. */
#ifndef PLUGINS_SVC_MANAGE_SERVICE_REVERSAL_H
#define PLUGINS_SVC_MANAGE_SERVICE_REVERSAL_H

#include "plugins/svc.manage/act.h"

/* Answers with the object as meta.state. -1: nothing was answered. */
int service_state_run(const struct request *r, const struct act *a,
                      const struct init *i, struct err *e);

/* Answers what would take args.changes back, each a member's name with what it
 * was before and after: meta.calls are calls of this tool, in order; meta.left
 * what is left alone, and why. Nothing is changed. -1 as above. */
int service_reversal_run(const struct request *r, const struct act *a,
                         const struct init *i, struct err *e);

#endif
