/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meta_line.h - what a tool says beside its output, for a person. */
#ifndef PERSON_META_LINE_H
#define PERSON_META_LINE_H

#include "base/buf.h"
#include "json/json.h"

/* Appends the members of a tool's meta as one line without its end, like
 * "bytes written: 6; backup path: /a/b.bak": names as words, "yes" for true;
 * what is false, null or empty, and how long it took, is left out. Nothing
 * when nothing is left. Bytes from outside. */
void meta_line(struct buf *out, const struct json *meta);

#endif
