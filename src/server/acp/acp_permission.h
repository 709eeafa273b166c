/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_permission.h - asks the editor about a step, and reads its answer. */
#ifndef SERVER_ACP_ACP_PERMISSION_H
#define SERVER_ACP_ACP_PERMISSION_H

#include "action/grant.h"
#include "server/acp/acp_poll.h"

/* One question of a turn, which may ask many, one after the other. The members
 * are of acp_permission.c; `rule` and `poll.open` are to be read. */
struct acp_permission {
    struct acp_session *session;
    struct turn *turn;       /* that waits for the answer */
    const struct step *step; /* that it is about */
    unsigned token;
    char digest[SHA256_HEX_SIZE]; /* of the step, as it is asked about */
    char *rule; /* what a yes for the session would allow; NULL: nothing */
    /* a yes adds this to the step's grants, and it runs again; NULL: the
     * question is not about more rights */
    struct grant *grant;
    struct denial_remedy remedy;
    struct acp_poll poll; /* of all who watch the session */
    /* the answer has come, and the turn is not told yet; NULL: not needed */
    void (*answered)(void *arg);
    void *arg;
};

/* Begins a question about a step, for the params to be written. digest: of the
 * plan. */
void acp_permission_begin(struct acp_permission *p, struct turn *turn,
                          unsigned token, const struct step *step,
                          const struct step_verdict *v, const char *digest);
/* The same about a step that failed, which could do its work with the remedy.
 * why: the question, in words, of `size` bytes. */
void acp_permission_begin_more(struct acp_permission *p, struct turn *turn,
                               unsigned token, const struct step *step,
                               struct grant *grant, const struct plan *plan,
                               char *why, size_t size);
/* Appends the line that names the step's sandbox, or who works without one. */
void acp_permission_put_sandbox(const struct acp_permission *p,
                                const struct step_verdict *v, struct buf *out);
/* Sends it. Anything but a clear yes is a no; the turn gets its answer. */
void acp_permission_ask(struct acp_permission *p, const struct buf *params);
/* Withdraws an open question: the turn gets no answer. */
void acp_permission_withdraw(struct acp_permission *p);
void acp_permission_done(struct acp_permission *p); /* and withdraws */

#endif
