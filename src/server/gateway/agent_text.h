/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_text.h - what an agent says in pieces: without secrets, and its end.
 *
 * A piece may end in the beginning of a secret, whose rest the next one has: so
 * that end is held until more comes, or something else. */
#ifndef SERVER_GATEWAY_AGENT_TEXT_H
#define SERVER_GATEWAY_AGENT_TEXT_H

#include "base/buf.h"
#include "server/gateway/agent_secrets.h"

#define AGENT_TEXT_MAX    (1u << 20) /* bytes that are held */
#define AGENT_SUMMARY_MAX 4096       /* bytes kept of the end of all pieces */

struct agent_text {
    struct buf held;    /* what has not been told */
    struct buf summary; /* the end of what was said since it was cleared */
};

void agent_text_init(struct agent_text *t);
void agent_text_done(struct agent_text *t);

/* Adds a piece. Returns how many bytes of `held` may be told now, which the
 * caller then drops. */
size_t agent_text_add(struct agent_text *t, const struct agent_secrets *s,
                      const char *piece);

#endif
