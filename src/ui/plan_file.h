/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_file.h - reads a plan that was saved: --plan FILE. */
#ifndef UI_PLAN_FILE_H
#define UI_PLAN_FILE_H

#include "action/aiaction.h"
#include "ui/app.h"

struct plan_file; /* that is being read */

/* The action is the callee's; NULL: it is no plan, and why. outside: see struct
 * plan_setting: a pipe, or a file that others can write; a constant. It comes
 * once, from the loop or before plan_file_open returns, and may close it. */
typedef void plan_file_cb(void *arg, struct aiaction *action,
                          const char *outside, const struct err *why);

/* Reads it, and loads the registry. A file that cannot be read is a usage
 * error, as one that holds no plan is. path is borrowed. *out is set before cb
 * is called. */
int plan_file_open(struct app *a, const char *path, plan_file_cb *cb, void *arg,
                   struct plan_file **out, struct err *e);
void plan_file_close(struct plan_file *f); /* accepts NULL */
DEFINE_CLEANUP(struct plan_file, plan_file_close)

#endif
