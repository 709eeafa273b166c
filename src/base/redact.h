/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact.h - taking secrets out of text before it leaves this machine.
 *
 * Found by shape alone: keys and tokens with a known prefix, private keys,
 * passwords in URLs, headers, options and assignments, and words that look
 * random after the word password, token or secret; and what grep, head, tail
 * and diff show of a file whose name says that it holds such (secret_file.h),
 * whatever it is. A reference ($TOKEN), a
 * placeholder (<token>, ***) and an empty value are no secrets and stay, and
 * so do hashes, UUIDs, paths and names. Advice, not a wall: a secret that
 * looks like a plain word and stands alone cannot be told from one. */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the text to out, each secret in it replaced by "[redacted:KIND]".
 * Time is linear in n; doing it twice changes nothing. Returns 0, or -1 when
 * out is bad. */
int redact(const char *text, size_t n, struct buf *out);

/* The same for the end of a text, which may begin within a character: what is
 * kept of it becomes at most `keep` bytes. A secret may begin before them, so
 * that twice as much is looked at; and one that begins before that is not
 * seen, so that the first half of what was looked at goes, also where redaction
 * left little. out is empty before. */
int redact_tail(const char *text, size_t n, size_t keep, struct buf *out);

#endif
