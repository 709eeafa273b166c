/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complaints.h - the lines of a text that look like errors.
 *
 * By their words alone, as a person's eye would find them in a long log:
 * nothing here knows what they mean. */
#ifndef PERSON_COMPLAINTS_H
#define PERSON_COMPLAINTS_H

#include "base/buf.h"

#define COMPLAINTS_SHOWN 6   /* the first cause the others, as a rule */
#define COMPLAINT_BYTES  240 /* of a line: three rows of a terminal */

enum complaints_are {
    COMPLAINTS_NONE, /* the text is blank */
    COMPLAINTS_ERRORS,
    COMPLAINTS_WARNINGS, /* where nothing is worse */
    COMPLAINTS_END,      /* nothing stands out: the last lines */
};

struct complaints {
    enum complaints_are are;
    size_t lines; /* of the text */
    size_t found; /* of them look so */
    size_t shown; /* the first of those; of the end, the last */
};

/* Appends the lines, each with a newline, cut where they are long, colours
 * dropped, everything else as it is: who shows them escapes them. text is
 * UTF-8. */
void complaints_find(const char *text, size_t n, struct complaints *out,
                     struct buf *lines);

#endif
