/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ailine.c - typed lines and history files, however odd. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "door/repl/ailine.h"
#include "door/repl/complete.h"
#include "door/repl/history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
count(void *arg, const char *entry)
{
    size_t *left = arg;
    size_t n = strlen(entry);

    if (n == 0 || n > *left)
        abort(); /* more came out than went in */
    *left -= n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    char **words;
    size_t left = size;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    words = ailine_split(text, NULL);
    for (size_t i = 0; words && words[i]; i++) {
        if (i >= AILINE_WORDS_MAX || strlen(words[i]) > size)
            abort();
    }
    free(words);
    (void)ailine_is(text, "ai");
    for (int i = 0; i < 3; i++)
        (void)complete_is_quoted(text, (int)(size / 3) * i);
    history_parse(text, size, count, &left);
    free(text);
    return 0;
}
