/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ailine.c - typed lines and history files, however odd. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "door/repl/ailine.h"
#include "door/repl/complete.h"
#include "door/repl/history.h"
#include "door/repl/pipe_target.h"

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
    struct buf shell = buf_of(1u << 20), program = buf_of(1u << 20);
    char *text = malloc(size + 1);
    char **words;
    size_t left = size;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    words = ailine_split(text, NULL);
    for (size_t i = 0; words && words[i]; i++) {
        if (i > size || strlen(words[i]) > size)
            abort();
    }
    free(words);
    if (ailine_for_shell(text, &shell) && !shell.len)
        abort();
    if (pipe_target_runs(text, &program) && !program.len)
        abort();
    buf_done(&program);
    buf_done(&shell);
    (void)ailine_is(text, "ai");
    for (int i = 0; i < 3; i++)
        (void)complete_is_quoted(text, (int)(size / 3) * i);
    history_parse(text, size, count, &left);
    free(text);
    return 0;
}
