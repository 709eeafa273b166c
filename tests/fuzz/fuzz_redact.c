/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_redact.c - any bytes: the redactor ends, and keeps what it must. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/redact.h"

/* A mark is at most this much longer than what it replaces, at most once for
 * each byte. */
#define GROWTH 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf out = buf_of(size * GROWTH + 1);

    if (redact((const char *)data, size, &out) < 0)
        abort();
    if (!memchr(data, '[', size) && !memchr(out.p, '[', out.len) &&
        (out.len != size || memcmp(out.p, data, size) != 0))
        abort(); /* changed without a mark */
    return 0;
}
