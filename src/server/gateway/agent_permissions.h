/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_permissions.h - what an agent asks permission for, until it is
 * answered. */
#ifndef SERVER_GATEWAY_AGENT_PERMISSIONS_H
#define SERVER_GATEWAY_AGENT_PERMISSIONS_H

#include "base/buf.h"
#include "json/json.h"

#define AGENT_PERMISSIONS_MAX 32 /* open at once; more are cancelled */

struct agent_permission {
    struct agent_permission *next;
    char *id;            /* of the agent's request, as written */
    char *request_id;    /* ours */
    struct json *params; /* whose options may be chosen */
};

struct agent_permissions {
    struct agent_permission *first; /* the oldest */
    size_t n;
    unsigned long last; /* number of the last one */
};

/* Takes a request session/request_permission, whose id is copied; begun is the
 * beginning of the ids that it gets. The new one; NULL: ERR_INVALID, it has no
 * options; ERR_NOMEM, there are too many. */
struct agent_permission *
agent_permissions_add(struct agent_permissions *p, const char *begun,
                      const char *id, const struct json *params, struct err *e);
/* NULL: there is none. */
struct agent_permission *agent_permissions_find(struct agent_permissions *p,
                                                const char *request_id);
struct agent_permission *agent_permissions_find_id(struct agent_permissions *p,
                                                   const char *id);
void agent_permissions_remove(struct agent_permissions *p,
                              struct agent_permission *one);
void agent_permissions_done(struct agent_permissions *p);

/* Appends {"request_id","title","options","toolCall"}. */
void agent_permission_put(const struct agent_permission *one, struct buf *out);

/* Appends the answer. option_id NULL, or none of its options: the request is
 * cancelled, and so nothing runs. */
void agent_permission_put_answer(const struct agent_permission *one,
                                 const char *option_id, struct buf *out);

#endif
