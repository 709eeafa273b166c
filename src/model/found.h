/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.h - model servers on this machine.
 *
 * Ollama, llama-server, LM Studio and vLLM on their usual ports (OLLAMA_HOST
 * where it names this machine). The kernel tells which of the ports somebody
 * listens on: where nobody does, nothing is started and nobody is asked. What
 * a search found is remembered for a short time, for as long as the same
 * sockets listen; and each server that was agreed to, or refused, for good. */
#ifndef MODEL_FOUND_H
#define MODEL_FOUND_H

#include "model/agreed.h"
#include "model/listen.h"
#include "model/pick.h"

#define FOUND_MAX      4
#define FOUND_URL_SIZE 256

/* All of a search, in milliseconds; the process that asks starts within. */
#define FOUND_SEARCH_MS 130

struct provider;

struct found_server {
    const struct provider *provider;
    const char *title; /* as a person knows it */
    char url[FOUND_URL_SIZE];
    uid_t uid; /* whose socket it is, or LISTEN_NOBODY */
    enum agreement agreed;
    bool answered;               /* with a list of models */
    char model[MODEL_NAME_SIZE]; /* the best; "" when none will do */
    char why[PICK_WHY_SIZE];     /* it was picked */
    struct model_list models;    /* none when it was remembered */
    int64_t ms;                  /* until its list was there */
};

struct found {
    struct found_server v[FOUND_MAX]; /* those that listen, in the order in
                                         which they are preferred */
    size_t n;
    int64_t ms;      /* that it took, with the process's start */
    bool remembered; /* nobody was asked now */
};
void found_done(struct found *f); /* accepts NULL */

struct found_wish {
    const char *model; /* that the person named: it is not chosen then; NULL */
    bool can_ask;      /* else a server that was not agreed to is no use */
    bool afresh;       /* all of them are asked, whatever is remembered */
};

/* Asks those that could be used. Nothing of it can fail: a server that does
 * not answer in time has not answered. */
void found_search(const struct found_wish *w, struct found *out);

/* The one to use: of those that have a model and were not refused an agreed
 * one first. NULL: none. */
const struct found_server *found_best(const struct found *f);

/* Whether an address is one of this machine's own, by its looks alone. */
bool found_is_here(const char *url);

/* Its provider, as --provider takes it. */
const char *found_provider(const struct found_server *v);

#endif
