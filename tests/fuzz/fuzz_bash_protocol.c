/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_bash_protocol.c - no message from the socket leads out of its packet. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/repl/bash_channel.h"
#include "frontend/repl/line_editor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
use_prompt(const struct bash_prompt *p)
{
    struct buf out;

    buf_init(&out, 4 * BASH_MSG_MAX);
    line_editor_prefix_prompt(&out, p->prompt, p->prefix);
    if (out.len != strlen(p->prompt) + strlen(p->prefix))
        abort();
    (void)!strlen(p->cwd);
    (void)!strlen(p->breaks);
    buf_done(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* of exactly this size, so that a step outside is seen */
    char *msg = malloc(size ? size : 1);
    struct bash_prompt p;
    struct bash_reply reply;

    if (!msg)
        return 0;
    memcpy(msg, data, size);
    if (bash_protocol_read_prompt(msg, size, &p) == 0)
        use_prompt(&p);
    bash_reply_init(&reply);
    bash_reply_begin(&reply);
    bash_reply_add(&reply, msg, size);
    bash_reply_add(&reply, msg, size);
    bash_reply_add(&reply, ".", 2);
    if (bash_reply_fields(&reply) && bash_reply_fields(&reply)->len &&
        bash_reply_fields(&reply)->p[bash_reply_fields(&reply)->len - 1])
        abort();
    bash_reply_done(&reply);
    free(msg);
    return 0;
}
