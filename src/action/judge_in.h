/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_in.h - what judge.c and judge_call.c share. */
#ifndef ACTION_JUDGE_IN_H
#define ACTION_JUDGE_IN_H

#include "action/judge.h"

/* A tool's call as text: its names, and arguments escaped at worst. */
#define JUDGE_CALL_MAX (6u * AIACTION_ARGS_MAX + 512u)

/* Adds a reason to those that are there; raises the decision, never lowers
 * it. */
void judge_because(struct judgement *j, const char *why);
void judge_raise(struct judgement *j, enum guard_decision d);

/* Judges the call of a step that names a tool, whose command is judged. */
int judge_call(const struct judge *by, const struct step *s,
               const struct risk_context *where, struct judgement *j,
               struct err *e);

#endif
