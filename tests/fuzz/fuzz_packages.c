/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_packages.c - any bytes as each manager's list; the first line is a
 * pattern for the names. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/lib/match.h"
#include "plugins/packages/database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int (*const parsers[])(struct database *d, struct err *e) = {
    database_parse_dpkg,
    database_parse_apk,
    database_parse_pacman,
    database_parse_rpm,
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span rest = {(const char *)data, size}, line;
    char pattern[256] = "", name[256];

    if (span_line(&rest, &line))
        span_copy(line, pattern, sizeof(pattern));
    for (size_t i = 0; i < sizeof(parsers) / sizeof(*parsers); i++) {
        struct database d = {.n = 0};

        buf_init(&d.text, DATABASE_MAX);
        buf_add(&d.text, data, size);
        parsers[i](&d, NULL);
        for (size_t k = 0; k < d.n; k++) {
            if (d.rows[k].name.n == 0)
                abort();
            match_glob(pattern, span_copy(d.rows[k].name, name, sizeof(name)));
        }
        database_done(&d);
    }
    return 0;
}
