/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_parts.c - explanations of lines, for options.py to count.
 *
 * Reads command lines, one a line, and writes for each what explain_json
 * writes, one a line. With --time N it explains each line N times and writes
 * the fewest microseconds that one took instead. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "offline/explain/explain.h"

#define JSON_MAX (8 * 1024 * 1024)

static int64_t
now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int
print_json(const struct seat *s, const char *line)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf out = buf_of(JSON_MAX);
    struct json_writer w;

    if (explain_line(s, line, &x, NULL) < 0)
        return -1;
    json_write_init(&w, &out);
    explain_json(&x, &w);
    puts(out.p);
    return 0;
}

static int
print_time(const struct seat *s, const char *line, long rounds)
{
    int64_t best = INT64_MAX;

    for (long i = 0; i < rounds; i++) {
        CLEANUP(explain_done) struct explain x = {0};
        int64_t from = now_us(), took;

        if (explain_line(s, line, &x, NULL) < 0)
            return -1;
        took = now_us() - from;
        best = took < best ? took : best;
    }
    printf("%" PRId64 "\n", best);
    return 0;
}

int
main(int argc, char **argv)
{
    CLEANUP(seat_free_p) struct seat *s = seat_of_process(NULL);
    long rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int rc = s ? 0 : -1;

    while (rc == 0 && (n = getline(&line, &cap, stdin)) > 0) {
        line[n - (line[n - 1] == '\n')] = '\0';
        rc = rounds ? print_time(s, line, rounds) : print_json(s, line);
        fflush(stdout);
    }
    free(line);
    return rc ? 1 : 0;
}
