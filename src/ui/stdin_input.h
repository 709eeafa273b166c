/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stdin_input.h - reads what was piped in, which goes with a request as data.
 */
#ifndef UI_STDIN_INPUT_H
#define UI_STDIN_INPUT_H

#include "base/buf.h"
#include "base/message.h"
#include "ui/app.h"

/* In words, for a review and an answer. */
#define STDIN_INPUT_NAME N_("what was piped in")
#define STDIN_INPUT_MAX  (256u << 10) /* some 64,000 tokens: a model's limit */

struct stdin_input; /* that is being read */

/* All is read; why NULL: it is appended. ERR_INTERRUPTED: Ctrl-C; ERR_IO: it
 * broke off in the middle. It comes once, from the loop, and may close it. */
typedef void stdin_input_cb(void *arg, const struct err *why);

/* Appends standard input to out, unless it is a terminal, and notes it for the
 * journal. At most STDIN_INPUT_MAX bytes are read; the user is told when there
 * are more. Bytes that are not UTF-8 are replaced. */
struct stdin_input *stdin_input_open(struct app *a, struct buf *out,
                                     stdin_input_cb *cb, void *arg,
                                     struct err *e);
void stdin_input_close(struct stdin_input *r); /* accepts NULL */
DEFINE_CLEANUP(struct stdin_input, stdin_input_close)

/* Whether there are bytes to read now. */
bool stdin_input_is_waiting(void);

/* Whether it is a pipe, a socket or a file: bytes are there or may come. */
bool stdin_input_is_piped(void);

#endif
