/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dialog.h - our end of the socket to the loadable in bash.
 *
 * Tells bash what comes next, collects what bash says: that it is attached,
 * that it wants a line, answers to questions. Who owns it watches the socket
 * and calls dialog_read. */
#ifndef REPL_DIALOG_H
#define REPL_DIALOG_H

#include "base/buf.h"
#include "door/repl/said.h"
#include "door/repl/talk.h"

#define DIALOG_REFUSAL 128

struct dialog {
    int sock;
    bool attached;
    char refusal[DIALOG_REFUSAL]; /* why not; "" when bash did not say */
    struct buf prompt;            /* the last message that wants a line */
    bool prompted;                /* it is new: for the owner to clear */
    struct said said;
};

/* Makes the pair and sends the nonce. *theirs is the other end, the caller's
 * to close once bash has it. */
int dialog_open(struct dialog *d, const char *nonce, int *theirs,
                struct err *e);
void dialog_close(struct dialog *d); /* also one that was not opened */

/* Takes the messages that are there. False when the other end is gone: bash
 * has ended, or has become another program by exec. */
bool dialog_read(struct dialog *d);

/* What comes next: a line, which may hold newlines; the end of input or the
 * giving up of what was begun (TALK_END, TALK_ABANDON); or nothing, but $? of
 * a line that bash did not run. */
int dialog_line(struct dialog *d, const char *line, struct err *e);
void dialog_say(struct dialog *d, char kind);
void dialog_status(struct dialog *d, int status);

/* Questions, one at a time: the answer is in d->said once it is whole. */
int dialog_ask(struct dialog *d, char kind, const char *const *fields,
               struct err *e);
/* Quick ones: waits at most timeout_ms; NULL when there is no answer. The
 * fields are d's until the next question. */
const struct buf *dialog_query(struct dialog *d, char kind,
                               const char *const *fields, int timeout_ms);

#endif
