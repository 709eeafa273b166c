/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat_messages.h - writes the conversation and its tools for OpenAI's chat
 * completions and for Ollama, whose formats differ only in tool calls. */
#ifndef MODEL_PROVIDER_CHAT_MESSAGES_H
#define MODEL_PROVIDER_CHAT_MESSAGES_H

#include "model/provider/provider.h"

enum chat_messages_form {
    CHAT_MESSAGES_OPENAI, /* arguments are a string; results name the call */
    CHAT_MESSAGES_OLLAMA, /* arguments are an object; results name the tool */
};

/* Writes the member "messages". */
void chat_messages_write(const struct provider_request *req,
                         enum chat_messages_form form, struct json_writer *w);

/* Writes the items of the member "tools", whose array is open. Between
 * chat_messages_open_tool() and chat_messages_close_tool() the caller writes
 * the value of "parameters". */
void chat_messages_write_tools(const struct provider_request *req,
                               struct json_writer *w);
void chat_messages_open_tool(const char *name, const char *description,
                             struct json_writer *w);
void chat_messages_close_tool(struct json_writer *w);

#endif
