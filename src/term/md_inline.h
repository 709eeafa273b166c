/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_inline.h - the text of one markdown block, with its styles; for the
 * md_ files alone. */
#ifndef TERM_MD_INLINE_H
#define TERM_MD_INLINE_H

#include <md4c.h>
#include <stdbool.h>

#include "base/buf.h"
#include "term/style.h"

#define MD_LINKS_MAX 8 /* a link holds no link; an image may hold images */

/* Text as it will be shown: escaped, styled, not yet wrapped. */
struct md_inline {
    const struct term *t;
    struct buf text;
    enum style around; /* of the whole block; begun anew when a span ends */
    size_t links;      /* open; from[] is where the text of each begins */
    size_t from[MD_LINKS_MAX];
};

void md_inline_begin_span(struct md_inline *in, MD_SPANTYPE type);
void md_inline_end_span(struct md_inline *in, MD_SPANTYPE type,
                        const void *detail);
void md_inline_text(struct md_inline *in, MD_TEXTTYPE type, const char *p,
                    size_t n);

#endif
