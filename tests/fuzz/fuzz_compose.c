/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_compose.c - any wish: whatever the composers make of it is a command
 * line that the shell reads. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/compose/compose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
nothing_there(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    (void)path;
    *is_dir = false;
    return false;
}

static void
check(const struct candidate *c)
{
    struct syntax s;
    struct err e;

    if (c->fit < 0 || c->fit > 1 || !c->composer)
        abort();
    if (syntax_read(c->command, strlen(c->command), &s, &e) < 0 || s.fault)
        abort();
    syntax_done(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct request_world world = {.path = nothing_there};
    char *wish = strndup((const char *)data, size);
    struct shortlist list = {.n = 0};
    struct request q = {.n = 0};
    struct err e;

    if (!wish)
        return 0;
    if (request_read(wish, &world, &q, &e) == 0) {
        for (const struct composer *c = composer_all(); c->name; c++)
            if (strcmp(c->name, "find") != 0 && /* it has its own */
                c->compose(&q, &list, &e) < 0)
                break;
        for (size_t i = 0; i < list.n; i++)
            check(&list.v[i]);
        shortlist_done(&list);
        request_done(&q);
    }
    free(wish);
    return 0;
}
