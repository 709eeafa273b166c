/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wish_composed.h - runs generators on any bytes, for their fuzz targets. */
#ifndef TESTS_FUZZ_WISH_COMPOSED_H
#define TESTS_FUZZ_WISH_COMPOSED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/generate/generate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
nothing_there(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    (void)path;
    *is_dir = false;
    return false;
}

/* Ends the program where the shell would not read the command, or where it
 * begins with none of these: "|sudo|apt|"; NULL: with any. */
static void
check_composed(const struct candidate *c, const char *programs)
{
    size_t n = strcspn(c->command, " ");
    const char *at = programs;
    struct syntax s;
    struct err e;

    if (c->fit < 0 || c->fit > 1 || !c->generator)
        abort();
    if (syntax_read(c->command, strlen(c->command), &s, &e) < 0 || s.fault)
        abort();
    syntax_done(&s);
    while (at && *at && (strncmp(at + 1, c->command, n) || at[n + 1] != '|'))
        at += 1 + strcspn(at + 1, "|");
    if (at && (n == 0 || !*at))
        abort();
}

/* Reads the bytes as a wish in an empty world, lets compose work on it, and
 * checks each candidate. */
static void
try_wish(const uint8_t *data, size_t size,
         int (*generate)(const struct request *q, struct shortlist *s,
                         struct err *e),
         const char *programs)
{
    const struct request_world world = {.path = nothing_there};
    char *wish = strndup((const char *)data, size);
    struct shortlist list = {.n = 0};
    struct request q = {.n = 0};
    struct err e;

    if (!wish)
        return;
    if (request_read(wish, &world, &q, &e) == 0) {
        if (generate(&q, &list, &e) == 0)
            for (size_t i = 0; i < list.n; i++)
                check_composed(&list.v[i], programs);
        shortlist_done(&list);
        request_done(&q);
    }
    free(wish);
}

#endif
