/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input.h - what was piped in, to go along with a wish as data. */
#ifndef PERSON_INPUT_H
#define PERSON_INPUT_H

#include "base/buf.h"
#include "person/app.h"

#define INPUT_MAX (256u << 10) /* some 64,000 tokens: more fits no model */

/* Appends standard input when it is not a terminal, as far as INPUT_MAX (what
 * lies beyond is left out, which the person is told), and notes it in the
 * chronicle. Text that is no UTF-8 is mended. ERR_INTERRUPTED by Ctrl-C;
 * ERR_IO where it breaks off. */
int input_take(struct app *a, struct buf *out, struct err *e);

/* Whether something is there to be read. */
bool input_is_waiting(void);

/* Whether something is there, or may still come: a pipe or a file. */
bool input_is_piped(void);

#endif
