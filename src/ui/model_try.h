/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_try.h - asks a model one small question, to see whether it answers. */
#ifndef UI_MODEL_TRY_H
#define UI_MODEL_TRY_H

#include "model/select.h"
#include "ui/app.h"

struct model_try; /* the question that is under way */

/* ms: how long the answer took, which is not looked at; why not NULL: there is
 * none. The errors are those of client.h; ERR_INTERRUPTED: a signal
 * (stop_signals.h) ended it. It comes once, from the loop, and may free it. */
typedef void model_try_cb(void *arg, int64_t ms, const struct err *why);

/* Asks, with a progress line. m is borrowed until the callback. */
struct model_try *model_try_start(struct app *a,
                                  const struct model_selection *m,
                                  model_try_cb *cb, void *arg, struct err *e);
void model_try_free(struct model_try *t); /* ends it; accepts NULL */
DEFINE_CLEANUP(struct model_try, model_try_free)

#endif
