/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offer.h - what the providers' files have in common about tools.
 *
 * Most servers that take a schema and tools in one request then keep the model
 * from calling any, or refuse both; so the schema goes with the last question,
 * which offers none, but for provider->schema_with_tools. */
#ifndef MODEL_OFFER_H
#define MODEL_OFFER_H

#include "model/provider.h"

/* How tools are offered: in the provider's form, or by plain.h. */
enum call_offer { OFFER_NONE, OFFER_TOOLS, OFFER_TEXT };
enum call_offer call_offer(const struct call *c);

/* Whether a turn holds calls or the result of one. */
bool call_has_calls(const struct call *c);

/* The number in the last id of our own that the conversation has; 0: none. */
unsigned call_last_made(const struct call *c);

/* A tool's schema, in the part that providers take: an object's, always with
 * properties; t NULL: one without any. */
void offer_put_schema(const struct call_tool *t, struct json_writer *w);

/* What goes back of a call. A name that the model made up may have letters
 * that no provider takes in a name; arguments that are no object are put
 * into one as they are, so that the model sees what it wrote. */
void offer_put_name(const char *name, struct json_writer *w);
void offer_put_args(const struct model_wanted *c, struct json_writer *w);

/* A member of the call's extra; NULL: none. root is the caller's to free. */
const struct json *offer_extra(const struct model_wanted *c, const char *name,
                               struct json **root);

#endif
