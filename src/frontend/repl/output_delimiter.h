/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_delimiter.h - find the delimiter that ends a command's output.
 *
 * bash writes the delimiter to the pty when it wants the next line: what comes
 * before it is the command's output. It holds a nonce that only the two sides
 * know, so no output can fake it. A stream is scanned only while a delimiter
 * is expected. */
#ifndef FRONTEND_REPL_OUTPUT_DELIMITER_H
#define FRONTEND_REPL_OUTPUT_DELIMITER_H

#include <stdbool.h>

#include "base/buf.h"
#include "frontend/repl/bash_protocol.h"

struct output_delimiter {
    char text[BASH_DELIMITER_SIZE];
    size_t len;
    size_t held; /* the last bytes of the stream are the first `held` of text */
    bool expected;
};

/* 128 random bits in hexadecimal digits, which no output can guess. */
int output_delimiter_nonce(char nonce[BASH_NONCE_SIZE], struct err *e);

void output_delimiter_expect(struct output_delimiter *d, const char *nonce,
                             unsigned long seq);

/* Scans the next n bytes of the stream and appends to out what is not the
 * delimiter. Returns the number of bytes scanned: n, or fewer when the
 * delimiter ended there, and then d->expected is false. */
size_t output_delimiter_scan(struct output_delimiter *d, const char *p,
                             size_t n, struct buf *out);

#endif
