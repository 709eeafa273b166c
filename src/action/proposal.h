/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proposal.h - the answer to a request: an AiAction and where it came from. */
#ifndef ACTION_PROPOSAL_H
#define ACTION_PROPOSAL_H

#include "action/agent_loop.h"
#include "base/buf.h"

#define PROPOSAL_CHOICES 3 /* commands that an answer in words can number */
/* Bytes by which a user changes a plan. */
#define PROPOSAL_WORDS_MAX (64u << 10)

/* A command that an answer in words numbers. */
struct proposal_choice {
    char *command, *title; /* owned */
    char *shown;           /* the title in the person's language; owned */
    bool lacks; /* words in capitals stand for values that nobody gave */
};

/* Made by a model, the offline engine, or from a file. */
struct proposal {
    struct aiaction *action; /* owned */
    bool asked; /* of a model or the offline engine: `facts` are set */
    struct conversation_usage facts;
    char *model; /* its name, from the server where that gives one; owned */
    /* what the model read that others could have written; NULL: nothing.
     * Borrowed from the query */
    const char *outside;
    bool unfit;   /* an answer that only says why nothing is proposed */
    bool recipes; /* every step comes from our own recipes */
    bool lacks;   /* the answer lacks a value that the user can give */
    struct proposal_choice choices[PROPOSAL_CHOICES];
    size_t n_choices;
};
void proposal_done(struct proposal *p); /* accepts NULL; *p is all zero then */

#endif
