/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_prompt.h - reads a prompt: its words, its verb, and what is attached. */
#ifndef SERVER_ACP_ACP_PROMPT_H
#define SERVER_ACP_ACP_PROMPT_H

#include "action/user_request.h"
#include "base/buf.h"
#include "model/image.h"
#include "json/json.h"

#define ACP_PROMPT_MAX (1u << 20) /* bytes of the words, and of the rest */

struct acp_prompt {
    enum aiaction_mode mode; /* "/run", "/explain" as the first word; else do */
    struct buf text;         /* the words, and the names of linked files */
    struct buf attached;     /* embedded texts, each below its name, and the
                                names of images */
    struct model_images *images; /* NULL: none */
    size_t words; /* bytes of `text` behind the verb: its start */
};

void acp_prompt_init(struct acp_prompt *p);
void acp_prompt_done(struct acp_prompt *p); /* accepts NULL */

/* Reads an array of content blocks. ERR_INVALID: it is none, or holds an image
 * that is none, sound, or a block that the protocol does not have. */
int acp_prompt_read(const struct json *blocks, struct acp_prompt *p,
                    struct err *e);
/* Takes a text alone. */
int acp_prompt_read_text(const char *text, struct acp_prompt *p, struct err *e);

/* The request, borrowed from p. */
struct user_request acp_prompt_request(const struct acp_prompt *p);

#endif
