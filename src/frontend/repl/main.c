/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program agentsh-repl, which `agentsh` becomes when it is
 * called without arguments. */
#include <stdio.h>

#include "base/fd.h"
#include "frontend/repl/repl.h"

int
main(int argc, char **argv)
{
    struct err e = {0};
    int status;

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    if (argc > 1) {
        fprintf(stderr, "agentsh-repl: takes no arguments: %s\n", argv[1]);
        return err_exit_status(ERR_USAGE);
    }
    status = repl_run(&e);
    if (status < 0)
        fprintf(stderr, "agentsh: %s\n", e.text);
    return status < 0 ? err_exit_status(e.code) : status;
}
