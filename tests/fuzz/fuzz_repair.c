/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_repair.c - repairs any command that failed with any message.
 *
 * The input is the status, a byte, the command up to a NUL, and the message.
 * Of what a message says nothing reaches a step but as words: a step has no
 * command more than the typed one and what the rules themselves add. Quotes of
 * typography that were typed may become real ones. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/repair/repair.h"

#define CALLS_ADDED 1 /* by a rule: | sudo tee */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How many calls and expansions a line has; -1: it does not parse. */
static long
count_calls(const char *line)
{
    struct syntax tree = {0};
    long n = 0;

    if (syntax_read(line, strlen(line), &tree, NULL) < 0)
        n = -1;
    else if (tree.fault)
        n = -1;
    for (const struct syntax_node *x = tree.all; n >= 0 && x; x = x->after)
        n += x->kind == SYNTAX_CALL;
    syntax_done(&tree);
    return n;
}

static void
check_step(const char *step, const char *command)
{
    long typed = count_calls(command), now = count_calls(step);

    /* what did not parse as typed may still not */
    if (typed >= 0 && !strstr(command, "\xe2\x80") &&
        (now < 0 || now > typed + CALLS_ADDED))
        abort();
    for (; *step; step++) {
        unsigned char c = (unsigned char)*step;

        if ((c < ' ' || c == 0x7f) && !strchr(command, c))
            abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(seat_free_p) struct seat *s = NULL;
    const struct seat_params where = {.dir = "/"};
    struct repair r = {0};
    struct repair_failure f = {0};
    char *text = malloc(size + 1);
    size_t n;

    if (!text || size < 2 || !(s = seat_new(&where, NULL))) {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    n = strlen(text + 1);
    f = (struct repair_failure){text + 1, data[0],
                                n + 2 < size ? text + n + 2 : ""};
    if (repair_find(s, &f, &r, NULL) == 0) {
        for (size_t i = 0; i < r.n; i++)
            check_step(r.steps[i].p, f.command);
    }
    repair_done(&r);
    free(text);
    return 0;
}
