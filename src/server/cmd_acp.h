/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_acp.h - agentsh acp: the agent of an editor that starts it. */
#ifndef SERVER_CMD_ACP_H
#define SERVER_CMD_ACP_H

#include "frontend/cli/command.h"

extern const struct command cmd_acp;

#endif
