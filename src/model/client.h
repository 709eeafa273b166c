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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"

#define MODEL_ANSWER_MAX (16u << 20) /* bytes after decompression */

struct model;        /* a running model process, warm between questions */
struct model_choice; /* choose.h: provider, model, address, key, limits */

/* A function that the model may call to look before it answers. */
struct model_tool {
    const char *name;        /* [A-Za-z0-9_-]{1,64}: providers take no dots */
    const char *description; /* a sentence */
    const char *schema;      /* of its arguments, JSON Schema */
    const char *outside;     /* as a turn's: see origin.h */
};

#define MODEL_WANTED_MAX 16          /* calls in one answer */
#define MODEL_ARGS_MAX   (64u << 10) /* bytes of one call's arguments */

/* A call that the model wants made; bytes from outside. */
struct model_wanted {
    const char *id;   /* the provider's, or one that we made up; never NULL */
    const char *name; /* as it wrote it: perhaps no tool of ours */
    const char *args; /* as it wrote them: perhaps no JSON at all */
    size_t args_len;
    const char *extra; /* what the provider wants back with it, opaque JSON
                          (Gemini's thought signature); NULL: nothing */
};

enum model_role { MODEL_USER, MODEL_ASSISTANT, MODEL_RESULT };

/* Every call of an assistant's turn has its result in the turns that follow
 * at once, in the order of the calls. */
struct model_turn {
    enum model_role role;
    const char *text; /* of a result: what came of the call; may be NULL
                         beside calls */
    const struct model_wanted *wanted; /* of the assistant: its calls */
    size_t n_wanted;
    const char *call_id, *call_name; /* of a result: whose it is */
    bool failed;                     /* of a result */
    const char *outside; /* what of it others could have written, in words for
                            a review; NULL: nothing. It is not sent */
};

struct model_request {
    const char *system;             /* the system prompt */
    const struct model_turn *turns; /* oldest first; the last is the user's,
                                       or a result */
    size_t n_turns;
    const char *schema; /* JSON Schema the answer must fit; NULL: free text */
    const struct model_tool *tools; /* offered; the model may call several */
    size_t n_tools;
};

struct model_answer {
    const char *text; /* whole and finished; reasoning is not in it */
    size_t len;
    const char *model;                 /* as the server names it; may be NULL */
    int64_t tokens_in, tokens_out;     /* -1: not told */
    int64_t ms;                        /* from the request to the last byte */
    const struct model_wanted *wanted; /* it wants to look first: make these
                                          calls, then ask again with the turns;
                                          text is then what it said meanwhile */
    size_t n_wanted;                   /* 0: text is the answer */
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
