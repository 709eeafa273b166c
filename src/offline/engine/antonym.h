/* SPDX-License-Identifier: GPL-3.0-or-later */
/* antonym.h - finds commands that do the opposite of what a request says. */
#ifndef OFFLINE_ENGINE_ANTONYM_H
#define OFFLINE_ENGINE_ANTONYM_H

#include "offline/parse/request_parse.h"

/* The word of the request of which the command does the opposite: "lock" and
 * usermod -U, "not merged" and --merged. The title counts where the command
 * itself has neither. NULL when there is no such word. */
const char *antonym_of(const struct request *q, const char *command,
                       const char *title);

#endif
