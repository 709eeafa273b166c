/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_agent.h - the agent of all editors of a process: its sessions, the model.
 *
 * Each session has editors that watch it. On standard input and output there is
 * one editor, and sessions end with it; on a port a session outlives the
 * connections: nobody watches it for a while, what runs goes on, and a question
 * waits. */
#ifndef SERVER_ACP_ACP_AGENT_H
#define SERVER_ACP_ACP_AGENT_H

#include "server/acp/acp_editor.h"
#include "server/acp/acp_model.h"

#define ACP_SESSIONS_MAX 256              /* open at once */
#define ACP_ALONE_MS     (10 * 60 * 1000) /* of a session nobody watches */

struct acp_agent;

/* Borrowed while the agent lives. */
struct acp_agent_setup {
    struct loop *loop;
    const struct seat *seat; /* of the process */
    struct config *config;
    const char *policy; /* see struct acp_shared */
    struct journal *journal;
    struct session_writer *store; /* see struct acp_shared, as journal is */
    bool keeps;                   /* see struct acp_shared */
    void (*log)(void *arg, const char *line);
    void *arg;
};

struct acp_agent *acp_agent_new(const struct acp_agent_setup *set,
                                struct err *e);
/* Ends what runs, whether editors are connected or not. Accepts NULL. */
void acp_agent_free(struct acp_agent *a);
DEFINE_CLEANUP(struct acp_agent, acp_agent_free)

/* Sets the configuration of sessions that are opened from now on; open sessions
 * keep theirs. config is borrowed until the next call. */
int acp_agent_load(struct acp_agent *a, struct config *config, struct err *e);

const struct acp_shared *acp_agent_shared(const struct acp_agent *a);
struct acp_model *acp_agent_model(const struct acp_agent *a);

/* Whether a model, or the offline engine, is available; else *why is the
 * reason. Sessions that are opened from now on use it. */
bool acp_agent_is_ready(struct acp_agent *a, const struct err **why);

/* The session with this id, if the editor watches it; with id NULL, the one
 * that it opened last. NULL: there is none. */
struct acp_session *acp_agent_find(const struct acp_agent *a, const char *id);
struct acp_session *acp_agent_find_own(const struct acp_agent *a,
                                       const struct acp_editor *ed,
                                       const char *id);
struct acp_session *acp_agent_latest(const struct acp_agent *a,
                                     const struct acp_editor *ed);

/* Whether a turn runs or prompts wait. */
bool acp_agent_is_busy(const struct acp_session *s);
void acp_agent_cancel(struct acp_session *s);

/* Opens a new session, which the editor watches. */
struct acp_session *acp_agent_open(struct acp_agent *a, struct acp_editor *ed,
                                   const struct json *params, struct err *e);
/* Opens a stored session, or joins one that has a turn under way or other
 * editors: its directory and servers stay. Any other open session is opened
 * again. ERR_INVALID: the other editors speak another version of the protocol.
 */
struct acp_session *acp_agent_reopen(struct acp_agent *a, struct acp_editor *ed,
                                     const char *id, const struct json *params,
                                     struct err *e);
/* The editor leaves the session, which is closed if no other editor watches it.
 */
void acp_agent_close(struct acp_agent *a, struct acp_editor *ed,
                     struct acp_session *s);
/* Closes it for all of them. */
void acp_agent_end(struct acp_agent *a, struct acp_session *s);

/* The editor reads slowly, or keeps up again; its connection ends. */
void acp_agent_set_full(struct acp_agent *a, struct acp_editor *ed, bool full);
void acp_agent_leave(struct acp_agent *a, struct acp_editor *ed);

/* Begins the shutdown: turns under way may end, and new ones are cancelled. The
 * second function cancels all turns. */
void acp_agent_stop(struct acp_agent *a);
void acp_agent_cancel_all(struct acp_agent *a);
bool acp_agent_is_stopping(const struct acp_agent *a);
/* Whether nothing runs or waits. */
bool acp_agent_is_idle(const struct acp_agent *a);

/* How many sessions are open, and how many of them are at work. */
void acp_agent_count(const struct acp_agent *a, size_t *open, size_t *busy);

#endif
