/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - asking a model, as the front sees it.
 *
 * model/ turns a conversation into one answer. The front's half (this file,
 * choose.h, context.h, prompt.h) picks the provider, finds the key, starts
 * libexec/agentsh/agentsh-model and talks to it in JSON lines on its pipes.
 * The process's half (provider tables, HTTP by libcurl, retries) may neither
 * execute nor write files. It must not know what an AiAction is: an answer is
 * text. What fails: ERR_MODEL (exit 3), ERR_ANSWER (exit 4: bounds, cut or
 * broken answers), ERR_TIMEOUT (6), ERR_INTERRUPTED (130); the text is the
 * one line for the person: what happened, where, what to do. */
#ifndef MODEL_CLIENT_H
#define MODEL_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"

#define MODEL_ANSWER_MAX (16u << 20) /* bytes after decompression */

struct model;        /* a running model process, warm between questions */
struct model_choice; /* choose.h: provider, model, address, key, limits */

enum model_role { MODEL_USER, MODEL_ASSISTANT };

struct model_turn {
    enum model_role role;
    const char *text;
};

struct model_request {
    const char *system;             /* the system prompt */
    const struct model_turn *turns; /* oldest first; the last is the user's */
    size_t n_turns;
    const char *schema; /* JSON Schema the answer must fit; NULL: free text */
};

struct model_answer {
    const char *text; /* whole and finished; reasoning is not in it */
    size_t len;
    const char *model;             /* as the server names it; may be NULL */
    int64_t tokens_in, tokens_out; /* -1: not told */
    int64_t ms;                    /* from the request to the last byte */
};

/* Exactly one of answer and failed comes last, once per model_ask. NULL
 * callbacks are not called. Texts are borrowed until the callback returns and
 * are bytes from outside. */
struct model_events {
    void (*text)(void *arg, const char *bytes, size_t n); /* as it streams */
    void (*thinking)(void *arg); /* reasoning came, not shown */
    void (*waiting)(void *arg, const char *line); /* a retry: why, how long */
    void (*answer)(void *arg, const struct model_answer *a);
    void (*failed)(void *arg, const struct err *why);
};

/* Starts the process at once, so that it loads while the caller gathers
 * context. The choice is copied. */
struct model *model_start(struct loop *l, const struct model_choice *choice,
                          struct err *e);
void model_free(struct model *m); /* cancels, ends the process */
DEFINE_CLEANUP(struct model, model_free)

/* One question at a time. The request is copied before it returns. */
int model_ask(struct model *m, const struct model_request *r,
              const struct model_events *ev, void *arg, struct err *e);

/* Ends the question that runs; failed(ERR_INTERRUPTED) comes within 100 ms. */
void model_cancel(struct model *m);

/* The exact bytes that model_ask would send (request line, headers with the
 * key shown as "***", body), for --show-request. No process, no network. */
int model_show(const struct model_choice *choice, const struct model_request *r,
               struct buf *out, struct err *e);

#endif
