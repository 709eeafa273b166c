/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter_rules.h - which sequences pass the filter; for filter.c alone. */
#ifndef TERM_FILTER_RULES_H
#define TERM_FILTER_RULES_H

#include <stdbool.h>

#include "term/filter.h"

/* Whether the whole control sequence (ESC [ … final) in f->seq passes; what
 * it changes is remembered in f. */
bool filter_csi_passes(struct term_filter *f);

/* The same for ESC, intermediates and one final byte. */
bool filter_esc_passes(struct term_filter *f);

/* Appends what undoes the changes. */
void filter_reset(const struct term_filter *f, struct buf *out);

#endif
