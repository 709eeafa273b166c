/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_rank.h - reads a server's list of models and ranks them for work in a
 * shell. */
#ifndef MODEL_MODEL_RANK_H
#define MODEL_MODEL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

#define MODEL_LIST_MAX 256 /* models of one server; the rest is ignored */
/* A name is a path at worst; longer ones are ignored. */
#define MODEL_NAME_SIZE 256

struct model_info {
    char name[MODEL_NAME_SIZE];
    double billions; /* parameters; 0: unknown */
    int64_t bytes;   /* of its file; 0: unknown */
    bool loaded;     /* in memory, so that it answers at once */
    bool elsewhere;  /* the server forwards requests to another machine */
    bool no_chat;    /* the server says that it does not chat: embeddings */
    bool vision;     /* the server says that it is made for pictures */
};

struct model_list {
    struct model_info *v;
    size_t n;
};
void model_list_done(struct model_list *l);

/* Adds the models of a list in the format of Ollama (/api/tags, /api/ps), LM
 * Studio (/api/v0/models), llama-server or vLLM (/v1/models). A model that out
 * has already is completed by what the list says. single: a server that lists
 * one model has that model loaded. */
int model_list_read(const struct json *list, bool single,
                    struct model_list *out, struct err *e);

/* Marks the models that the answer to /api/ps lists as loaded. */
void model_list_mark_loaded(const struct json *running, struct model_list *l);

/* Returns the best model, or NULL when none is usable. Excluded are models
 * that do not answer in words (model_rank_exclusion). A model that fits into
 * memory beats one that does not. Then more points win:
 *
 *     size      under 1, 3, 6, 12, 24 billion parameters, above: 0 to 5;
 *               unknown: 2
 *     loaded    +1: it answers at once
 *     for code  +1
 *     vision    -2: made for pictures
 *     thinking  -1: slow for one command
 *     base      -6: it continues text and follows no instructions
 *
 * then the larger one, then the first by name. Of models that do not fit the
 * smallest is the best.
 *
 * memory_bytes: of this machine; 0: unknown, and every model fits. */
const struct model_info *model_rank_best(const struct model_list *l,
                                         int64_t memory_bytes);

/* Writes why the model was chosen, in a few words: "7.6B, for code, loaded".
 * "" when there is nothing to say. */
#define MODEL_RANK_REASON_SIZE 80
void model_rank_reason(const struct model_info *m, int64_t memory_bytes,
                       char text[MODEL_RANK_REASON_SIZE]);

/* Why the model is never chosen (embeddings, reranking, speech, image
 * generation, moderation, or it runs on another machine): "not a chat model",
 * "runs on another machine". NULL: it may be chosen. */
const char *model_rank_exclusion(const struct model_info *m);

/* The memory of this machine; 0: unknown. */
int64_t model_rank_memory_bytes(void);

#endif
