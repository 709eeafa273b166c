/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_signal.c - what a signal, or a condition of trap, means. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "offline/explain/explain_state.h"

static const struct {
    const char *name, *number, *meaning;
} signals[] = {
    {"HUP", "1", "the terminal was closed, or: read the settings again"},
    {"INT", "2", "Ctrl-C was typed"},
    {"QUIT", "3", "Ctrl-\\ was typed"},
    {"ABRT", "6", "the program aborted"},
    {"KILL", "9", "kill at once; cannot be ignored"},
    {"USR1", "10", "defined by the program"},
    {"SEGV", "11", "segmentation fault"},
    {"USR2", "12", "defined by the program"},
    {"PIPE", "13", "broken pipe"},
    {"ALRM", "14", "a timer ran out"},
    {"TERM", "15", "terminate"},
    {"CHLD", "17", "a child process ended"},
    {"CONT", "18", "continue"},
    {"STOP", "19", "stop; cannot be ignored"},
    {"TSTP", "20", "Ctrl-Z was typed"},
    {"WINCH", "28", "the window size changed"},
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
