/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_rules.h - holds a request against the rules of --policy.
 *
 * A command is judged as everywhere (guard/guard.h), a path as it is written
 * and where it really leads. What the rules would ask about is allowed, since
 * the peer has decided; what they deny is refused, with the rule. What is typed
 * into a process is not judged. Without rules nothing is. */
#ifndef SERVER_GUEST_GUEST_RULES_H
#define SERVER_GUEST_GUEST_RULES_H

#include "server/guest/guest_connection.h"

enum guest_subject {
    GUEST_SUBJECT_EXEC,   /* cmd */
    GUEST_SUBJECT_START,  /* as of process.start */
    GUEST_SUBJECT_CODE,   /* lang and code */
    GUEST_SUBJECT_READ,   /* path */
    GUEST_SUBJECT_WRITE,  /* path */
    GUEST_SUBJECT_MOVE,   /* path and to, as mv */
    GUEST_SUBJECT_REMOVE, /* path, as rm, with `recursive` as rm -r */
};

struct guest_judged {
    const char *name; /* of the method; static */
    enum guest_subject subject;
    rpc_request_cb *method;
    bool answers_result; /* a refusal is a result, not an error */
};

/* Judges a request, in a thread, and then calls the method, or refuses it. */
void guest_rules_judge(struct guest_connection *c, struct rpc_request *rq,
                       const struct json *params,
                       const struct guest_judged *judged);

#endif
