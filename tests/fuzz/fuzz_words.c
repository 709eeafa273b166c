/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_words.c - arguments become variables, which go again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/words/variables.h"

extern char **environ;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(json_free_p)
    struct json *args = json_parse((const char *)data, size, 0, NULL);

    if (!args || json_type(args) != JSON_OBJECT)
        return 0;
    (void)variables_set(args, NULL);
    variables_clear(args);
    for (char **v = environ; *v; v++) {
        if (strncmp(*v, "AGENTSH_ARG_", 12) == 0)
            abort();
    }
    return 0;
}
