/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemini_turns.h - the conversation and its tools as Gemini has them. */
#ifndef MODEL_GEMINI_TURNS_H
#define MODEL_GEMINI_TURNS_H

#include "model/provider.h"

/* Members "systemInstruction" and "contents". */
void gemini_put_turns(const struct call *c, struct json_writer *w);
/* The member "tools". */
void gemini_put_tools(const struct call *c, struct json_writer *w);

#endif
