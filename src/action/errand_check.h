/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_check.h - judges a request for a tool: its form, and the rules. */
#ifndef ACTION_ERRAND_CHECK_H
#define ACTION_ERRAND_CHECK_H

#include "action/errand.h"
#include "base/sha256.h"

/* A request, and by what it is judged; borrowed. */
struct errand_judged {
    const struct seat *seat;
    const struct policy *policy;
    const struct path_context *where;
    const struct tool *tool;
    const struct errand_request *rq;
};

/* Checks the action and its arguments against the manifest (ERR_INVALID), and
 * applies the rules. Where the arguments are long, begun gets them as a request
 * line begins, unless it has that. A command that asks for a password is
 * denied: no listener has a terminal on which it could be typed. out needs
 * permit_done in any case.
 */
int errand_check_judge(const struct errand_judged *j, struct permit *out,
                       struct buf *begun, struct err *e);

/* Writes to hex the digest of what a yes to it covers. */
int errand_check_digest(const struct errand_judged *j, const struct permit *p,
                        char hex[SHA256_HEX_SIZE], struct err *e);

/* The limit of a call in milliseconds, as struct tool_request has it. */
int64_t errand_check_limit(const struct tool *t,
                           const struct errand_request *rq);

#endif
