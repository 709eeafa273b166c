/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_request.c - whatever a plugin is sent is a request or an error. */
#include <stdint.h>
#include <stdlib.h>

#include "plugins/lib/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(request_done) struct request r;
    struct err e = {0};

    if (request_parse((const char *)data, size, &r, &e) == 0) {
        if (!r.tool || !r.action || (r.timeout_ms < 1 && r.timeout_ms != -1))
            abort();
    } else if (e.code == ERR_NONE) {
        abort();
    }
    return 0;
}
