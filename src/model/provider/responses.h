/* SPDX-License-Identifier: GPL-3.0-or-later */
/* responses.h - OpenAI's /responses: writes requests and reads their streams.
 *
 * At OpenAI's own address it is asked instead of chat completions, where newer
 * models think only as long as no tool is offered. Nothing is stored there: the
 * model's thoughts come back encrypted and go along with the calls that they
 * led to. Where the address has no /responses (QUIRK_NO_RESPONSES), openai.c
 * asks chat completions. */
#ifndef MODEL_PROVIDER_RESPONSES_H
#define MODEL_PROVIDER_RESPONSES_H

#include "model/provider/provider.h"
#include "model/provider/response.h"

void responses_write_body(const struct provider_request *req,
                          struct json_writer *w);

/* Whether an event, or a whole answer, is one of /responses. */
bool responses_is_event(const struct json *v);
int responses_read_event(struct model_response *r, const struct json *v,
                         struct err *e);

#endif
