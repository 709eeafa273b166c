/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_size.c - finds a prompt that a server cut. */
#include "model/provider/prompt_size.h"

#include <inttypes.h>

#include "model/provider/host_features.h"

/* No server that is in use has a smaller context. A smaller count is that of a
 * server which leaves out what it had in its cache, or which counts nothing. */
#define CONTEXT_LEAST 1024

/* A word is a run of ASCII letters behind something else. Tokenizers split
 * before it, so that each is one token at least. Long runs of blanks, digits or
 * other bytes may be few tokens, and are none here. */
static int64_t
count_words(const char *text)
{
    int64_t n = 0;
    bool inside = false;

    for (; text && *text; text++) {
        char c = (char)(*text | 0x20);
        bool letter = c >= 'a' && c <= 'z';

        n += letter && !inside;
        inside = letter;
    }
    return n;
}

/* The least tokens that the request's texts can be, in any tokenizer. 0: its
 * server is one that refuses what is too long. */
static int64_t
least_tokens(const struct provider_request *req)
{
    int64_t n = count_words(req->system);

    if (!req->provider->cuts_prompts ||
        host_features(req->provider->name, req->url))
        return 0;
    for (size_t i = 0; i < req->n_turns; i++)
        n += count_words(req->turns[i].text);
    return n;
}

/* A fifth is left for tokenizers that join short words. */
int
prompt_size_check(int64_t tokens, const struct provider_request *req,
                  const char *host, struct err *e)
{
    int64_t least = least_tokens(req);

    if (tokens < CONTEXT_LEAST || tokens + tokens / 4 >= least)
        return 0;
    return err_set(e, ERR_ANSWER,
                   "%.64s: the prompt was cut: %" PRId64
                   " tokens were read of at least %" PRId64
                   ". To do: pipe in less, or give the server a larger "
                   "context (num_ctx of Ollama, -c of llama-server)",
                   host, tokens, least);
}
