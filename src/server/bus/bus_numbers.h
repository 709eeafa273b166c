/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_numbers.h - the name of a bus's numbers, and what nodes know of both.
 *
 * Numbers that begin anew are others, also where they are as high: they have
 * another name. A node that cannot know what others have counted gives one in
 * the turn of its join, and takes the name and the numbers of those that have
 * joined before it. Those who began so while one was away that knows the
 * numbers of before it join that one when it comes back: of two names in one
 * stream the earlier one stays. */
#ifndef SERVER_BUS_BUS_NUMBERS_H
#define SERVER_BUS_BUS_NUMBERS_H

#include "server/bus/bus_hub.h"

/* Of a node without others. */
int bus_numbers_name(struct bus_numbers *n, struct err *e);

/* The events `anew`, `state`, `restore` and `adopt` of the relay, whose arg is
 * the hub. */
void bus_numbers_anew(void *arg, uint64_t turn);
size_t bus_numbers_put(void *arg, struct buf *out, size_t from);
bool bus_numbers_take(void *arg, struct relay_bytes state);
void bus_numbers_adopt(void *arg, struct relay_bytes state);

#endif
