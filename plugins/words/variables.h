/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variables.h - the arguments of a call as variables of the environment. */
#ifndef PLUGINS_WORDS_VARIABLES_H
#define PLUGINS_WORDS_VARIABLES_H

#include "base/err.h"
#include "json/json.h"

/* AGENTSH_ARG_NAME for each argument: its name in capitals, with _ for what is
 * no letter or digit. A text is itself, a number its digits, a boolean true or
 * false, a list of these a line for each; anything else its JSON. null is not
 * there. args may be NULL. ERR_INVALID: a text with a NUL, a text of a list
 * with a newline, one that is too long for a variable. */
int variables_set(const struct json *args, struct err *e);
void variables_clear(const struct json *args);

#endif
