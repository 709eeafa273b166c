/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what one judgement of a command line costs: reading it, what it
 * would do, the rules, its profile.
 *
 *     judge ROUNDS < LINES
 *
 * Judges each line (they end with NUL bytes) by the rules of the preset, as a
 * front does, and prints microseconds: for each round the mean of a line and
 * the median of them. The first round warms what is read of the machine, and
 * is not printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guard/guard.h"

#define LINES_MAX 8192

static double
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static size_t
read_lines(char **lines)
{
    size_t n = 0, cap = 0;
    ssize_t got;

    while (n < LINES_MAX &&
           (got = getdelim(&lines[n], &cap, '\0', stdin)) > 0) {
        cap = 0;
        n++;
    }
    return n;
}

static int
judge_all(const struct policy *p, char *const *lines, size_t n,
          const struct path_context *where, double *times)
{
    for (size_t i = 0; i < n; i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0};
        double began = now_us();
        struct err e;

        if (guard_judge(p, lines[i], where, &f, &e) < 0) {
            fprintf(stderr, "judge: %s\n", e.text);
            return -1;
        }
        times[i] = now_us() - began;
    }
    return 0;
}

static void
print_round(double *times, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += times[i];
    qsort(times, n, sizeof(times[0]), compare);
    printf("%.2f %.2f\n", sum / (double)n, times[n / 2]);
}

int
main(int argc, char **argv)
{
    static char *lines[LINES_MAX];
    static double times[LINES_MAX];
    long rounds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    struct err e;
    CLEANUP(seat_free_p) struct seat *seat = seat_of_process(&e);
    CLEANUP(policy_free_p)
    struct policy *p = seat ? policy_load(seat, &e) : NULL;
    size_t n = read_lines(lines);

    if (!p || !seat_dir(seat) || n == 0 || rounds < 1) {
        fputs(p ? "usage: judge ROUNDS < LINES\n" : e.text, stderr);
        return 2;
    }
    for (long i = 0; i <= rounds; i++) {
        struct path_context where = path_context_of(seat);

        if (judge_all(p, lines, n, &where, times) < 0)
            return 1;
        if (i > 0)
            print_round(times, n);
    }
    for (size_t i = 0; i < n; i++)
        free(lines[i]);
    return 0;
}
