/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_fallback.h - tool calls as text, for servers that take no tools, or none
 * beside a schema.
 *
 * The tools, and how to call one, are described in the system prompt. The
 * model's calls are text of its turn, and results are the user's text between
 * data marks (prompt/prompt.h). Where the request has a schema it becomes one
 * that allows a call or an answer, so that a constrained decoder writes one of
 * the two. An answer is read back in two formats, each
 * only when it is the whole text, apart from blanks and a code fence around
 * it: {"tool":NAME,"args":{…}}, which prompts/offer.txt asks for, and one or
 * more <tool_call>{"name":NAME,"arguments":{…}}</tool_call>, which models were
 * trained on and servers forget to parse. Anything else is text. */
#ifndef MODEL_PROVIDER_TOOL_FALLBACK_H
#define MODEL_PROVIDER_TOOL_FALLBACK_H

#include <stdbool.h>

#include "model/provider/provider.h"
#include "model/provider/tool_calls.h"

struct tool_fallback {
    struct provider_request request; /* to send; borrows from the original */
    struct model_turn *turns;
    struct buf system;
    struct json *schema;
};

/* Whether the request must be rewritten: its tools or calls become text, or
 * the prompt has to show the answer that no schema demands. */
bool tool_fallback_is_needed(const struct provider_request *req);

/* Rewrites r. f needs tool_fallback_done() also on failure. */
int tool_fallback_init(struct tool_fallback *f,
                       const struct provider_request *req, struct err *e);
void tool_fallback_done(struct tool_fallback *f);

/* Reads the calls in an answer's text and adds them to t. prompted: the first
 * format was asked for. text ends with a NUL that n does not count. Returns 1
 * when the text is calls, 0 when it is text, -1 and ERR_ANSWER when it exceeds
 * a limit of tool_calls.h. */
int tool_fallback_read_calls(struct tool_calls *t, bool prompted,
                             const char *text, size_t n, struct err *e);

/* Whether the beginning of a text may still become calls, so that it must not
 * be shown yet. text ends with a NUL. */
bool tool_fallback_may_be_call(bool prompted, const char *text);

#endif
