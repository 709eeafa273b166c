/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hook_init.c - prints the hook of one shell, as `agentsh init` does. */
#include <stdio.h>

#include "person/hook.h"

#define HOOK_MAX (1u << 20)

int
main(int argc, char **argv)
{
    struct buf out;
    struct err e;

    buf_init(&out, HOOK_MAX);
    hook_sweep();
    if (argc != 2 || hook_print(argv[1], &out, &e) != 0)
        return 2;
    fwrite(out.p, 1, out.len, stdout);
    buf_done(&out);
    return 0;
}
