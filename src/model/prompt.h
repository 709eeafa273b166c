/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt.h - the words that go to a model.
 *
 * The texts live in prompts/, one file each, and are compiled in. The system
 * prompt is the same for every request, so that servers can keep it warm;
 * what differs stands in the user's message. Text from outside is redacted
 * and stands between marks that hold a digest of it: text cannot contain its
 * own digest, so it cannot end the data and speak as instructions. */
#ifndef MODEL_PROMPT_H
#define MODEL_PROMPT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum prompt_part {
    PROMPT_SYSTEM,
    PROMPT_DO, /* what each verb asks for */
    PROMPT_RUN,
    PROMPT_EXPLAIN,
    PROMPT_REPAIR,  /* before the reason why an answer cannot be used */
    PROMPT_CONTEXT, /* headings of data */
    PROMPT_INPUT,
    PROMPT_TOOLS,   /* before the tools that a step may name */
    PROMPT_RECIPES, /* before commands that were near the wish */
    PROMPT_OFFER,   /* before tools to look with, for servers that take none */
    PROMPT_RESULT,  /* heading of what a tool told that the model called */
    PROMPT_STEPS,   /* heading of what came of the steps */
    PROMPT_REVISE,  /* before a person's words that change an answer */
    PROMPT_SCHEMA,  /* the AiAction's JSON Schema, draft-07 */
    PROMPT_N
};

/* The file's text, for ever valid. */
const char *prompt_text(enum prompt_part part);

/* The one schema of AiAction: goes to the provider, drives the check. */
const char *prompt_aiaction_schema(void);

struct prompt_wish {
    enum prompt_part mode; /* PROMPT_DO, PROMPT_RUN or PROMPT_EXPLAIN */
    const char *text;      /* what the person typed */
    const char *context;   /* from context_write(); NULL: none */
    const char *tools;     /* that a step may name, a line each; NULL: none */
    const char *recipes;   /* commands near the wish, a line each; NULL */
    const char *input;     /* what was piped in; NULL: nothing */
    size_t input_len;
};

/* Appends the user's message. */
int prompt_user(const struct prompt_wish *w, struct buf *out, struct err *e);

/* Appends a heading and the bytes, redacted, between marks as data. */
int prompt_data(enum prompt_part heading, const char *p, size_t n,
                struct buf *out);

/* The same under a heading of one's own; text that stands between such marks
 * already, also under PROMPT_RESULT, stays between those. */
int prompt_quote(const char *heading, const char *p, size_t n, struct buf *out,
                 struct err *e);

/* Appends the message that asks for the answer again; why is one line. */
int prompt_repair(const char *why, struct buf *out, struct err *e);

#endif
