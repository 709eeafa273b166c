/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction.h - what a model proposes: read, checked, printed, digested.
 *
 * action/ takes a model's text to commands that ran: extract.h finds the
 * JSON, this file checks it against the schema that the model was given,
 * plan.h judges and runs it. It knows no door: it emits events and waits for
 * verdicts. An answer that fails a check is ERR_ANSWER with a reason that a
 * model can repair it by; it is never turned into something that runs. */
#ifndef ACTION_AIACTION_H
#define ACTION_AIACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "model/client.h"
#include "json/json.h"
#include "json/write.h"

#define AIACTION_STEPS_MAX   32
#define AIACTION_COMMAND_MAX (16u << 10) /* bytes */
#define AIACTION_ARGS_MAX    (64u << 10) /* bytes of a tool's arguments */
#define AIACTION_TOOL        "cmd.run"   /* runs a step that names no tool */

/* No action is longer as JSON: an answer of which every byte is escaped, steps
 * of which every command was edited, and the names of the members. */
#define AIACTION_JSON_MAX                                                      \
    (6u * MODEL_ANSWER_MAX +                                                   \
     AIACTION_STEPS_MAX *                                                      \
         (6u * (AIACTION_COMMAND_MAX + AIACTION_ARGS_MAX) + 512u) +            \
     512u)

enum aiaction_mode { AIACTION_DO, AIACTION_RUN, AIACTION_EXPLAIN };

enum aiaction_kind { ANSWER_ONLY, COMMAND_SEQUENCE, PLAN_AND_COMMANDS };

/* Strings are UTF-8 without NUL, owned by the action; bytes from a model. */
struct step {
    char *id, *description, *command;
    char *directory; /* NULL: where the person is */
    bool needs_confirmation, is_destructive, requires_sudo; /* only raise */
    /* what runs instead of the command, which is its equivalent then. tool
     * NULL: AIACTION_TOOL runs the command, and the others are NULL too */
    char *tool, *action;
    struct json *args; /* an object that fits the action's schema */
};

struct aiaction {
    enum aiaction_kind kind;
    char *summary; /* "" when the model gave none */
    struct step *steps;
    size_t n;
    bool dropped;       /* an answer_only came with steps: they are gone */
    bool wants_results; /* to answer again when it has seen what they wrote */
};

/* Which tools a step may name beside AIACTION_TOOL. check says whether there
 * is one, with this action, whose schema the arguments fit; an action of NULL
 * it fills in where the tool has but one. A reason is words for a model. */
struct aiaction_tools {
    int (*check)(void *arg, const char *tool, const char **action,
                 const struct json *args, struct err *e);
    void *arg;
};

/* Reads a model's raw answer; tools NULL: there are none. ERR_ANSWER with the
 * reason. */
struct aiaction *aiaction_parse(const char *text, size_t n,
                                enum aiaction_mode mode,
                                const struct aiaction_tools *tools,
                                struct err *e);
/* Reads a saved plan: exactly one AiAction that has steps. ERR_INVALID. */
struct aiaction *aiaction_load(const char *text, size_t n,
                               const struct aiaction_tools *tools,
                               struct err *e);
void aiaction_free(struct aiaction *a);
DEFINE_CLEANUP(struct aiaction, aiaction_free)

/* Replaces one step's command, as a person edited it. A tool that it was the
 * equivalent of is dropped: the command runs from now on. */
int aiaction_set_command(struct aiaction *a, size_t i, const char *command,
                         struct err *e);

/* Prints it as one JSON object with every default filled in. */
void aiaction_put(struct json_writer *w, const struct aiaction *a);
void aiaction_put_step(struct json_writer *w, const struct step *s);
const char *aiaction_kind_name(enum aiaction_kind k);
/* "svc.manage restart {"service":"nginx"}": what a step with a tool runs. */
void aiaction_put_call(struct buf *out, const struct step *s);

#endif
