/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program agentsh-server, which answers other programs. */
#include <sys/prctl.h>

#include "base/fd.h"
#include "server/server_commands.h"

#define SERVER_COMMAND(id, name, args, help, options)                          \
    static const struct command id##_command = {                               \
        name, args, help, options, cmd_run_##id, "agentsh-protocols"};
#define SERVER_ROW(id, name, args, help, options) &id##_command,

SERVERS(SERVER_COMMAND)

static const struct command *const all[] = {SERVERS(SERVER_ROW) NULL};

int
main(int argc, char **argv)
{
    struct command_args call = {.program = "agentsh", .all = all};

    if (fd_fill_standard(NULL) < 0)
        return 1;
    /* as in agentsh-front: proc(5), ptrace(2) */
    (void)prctl(PR_SET_DUMPABLE, 0);
    return command_main(&call, argc, argv);
}
