/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_size.h - finds a prompt that a server cut.
 *
 * A server whose context is too small may drop the beginning of a prompt
 * without a word: the rules, or half of what was piped in. It reports how many
 * tokens it read, which is compared with what was sent. */
#ifndef MODEL_PROVIDER_PROMPT_SIZE_H
#define MODEL_PROVIDER_PROMPT_SIZE_H

#include "model/provider/provider.h"

/* ERR_ANSWER when a server that read `tokens` (-1: it does not say) cannot have
 * read the whole prompt. The text is for a person. */
int prompt_size_check(int64_t tokens, const struct provider_request *req,
                      const char *host, struct err *e);

#endif
