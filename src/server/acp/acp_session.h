/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_session.h - one session of an editor: a seat, its rules, tools and model.
 *
 * Many are open in one process; each has a directory and variables of its own,
 * a conversation, and at most one turn under way. They share the settings, one
 * model process and one journal. */
#ifndef SERVER_ACP_ACP_SESSION_H
#define SERVER_ACP_ACP_SESSION_H

#include "action/turn.h"
#include "base/log.h"
#include "base/sha256.h"
#include "model/client.h"
#include "server/acp/acp_client.h"
#include "server/acp/acp_options.h"
#include "server/acp/acp_prompt.h"
#include "tool/peer_files.h"

struct acp_draft_queue;
struct acp_editor;
struct acp_poll;
struct session_writer;

#define ACP_ALLOWED_MAX 64 /* yeses for one session, of each kind */
#define ACP_EDITORS_MAX 16 /* that watch one session */

#define ACP_SESSION_ID_SIZE 33 /* 32 hexadecimal digits and the NUL */

/* What all sessions of a process share; borrowed while one of them lives. */
struct acp_shared {
    struct loop *loop;
    const struct seat *seat; /* of the process; sessions copy its variables */
    struct config *config;   /* that sessions begin with, and hold */
    const char *policy; /* --policy: a preset or a file; NULL: the person's */
    struct model_process *process;
    const struct model_selection *selection; /* NULL: the offline engine */
    bool keeps; /* sessions outlive the connections of their editors */
    struct journal *journal;      /* NULL: none is kept */
    struct session_writer *store; /* NULL: sessions end with the process */
    void (*log)(void *arg, const char *line); /* for standard error */
    void *log_arg;
};

/* What a session, and who watches it, may do with its turn (acp_turn.h). */
struct acp_turn_ops {
    void (*free)(void *turn); /* what has not ended was cancelled */
    void (*cancel)(void *turn);
    void (*pause)(void *turn, bool paused);
    /* An editor watches no more: its own prompt is answered, and the turn goes
     * on. */
    void (*leave)(void *turn, const struct acp_editor *ed);
    /* Sends an editor that comes now what it cannot know of a turn under way.
     * replayed: it was sent what is kept. */
    void (*show)(void *turn, struct acp_editor *ed, bool replayed);
};

struct acp_session {
    struct acp_session *next; /* of the owner's list */
    const struct acp_shared *shared;
    char id[ACP_SESSION_ID_SIZE];
    enum acp_dialect dialect;                    /* of all who watch it */
    struct acp_editor *editors[ACP_EDITORS_MAX]; /* who watch it */
    size_t n_editors;
    struct acp_editor *asker; /* of the last prompt; NULL: none, or gone */
    struct acp_poll *poll;    /* the open question; NULL: there is none */
    int64_t alone_ms;         /* since when nobody watches it */
    struct config *config;
    struct seat *seat;
    struct policy *policy;
    struct registry *registry;
    struct tool_pool *pool; /* keeps its MCP servers between turns */
    char **named;           /* paths below home that the settings name */
    struct model *model;
    struct conversation *conversation;
    struct acp_options options;
    struct peer_files files;      /* that an editor reads and writes */
    unsigned n_turns, n_messages; /* so far; ids are made of them */
    unsigned n_before; /* of turns that the session may have had when it was
                          restored, which have such ids, too */
    struct cost cost;  /* of all turns; known: there is one */
    bool titled;
    const struct acp_turn_ops *ops; /* of the turn under way; NULL: none */
    void *turn;
    /* prompts that wait, of the session's owner, which frees it first; NULL:
     * none ever did */
    struct acp_draft_queue *queue;
    /* a turn is over, and another may begin later; NULL: nothing waits */
    void (*after_turn)(struct acp_session *s);
    struct journal_run *run; /* of the turn; NULL: no journal is kept */
    char *words;             /* of its request; NULL: no turn */
    struct run_audit audit;
    struct run_audit_request about;
    char answered_by[96];
    char asked_by[64]; /* of the audit, whose editor may leave before it ends */
    /* by a yes for the session: "TOOL ACTION", NULL at the end; and the digests
     * of the steps that got it */
    char *allowed[ACP_ALLOWED_MAX];
    char (*allowed_steps)[SHA256_HEX_SIZE];
    size_t n_allowed_steps;
};

/* Where a session works; borrowed. */
struct acp_place {
    enum acp_dialect dialect;
    const char *dir; /* NULL: the process's */
    const char *const *roots;
    const char *id; /* NULL: a new one is made */
};

/* Reads cwd, which may be missing where that is said, and additionalDirectories
 * from the params, which keep them. roots is the room for the latter.
 * ERR_INVALID. */
int acp_place_read(const struct json *params, bool may_lack_dir,
                   struct acp_place *place,
                   const char *roots[SEAT_ROOTS_MAX + 1], struct err *e);

/* Whether the rules can be read that the next session has. */
int acp_session_check_policy(const struct acp_shared *sh, struct err *e);

/* ERR_INVALID, ERR_NOT_FOUND, ERR_PERMISSION: the directory. ERR_CONFIG: the
 * rules. */
struct acp_session *acp_session_new(const struct acp_shared *sh,
                                    const struct acp_place *place,
                                    struct err *e);
void acp_session_free(struct acp_session *s); /* accepts NULL */
DEFINE_CLEANUP(struct acp_session, acp_session_free)

/* Whether the session's model takes what the prompt has. ERR_INVALID: no. */
int acp_session_check_images(const struct acp_session *s,
                             const struct acp_prompt *p, struct err *e);

/* Begins a turn for a prompt. ERR_INVALID: as above. The turn is the caller's,
 * to be freed before the session, after acp_session_end_turn. */
struct turn *acp_session_begin_turn(struct acp_session *s,
                                    const struct acp_prompt *p, bool can_ask,
                                    const struct turn_events *ev, void *arg,
                                    struct err *e);
void acp_session_end_turn(struct acp_session *s, int status);

/* What a yes for the whole session to this step would allow, in words for the
 * question: a rule for its command, or its tool's action. NULL: there is no
 * such yes. The caller frees it. */
char *acp_session_propose(const struct acp_session *s, const struct step *step,
                          const struct step_verdict *v);
/* Keeps that yes until the session ends. digest: of the step (approval.h). */
int acp_session_allow(struct acp_session *s, const struct step *step,
                      const char *digest, const char *proposed, struct err *e);

/* The number of the turn, for ids: no other turn of the session has it. */
unsigned acp_session_turn_number(const struct acp_session *s);

/* Adds what a turn cost. Returns whether all is known. */
bool acp_session_add_cost(struct acp_session *s, const struct cost *c);

#endif
