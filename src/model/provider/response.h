/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.h - collects one answer of a provider while it arrives.
 *
 * The providers' files store text, reasoning, refusals, token counts and the
 * finish reason here. model_response_check() decides at the end whether they
 * are an answer. Reasoning is never part of an answer's text, also when a model
 * writes it into its text (reasoning.h). */
#ifndef MODEL_PROVIDER_RESPONSE_H
#define MODEL_PROVIDER_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/provider/api_error.h"
#include "model/provider/content_blocks.h"
#include "model/provider/shown_text.h"
#include "model/provider/tool_calls.h"
#include "model/provider/tool_declarations.h"
#include "json/json.h"

/* The finish reason. */
enum finish {
    FINISH_NONE,    /* not finished yet */
    FINISH_STOP,    /* the answer is complete */
    FINISH_LENGTH,  /* cut by a token limit */
    FINISH_REFUSED, /* refused by the model or a filter */
    FINISH_TOOL,    /* the model calls a tool */
    FINISH_OTHER,   /* a reason that we do not know */
};

struct finish_row {
    const char *word; /* the provider's */
    enum finish finish;
};

#define ANSWER_NAME "answer" /* of the forced tool, and of the schema */

/* Reasoning, or its signature, that goes back with the tool calls. */
struct model_response_reasoning {
    const char *name; /* of its member */
    struct buf text;
};
#define MODEL_RESPONSE_REASONING_MAX 2

struct model_response {
    struct buf text; /* as it came; since model_response_check() the answer */
    struct buf refusal;
    struct shown_text shown; /* the part of it that is handed out as it comes */
    size_t handed_out;       /* offset: the caller has the text up to here */
    bool settled;            /* text is the answer */
    bool replaced; /* what the caller has is not its beginning, and is void */
    bool forced_tool; /* the arguments of the forced tool are the text */
    enum tool_declarations_form calls; /* what a tool call looks like; with
                                          TOOL_DECLARATIONS_NONE calls are
                                          ignored */
    unsigned last_own_id;              /* see tool_calls_finish() */
    struct tool_calls tool_calls;
    struct model_response_reasoning reasoning[MODEL_RESPONSE_REASONING_MAX];
    struct content_blocks blocks; /* that go back with the calls … */
    const char *blocks_name;      /* … under this name; NULL: none do */
    int64_t commentary; /* of /responses: the item that is no part of the
                           answer; -1: none */
    bool calls_known;   /* text and calls are told apart */
    bool reasoned;      /* reasoning came */
    bool answer_called; /* the forced tool was called */
    enum finish finish;
    char finish_word[40];
    char reason[160]; /* what the provider says of it; may be empty */
    char model[128];
    /* As in struct model_answer. */
    int64_t tokens_in, tokens_out, tokens_cached, tokens_cache_written,
        tokens_reasoning;
    bool complete; /* the stream's own end came */
    bool failed;   /* an error came instead of an answer */
    struct api_error error;
};

/* forced_tool: see above. key: is removed from error messages that are quoted;
 * borrowed; NULL: none. */
void model_response_init(struct model_response *r, bool forced_tool,
                         const char *key);
void model_response_done(struct model_response *r);
/* Called before the first byte. calls: how the request declares its tools. */
void model_response_expect_calls(struct model_response *r,
                                 enum tool_declarations_form calls,
                                 unsigned last_own_id);

/* For the providers' files. A NULL value stores nothing. */
int model_response_add_text(struct model_response *r, const struct json *v,
                            struct err *e);
void model_response_note_reasoning(struct model_response *r,
                                   const struct json *v);
/* Notes reasoning that goes back, under this name, beside tool calls. */
void model_response_keep_reasoning(struct model_response *r, const char *name,
                                   const struct json *v);
void model_response_add_refusal(struct model_response *r, const struct json *v);
/* Adds a tool call, or a piece of one. */
int model_response_add_call(struct model_response *r,
                            const struct tool_calls_piece *p, struct err *e);
/* The last row has a NULL word: its finish is that of every other word. */
void model_response_set_finish(struct model_response *r, const struct json *v,
                               const struct finish_row *rows);
/* Stores the provider's words about the finish reason; they count when it is
 * no complete answer. */
void model_response_set_reason(struct model_response *r, const char *text);
void model_response_set_model(struct model_response *r, const struct json *v);
void model_response_set_tokens(int64_t *to, const struct json *v);
/* Stores the counts that a provider's object of them has; a count that is
 * missing leaves what was stored before. The last row has a NULL name. */
struct usage_row {
    size_t at;          /* offset of the count in struct model_response */
    const char *object; /* of usage, that has the member; NULL: usage itself */
    const char *name;
};
void model_response_read_usage(struct model_response *r,
                               const struct json *usage,
                               const struct usage_row *rows);
/* Stores an error that came in place of an event. Returns -1 with ERR_ANSWER,
 * or 0 when the answer was complete before it. */
int model_response_set_error(struct model_response *r, const struct json *v,
                             struct err *e);

/* The text that was not handed out yet and may be shown; after
 * model_response_check() all that is left: the whole text, where r->replaced
 * says that what was handed out turned out to be none of it. NULL: none. The
 * pointer is valid until more text is added. */
const char *model_response_new_text(struct model_response *r, size_t *n);

/* At the end: 0 when the text is a complete answer or there are tool calls.
 * limit: the token limit that was sent; 0: none. ERR_MODEL with the model's
 * words for a refusal, else ERR_ANSWER. */
int model_response_check(struct model_response *r, int limit, struct err *e);

#endif
