/* SPDX-License-Identifier: GPL-3.0-or-later */
/* note.h - inside peer.c: how a plugin ended, in words. */
#ifndef TOOL_NOTE_H
#define TOOL_NOTE_H

#include "base/buf.h"

#define NOTE_GOES_ON (-1) /* no exit status: it only said no more */

/* ERR_SANDBOX: the launcher started nothing; ERR_TIMEOUT: its time limit;
 * ERR_PEER: the rest; its kind says how it went. log: what it wrote to standard
 * error, at its end. */
int note_explain(const struct buf *log, int status, struct err *e);

#endif
