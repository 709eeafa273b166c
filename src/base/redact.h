/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact.h - removes secrets from text before it leaves this machine.
 *
 * Secrets are found by their form: keys and tokens with a known prefix, private
 * keys, passwords in URLs, headers, options and assignments, and random-looking
 * words after the word password, token or secret. What grep, head, tail and
 * diff print of a file that holds secrets by its name (secret_file.h) is
 * removed whatever it is. A reference ($TOKEN), a placeholder (<token>, ***)
 * and an empty value are no secrets and stay; so do hashes, UUIDs, paths and
 * names. This is no guarantee: a secret that looks like a word and stands alone
 * is not found. */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the text to out, with each secret replaced by "[redacted:KIND]".
 * Takes linear time; redacting twice changes nothing more. Returns 0, or -1
 * when out is bad. */
int redact(const char *text, size_t n, struct buf *out);

/* Redacts the end of a text and keeps at most `keep` bytes of the result; out
 * is empty before. A secret may begin before the part that is kept, so twice as
 * much is examined; and one that begins before that is not recognized, so the
 * first half of what was examined is dropped, even where redaction left little
 * of it. The text may begin within a character. */
int redact_tail(const char *text, size_t n, size_t keep, struct buf *out);

#endif
