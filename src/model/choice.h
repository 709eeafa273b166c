/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choice.h - a choice's inside: who answers, where, and with which key. */
#ifndef MODEL_CHOICE_H
#define MODEL_CHOICE_H

#include "model/ask.h"
#include "model/choose.h"
#include "model/found.h"

struct model_choice {
    const struct provider *provider;
    const char *title; /* as a person knows it */
    char *url, *model;
    char *key; /* NULL: none; wiped when the choice goes */
    unsigned quirks;
    struct ask_limits limits;
    bool found;      /* on this machine, and nobody has agreed to it */
    bool remembered; /* found by an earlier search, not asked since */
    uid_t uid;       /* whose server it is, of one that was found */
    char why[PICK_WHY_SIZE];
};

/* A copy of its own, for the running model. */
struct model_choice *model_choice_copy(const struct model_choice *m,
                                       struct err *e);

/* Finds the provider's key: in its variables, else (mine: the configuration
 * is about this provider) by api_key_command or api_key_file. *key is NULL
 * without error when there is none. ERR_CONFIG: the file is open to others,
 * or what it holds is no key; ERR_MODEL: the command failed. */
int key_find(const struct config *c, const struct provider *p, bool mine,
             char **key, struct err *e);
const char *key_in_environment(const struct provider *p); /* NULL: none */
void key_free(char *key);                                 /* wipes it */

/* What one server and model turned out to want, kept in the cache directory.
 * What cannot be read or stored is not an error: it is learned again. */
unsigned learned_load(const char *url, const char *model);
void learned_store(const char *url, const char *model, unsigned quirks);

/* Starts the model process with pipes on its standard input and output, and
 * an environment that holds no key. */
struct proc *model_process_start(struct err *e);

/* The call that a question makes, its turns redacted. Freed as a whole. */
struct model_call {
    struct call call;
    struct model_turn *turns;
    struct json *schema;
    struct call_tool *tools;
};
int model_call_init(struct model_call *mc, const struct model_choice *m,
                    const struct model_request *r, struct err *e);
void model_call_done(struct model_call *mc);

#endif
