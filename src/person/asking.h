/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asking.h - waiting for a model with a person: progress, looks, Ctrl-C.
 *
 * One asking is one conversation: the wish, and, where the model wants it,
 * what came of the steps, until an answer is the last. */
#ifndef PERSON_ASKING_H
#define PERSON_ASKING_H

#include "action/inquiry.h"
#include "action/outcome.h"
#include "person/answer.h"

#define PROPOSAL_CHOICES 3

/* A command that an answer in words numbers. */
struct proposal_choice {
    char *command, *title; /* owned */
    bool lacks;            /* words in capitals stand for what nobody named */
};

/* What came of a question. */
struct proposal {
    struct aiaction *action; /* owned */
    bool asked; /* a model, or the offline engine: there are facts */
    struct inquiry_facts facts;
    char *model; /* as the server names it, else as we do; owned */
    /* what others can write and the model was told; NULL: nothing. Borrowed
     * from the asking */
    const char *outside;
    bool may_go_on; /* results of the steps can be told */
    /* where words go that the person wants it changed by; NULL: nobody takes
     * them. Borrowed */
    struct buf *words;
    bool unfit;   /* an answer that only says why nothing is proposed */
    bool recipes; /* all of it is of recipes of ours */
    bool lacks;   /* the answer waits for a name */
    struct proposal_choice choices[PROPOSAL_CHOICES];
    size_t n_choices;
};
void proposal_done(struct proposal *r);

/* What is asked of whom; borrowed for as long as the asking lives. */
struct asking_wish {
    struct model *model; /* NULL: for asking_request alone */
    const char *model_name;
    enum aiaction_mode mode;
    bool look; /* the model may look first */
};

struct asking;
/* Reads the settings' tools (app_registry); the rules are there. */
struct asking *asking_open(struct app *a, const struct asking_wish *w,
                           struct err *e);
void asking_close(struct asking *q);
DEFINE_CLEANUP(struct asking, asking_close)

/* The whole user's message, and what of it others could have written (NULL:
 * nothing); both borrowed. Before anything is asked. */
void asking_say(struct asking *q, const char *user, const char *outside);

/* Asks and waits: the wish at first (results and words NULL), then with what
 * came of the steps, or with the words that the answer is to be changed by. An
 * answer's text goes to w as it streams. */
int asking_run(struct asking *q, const struct outcome *results,
               const char *words, struct answer *w, struct proposal *out,
               struct err *e);

/* The first request, for --show-request; nothing is sent. */
void asking_request(const struct asking *q, struct model_turn *turn,
                    struct model_request *r);

#endif
