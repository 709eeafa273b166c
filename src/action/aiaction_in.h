/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction_in.h - inside aiaction_read.c: the tool that a step names. */
#ifndef ACTION_AIACTION_IN_H
#define ACTION_AIACTION_IN_H

#include "action/aiaction.h"

/* Reads tool, action and args of a step whose command is read already. A step
 * that names AIACTION_TOOL, with its very command, is one that names none. */
int aiaction_read_tool(const struct json *v, const struct aiaction_tools *tools,
                       struct step *s, struct err *e);

#endif
