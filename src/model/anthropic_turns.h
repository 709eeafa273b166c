/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anthropic_turns.h - the conversation and its tools as Anthropic has them. */
#ifndef MODEL_ANTHROPIC_TURNS_H
#define MODEL_ANTHROPIC_TURNS_H

#include "model/provider.h"

/* The member "messages". */
void anthropic_put_turns(const struct call *c, struct json_writer *w);
/* Members "tools" and "tool_choice", where the call needs them. */
void anthropic_put_tools(const struct call *c, struct json_writer *w);

#endif
