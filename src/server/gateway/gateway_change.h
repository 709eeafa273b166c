/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_change.h - how gateways write changes of their tables to each other.
 *
 * One byte says which; then come its texts, each with its length before it and
 * a NUL behind, and its numbers. */
#ifndef SERVER_GATEWAY_GATEWAY_CHANGE_H
#define SERVER_GATEWAY_GATEWAY_CHANGE_H

#include "base/buf.h"
#include "record/gateway_rows.h"

/* What is no statement of the tables. */
enum gateway_change {
    CHANGE_CLAIM = 200, /* text: task */
    CHANGE_RELEASE,     /* text: task; numbers: priority, order */
    CHANGE_REQUEST,     /* texts: to, message, client; number: token */
    CHANGE_ANSWER,      /* texts: to, type, payload; number: token */
};

/* what: a change of enum gateway_statement, or one of the above. */
void gateway_change_put(struct buf *out, unsigned what,
                        const struct gateway_values *v);
/* The next one; moves *at. False: there is none, or it cannot be read. Texts
 * point into the bytes. */
bool gateway_change_read(const char **at, const char *end, unsigned *what,
                         struct gateway_values *v);

#endif
