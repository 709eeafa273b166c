/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_declarations.h - writes tools and tool calls into a request, in what
 * all providers have in common.
 *
 * Most servers that take a schema and tools in one request then keep the model
 * from calling any tool, or refuse the request. So tools are declared beside a
 * schema only where that works (host_features.h); elsewhere the schema allows
 * calls too, as tool_fallback.h writes them, and the prompt describes the
 * tools. A server that takes no schema gets the tools in its own format. */
#ifndef MODEL_PROVIDER_TOOL_DECLARATIONS_H
#define MODEL_PROVIDER_TOOL_DECLARATIONS_H

#include "model/provider/provider.h"

/* How a request declares its tools: in the provider's format, or as text in
 * the prompt (tool_fallback.h). */
enum tool_declarations_form {
    TOOL_DECLARATIONS_NONE,
    TOOL_DECLARATIONS_NATIVE,
    TOOL_DECLARATIONS_TEXT
};
enum tool_declarations_form
tool_declarations_form(const struct provider_request *req);

/* Whether calls are text at this server, also without tools in the request. */
bool tool_declarations_are_text(const struct provider_request *req);

/* Whether a turn holds tool calls or the result of one. */
bool tool_declarations_has_calls(const struct provider_request *req);

/* The number in the last id of our own (tool_calls_own_id) in the
 * conversation; 0: none. */
unsigned tool_declarations_last_own_id(const struct provider_request *req);

/* Writes a tool's schema in the subset that providers take: an object with
 * the member "properties". t NULL: an object without properties. */
void tool_declarations_write_schema(const struct provider_tool *t,
                                    struct json_writer *w);

/* Appends the members of a schema as text: {path,content,mode?,packages[]}; a
 * "?" may be left out, "[]" is a list. */
#define TOOL_MEMBERS_WORDS    1u /* the words of an enum too: parts?[]=os|cpu */
#define TOOL_MEMBERS_REQUIRED 2u /* none that may be left out */
void tool_declarations_write_members(const struct json *schema, unsigned flags,
                                     struct buf *out);

/* Write the name and the arguments of a call that goes back to the provider.
 * Letters that no provider takes in a name are replaced: the model may have
 * made the name up. Arguments that are no object are put into one as they are,
 * so that the model sees what it wrote. */
void tool_declarations_write_name(const char *name, struct json_writer *w);
void tool_declarations_write_args(const struct model_tool_call *c,
                                  struct json_writer *w);

/* A member of the call's extra; NULL: none. The caller frees *root. */
const struct json *tool_declarations_extra(const struct model_tool_call *c,
                                           const char *name,
                                           struct json **root);

#endif
