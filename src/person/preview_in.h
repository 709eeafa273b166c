/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_in.h - what the list and the diff of a preview share. */
#ifndef PERSON_PREVIEW_IN_H
#define PERSON_PREVIEW_IN_H

#include "person/preview_list.h"

/* Whether it is git's own affair, and nothing to be warned of. */
bool preview_is_inner(const struct change *c);

/* "+", "~", "=", "-" or, of something renamed, ">". */
const char *preview_sign(const struct change *c);

/* Its name, a link's target and a renamed one's old name, escaped. */
void preview_put_name(struct buf *out, const struct term *t,
                      const struct changes *list, const struct change *c);

/* How many lines of a file came and went, or its sizes where it has none. */
void preview_put_lines(struct buf *out, const struct changes_spec *view,
                       const struct change *c);

#endif
