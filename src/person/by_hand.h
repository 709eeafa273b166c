/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_hand.h - a plan as the person would type it, in a shell of their own. */
#ifndef PERSON_BY_HAND_H
#define PERSON_BY_HAND_H

#include "action/plan.h"
#include "person/app.h"

#define BY_HAND_MAX (4u << 20)

/* Whether a step can do its work only in the person's own shell, and why, for
 * the first such step: it changes the shell that runs it (cd, export), wants a
 * terminal, or needs sudo. */
bool by_hand_needed(const struct aiaction *a, const struct plan *p,
                    char why[256]);

/* Appends the command, whose syntax is s, as it runs as root: behind sudo where
 * it is one call of a program, else as the text of a bash that sudo starts,
 * since sudo takes no list, pipe, redirection, assignment or builtin, and the
 * rest would run without it. True: such a bash. */
bool by_hand_sudo(struct buf *out, const char *command, const struct syntax *s);

/* Appends the steps as one command, without a newline at its end: each runs
 * only where the one before succeeded. A step with a directory runs in it, and
 * leaves the shell there only where it is to change that shell. A text that
 * did not fit is bad, and by_hand_give gives none of it. */
void by_hand_text(const struct aiaction *a, const struct plan *p,
                  struct buf *out);

/* Puts that on the person's prompt; where no shell waits for it, prints it
 * alone and sends it to the clipboard. Says which. */
void by_hand_give(struct app *a, const struct buf *text);

#endif
