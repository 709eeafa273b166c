/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - one action of a package manager, and its answer. */
#ifndef PLUGINS_PKG_MANAGE_CHANGE_H
#define PLUGINS_PKG_MANAGE_CHANGE_H

#include "plugins/pkg.manage/args.h"

/* Installs, removes, updates or upgrades, by a need where that takes root, and
 * answers with what has changed. -1: nothing was answered, and e says why. */
int change_run(const struct request *r, const struct args *a,
               const struct manager *m, struct err *e);

/* Searches, and answers with what the manager found. -1 as above. */
int search_run(const struct request *r, const struct args *a,
               const struct manager *m, struct err *e);

#endif
