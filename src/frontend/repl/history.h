/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - the history of entered lines, in memory and on disk.
 *
 * The file has bash's format with times: a comment line "#SECONDS", then the
 * entry, which may have several lines. Each entry is appended under a lock as
 * soon as it is complete, so several REPLs can share the file, and a session
 * that is killed loses nothing. */
#ifndef FRONTEND_REPL_HISTORY_H
#define FRONTEND_REPL_HISTORY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define HISTORY_ENTRIES 10000 /* in the editor */
/* The file is cut when it is larger. */
#define HISTORY_BYTES (4 * 1024 * 1024)

struct history;

/* Reads the file into the editor. A missing file is created with the first
 * entry; path NULL means no file. When the file cannot be read, e is set and
 * the returned history lasts only for the session. NULL: no memory. */
struct history *history_new(const char *path, struct err *e);

/* Fills an editor without entries, and the file, from another shell's file,
 * which is only read. A file that cannot be read counts as empty. */
void history_borrow(struct history *h, const char *path);
void history_free(struct history *h); /* writes a pending entry */
DEFINE_CLEANUP(struct history, history_free)

/* Adds an entered line; `more`: it continues the one before. A line that begins
 * with a blank, or repeats the last one, is not added. */
void history_enter(struct history *h, const char *line, bool more);
/* Appends the entry, which is complete, to the file. What other REPLs appended
 * before comes into the editor, before the entry, as it is in the file. */
int history_keep(struct history *h, struct err *e);
/* Takes what other REPLs appended, for the next prompt: one stat(2) when that
 * is nothing. Once the file was replaced (cut), what comes from then on. Only
 * while no line is edited. */
void history_follow(struct history *h);

/* Calls each(arg, entry) for the entries of a file's text, oldest first; lines
 * before the first time are an entry each. Modifies the text. Exported for
 * tests and a fuzz target. */
void history_parse(char *text, size_t n,
                   void (*each)(void *arg, const char *entry), void *arg);

#endif
