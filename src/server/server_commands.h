/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_commands.h - the commands of agentsh-server, each in cmd_NAME.c. */
#ifndef SERVER_SERVER_COMMANDS_H
#define SERVER_SERVER_COMMANDS_H

#include "frontend/cli/command.h"

/* Returns the exit status. */
#define DECLARE_SERVER(id, name, args, help, options)                          \
    int cmd_run_##id(struct command_args *c);

SERVERS(DECLARE_SERVER)

#endif
