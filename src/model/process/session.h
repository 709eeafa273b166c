/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - the front's lines, one question at a time, until it goes. */
#ifndef MODEL_PROCESS_SESSION_H
#define MODEL_PROCESS_SESSION_H

#include "base/err.h"

/* Reads standard input to its end. 0, or -1 when the loop could not run or
 * the front broke the protocol. */
int session_run(struct err *e);

#endif
