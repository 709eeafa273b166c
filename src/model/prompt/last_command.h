/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.h - writes and reads the record of the shell's last command.
 *
 * The shell hooks and the REPL write it, and `ai` reads it for the context. It
 * is the shell's file last-SESSION (record/shell_file.h), which has these
 * lines:
 *
 *     status=N
 *     cwd=DIR
 *     duration_ms=N
 *     command=BYTES
 *
 * DIR is where the command was typed; the line is left out when DIR holds a
 * newline. BYTES are the rest of the file: at most LAST_COMMAND_MAX, with
 * newlines in them, and not always UTF-8. An empty file means that no command
 * has run yet. Beside it, stderr-SESSION holds the tail of the command's
 * output; it is absent when no output was captured.
 * rerun-SESSION holds what a second run of it showed (ui/rerun.h): a line
 * of=STAMP, the stamp of the record that it belongs to, a line why=REASON,
 * empty where it counts, and the text. The files belong to a shell: their
 * contents are untrusted. */
#ifndef MODEL_PROMPT_LAST_COMMAND_H
#define MODEL_PROMPT_LAST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"

/* A limit, so that a record is read in one piece whatever was pasted. The
 * shell hooks have the number too. */
#define LAST_COMMAND_MAX (64u << 10)
#define LAST_RECORD_MAX  (LAST_COMMAND_MAX + 8192) /* the lines before it */

struct last_command {
    bool known; /* a command was recorded */
    int exit_code;
    struct buf command; /* as it was typed */
    struct buf cwd;     /* where; empty: it is not known */
    struct buf shown;   /* the tail of its output, if captured is true */
    bool captured;
    int64_t stamp; /* when it was recorded, in nanoseconds: another record has
                      another one */
};

/* Reads the record of the seat's AGENTSH_SESSION. A record that is missing, not
 * ours or incomplete counts as none. */
void last_command_read(const struct seat *s, struct last_command *last);
void last_command_done(struct last_command *last);

/* What a second run of the last command came to. */
struct last_rerun {
    bool known;      /* there was one, perhaps one that did not end */
    struct buf why;  /* why it does not count; empty: it does */
    struct buf text; /* what it showed, if it counts */
};

#define LAST_RERUN_WHY_MAX  512
#define LAST_RERUN_TEXT_MAX (64u << 10)

/* Reads it, or writes it: the first line of a reason, or a text where why is
 * NULL. */
void last_rerun_read(const struct seat *s, const struct last_command *last,
                     struct last_rerun *out);
int last_rerun_write(const struct seat *s, const struct last_command *last,
                     const char *why, const char *text, struct err *e);
void last_rerun_done(struct last_rerun *r); /* accepts NULL */

struct last_command_record {
    const char *session;
    const char *command; /* NULL: none has run yet */
    int status;
    const char *cwd;
    int64_t duration_ms;
    const char *shown; /* at most 16 KiB are read; NULL: not captured */
};

/* Writes both files, where the seat's runtime directory is. stderr-SESSION is
 * empty when the command printed nothing, and goes when nothing was captured.
 * Without a command nothing is
 * written. */
int last_command_write(const struct seat *s,
                       const struct last_command_record *r, struct err *e);
void last_command_remove(const struct seat *s, const char *session);

#endif
