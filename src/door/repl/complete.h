/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h - what the Tab key offers.
 *
 * On a command line: what bash itself would, programmable completion
 * included, since bash is handed the line; its matches are listed here. On a
 * line for the assistant: its verbs, then files. */
#ifndef REPL_COMPLETE_H
#define REPL_COMPLETE_H

#include <stdbool.h>

#include "door/repl/dialog.h"

/* Readline calls back without an argument: there is one of these. */
struct complete_ops {
    /* Waits until the shell has answered its question; false when it will
     * not. `clears`: a command that takes its time begins where the prompt
     * was. */
    bool (*wait)(void *arg, bool clears);
    void *arg;
};

void complete_init(struct dialog *d, const struct complete_ops *ops);

/* At each prompt: bash's word breaks, and whether the line is the rest of a
 * command. */
void complete_begin(const char *breaks, bool more);

/* What Tab does, as Readline calls it: bash itself completes the line. */
int complete_key(int count, int key);

/* Whether the character of the line at `at` is quoted, as bash reads it; the
 * quotes themselves count as quoted. */
bool complete_is_quoted(const char *line, int at);

#endif
