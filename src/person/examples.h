/* SPDX-License-Identifier: GPL-3.0-or-later */
/* examples.h - recipes that a model is shown beside the wish. */
#ifndef PERSON_EXAMPLES_H
#define PERSON_EXAMPLES_H

#include <stdbool.h>

#include "base/buf.h"

#define EXAMPLES_BYTES 1024 /* what they may take of the prompt */

/* Appends at most max bytes of lines "title: command", of the commands that
 * the offline engine thinks nearest to the wish; none when nothing is near. */
void examples_write(const char *wish, size_t max, struct buf *out);

#endif
