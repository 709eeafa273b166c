/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ai_line.c - typed lines and history files, however odd. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/repl/ai_line.h"
#include "frontend/repl/complete.h"
#include "frontend/repl/history.h"
#include "frontend/repl/pipe_target.h"

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
    words = ai_line_split(text, NULL, NULL);
    for (size_t i = 0; words && words[i]; i++) {
        if (i > size || strlen(words[i]) > size)
            abort();
    }
    free(words);
    if (ai_line_for_shell(text, NULL, &shell) && !shell.len)
        abort();
    if (pipe_target_runs(text, &program) && !program.len)
        abort();
    buf_done(&program);
    buf_done(&shell);
    (void)ai_line_is(text, "ai");
    for (int i = 0; i < 3; i++)
        (void)complete_is_quoted(text, (int)(size / 3) * i);
    history_parse(text, size, count, &left);
    free(text);
    return 0;
}
