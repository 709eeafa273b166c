/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_protocol.c - whatever a plugin writes is an answer or an error. */
#include <stdint.h>
#include <stdlib.h>

#include "tool/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(protocol_message_done) struct protocol_message r;

    if (protocol_parse((const char *)data, size, &r, NULL) == 0 &&
        r.kind == PROTOCOL_RESPONSE &&
        (!r.result.out || !r.result.err || !r.result.meta ||
         (!r.result.ok && !r.result.error_code)))
        abort();
    return 0;
}
