/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - the lines that were entered, in this session and before.
 *
 * The file is the one of bash with times: a comment line "#SECONDS", then the
 * entry, which may have several lines. Every entry is appended when it is
 * known, under a lock, so several REPLs can share the file and a session that
 * is killed loses nothing. */
#ifndef REPL_HISTORY_H
#define REPL_HISTORY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define HISTORY_ENTRIES 10000             /* kept in the editor */
#define HISTORY_BYTES   (4 * 1024 * 1024) /* of the file, before it is cut */

struct history;

/* Reads the file into the editor; a missing one is made with the first entry.
 * A file that cannot be read is an error, and the history then lasts only as
 * long as the session: h is still usable. */
struct history *history_new(const char *path, struct err *e);

/* Where the editor has no entry yet: shows it those of another shell's file,
 * which is only read. One that cannot be read has none. */
void history_borrow(struct history *h, const char *path);
void history_free(struct history *h); /* keeps what is pending */
DEFINE_CLEANUP(struct history, history_free)

/* A line was entered; `more`: it goes on the one before. A line that begins
 * with a blank is not kept, nor one that repeats the last. */
void history_enter(struct history *h, const char *line, bool more);
/* The entry is complete: it goes into the file. */
int history_keep(struct history *h, struct err *e);

/* Calls each(arg, entry) for the entries of a file's text, oldest first;
 * lines before the first time are an entry each. Cuts the text up. */
void history_parse(char *text, size_t n,
                   void (*each)(void *arg, const char *entry), void *arg);

#endif
