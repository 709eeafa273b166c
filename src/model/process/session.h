/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - reads the front's lines (model/ipc.h) and has its queries
 * answered, up to QUERY_TABLE_MAX at once.
 *
 * A query that is wrong, or one too many, fails alone. A front that breaks the
 * protocol, with a line that is too long or no JSON, or with the id of a query
 * that is open, ends the session: nobody knows then what else it lost. */
#ifndef MODEL_PROCESS_SESSION_H
#define MODEL_PROCESS_SESSION_H

#include "base/err.h"

/* Serves the front on standard input and output until it ends. -1: a loop could
 * not run, or the front broke the protocol. */
int session_run(struct err *e);

#endif
