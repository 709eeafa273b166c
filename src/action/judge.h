/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.h - what a step needs before it may run: the one place that decides.
 *
 * The guard's finding, raised by the model's own flags and by text that does
 * not show itself; nothing here or later lowers it. */
#ifndef ACTION_JUDGE_H
#define ACTION_JUDGE_H

#include "action/aiaction.h"
#include "guard/plain.h"

struct judgement {
    enum guard_decision decision;
    bool destructive; /* asks for the word by itself */
    bool privileged;  /* the same */
    bool calls_sudo;  /* its command says so itself */
    bool hidden;      /* holds characters that do not show */
    bool refused;     /* cannot be run by us at all */
    char reason[256]; /* why it is not plainly allowed; "" when it is */
    char *directory;  /* absolute; where it will run */
};

/* Judges a step as run from cwd. ERR_NOT_FOUND when its working directory
 * does not exist. j needs judgement_done in any case. */
int judge_step(const struct step *s, const char *cwd, struct judgement *j,
               struct err *e);
void judgement_done(struct judgement *j);

#endif
