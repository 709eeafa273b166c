/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reasoning.h - finds the reasoning that a model wrote into its text.
 *
 * Servers are meant to send reasoning apart from the answer, and many do not:
 * then it stands in the text, between marks that differ by model. Known are
 *
 *     <think> … </think>, and thinking, thought, thoughts, reasoning,
 *     reflection, scratchpad and analysis; with a prefix (<seed:think>) or
 *     attributes; in < >, [ ] (think and thinking alone), triangles, wide
 *     brackets and &lt; &gt;
 *     <|begin_of_thought|> … <|end_of_thought|>, <|START_THINKING|> …,
 *     <|channel>thought … <channel|>, <unused94> … <unused95>
 *     harmony: <|start|>assistant<|channel|>NAME<|message|> … <|end|>, where
 *     only the channel "final" is the answer; also with its marks lost:
 *     "analysisThe user … assistantfinal …"
 *
 * in any case, with blanks. Where it is not certain that something is the
 * answer, it is reasoning: what stands behind a mark that opens and is not
 * closed by its own like, what stands before a mark that closes nothing, and,
 * once there is a mark of harmony, all but the final messages. What is left is
 * looked at again, since two halves of a mark may have met. A mark inside a
 * whole JSON object is data, for it stands in one of its strings. */
#ifndef MODEL_PROVIDER_REASONING_H
#define MODEL_PROVIDER_REASONING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define REASONING_NAMES    14 /* of marks that open and close */
#define REASONING_BRACKETS 5  /* in which they stand */

enum harmony {
    HARMONY_NONE,       /* no mark of it yet */
    HARMONY_HEADER,     /* after <|start|> or <|channel|> */
    HARMONY_OTHER,      /* in a message that is not final, or between two */
    HARMONY_FINAL,      /* in a final message */
    HARMONY_BARE_OTHER, /* the same two where the marks are lost */
    HARMONY_BARE_FINAL,
};

/* What is known of a text up to some byte; all zero at its start. */
struct reasoning {
    unsigned open[REASONING_NAMES * REASONING_BRACKETS];
    unsigned n_open; /* the sum of them */
    enum harmony harmony;
    bool assistant; /* the header is of an assistant's message */
    size_t role;    /* offset of the header's role, and of its channel … */
    size_t channel; /* … or 0: it has none */
    bool begun;     /* a byte that is no blank came, at … */
    size_t first;
};

/* Appends the text without its reasoning. Returns whether there was some.
 * Takes time that grows with n alone. */
bool reasoning_drop(const char *p, size_t n, struct buf *out);

/* For a text that still grows: moves *at, 0 in the beginning, behind the blanks
 * and the reasoning at its front. Returns true when the byte at *at is neither,
 * false when more bytes must come. r and *at belong to this text alone. */
bool reasoning_skip(struct reasoning *r, const char *p, size_t n, size_t *at);

#endif
