/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt_in.h - inside doubt*.c: what the words of a wish say against a
 * command. A word is returned as the wish has it; NULL: there is none. */
#ifndef OFFLINE_DOUBT_IN_H
#define OFFLINE_DOUBT_IN_H

#include "offline/wish/doubt.h"

/* Whether the command accounts for that word. */
bool doubt_uses(const struct doubt *d, size_t word);

/* "is", "which", "show me how": who asks so wants to know, not to change. */
bool doubt_asks(const struct request *q);

/* "do not", "all but": a word that turns the wish round, and that the command
 * knows nothing of. */
const char *doubt_turned_round(const struct doubt *d);

/* "copy x": a verb that orders a change, in the form of an order. */
const char *doubt_orders(const struct request *q);

/* "also the stopped ones": what something is, where no verb says what is to be
 * done. */
const char *doubt_state(const struct request *q);

/* "not", "except": said, and the command neither accounts for the word nor
 * leaves anything out. */
const char *doubt_denies(const struct doubt *d);

/* "remove that file": one that the wish points at, and does not name. */
bool doubt_points(const struct request *q);

/* "sort x, remove doubles": the verb of a clause that the command leaves out.
 */
const char *doubt_half(const struct doubt *d);

/* doubt_unasked.c: what a command does beyond what it is for, though no word
 * asks for that: a check that it leaves out, a force, all instead of one. */
const char *doubt_unasked(const struct doubt *d);

/* A port that any machine may reach, where the wish says "only", "localhost",
 * "not to the network". */
const char *doubt_exposes(const struct doubt *d);

#endif
