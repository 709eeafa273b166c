/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selection.h - the members of a selection, for the files of model/ alone. */
#ifndef MODEL_SELECTION_H
#define MODEL_SELECTION_H

#include "model/discovery.h"
#include "model/ipc.h"
#include "model/model_dirs.h"
#include "model/select.h"

struct model_selection {
    const struct provider *provider;
    const char *title; /* as a person knows it: "Ollama" */
    char *url, *model;
    const char *url_name;   /* where url is set, for messages; static */
    const char *key_name;   /* so for key; NULL: there is none */
    char *address;          /* url without its query, which may hold a secret */
    char *ca_file;          /* NULL: the CA certificates of the system */
    char *more_headers;     /* of the configuration, each ended by "\n"; NULL */
    char *key;              /* NULL: none; wiped when the selection is freed */
    struct model_dirs dirs; /* where what is learned of it is kept */
    unsigned quirks;
    bool takes_images;
    bool any_model; /* nobody named the model: another may answer */
    struct model_limits limits;
    bool needs_consent; /* a local server that the person was not asked about */
    bool cached;        /* from an earlier discovery; not verified since */
    uid_t uid;          /* of a local server: the user who runs it */
    char reason[MODEL_RANK_REASON_SIZE];
};

/* Returns a copy, which the caller frees. */
struct model_selection *model_selection_copy(const struct model_selection *m,
                                             struct err *e);

#endif
