/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program agentsh-repl, which `agentsh` becomes when it is
 * called without arguments, or as a login shell. */
#include <stdio.h>
#include <string.h>

#include "base/fd.h"
#include "base/message.h"
#include "frontend/repl/repl.h"

int
main(int argc, char **argv)
{
    struct err e = {0};
    bool login = argc > 1 && strcmp(argv[1], "--login") == 0;
    int status;

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    message_init();
    if (argc > 1 + login) {
        fprintf(stderr, "agentsh-repl: not an argument of it: %s\n",
                argv[1 + login]);
        return err_exit_status(ERR_USAGE);
    }
    status = repl_run(login, &e);
    if (status < 0)
        repl_complain(&e);
    return status < 0 ? err_exit_status(e.code) : status;
}
