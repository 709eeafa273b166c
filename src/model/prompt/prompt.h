/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt.h - writes the text that is sent to a model.
 *
 * The texts are files in prompts/, which are compiled in. The rules are the
 * same for every request, and what differs stands behind them, so that servers
 * can cache the beginning; the request stands last, since small models follow
 * what comes last. Untrusted text is redacted and quoted between marks that
 * hold a digest of it: no text contains its own digest, so it cannot end the
 * quotation and pose as instructions. */
#ifndef MODEL_PROMPT_PROMPT_H
#define MODEL_PROMPT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* The files of prompts/. */
enum prompt_part {
    PROMPT_SYSTEM,
    PROMPT_DO, /* the task of each verb */
    PROMPT_RUN,
    PROMPT_EXPLAIN,
    PROMPT_REPAIR,  /* before the reason why an answer is not usable */
    PROMPT_CONTEXT, /* headings of data */
    PROMPT_INPUT,
    PROMPT_TOOLS,   /* before the tools that a step may use */
    PROMPT_RECIPES, /* before recipes that are close to the request */
    PROMPT_LOOK,    /* a rule more, where the model may call tools */
    PROMPT_OFFER,   /* before the tools of provider/tool_fallback.h */
    PROMPT_EXAMPLE, /* of answers, where no schema is sent */
    PROMPT_RESULT,  /* heading of a tool's result */
    PROMPT_STEPS,   /* heading of the results of steps */
    PROMPT_CAME,    /* the same of an earlier request */
    PROMPT_REVISE,  /* before a person's request to change an answer */
    PROMPT_SCHEMA,  /* the JSON Schema of AiAction, draft-07 */
    PROMPT_N
};

/* The text of a file; it is static. */
const char *prompt_text(enum prompt_part part);

/* The schema of AiAction, which every answer is checked against. What is sent
 * is a part of it: action/answer_schema.h. */
const char *prompt_aiaction_schema(void);

struct prompt_params {
    enum prompt_part mode; /* PROMPT_DO, PROMPT_RUN or PROMPT_EXPLAIN */
    const char *text;      /* what the person typed */
    const char *before;    /* what came of the request before, quoted; it stands
                              first; NULL: nothing */
    const char *context;   /* from context_write(); NULL: none */
    const char *recipes;   /* close to the request, one a line; NULL: none */
    const char *input;     /* what was piped in; NULL: nothing */
    size_t input_len;
};

/* Appends the system's message: the rules, one more where the model may call
 * tools, and the tools that a step may name, one a line (NULL: none). */
int prompt_system(bool look, const char *step_tools, struct buf *out,
                  struct err *e);

/* Appends the user's message: facts, input, recipes, then the request. */
int prompt_user(const struct prompt_params *p, struct buf *out, struct err *e);

/* Appends a heading and the bytes, redacted and quoted as data. */
int prompt_data(enum prompt_part heading, const char *p, size_t n,
                struct buf *out);

/* The same with any heading. Text that is quoted already, also one under
 * PROMPT_RESULT, keeps its marks. */
int prompt_quote(const char *heading, const char *p, size_t n, struct buf *out,
                 struct err *e);

/* Appends the message that asks for a corrected answer. why: one line. */
int prompt_repair(const char *why, struct buf *out, struct err *e);

#endif
