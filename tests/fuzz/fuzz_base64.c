/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_base64.c - a text that is base64 is the only one of its bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf bytes = buf_of(size);
    CLEANUP_BUF struct buf text = buf_of(size);
    struct err e = {0};

    if (base64_decode(&bytes, (const char *)data, size, &e) < 0) {
        if (e.code != ERR_INVALID || e.at > size)
            abort();
        return 0;
    }
    if (base64_encode(&text, bytes.p, bytes.len) < 0 || text.len != size ||
        memcmp(text.p, data, size) != 0)
        abort();
    return 0;
}
