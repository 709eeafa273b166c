/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_reply_need.c - whatever answers a need is an answer or an error. */
#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "plugins/lib/need.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(need_answer_done) struct need_answer a;
    struct err e = {0};

    need_answer_init(&a, NEED_TEXT_MAX);
    if (need_parse((const char *)data, size, &a, &e) == 0 ? a.exit_code < -1
                                                          : !e.code)
        abort();
    return 0;
}
