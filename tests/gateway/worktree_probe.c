/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worktree_probe.c - one job on a working tree of the gateway's, for the tests.
 *
 *     worktree_probe make DIRECTORY TASK     the tree, and the commit
 *     worktree_probe diff DIRECTORY COMMIT MAX
 *     worktree_probe clean DIRECTORY         removed, or why it is kept */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/gateway/worktree.h"

static int
print_error(const struct err *e)
{
    fprintf(stderr, "worktree_probe: %s\n", e->text);
    return 1;
}

static void
on_made(void *arg, const char *directory, const char *base,
        const struct err *why)
{
    if (why)
        (void)print_error(why);
    else
        printf("%s\n%s\n", directory, base);
    loop_stop(arg);
}

static void
on_diff(void *arg, const struct buf *text, bool cut, const struct err *why)
{
    if (why)
        (void)print_error(why);
    else
        printf("%s%s", text->p, cut ? "\ncut\n" : "");
    loop_stop(arg);
}

static void
on_clean(void *arg, bool kept, const char *reason, const struct err *why)
{
    if (why)
        (void)print_error(why);
    else
        printf("%s %s\n", kept ? "kept:" : "removed", reason);
    loop_stop(arg);
}

static struct worktree_job *
start_job(struct loop *l, const struct worktree_setup *set, char **argv,
          struct err *e)
{
    if (strcmp(argv[1], "make") == 0)
        return worktree_make(set, argv[3], on_made, l, e);
    if (strcmp(argv[1], "diff") == 0)
        return worktree_diff(set, argv[3], strtoul(argv[4], NULL, 10), on_diff,
                             l, e);
    return worktree_clean(set, on_clean, l, e);
}

int
main(int argc, char **argv)
{
    struct err e = {0};
    CLEANUP(loop_free_p) struct loop *l = loop_new(&e);
    CLEANUP(seat_free_p) struct seat *seat = seat_of_process(&e);
    CLEANUP(config_free_p) struct config *config = config_load(&e);
    struct worktree_setup set = {.loop = l, .seat = seat, .config = config};

    if (!l || !seat || !config || argc < 3)
        return print_error(&e);
    set.directory = argv[2];
    if (!start_job(l, &set, argv, &e) || loop_run(l, &e) < 0)
        return print_error(&e);
    return 0;
}
