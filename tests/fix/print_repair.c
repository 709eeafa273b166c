/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_repair.c - prints which rule repairs a failure, and how.
 *
 *     print_repair COMMAND STATUS FILE [ROUNDS]
 *
 * FILE has what the command showed. The first line is the rule's name ("-":
 * none fits), the second its title, each further one a step. With ROUNDS it
 * prints the microseconds of one look instead. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "offline/repair/repair.h"

static void
print_found(const struct repair *r)
{
    printf("%s\n%s\n", r->rule[0] ? r->rule : "-", r->title);
    for (size_t i = 0; i < r->n; i++)
        printf("%s\n", r->steps[i].p);
}

int
main(int argc, char **argv)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20);
    CLEANUP(seat_free_p) struct seat *s = seat_of_process(NULL);
    struct repair found = {0};
    struct repair_failure f = {0};
    struct err e = {0};
    long rounds = argc > 4 ? strtol(argv[4], NULL, 10) : 1;
    int64_t begin;

    if (argc < 4 || !s || file_read(argv[3], &text, &e) < 0)
        return 2;
    f = (struct repair_failure){argv[1], (int)strtol(argv[2], NULL, 10),
                                text.p};
    begin = clock_us();
    for (long i = 0; i < rounds; i++) {
        repair_done(&found);
        found = (struct repair){0};
        if (repair_find(s, &f, &found, &e) < 0)
            return 2;
    }
    if (argc > 4)
        printf("%ld\n", (long)((clock_us() - begin) / rounds));
    else
        print_found(&found);
    repair_done(&found);
    return 0;
}
