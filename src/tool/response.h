/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.h - a line that a plugin wrote: an event or the response. */
#ifndef TOOL_RESPONSE_H
#define TOOL_RESPONSE_H

#include "tool/call.h"
#include "json/json.h"

struct response {
    struct json *root; /* owns what the others point into */
    bool is_event;
    const char *stream, *data; /* of an output event */
    size_t data_len;
    struct tool_result result; /* of a response */
};

/* ERR_PEER with what is wrong with the line. r needs response_done in any
 * case. */
int response_parse(const char *line, size_t n, struct response *r,
                   struct err *e);
void response_done(struct response *r);

#endif
