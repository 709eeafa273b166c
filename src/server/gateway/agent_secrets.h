/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_secrets.h - the secrets that an agent is given, and their removal from
 * what it says.
 *
 * Their values are in the agent's environment and in memory that is wiped; no
 * event, log or transcript has one, also where the agent prints it in pieces.
 */
#ifndef SERVER_GATEWAY_AGENT_SECRETS_H
#define SERVER_GATEWAY_AGENT_SECRETS_H

#include "base/buf.h"
#include "base/loop.h"
#include "base/seat.h"
#include "server/gateway/agent_type.h"

struct agent_secrets;

struct agent_secrets_setup {
    struct loop *loop;
    const struct seat *seat;       /* the files are below its home */
    const struct agent_type *type; /* whose secrets they are */
    const char *const *variables;  /* NAME=value, in addition; or NULL */
    /* Called once, from the loop: why NULL: they are all there. ERR_CONFIG: a
     * file is open to others, or holds none; ERR_TIMEOUT, ERR_TOOL: a command
     * prints none. It may free them. */
    void (*found)(void *arg, const struct err *why);
    void *arg;
};

/* The setup is copied, and what it points to is borrowed until `found`, but for
 * the variables. */
struct agent_secrets *agent_secrets_find(const struct agent_secrets_setup *set,
                                         struct err *e);
void agent_secrets_free(struct agent_secrets *s); /* accepts NULL */
DEFINE_CLEANUP(struct agent_secrets, agent_secrets_free)

/* NAME=value, NULL at the end. Borrowed. */
const char *const *agent_secrets_variables(const struct agent_secrets *s);

/* Replaces each value in a text, plain or as JSON escapes it. A value of less
 * than four bytes is none that could be told from other text. */
void agent_secrets_clean(const struct agent_secrets *s, struct buf *text);
/* How many bytes at the end of a text may be the beginning of a value. */
size_t agent_secrets_begun(const struct agent_secrets *s, const char *text,
                           size_t n);

#endif
