/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hidden.h - characters that make a shown command differ from what runs. */
#ifndef GUARD_HIDDEN_H
#define GUARD_HIDDEN_H

/* The first such character of text in words ("a zero-width character"), NULL
 * when there is none: control characters other than newline and tab, bytes
 * that are no UTF-8, bidirectional and zero-width characters, blanks that are
 * none to the shell. */
const char *hidden_find(const char *text);

#endif
