/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - sends a request to a model and receives its answer.
 *
 * model/ turns a conversation into one answer. It has two halves. The front's
 * half selects the provider and the model (select.h), finds the API key
 * (api_key.h), writes the prompt (prompt/), starts the model process
 * (model_process.h) and talks to it in lines of JSON (ipc.h). The other half is
 * the program libexec/agentsh/agentsh-model (process/): it speaks HTTP through
 * libcurl, retries, and may neither execute a program nor write a file. Both
 * use provider/, which knows the wire formats and needs no network.
 *
 * model/ must not know what an AiAction is: an answer is text. It fails with
 * ERR_MODEL (exit status 3), ERR_ANSWER (4: an answer that is too large, cut
 * or broken), ERR_TIMEOUT (6) and ERR_INTERRUPTED (130). The text of the error
 * is one line for the person: what happened, where, and what to do. */
#ifndef MODEL_CLIENT_H
#define MODEL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "model/image.h"

#define MODEL_ANSWER_MAX (16u << 20) /* bytes after decompression */

struct model;           /* one user of a model process */
struct model_process;   /* model_process.h: it may have many users */
struct model_selection; /* select.h: provider, model, URL, key, limits */

/* A function that the model may call before it answers. */
struct model_tool {
    const char *name;        /* [A-Za-z0-9_-]{1,64}: providers take no dots */
    const char *description; /* a sentence */
    const char *schema;      /* JSON Schema of its arguments */
    const char *outside;     /* as in struct model_turn */
};

#define MODEL_TOOL_CALLS_MAX 16          /* calls in one answer */
#define MODEL_ARGS_MAX       (64u << 10) /* bytes of one call's arguments */

/* A tool call that the model asks for. All of it is untrusted. */
struct model_tool_call {
    const char *id;   /* the provider's, or one that we made; never NULL */
    const char *name; /* as the model wrote it: it may name no tool of ours */
    const char *args; /* as the model wrote them: they may not be JSON */
    size_t args_len;
    const char *extra; /* JSON that the provider wants back with the call
                          (Gemini's thought signature); NULL: nothing */
};

enum model_role { MODEL_USER, MODEL_ASSISTANT, MODEL_RESULT };

/* One turn of the conversation. The results of an assistant's calls follow
 * its turn directly, one turn for each call, in the order of the calls. */
struct model_turn {
    enum model_role role;
    const char *text; /* of a result: the tool's output. NULL is allowed only
                         beside calls */
    const struct model_tool_call *tool_calls; /* of an assistant's turn */
    size_t n_tool_calls;
    const char *call_id, *call_name; /* of a result: the call it answers */
    bool failed;                     /* of a result */
    struct model_images *images;     /* of a user's turn; NULL: none */
    const char *outside; /* names the part of it that other people could have
                            written, in words for a review; NULL: none. It is
                            not sent. See prompt/origin.h */
};

struct model_request {
    const char *system;             /* the system prompt */
    const struct model_turn *turns; /* oldest first; the last is the user's,
                                       or a result */
    size_t n_turns;
    const char *schema; /* JSON Schema of the answer; NULL: free text */
    const struct model_tool *tools; /* the model may call several at once */
    size_t n_tools;
};

struct model_answer {
    const char *text; /* complete, without the model's reasoning */
    size_t len;
    const char *model; /* as the server names it; may be NULL */
    /* -1: the server does not say. What it read, whether from a cache or not,
     * and what it wrote, with its reasoning */
    int64_t tokens_in, tokens_out;
    int64_t tokens_cached;        /* of tokens_in: read from a cache */
    int64_t tokens_cache_written; /* of tokens_in: written to a cache */
    int64_t tokens_reasoning;     /* of tokens_out */
    int64_t ms;                   /* from the request to the last byte */
    const struct model_tool_call *tool_calls; /* the caller runs these, adds
                                          the results as turns, and sends the
                                          next request; text is then what the
                                          model wrote beside them */
    size_t n_tool_calls;                      /* 0: text is the answer */
};

/* Callbacks of one request; NULL ones are not called. The last event is
 * either answer or failed, once for each model_ask(). Strings are borrowed
 * until the callback returns, and are untrusted. */
struct model_events {
    /* as it streams; where it turns out to be the model's reasoning, the
     * answer has another text, which does not come here */
    void (*text)(void *arg, const char *bytes, size_t n);
    void (*thinking)(void *arg); /* the model reasons; the text is not shown */
    void (*waiting)(void *arg, const char *line); /* a retry: why, how long */
    void (*answer)(void *arg, const struct model_answer *a);
    void (*failed)(void *arg, const struct err *why);
};

/* Starts the model process at once, so that it loads while the caller gathers
 * the context. The selection is copied. socket is what warm_process_borrow()
 * returned, of a process that is kept between questions, and stays the
 * caller's; -1, or a process that has ended: one of our own is started. */
struct model *model_start(struct loop *l, int socket,
                          const struct model_selection *selection,
                          struct err *e);
/* The same with a process that many use, each for its own requests: it stays
 * the caller's, and outlives the model. Up to QUERY_TABLE_MAX requests run in
 * it at once. */
struct model *model_open(struct loop *l, struct model_process *process,
                         const struct model_selection *selection,
                         struct err *e);
/* Ends the process, and with it a request that runs. A process that was
 * borrowed stays, unless a request runs in it. One that others use stays, and
 * the request is cancelled. */
void model_free(struct model *m);
DEFINE_CLEANUP(struct model, model_free)

/* Sends a request; its data is copied before the call returns. One request of a
 * model runs at a time: ERR_INVALID while another does. ERR_MODEL: the process
 * has as many open as it takes. */
int model_ask(struct model *m, const struct model_request *r,
              const struct model_events *ev, void *arg, struct err *e);

/* Cancels the request that runs: failed(ERR_INTERRUPTED) is called within
 * 100 ms, and nothing else. */
void model_cancel(struct model *m);

/* Forgets the request that runs: no event of it comes any more. */
void model_drop(struct model *m);

/* Whoever the text is for reads slowly: what has been sent still comes, at most
 * some 100 KiB, then nothing until it is wanted again, and nothing of later
 * requests either. The server is stopped by its own connection; requests of
 * other models go on. */
void model_hold(struct model *m, bool held);

/* Appends the exact bytes that model_ask() would send (request line, headers
 * with the key shown as "***", body), for --show-request. Starts no process
 * and uses no network. */
int model_show_request(const struct model_selection *selection,
                       const struct model_request *r, struct buf *out,
                       struct err *e);

#endif
