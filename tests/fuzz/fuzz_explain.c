/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_explain.c - any line explained: the parts stay inside it, in order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "offline/explain/explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct explain *x, size_t n)
{
    struct buf text;
    size_t at = 0;

    if (x->n > EXPLAIN_PARTS_MAX || !x->source || !x->summary ||
        !utf8_valid(x->summary, strlen(x->summary)))
        abort();
    for (size_t i = 0; i < x->n; i++) {
        const struct explain_part *p = &x->parts[i];

        if (p->from < at || p->to < p->from || p->to > n)
            abort();
        if (!p->what || !p->meaning || strchr(p->meaning, '\n') ||
            !utf8_valid(p->meaning, strlen(p->meaning)))
            abort();
        at = p->from;
    }
    buf_init(&text, 16 * 1024 * 1024);
    explain_text(x, 80, &text);
    if (!utf8_valid(text.p, text.len))
        abort();
    buf_done(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct seat *seat; /* one for all inputs */
    char *line = strndup((const char *)data, size);
    struct explain x;
    struct err e;

    /* only our tables: nothing here depends on the machine */
    setenv("MANPATH", "/nonexistent", 1);
    if (!seat)
        seat = seat_of_process(NULL);
    if (!line || !seat) {
        free(line);
        return 0;
    }
    if (explain_line(seat, line, &x, &e) == 0) {
        check(&x, strlen(line));
        explain_done(&x);
    }
    explain_is_command(seat, line);
    free(line);
    return 0;
}
