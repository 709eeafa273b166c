/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mark.h - find the in-band mark that ends a command's output.
 *
 * Bash writes the mark to the pty when it wants the next line: what came
 * before it is the command's output, what comes after it is not. The mark
 * holds a nonce that only the two sides know, so output cannot end itself.
 * Only a stream that awaits a mark is scanned. */
#ifndef REPL_MARK_H
#define REPL_MARK_H

#include <stdbool.h>

#include "base/buf.h"
#include "door/repl/talk.h"

struct mark {
    char text[TALK_MARK_SIZE];
    size_t len;
    size_t held; /* the stream's last bytes are the mark's first `held` */
    bool awaited;
};

/* What no output can guess: 128 random bits, in hexadecimal digits. */
int mark_nonce(char nonce[TALK_NONCE_SIZE], struct err *e);

void mark_expect(struct mark *m, const char *nonce, unsigned long seq);

/* Takes the next n bytes of the stream. What is no mark is appended to out.
 * Returns how many bytes were looked at: n, or fewer when the mark ended
 * there, and then m->awaited is false. */
size_t mark_scan(struct mark *m, const char *p, size_t n, struct buf *out);

#endif
