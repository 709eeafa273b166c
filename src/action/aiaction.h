/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction.h - the AiAction: what a model proposes, read, checked and printed.
 *
 * action/ takes a model's text to commands that have run. agent_loop.h asks the
 * model, json_extract.h finds the JSON in its answer, this file checks it
 * against the schema that the model was given, and plan.h judges it and runs
 * it. action/ must not know a terminal or a frontend: it calls its owner back
 * and waits for answers. An answer that fails a check is ERR_ANSWER with a
 * reason that lets a model repair it; it never becomes something that runs. */
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

/* The longest AiAction as JSON: an answer with every byte escaped, steps with
 * every command edited, and the names of the members. */
#define AIACTION_JSON_MAX                                                      \
    (6u * MODEL_ANSWER_MAX +                                                   \
     AIACTION_STEPS_MAX *                                                      \
         (6u * (AIACTION_COMMAND_MAX + AIACTION_ARGS_MAX) + 512u) +            \
     512u)

enum aiaction_mode { AIACTION_DO, AIACTION_RUN, AIACTION_EXPLAIN };

enum aiaction_kind { ANSWER_ONLY, COMMAND_SEQUENCE, PLAN_AND_COMMANDS };

/* Strings are UTF-8 without NUL, and owned by the action. They are bytes from
 * a model. */
struct step {
    char *id, *description, *command;
    char *shown; /* the description in the person's language; NULL: as it is */
    char *directory; /* NULL: the person's working directory */
    bool needs_confirmation, is_destructive, requires_sudo; /* only raise */
    /* what runs instead of the command, which then only describes it. tool
     * NULL: AIACTION_TOOL runs the command, and the others are NULL too */
    char *tool, *action;
    struct json *args; /* an object that fits the action's schema */
    /* of an undoing: what agentsh puts back by itself instead (undo_files.h),
     * n of it; n 0: nothing, as in every answer of a model */
    struct {
        size_t from, n;
    } restores;
};

struct aiaction {
    enum aiaction_kind kind;
    char *summary; /* "" when the model gave none */
    char *shown;   /* the summary in the person's language; NULL: as it is */
    struct step *steps;
    size_t n;
    bool dropped;       /* an answer_only came with steps, which were dropped */
    bool wants_results; /* the model asks for the results of the steps */
};

/* The tools that a step may name beside AIACTION_TOOL. check fails when there
 * is no such tool or action, or its schema refuses the arguments; the reason is
 * for a model to read. It fills in *action when that is NULL and the tool has
 * only one. */
struct aiaction_tools {
    int (*check)(void *arg, const char *tool, const char **action,
                 const struct json *args, struct err *e);
    void *arg;
    const char *dir; /* where they run; NULL: not known */
};

/* Reads the raw answer of a model. tools NULL: there are none. ERR_ANSWER with
 * the reason. */
struct aiaction *aiaction_parse(const char *text, size_t n,
                                enum aiaction_mode mode,
                                const struct aiaction_tools *tools,
                                struct err *e);
/* Reads a saved plan: one AiAction with steps and nothing else. ERR_INVALID. */
struct aiaction *aiaction_load(const char *text, size_t n,
                               const struct aiaction_tools *tools,
                               struct err *e);
/* Makes an action that no model wrote, with a copy of the summary, and adds a
 * step at its end, with copies too; invalid UTF-8 in them becomes U+FFFD. The
 * ids of the steps are their numbers. What they hold is checked as a model's
 * answer is: ERR_ANSWER. */
struct aiaction *aiaction_new(enum aiaction_kind kind, const char *summary,
                              struct err *e);
int aiaction_add_step(struct aiaction *a, const char *description,
                      const char *command, bool requires_sudo, struct err *e);
/* Keeps the text that a person is shown instead of the summary, or of the
 * description of the last step, which stay what programs and the journal get.
 * "" or the same text: none is kept. */
int aiaction_show_summary(struct aiaction *a, const char *text, struct err *e);
int aiaction_show_step(struct aiaction *a, const char *text, struct err *e);
/* What a person is shown. */
const char *aiaction_shown(const struct aiaction *a);
const char *aiaction_step_shown(const struct step *s);
/* Drops the steps from number n on. */
void aiaction_cut(struct aiaction *a, size_t n);
/* Adds a step that calls a tool, checked as a model's; and one that puts back
 * files, which its command does as well. Where a step cannot be added, there
 * are as many as before. */
int aiaction_add_call(struct aiaction *a, const char *description,
                      const struct json *call,
                      const struct aiaction_tools *tools, struct err *e);
int aiaction_add_restores(struct aiaction *a, const char *description,
                          const char *command, size_t from, size_t n,
                          struct err *e);
/* Checks that it answers a request of this mode: an explanation has no steps,
 * and what is to be done has some. aiaction_parse calls it. */
int aiaction_check_mode(const struct aiaction *a, enum aiaction_mode mode,
                        struct err *e);
void aiaction_free(struct aiaction *a);
DEFINE_CLEANUP(struct aiaction, aiaction_free)

/* Replaces the command of a step, which a person edited. If the step named a
 * tool, it names none any more: the command runs. */
int aiaction_set_command(struct aiaction *a, size_t i, const char *command,
                         struct err *e);

/* Writes it as one JSON object with every default filled in. */
void aiaction_put(struct json_writer *w, const struct aiaction *a);
void aiaction_put_step(struct json_writer *w, const struct step *s);
const char *aiaction_kind_name(enum aiaction_kind k);
/* "svc.manage restart {"service":"nginx"}": what a step with a tool runs. */
void aiaction_put_call(struct buf *out, const struct step *s);

#endif
