/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_recover.h - takes back the steps that were killed. */
#ifndef UI_UNDO_RECOVER_H
#define UI_UNDO_RECOVER_H

#include "ui/app.h"

/* Puts back what steps changed whose agentsh was killed while they ran, and
 * says so. What is there now is kept first, so that ai undo RUN-left brings it
 * back. A failure is printed, and tried again the next time. */
void undo_recover(struct app *a);

#endif
