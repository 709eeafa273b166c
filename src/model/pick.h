/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pick.h - the best of a server's models for work in a shell. */
#ifndef MODEL_PICK_H
#define MODEL_PICK_H

#include "model/models.h"

/* Never one that cannot answer in words (embeddings, reranking, speech,
 * pictures, judging texts), nor one that the server sends elsewhere. Then what
 * fits in the memory beats what does not; then more points:
 *
 *     size      under 1, 3, 6, 12, 24 billion parameters, above: 0 to 5;
 *               unknown: 2
 *     loaded    +1: the answer begins at once
 *     for code  +1
 *     vision    -2: made for pictures
 *     thinking  -1: slow for one command
 *     base      -6: continues texts, follows no wish
 *
 * then the larger, then the first by name. Of those that do not fit the
 * smallest is best. NULL: there is none.
 *
 * memory_bytes: of this machine; 0: unknown, then all fit. */
const struct model_info *pick_best(const struct model_list *l,
                                   int64_t memory_bytes);

/* Why it was picked, in a few words: "7.6B, for code, loaded". "" when there
 * is nothing to say. */
#define PICK_WHY_SIZE 80
void pick_why(const struct model_info *m, int64_t memory_bytes,
              char text[PICK_WHY_SIZE]);

/* Why it is never picked: "no chat model", "runs elsewhere"; NULL: it may
 * be. */
const char *pick_never(const struct model_info *m);

int64_t pick_memory(void); /* all of this machine's; 0: unknown */

#endif
