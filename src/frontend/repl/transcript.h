/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.h - the last command's output as a person saw it, as plain text.
 *
 * It keeps the tail of the output, bounded. Escape sequences are interpreted as
 * far as programs that print lines use them: colours are dropped, carriage
 * returns and progress bars over several lines overwrite, erased text is gone.
 * The alternate screen of full-screen programs is left out. */
#ifndef FRONTEND_REPL_TRANSCRIPT_H
#define FRONTEND_REPL_TRANSCRIPT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* Bytes; at least this much of the tail is kept. */
#define TRANSCRIPT_MAX 65536

struct transcript;

struct transcript *transcript_new(struct err *e);
void transcript_free(struct transcript *t);
DEFINE_CLEANUP(struct transcript, transcript_free)

void transcript_clear(struct transcript *t); /* a new command begins */
void transcript_feed(struct transcript *t, const char *p, size_t n);

/* Appends the last lines, at most max bytes of valid UTF-8, without blank
 * lines at the end. */
void transcript_tail(const struct transcript *t, size_t max, struct buf *out);

#endif
