/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_talk.c - no message from the socket leads out of its packet. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "door/repl/said.h"
#include "door/repl/sign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
use_prompt(const struct talk_prompt *p)
{
    struct buf out;

    buf_init(&out, 4 * TALK_MAX);
    sign_prompt(&out, p->prompt, p->sign);
    if (out.len != strlen(p->prompt) + strlen(p->sign))
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
    struct talk_prompt p;
    struct said said;

    if (!msg)
        return 0;
    memcpy(msg, data, size);
    if (talk_read_prompt(msg, size, &p) == 0)
        use_prompt(&p);
    said_init(&said);
    said_begin(&said);
    said_take(&said, msg, size);
    said_take(&said, msg, size);
    said_take(&said, ".", 2);
    if (said_fields(&said) && said_fields(&said)->len &&
        said_fields(&said)->p[said_fields(&said)->len - 1])
        abort();
    said_done(&said);
    free(msg);
    return 0;
}
