/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_keys.h - the person's keys for a relay; for relay.c alone. */
#ifndef PERSON_RELAY_KEYS_H
#define PERSON_RELAY_KEYS_H

#include <stdbool.h>
#include <termios.h>

#include "base/loop.h"
#include "term/pty.h"

struct relay_keys {
    struct loop *loop;
    struct pty *pty;
    int fd; /* the terminal; -1: there is none */
    bool owned;
    bool raw;             /* its modes are ours: */
    struct termios found; /* what they were */
    struct watch *watch, *again;
};

/* Finds the keyboard (none is no error) and enters it. */
int relay_keys_open(struct relay_keys *k, struct loop *l, struct pty *pty,
                    struct err *e);
void relay_keys_done(struct relay_keys *k);

/* Keys go to the pty as they come. In the background it is left alone, and
 * looked at again from time to time: no signal tells when a shell has brought
 * a running job to the front. */
void relay_keys_enter(struct relay_keys *k);
/* The terminal as it was. */
void relay_keys_leave(struct relay_keys *k);

/* Whether the pty takes more. */
void relay_keys_wanted(struct relay_keys *k, bool wanted);

#endif
