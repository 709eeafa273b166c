/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.h - what a model server says of the models that it has. */
#ifndef MODEL_MODELS_H
#define MODEL_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

#define MODELS_MAX 256 /* of one server; more are not looked at */
#define MODEL_NAME_SIZE                                                        \
    256 /* a path, at worst; longer ones are passed over                       \
         */

struct model_info {
    char name[MODEL_NAME_SIZE];
    double billions; /* parameters; 0: nobody says */
    int64_t bytes;   /* of its file; 0: nobody says */
    bool loaded;     /* in memory, so that it answers at once */
    bool elsewhere;  /* the server sends what it is asked to another machine */
    bool no_chat;    /* says itself that it answers no questions: embeddings */
    bool vision;     /* says itself that it was made for pictures */
};

struct model_list {
    struct model_info *v;
    size_t n;
};
void model_list_done(struct model_list *l); /* accepts NULL */

/* Adds the models of a list as Ollama (/api/tags, /api/ps), LM Studio
 * (/api/v0/models), llama-server and vLLM (/v1/models) write it; one that is
 * there already gets what the list says besides. alone: the server has loaded
 * the one model that it lists. */
int models_read(const struct json *list, bool alone, struct model_list *out,
                struct err *e);

/* Marks those that /api/ps lists as loaded. */
void models_mark(const struct json *running, struct model_list *l);

/* Billions of parameters that a name or a size tells: "qwen2.5-coder:7b",
 * "8x7B", "494.03M"; 0: none. */
double models_billions(const char *text);

#endif
