/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sign.c - bash's prompt with the sign that this is agentsh. */
#include "door/repl/sign.h"

#include <string.h>

/* Readline's marks round bytes that take no room on the screen. */
#define HIDDEN_BEGIN '\001'
#define HIDDEN_END   '\002'

/* Where the first thing that shows begins its line. */
static size_t
place(const char *prompt)
{
    size_t i = 0, at = 0;

    for (;;) {
        const char *end;

        if (prompt[i] == '\n') {
            at = ++i;
        } else if (prompt[i] == HIDDEN_BEGIN) {
            end = strchr(prompt + i, HIDDEN_END);
            if (!end)
                return at;
            i = (size_t)(end - prompt) + 1;
        } else {
            return at;
        }
    }
}

void
sign_prompt(struct buf *out, const char *prompt, const char *sign)
{
    size_t at = place(prompt);

    buf_add(out, prompt, at);
    buf_str(out, sign);
    buf_str(out, prompt + at);
}
