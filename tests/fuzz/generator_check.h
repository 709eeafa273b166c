/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generator_check.h - runs generators on any bytes, for their fuzz targets. */
#ifndef TESTS_FUZZ_GENERATOR_CHECK_H
#define TESTS_FUZZ_GENERATOR_CHECK_H

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
check_generated(const struct candidate *c, const char *programs)
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

/* Reads the bytes as a request where no file exists, runs a generator on it,
 * and checks each candidate. */
static void
try_request(const uint8_t *data, size_t size,
            int (*generate)(const struct request *q, struct shortlist *s,
                            struct err *e),
            const char *programs)
{
    const struct request_world world = {.path = nothing_there};
    char *text = strndup((const char *)data, size);
    struct shortlist list = {.n = 0};
    struct request q = {.n = 0};
    struct err e;

    if (!text)
        return;
    if (request_read(text, &world, &q, &e) == 0) {
        if (generate(&q, &list, &e) == 0)
            for (size_t i = 0; i < list.n; i++)
                check_generated(&list.v[i], programs);
        shortlist_done(&list);
        request_done(&q);
    }
    free(text);
}

#endif
