/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.h - the model process, started. */
#ifndef MODEL_START_H
#define MODEL_START_H

#include "base/proc.h"

/* Starts the model process with pipes on its standard input and output, and
 * an environment that holds no key. */
struct proc *model_process_start(struct err *e);

#endif
