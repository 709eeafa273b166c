/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_view.h - ai explain without a model: prints what the manual pages of
 * this machine say. */
#ifndef UI_EXPLAIN_VIEW_H
#define UI_EXPLAIN_VIEW_H

#include "ui/app.h"

/* Explains a command line and returns the exit status: 0 when something is
 * known of it, 1 when nothing is. */
int explain_view_show(struct app *a, const char *line);

#endif
