/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.h - the loadable's end of the talk with the REPL.
 *
 * The loadable lives inside bash: it stands between bash's parser and the
 * REPL, answers what the REPL asks while bash waits for a line, and otherwise
 * leaves bash alone. bash may leave any call here by a long jump, so nothing
 * is held in variables of a function that would have to be freed. */
#ifndef REPL_LOADABLE_LINK_H
#define REPL_LOADABLE_LINK_H

#include <sys/types.h>
#include <termios.h>

#include "base/buf.h"
#include "door/repl/talk.h"

struct link {
    int sock;
    int pty; /* where the marks go */
    unsigned long seq;
    char nonce[TALK_NONCE_SIZE];
    char packet[TALK_MAX + 1]; /* the last one received, a NUL behind it */
    struct buf line;           /* text that bash is reading */
    size_t at;                 /* how far it has come */
    long binds;                /* calls of `bind` */
    struct buf reply;
    bool quiet; /* the pty's own modes are in `modes` meanwhile */
    struct termios modes;
};

void link_send_raw(const struct link *l, const char *p, size_t n);
void link_send(const struct link *l, char kind, const char *text);
/* As many packets of whole fields as it takes, then TALK_DONE. */
void link_send_fields(struct link *l, char kind, char *const *fields);

/* The next packet, waiting for it; <= 0 when the REPL is gone. Signals that
 * bash must see are handled meanwhile. */
ssize_t link_receive(struct link *l);

/* bash's getter: the next byte of its input, or EOF. */
int link_get(struct link *l);
int link_unget(struct link *l, int c);

/* Each answers the question in the packet of n bytes. */
void answer_complete(struct link *l, size_t n);
void answer_quote(struct link *l, size_t n);
void answer_bindings(struct link *l);
void answer_key(struct link *l, size_t n);

#endif
