/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.h - long strings that go around cJSON.
 *
 * A file that a tool read is one string of a hundred kilobytes and more. It
 * would be copied into the rewritten text, and cJSON looks at each byte of it
 * twice. So the scanner leaves a string of ASIDE_BYTES or more where it is and
 * writes a mark with its place instead (scan.h); it is read from there into
 * the tree. Only json/ includes this. */
#ifndef JSON_ASIDE_H
#define JSON_ASIDE_H

#include <stddef.h>

#define ASIDE_BYTES 256 /* as it is written; the mark has up to 24 */

/* What stands between the quotation marks of a string that was checked, n
 * bytes of it, as it is meant, with a NUL behind it; `to` has room for n + 1.
 * Returns its length. */
size_t aside_read(char *to, const char *text, size_t n);

#endif
