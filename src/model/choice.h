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

#endif
