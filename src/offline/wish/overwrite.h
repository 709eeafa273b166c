/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overwrite.h - files that a command would put others in place of. */
#ifndef OFFLINE_OVERWRITE_H
#define OFFLINE_OVERWRITE_H

#include <stdbool.h>

#include "offline/request/request.h"

/* Whether a request says that what is there may go: "over", "replace". */
bool overwrite_is_asked(const struct request *q);

/* Whether a file that is here, and that is not empty, would be another
 * afterwards: what cp, mv, tar, ln, docker cp, a redirection or an option puts
 * under its name. A request that says so may. What is changed in
 * place is none of it. A command that cannot be read overwrites. Where not all
 * count, only files that the request names do: the steps of a job look at their
 * own themselves. */
bool overwrites(const struct request *q, const char *command, bool all);

#endif
