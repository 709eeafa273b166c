/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_jsonrpc.c - a line is a message that can be answered, or a fault. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/jsonrpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An id comes back as it came: what answers with it is a message again, with
 * the same id. */
static void
answer(const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf line = buf_of(1 << 20);
    CLEANUP(jsonrpc_done) struct jsonrpc back = {0};

    jsonrpc_put_error(&line, m->id, JSONRPC_NO_METHOD, "no", NULL);
    if (jsonrpc_parse(line.p, line.len, &back, NULL) < 0 ||
        back.kind != JSONRPC_ERROR || !back.id != !m->id ||
        (m->id && strcmp(back.id, m->id) != 0))
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};

    if (jsonrpc_parse((const char *)data, size, &m, NULL) < 0) {
        if (m.fault == 0)
            abort();
    } else if ((m.kind <= JSONRPC_NOTIFICATION && !m.method) ||
               (m.kind == JSONRPC_REQUEST && !m.id) ||
               (m.kind == JSONRPC_RESULT && !m.result)) {
        abort();
    }
    answer(&m);
    return 0;
}
