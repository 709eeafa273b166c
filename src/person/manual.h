/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manual.h - ai explain without a model: from this machine's manual pages. */
#ifndef PERSON_MANUAL_H
#define PERSON_MANUAL_H

#include "person/app.h"

/* Explains the command line and returns the exit status: 0 when something is
 * known of it, 1 when nothing is. */
int manual_explain(struct app *a, const char *text);

#endif
