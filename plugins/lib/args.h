/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.h - the arguments of a request, one at a time.
 *
 * All fail with ERR_INVALID and a text that names the argument. null is as if
 * it were absent. */
#ifndef PLUGINS_LIB_ARGS_H
#define PLUGINS_LIB_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "plugins/lib/request.h"

/* The only action that a tool has. */
int args_action(const struct request *r, const char *only, struct err *e);

/* A path that must be there: not empty, no NUL. Borrowed from r. */
int args_path(const struct request *r, const char *name, const char **out,
              struct err *e);

/* Left as they are when the argument is absent. */
int args_bool(const struct request *r, const char *name, bool *out,
              struct err *e);
/* encoding: "utf-8", which is false, or "base64". */
int args_encoding(const struct request *r, bool *base64, struct err *e);
int args_int(const struct request *r, const char *name, int64_t min,
             int64_t max, int64_t *out, struct err *e);

#endif
