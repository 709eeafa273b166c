/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_sample.c - arguments made up for whatever a manifest says. */
#include <stdint.h>
#include <stdlib.h>

#include "tool/check/sample.h"

#define ARGS_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(manifest_free_p)
    struct manifest *m = manifest_parse((const char *)data, size, "m", NULL);

    for (size_t i = 0; m && i < m->n_actions; i++) {
        CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
        CLEANUP_BUF struct buf less = buf_of(ARGS_MAX);

        if (sample_args(&m->actions[i], "/tmp/x", &args, NULL) < 0)
            continue;
        if (!sample_fits(&m->actions[i], args.p, NULL))
            abort();
        (void)sample_change(args.p, "path", "5", &less, NULL);
    }
    return 0;
}
