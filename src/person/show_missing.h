/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_missing.h - what a step needs and is not there. */
#ifndef PERSON_SHOW_MISSING_H
#define PERSON_SHOW_MISSING_H

#include "action/plan.h"
#include "base/buf.h"
#include "offline/wish/machine.h"
#include "term/term.h"

/* Appends "old.txt does not exist", or "old.txt, new.txt do not exist"; nothing
 * where all is there, where it cannot be known before the plan runs, or where
 * an earlier step may make it. Hidden characters are escapes. */
void show_missing(struct buf *out, const struct term *t, const struct plan *p,
                  size_t step);

/* Appends "tree is not installed here" of the first program for which that is
 * so; nothing in the same cases, and where m is NULL. */
void show_uninstalled(struct buf *out, const struct plan *p, size_t step,
                      struct machine *m);

#endif
