/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_gateway_message.c - a text is a message of the gateway's, whose answer
 * is one too, with the same id and action. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/gateway/gateway_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
answer_message(const struct gateway_message *m)
{
    CLEANUP_BUF struct buf out = buf_of(64 << 20), payload = buf_of(1 << 20);
    CLEANUP(gateway_message_done) struct gateway_message back = {0};
    const struct gateway_envelope v = {.id = m->id,
                                       .id_n = m->id_n,
                                       .type = "error",
                                       .action = m->action,
                                       .action_n = m->action_n,
                                       .at_ms = 1};

    gateway_message_put_error(&payload, GATEWAY_NOT_FOUND, "no", NULL);
    gateway_message_put(&out, &v, payload.p, payload.len);
    if (gateway_message_read(out.p, out.len, &back, NULL) < 0 ||
        back.id_n != m->id_n || memcmp(back.id, m->id, m->id_n) != 0 ||
        back.action_n != m->action_n ||
        memcmp(back.action, m->action, m->action_n) != 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(gateway_message_done) struct gateway_message m = {0};

    if (gateway_message_read((const char *)data, size, &m, NULL) == 0)
        answer_message(&m);
    return 0;
}
