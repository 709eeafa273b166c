/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided.h - what agentsh proposes for a wish when no model is asked. */
#ifndef PERSON_UNAIDED_H
#define PERSON_UNAIDED_H

#include "person/asking.h"
#include "person/wish.h"

/* A proposal like a model's, checked like a model's: a command or a plan where
 * the offline engine is sure and nothing is left open, else an answer in words
 * that shows what is nearest. Of an explanation that was asked of no command:
 * what is known of an error. input is what was piped in instead of words;
 * beside words it is read where they ask about it. ERR_MODEL: nothing is
 * near. */
int unaided_propose(struct app *a, const struct wish *w, struct buf *input,
                    struct proposal *out, struct err *e);

/* One of the commands that such an answer numbers, as a proposal. */
int unaided_choose(const struct wish *w, const struct proposal *from,
                   size_t chosen, struct proposal *out, struct err *e);

#endif
