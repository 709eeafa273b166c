/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_try.h - asks a model one small question, to see whether it answers. */
#ifndef UI_MODEL_TRY_H
#define UI_MODEL_TRY_H

#include "model/select.h"
#include "ui/app.h"

/* Asks and waits, with a progress line; *ms is how long it took. The errors are
 * those of client.h; ERR_INTERRUPTED: a signal (stop_signals.h) ended it. The
 * answer itself is not looked at. */
int model_try(struct app *a, const struct model_selection *m, int64_t *ms,
              struct err *e);

#endif
