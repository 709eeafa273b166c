/* SPDX-License-Identifier: GPL-3.0-or-later */
/* package_reversal.h - what is installed as one object, and the calls that take
 * a difference of two such objects back.
 *
 * A member of the object is a package: its version, or several with ", "
 * between them, and " auto" where it came since another one needs it. */
#ifndef PLUGINS_PKG_MANAGE_PACKAGE_REVERSAL_H
#define PLUGINS_PKG_MANAGE_PACKAGE_REVERSAL_H

#include "plugins/lib/request.h"
#include "plugins/pkg.manage/manager.h"

/* Answers with the object as meta.state. -1: nothing was answered. */
int package_state_run(const struct request *r, const struct manager *m,
                      struct err *e);

/* Answers what would take args.changes back, each a name with what it was
 * before (null: not there) and after: meta.calls are calls of this tool, in
 * order; meta.left what is left alone, and why. Nothing is changed. -1 as
 * above. */
int package_reversal_run(const struct request *r, const struct manager *m,
                         struct err *e);

#endif
