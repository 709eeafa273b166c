/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - a request of the Plugin Tool API, as a plugin gets it.
 *
 * The front has checked the arguments against the manifest before it sends
 * them; but a plugin can be started by anyone, so each looks at its own
 * arguments again. */
#ifndef PLUGINS_LIB_REQUEST_H
#define PLUGINS_LIB_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "json/json.h"

/* More is as much: a month, so that times can be added without a thought. */
#define REQUEST_TIMEOUT_MAX_MS (31 * 24 * INT64_C(3600000))

/* A request, checked as far as every tool shares it. Pointers are borrowed
 * from root. */
struct request {
    struct json *root;
    const char *tool, *action;
    const struct json *args; /* an object, or NULL */
    const struct json *id;   /* an integer or a string; NULL: none */
    const char *step_id;     /* for events; NULL when there is none */
    bool stream;
    int64_t timeout_ms;       /* what is left for the call; -1: no limit */
    int64_t began_ms;         /* clock_ms() when it was read */
    const struct json *argv;  /* of cmd.run: an array of words; NULL: none */
    const struct json *input; /* the same: a string; NULL: none */
    /* arrays of absolute paths: what the call may read and write below; NULL
     * where the request does not say */
    const struct json *read_roots, *write_roots;
};

/* Reads a line. ERR_PARSE for what is no JSON, ERR_INVALID for what is no
 * request: then root and id stay, for the answer. r needs request_done either
 * way. */
int request_parse(const char *line, size_t n, struct request *r, struct err *e);
void request_done(struct request *r);

#endif
