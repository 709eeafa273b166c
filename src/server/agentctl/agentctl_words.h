/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_words.h - splits the command of an agent into words. */
#ifndef SERVER_AGENTCTL_AGENTCTL_WORDS_H
#define SERVER_AGENTCTL_AGENTCTL_WORDS_H

#include "base/err.h"

#define AGENTCTL_COMMAND_MAX (64u << 10) /* bytes */
#define AGENTCTL_WORDS_MAX   256

/* The words of a command, as a shell splits them: by blanks, with quotation
 * marks and backslashes; nothing else of a shell is known, and a dollar sign or
 * an asterisk stands for itself. A list that ends with NULL;
 * agentctl_words_free frees it. ERR_USAGE: there is no word, too many, or a
 * quotation mark is not closed. */
char **agentctl_words_split(const char *command, struct err *e);
void agentctl_words_free(char **words); /* accepts NULL */

#endif
