/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overwrite.h - finds existing files that a command would replace. */
#ifndef OFFLINE_ENGINE_OVERWRITE_H
#define OFFLINE_ENGINE_OVERWRITE_H

#include <stdbool.h>

#include "offline/parse/request_parse.h"

/* Whether a request allows to replace existing files: "over", "replace". */
bool overwrite_is_asked(const struct request *q);

/* Whether an existing, non-empty file would be replaced by cp, mv, tar, ln,
 * docker cp, a redirection or an option that names an output file; false when
 * the request allows it. A file that is changed in place does not count. A
 * command that cannot be parsed counts as one that overwrites. all: every file
 * counts; false: only files that the request names, since the steps of a job
 * check the others themselves. */
bool overwrites(const struct request *q, const char *command, bool all);

#endif
