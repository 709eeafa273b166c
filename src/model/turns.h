/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turns.h - the conversation and its tools as OpenAI's chat and Ollama's have
 * them: alike, but for how a call and its result name each other. */
#ifndef MODEL_TURNS_H
#define MODEL_TURNS_H

#include "model/provider.h"

enum turns_form {
    TURNS_OPENAI, /* arguments are a text, a result has its call's id */
    TURNS_OLLAMA, /* arguments are an object, a result has a tool's name */
};

/* The member "messages". */
void turns_put(const struct call *c, enum turns_form form,
               struct json_writer *w);

/* Items of the member "tools", whose array is open. Between open and close
 * stands the value of "parameters". */
void turns_put_tools(const struct call *c, struct json_writer *w);
void turns_open_tool(const char *name, const char *description,
                     struct json_writer *w);
void turns_close_tool(struct json_writer *w);

#endif
