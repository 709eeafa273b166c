/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_explain_language.c - any script of sed or awk is explained within its
 * bounds, without the shell around it that fuzz_explain.c needs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEANING_MAX 4096

static void
explain_parts_of(const char *text)
{
    static const char *const forms[] = {"sed",   "quiet", "fields", "where",
                                        "sum",   "mean",  "count",  "times",
                                        "lines", "sums",  "none"};

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        CLEANUP_BUF struct buf out = buf_of(MEANING_MAX);

        if (!script_part(forms[i], text, &out) && out.len > 0)
            abort(); /* half a sentence */
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);

    if (!text)
        return 0;
    for (int quiet = 0; quiet < 2; quiet++) {
        CLEANUP_BUF struct buf sed = buf_of(MEANING_MAX),
                               awk = buf_of(MEANING_MAX);

        script_meaning("sed", text, quiet, &sed);
        script_meaning("awk", text, quiet, &awk);
    }
    explain_parts_of(text);
    free(text);
    return 0;
}
