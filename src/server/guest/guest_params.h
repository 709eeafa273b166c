/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_params.h - reads the params of a request, by name or by position. */
#ifndef SERVER_GUEST_GUEST_PARAMS_H
#define SERVER_GUEST_GUEST_PARAMS_H

#include <stdbool.h>

#include "json/json.h"

#define GUEST_PARAMS_MAX 8

/* One param. A list of them, at most GUEST_PARAMS_MAX, ends with a NULL name;
 * an array has them in this order. */
struct guest_param {
    const char *name;
    enum json_type type;
    bool optional; /* it may be missing, or null */
};

/* Finds the value of each; NULL: it is missing. ERR_INVALID: "invalid params:
 * FIELD …". Members that are not listed are ignored. */
int guest_params_read(const struct guest_param *list, const struct json *params,
                      const struct json *values[GUEST_PARAMS_MAX],
                      struct err *e);

/* A member that is an integer from least to most; *out stays where it is
 * missing. ERR_INVALID names it. */
int guest_params_int(const struct json *v, const char *name, int64_t least,
                     int64_t most, int64_t *out, struct err *e);

#endif
