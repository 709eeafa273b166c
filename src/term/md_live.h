/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_live.h - how much of an unfinished block of markdown can be shown. */
#ifndef TERM_MD_LIVE_H
#define TERM_MD_LIVE_H

#include <stddef.h>

/* The length of the beginning of a block, n bytes, that what follows will
 * hardly change: whole words, up to a mark whose other half has not come
 * (emphasis, code, a link, a row of a table). 0: nothing yet. Takes linear
 * time. It is a guess: a line of = below makes a heading of any text. */
size_t md_live_length(const char *p, size_t n);

#endif
