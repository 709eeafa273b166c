/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.h - what the last command showed, as a person would read it.
 *
 * The tail of the output, bounded. Escape sequences are followed as far as
 * programs that print lines use them (colours dropped, carriage returns,
 * progress bars over one or several lines, erased text gone); the alternate
 * screen of full-screen programs is left out. */
#ifndef REPL_TRANSCRIPT_H
#define REPL_TRANSCRIPT_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

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
