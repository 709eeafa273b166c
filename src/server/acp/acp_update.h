/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_update.h - writes the params of `session/update`, and of the questions.
 *
 * Each function appends one JSON object; buf_ok() says whether it fits. Texts
 * from a model or a command are JSON strings in it, and nothing else. */
#ifndef SERVER_ACP_ACP_UPDATE_H
#define SERVER_ACP_ACP_UPDATE_H

#include "action/plan.h"
#include "action/tool_loop.h"
#include "base/buf.h"
#include "server/acp/acp_client.h"
#include "server/acp/acp_options.h"

#define ACP_UPDATE_MAX     (8u << 20)  /* bytes of one update */
#define ACP_OUTPUT_SHOWN   (32u << 10) /* bytes of the end of an output */
#define ACP_TOOL_CALL_ID   48          /* bytes of an id, with the NUL */
#define ACP_CONTEXT_TOKENS 65536 /* what is kept of a conversation, about */

/* What a question says beside the step. */
struct acp_question {
    const char *why;     /* the reason for it; "": none */
    const char *sandbox; /* the line about that; NULL: there is none */
    const char *rule;    /* what "always" would allow; NULL: no such answer */
};

/* Where a function has a dialect, it is ACP_V1 or ACP_DRAFT. */

/* What all of them begin and end with, and parts of some; for acp_tool_call.c
 * and acp_draft_update.c. */
void acp_update_open(struct json_writer *w, struct buf *out,
                     const char *session, const char *kind);
void acp_update_close(struct json_writer *w);
/* rest: the status of the steps that are not done and not under way. */
void acp_update_put_entries(struct json_writer *w, const struct aiaction *a,
                            size_t at, bool running, const char *rest);
void acp_update_put_commands(struct json_writer *w, enum acp_dialect d);
void acp_update_put_title(struct json_writer *w, const char *title);
void acp_update_put_step(struct json_writer *w, const char *id,
                         const struct step *s, const struct step_verdict *v,
                         const struct acp_question *q, enum acp_dialect d);
void acp_update_put_answers(struct json_writer *w, const char *rule);

/* A part of a message: kind is "agent_message_chunk", "user_message_chunk" or
 * "agent_thought_chunk". id: of the whole message; NULL: none. */
void acp_update_chunk(struct buf *out, const char *session, const char *kind,
                      const char *text, size_t n, const char *id);

/* The plan, with how far it is: steps before `at` are done, and `at` is under
 * way where running. */
void acp_update_plan(struct buf *out, const char *session,
                     const struct aiaction *a, size_t at, bool running);

/* The verbs; the title of the session; its options; a step down in them. */
void acp_update_commands(struct buf *out, const char *session);
void acp_update_title(struct buf *out, const char *session, const char *title);
void acp_update_options(struct buf *out, const char *session,
                        const struct acp_options *o);
void acp_update_mode(struct buf *out, const char *session,
                     const struct acp_options *o);

/* A line for the person that is no part of the session: severity is "info",
 * "warning" or "error". Only for a client that takes notices. */
void acp_update_notice(struct buf *out, const char *session,
                       const char *severity, const char *title);

/* What is used of the context, and what the session cost; currency NULL: it is
 * not known. */
void acp_update_usage(struct buf *out, const char *session, int64_t used,
                      double cost, const char *currency);

/* A step as a tool call, before it is asked about or run. seat_dir: where its
 * paths begin. A file's new content is shown as a difference. */
void acp_update_step(struct buf *out, const char *session, const char *id,
                     const struct step *s, const struct step_verdict *v,
                     enum acp_dialect d);
/* It is under way, with the end of its output so far; or over. status NULL: as
 * it ended. */
void acp_update_step_output(struct buf *out, const char *session,
                            const char *id, const char *text, size_t n);
void acp_update_step_end(struct buf *out, const char *session, const char *id,
                         const char *status, const struct step_end *end);
/* Whether a step did its work. */
bool acp_update_is_done(const struct step_end *end);
/* It was refused, or will not run; why: in words; NULL: what is shown of it
 * stays. */
void acp_update_step_failed(struct buf *out, const char *session,
                            const char *id, const char *status,
                            const char *why);

/* A read-only call of the model: it begins (c NULL), or is over. */
void acp_update_call(struct buf *out, const char *session, const char *id,
                     const char *line, const struct tool_loop_call *c,
                     enum acp_dialect d);

/* The params of session/request_permission. */
void acp_update_question(struct buf *out, const char *session, const char *id,
                         const struct step *s, const struct step_verdict *v,
                         const struct acp_question *q);

#endif
