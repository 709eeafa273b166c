/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_signal.c - what a signal, or a condition of trap, means. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "offline/explain/explain_state.h"

static const struct {
    const char *name, *number, *meaning;
} signals[] = {
    {"HUP", "1", "the terminal closed, or: read the settings again"},
    {"INT", "2", "somebody typed Ctrl-C"},
    {"QUIT", "3", "somebody typed Ctrl-\\"},
    {"ABRT", "6", "the program gave up on itself"},
    {"KILL", "9", "end at once; no program can refuse"},
    {"USR1", "10", "what the program takes it for"},
    {"SEGV", "11", "the program touched memory that is not its own"},
    {"USR2", "12", "what the program takes it for"},
    {"PIPE", "13", "nobody reads what is written any more"},
    {"ALRM", "14", "a timer ran out"},
    {"TERM", "15", "please end"},
    {"CHLD", "17", "a command that was started ended"},
    {"CONT", "18", "go on"},
    {"STOP", "19", "stop; no program can refuse"},
    {"TSTP", "20", "somebody typed Ctrl-Z"},
    {"WINCH", "28", "the window has another size"},
    {"EXIT", "", "the shell ends"},
    {"ERR", "", "a command fails"},
    {"DEBUG", "", "before each command"},
    {"RETURN", "", "a function or sourced script ends"},
};

const char *
explain_signal(const char *name)
{
    if (strncasecmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (strcasecmp(signals[i].name, name) == 0 ||
            (*name && strcmp(signals[i].number, name) == 0))
            return signals[i].meaning;
    return NULL;
}

bool
explain_processes(const char *operand, struct buf *out)
{
    const char *digits = operand + (*operand == '-');

    if (strcmp(operand, "0") == 0)
        buf_str(out, "every process of the shell's own group");
    else if (strcmp(operand, "-1") == 0)
        buf_str(out, "every process that you may signal");
    else if (digits > operand && *digits &&
             strspn(digits, "0123456789") == strlen(digits))
        buf_printf(out, "every process of the group %.20s", digits);
    else
        return false;
    return true;
}
