/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash_channel.h - the REPL's end of the socket to the loadable in bash.
 *
 * It sends bash the next line and questions, and collects bash's messages: that
 * it is attached, that it wants a line, and replies. The owner watches the
 * socket and calls bash_channel_read. */
#ifndef FRONTEND_REPL_BASH_CHANNEL_H
#define FRONTEND_REPL_BASH_CHANNEL_H

#include "base/buf.h"
#include "base/err.h"
#include "frontend/repl/bash_protocol.h"

#define BASH_REFUSAL_SIZE 128

/* How the line editor waits for bash's reply; repl_state.c implements it. */
struct bash_waiter {
    /* Turns the loop until the reply is whole, and returns false when none will
     * come. `clears`: what bash paints meanwhile begins where the prompt is. */
    bool (*wait)(void *arg, bool clears);
    void *arg;
};

struct bash_channel {
    int sock;
    bool attached;                   /* the loadable has answered */
    char refusal[BASH_REFUSAL_SIZE]; /* why it cannot attach; "" when unknown */
    struct buf prompt;               /* the last prompt message */
    bool prompted;                   /* prompt is new; the owner clears this */
    struct bash_reply reply;
};

/* Makes the socket pair and sends the nonce. *theirs is the other end, which
 * the caller closes once bash has it. */
int bash_channel_open(struct bash_channel *ch, const char *nonce, int *theirs,
                      struct err *e);
void
bash_channel_close(struct bash_channel *ch); /* accepts one that is not open */

/* Reads the messages that have arrived. Returns false when the other end is
 * closed: bash has ended, or has become another program by exec. */
bool bash_channel_read(struct bash_channel *ch);

/* Send what comes next: a line, which may hold newlines; the end of input
 * (BASH_MSG_END) or the abandoning of the command that was begun
 * (BASH_MSG_ABANDON); or only $?, of a line that bash did not run. */
int bash_channel_send_line(struct bash_channel *ch, const char *line,
                           struct err *e);
void bash_channel_send(struct bash_channel *ch, char kind);
void bash_channel_send_status(struct bash_channel *ch, int status);
/* What a plan changed in the shell; kind: enum shell_change_kind. */
void bash_channel_send_change(struct bash_channel *ch, char kind,
                              const char *text);

/* Asks one question, with the fields (NULL last). The reply is in ch->reply
 * once that is whole. */
int bash_channel_ask(struct bash_channel *ch, char kind,
                     const char *const *fields, struct err *e);

/* Asks a question and waits for the reply, at most timeout_ms. Returns NULL
 * when none came. The fields are valid until the next question. */
const struct buf *bash_channel_query(struct bash_channel *ch, char kind,
                                     const char *const *fields, int timeout_ms);

#endif
