/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.h - a line that a plugin wrote: an event or the response. */
#ifndef TOOL_RESPONSE_H
#define TOOL_RESPONSE_H

#include "tool/call.h"
#include "json/json.h"

#define RESPONSE_TEXT_MAX (1u << 20) /* bytes of stdout, and of stderr */

enum response_kind { RESPONSE_ANSWER, RESPONSE_OUTPUT, RESPONSE_NEED };

struct response {
    struct json *root; /* owns what the others point into */
    enum response_kind kind;
    const char *stream, *data; /* RESPONSE_OUTPUT */
    size_t data_len;
    const struct json *argv;   /* RESPONSE_NEED: a list of strings */
    struct tool_result result; /* RESPONSE_ANSWER */
    bool has_id, has_duration; /* the same */
    int64_t id;
};

/* ERR_PARSE for what is no JSON, ERR_PEER with what is wrong with the line.
 * r needs response_done in any case. */
int response_parse(const char *line, size_t n, struct response *r,
                   struct err *e);
void response_done(struct response *r);

/* The error codes of the API, one after the other; NULL after the last. For
 * who compares them with the manual, too. */
const char *response_code(size_t i);

#endif
