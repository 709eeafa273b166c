/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction.c - the AiAction: what a model proposes, read, checked and
 * printed. */
#include "action/aiaction.h"

#include <stdio.h>
#include <string.h>

#include "action/json_extract.h"
#include "base/utf8.h"
#include "model/prompt/prompt.h"
#include "json/schema.h"

static const char *const kind_names[] = {
    [ANSWER_ONLY] = "answer_only",
    [COMMAND_SEQUENCE] = "command_sequence",
    [PLAN_AND_COMMANDS] = "plan_and_commands",
};

const char *
aiaction_kind_name(enum aiaction_kind k)
{
    return kind_names[k];
}

static void
drop_tool(struct step *s)
{
    free(s->tool);
    free(s->action);
    json_free(s->args);
    s->tool = s->action = NULL;
    s->args = NULL;
}

static void
step_done(struct step *s)
{
    drop_tool(s);
    free(s->id);
    free(s->description);
    free(s->shown);
    free(s->command);
    free(s->directory);
}

void
aiaction_free(struct aiaction *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n; i++)
        step_done(&a->steps[i]);
    free(a->steps);
    free(a->summary);
    free(a->shown);
    free(a);
}

void
aiaction_cut(struct aiaction *a, size_t n)
{
    while (a->n > n) {
        step_done(&a->steps[--a->n]);
        a->steps[a->n] = (struct step){0};
    }
}

int
aiaction_set_command(struct aiaction *a, size_t i, const char *command,
                     struct err *e)
{
    char *copy;

    if (strspn(command, " \t\r\n") == strlen(command))
        return err_set(e, ERR_INVALID, "the command is empty");
    if (strlen(command) > AIACTION_COMMAND_MAX)
        return err_set(e, ERR_INVALID, "the command is over %u bytes",
                       AIACTION_COMMAND_MAX);
    copy = strdup(command);
    if (!copy)
        return err_nomem(e);
    a->steps[i].restores.n = 0;
    free(a->steps[i].command);
    a->steps[i].command = copy;
    drop_tool(&a->steps[i]);
    return 0;
}

void
aiaction_put_step(struct json_writer *w, const struct step *s)
{
    json_member_str(w, "id", s->id);
    json_member_str(w, "description", s->description);
    json_member_str(w, "shell_command", s->command);
    json_member_bool(w, "needs_confirmation", s->needs_confirmation);
    json_member_bool(w, "is_destructive", s->is_destructive);
    json_member_bool(w, "requires_sudo", s->requires_sudo);
    json_member_str(w, "working_directory", s->directory);
    if (!s->tool)
        return;
    json_member_str(w, "tool", s->tool);
    json_member_str(w, "action", s->action);
    json_key(w, "args");
    json_put_value(w, s->args);
}

void
aiaction_put_call(struct buf *out, const struct step *s)
{
    struct json_writer w;

    buf_printf(out, "%s %s ", s->tool, s->action);
    json_write_init(&w, out);
    json_put_value(&w, s->args);
}

void
aiaction_put(struct json_writer *w, const struct aiaction *a)
{
    json_open_object(w);
    json_member_str(w, "kind", aiaction_kind_name(a->kind));
    json_member_str(w, "summary", a->summary);
    json_key(w, "steps");
    json_open_array(w);
    for (size_t i = 0; i < a->n; i++) {
        json_open_object(w);
        aiaction_put_step(w, &a->steps[i]);
        json_close_object(w);
    }
    json_close_array(w);
    if (a->wants_results)
        json_member_bool(w, "wants_results", true);
    json_close_object(w);
}

/* Copies a string member; NULL and no error when it is absent or null. */
static int
copy_str(const struct json *object, const char *name, char **out, struct err *e)
{
    const struct json *v = json_get(object, name);
    size_t n;
    const char *s = json_str(v, &n);

    if (!s)
        return 0;
    if (strlen(s) != n)
        return err_set(e, ERR_ANSWER, "%s contains a NUL character", name);
    *out = strdup(s);
    return *out ? 0 : err_nomem(e);
}

/* Copies a JSON value, through its text. */
static struct json *
copy_json(const struct json *v, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_ARGS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_put_value(&w, v);
    if (text.bad) {
        err_set(e, ERR_ANSWER, "args is over %u bytes", AIACTION_ARGS_MAX);
        return NULL;
    }
    return json_parse(text.p, text.len, JSON_UNIQUE, e);
}

/* Reads the arguments: an object, or its text. Constrained decoders, which need
 * to know every member in advance, cannot write a free object. */
static struct json *
read_tool_args(const struct json *v, struct err *e)
{
    size_t n = 0;
    const char *text = json_str(v, &n);
    CLEANUP(json_free_p) struct json *args = NULL;
    struct err why = {0};

    if (!v || json_type(v) == JSON_NULL)
        return json_parse("{}", 2, 0, e);
    if (text && n > AIACTION_ARGS_MAX) {
        err_set(e, ERR_ANSWER, "args is over %u bytes", AIACTION_ARGS_MAX);
        return NULL;
    }
    if (!text)
        return copy_json(v, e);
    args = json_parse(text, n, JSON_UNIQUE, &why);
    if (!args || json_type(args) != JSON_OBJECT) {
        err_set(e, ERR_ANSWER, "args must be a JSON object%s%s",
                args ? "" : ": ", args ? "" : why.text);
        return NULL;
    }
    return TAKE_PTR(args);
}

/* Checks an argument of cmd.run: it must say the same as the step, which is
 * what is shown. timeout_ms is ignored: a step has no limit but Ctrl-C. */
static int
check_member(const char *name, const struct json *v, const struct step *s,
             struct err *e)
{
    const bool directory = strcmp(name, "working_directory") == 0;
    const char *expected = directory ? s->directory : s->command;
    size_t n;
    const char *text = json_str(v, &n);

    if (json_type(v) == JSON_NULL || strcmp(name, "timeout_ms") == 0)
        return 0;
    if (!directory && strcmp(name, "command") != 0)
        return err_set(e, ERR_ANSWER,
                       "args.%.60s: a step has all of its command in "
                       "shell_command",
                       name);
    if (!expected || !text || n != strlen(expected) ||
        memcmp(text, expected, n) != 0)
        return err_set(e, ERR_ANSWER,
                       "args.%s must be the same as %s of the step", name,
                       directory ? name : "shell_command");
    return 0;
}

static int
check_command_step(const char *action, const struct json *args,
                   const struct step *s, struct err *e)
{
    if (action && strcmp(action, "execute") != 0)
        return err_set(e, ERR_ANSWER, "%s has no action \"%.60s\"",
                       AIACTION_TOOL, action);
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        if (check_member(json_name(v, NULL), v, s, e) < 0)
            return -1;
    }
    return 0;
}

/* A tool resolves relative paths in the person's working directory, so that a
 * step with a tool has no other. */
static int
check_directory(const struct step *s, const char *dir, struct err *e)
{
    if (!s->directory || !s->directory[0] || strcmp(s->directory, ".") == 0 ||
        (dir && strcmp(s->directory, dir) == 0))
        return 0;
    return err_set(e, ERR_ANSWER,
                   "a step with a tool has no working_directory of its own: "
                   "write the paths in args out");
}

static int
copy_name(const char *name, char **out, struct err *e)
{
    *out = strdup(name);
    return *out ? 0 : err_nomem(e);
}

/* Reads tool, action and args of a step whose command is read already. A step
 * that names AIACTION_TOOL, with its very command, is one that names none. */
static int
read_step_tool(const struct json *v, const struct aiaction_tools *tools,
               struct step *s, struct err *e)
{
    const char *tool = json_get_str(v, "tool");
    const char *action = json_get_str(v, "action");
    CLEANUP(json_free_p) struct json *args = NULL;

    if (!tool)
        return 0;
    args = read_tool_args(json_get(v, "args"), e);
    if (!args)
        return -1;
    if (strcmp(tool, AIACTION_TOOL) == 0)
        return check_command_step(action, args, s, e);
    if (!tools)
        return err_set(e, ERR_ANSWER, "unknown tool \"%.60s\"", tool);
    if (tools->check(tools->arg, tool, &action, args, e) < 0) {
        if (e && e->code != ERR_NOMEM)
            e->code = ERR_ANSWER;
        return -1;
    }
    if (check_directory(s, tools->dir, e) < 0)
        return -1;
    if (!action)
        return err_set(e, ERR_ANSWER, "%.60s needs an action", tool);
    if (copy_name(tool, &s->tool, e) < 0 ||
        copy_name(action, &s->action, e) < 0)
        return -1;
    s->args = TAKE_PTR(args);
    return 0;
}

static int
check_shell_command(const char *command, struct err *e)
{
    if (strspn(command, " \t\r\n") == strlen(command))
        return err_set(e, ERR_ANSWER, "shell_command is empty");
    if (strlen(command) > AIACTION_COMMAND_MAX)
        return err_set(e, ERR_ANSWER, "shell_command is over %u bytes",
                       AIACTION_COMMAND_MAX);
    return 0;
}

static int
read_step(const struct json *v, struct step *s,
          const struct aiaction_tools *tools, struct err *e)
{
    if (copy_str(v, "id", &s->id, e) < 0 ||
        copy_str(v, "description", &s->description, e) < 0 ||
        copy_str(v, "shell_command", &s->command, e) < 0 ||
        copy_str(v, "working_directory", &s->directory, e) < 0)
        return -1;
    (void)json_bool(json_get(v, "needs_confirmation"), &s->needs_confirmation);
    (void)json_bool(json_get(v, "is_destructive"), &s->is_destructive);
    (void)json_bool(json_get(v, "requires_sudo"), &s->requires_sudo);
    if (check_shell_command(s->command, e) < 0)
        return -1;
    return read_step_tool(v, tools, s, e);
}

static int
check_ids(const struct aiaction *a, struct err *e)
{
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(a->steps[i].id, a->steps[j].id) == 0)
                return err_set(e, ERR_ANSWER,
                               "steps[%zu].id: \"%.60s\" is not unique", i,
                               a->steps[i].id);
        }
    }
    return 0;
}

/* Makes room for n steps in all. */
static int
reserve_steps(struct aiaction *a, size_t n, struct err *e)
{
    if (n > AIACTION_STEPS_MAX)
        return err_set(e, ERR_ANSWER, "steps: at most %d, not %zu",
                       AIACTION_STEPS_MAX, n);
    if (!a->steps)
        a->steps = calloc(AIACTION_STEPS_MAX, sizeof(*a->steps));
    return a->steps ? 0 : err_nomem(e);
}

static int
read_steps(const struct json *steps, const struct aiaction_tools *tools,
           struct aiaction *a, struct err *e)
{
    if (reserve_steps(a, json_count(steps), e) < 0)
        return -1;
    for (const struct json *v = json_first(steps); v; v = json_next(v)) {
        /* counted first, so that a half-read step is freed as well */
        if (read_step(v, &a->steps[a->n++], tools, e) < 0)
            return err_wrap(e, "steps[%zu]", a->n - 1);
    }
    return check_ids(a, e);
}

static int
check_schema(const struct json *v, struct err *e)
{
    const char *text = prompt_aiaction_schema();
    CLEANUP(json_free_p)
    struct json *root = json_parse(text, strlen(text), 0, e);
    CLEANUP(json_schema_free_p)
    struct json_schema *schema = root ? json_schema_new(root, e) : NULL;

    if (!schema)
        return -1;
    if (json_schema_check(schema, v, JSON_SCHEMA_NULL_ABSENT, e) < 0) {
        if (e)
            e->code = ERR_ANSWER;
        return -1;
    }
    return 0;
}

static int
read_kind(const struct json *v, struct aiaction *a, struct err *e)
{
    const char *kind = json_get_str(v, "kind");

    for (int k = ANSWER_ONLY; kind && k <= PLAN_AND_COMMANDS; k++) {
        if (strcmp(kind, aiaction_kind_name((enum aiaction_kind)k)) == 0) {
            a->kind = (enum aiaction_kind)k;
            return 0;
        }
    }
    return err_set(e, ERR_ANSWER, "kind is missing"); /* the schema asks it */
}

/* The summary of an answer_only is the answer. */
static int
check_summary(const struct aiaction *a, struct err *e)
{
    if (a->kind == ANSWER_ONLY && !a->summary[0])
        return err_set(e, ERR_ANSWER,
                       "summary: must contain the text of the answer");
    return 0;
}

/* Reads all members of the object. */
static int
read_aiaction(const struct json *v, const struct aiaction_tools *tools,
              struct aiaction *a, struct err *e)
{
    const struct json *steps = json_get(v, "steps");

    if (check_schema(v, e) < 0 || read_kind(v, a, e) < 0 ||
        copy_str(v, "summary", &a->summary, e) < 0)
        return -1;
    if (!a->summary && !(a->summary = strdup("")))
        return err_nomem(e);
    if (a->kind != ANSWER_ONLY) {
        (void)json_bool(json_get(v, "wants_results"), &a->wants_results);
        return read_steps(steps, tools, a, e);
    }
    a->dropped = json_count(steps) > 0;
    return check_summary(a, e);
}

static struct aiaction *
action_new(struct err *e)
{
    struct aiaction *a = calloc(1, sizeof(*a));

    if (!a)
        err_nomem(e);
    return a;
}

/* The caller frees the copy. */
static int
copy_valid(const char *text, char **out, struct err *e)
{
    /* at most, each byte becomes U+FFFD */
    CLEANUP_BUF struct buf valid = buf_of(UTF8_MAX * strlen(text) + 1);

    (void)utf8_repair(&valid, text, strlen(text));
    *out = buf_take(&valid);
    return *out ? 0 : err_nomem(e);
}

struct aiaction *
aiaction_new(enum aiaction_kind kind, const char *summary, struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = action_new(e);

    if (!a || copy_valid(summary, &a->summary, e) < 0)
        return NULL;
    a->kind = kind;
    return check_summary(a, e) < 0 ? NULL : TAKE_PTR(a);
}

int
aiaction_add_step(struct aiaction *a, const char *description,
                  const char *command, bool requires_sudo, struct err *e)
{
    char id[24];
    struct step *s;

    if (reserve_steps(a, a->n + 1, e) < 0)
        return -1;
    s = &a->steps[a->n++];
    s->requires_sudo = requires_sudo;
    snprintf(id, sizeof(id), "%zu", a->n);
    if (copy_name(id, &s->id, e) < 0 ||
        copy_valid(description, &s->description, e) < 0 ||
        copy_valid(command, &s->command, e) < 0 ||
        check_shell_command(s->command, e) < 0) {
        aiaction_cut(a, a->n - 1);
        return err_wrap(e, "steps[%zu]", a->n);
    }
    return 0;
}

static int
keep_shown(const char *text, const char *english, char **out, struct err *e)
{
    if (!text[0] || strcmp(text, english) == 0)
        return 0;
    free(*out);
    *out = NULL;
    return copy_valid(text, out, e);
}

int
aiaction_show_summary(struct aiaction *a, const char *text, struct err *e)
{
    return keep_shown(text, a->summary, &a->shown, e);
}

int
aiaction_show_step(struct aiaction *a, const char *text, struct err *e)
{
    struct step *s = &a->steps[a->n - 1];

    return keep_shown(text, s->description, &s->shown, e);
}

const char *
aiaction_shown(const struct aiaction *a)
{
    return a->shown ? a->shown : a->summary;
}

const char *
aiaction_step_shown(const struct step *s)
{
    return s->shown ? s->shown : s->description;
}

int
aiaction_add_call(struct aiaction *a, const char *description,
                  const struct json *call, const struct aiaction_tools *tools,
                  struct err *e)
{
    const char *command = json_get_str(call, "command");

    if (!command || !json_get_str(call, "tool"))
        return err_set(e, ERR_ANSWER, "steps[%zu] has no command or no tool",
                       a->n);
    if (aiaction_add_step(a, description, command, false, e) < 0)
        return -1;
    if (read_step_tool(call, tools, &a->steps[a->n - 1], e) < 0) {
        aiaction_cut(a, a->n - 1); /* without its tool it runs its command */
        return err_wrap(e, "steps[%zu]", a->n);
    }
    return 0;
}

int
aiaction_add_restores(struct aiaction *a, const char *description,
                      const char *command, size_t from, size_t n, struct err *e)
{
    if (aiaction_add_step(a, description, command, false, e) < 0)
        return -1;
    a->steps[a->n - 1].restores.from = from;
    a->steps[a->n - 1].restores.n = n;
    return 0;
}

/* An answer without JSON is a plain answer. */
static int
action_from_prose(struct aiaction *a, struct buf *prose, struct err *e)
{
    a->kind = ANSWER_ONLY;
    if (memchr(prose->p, '\0', prose->len))
        return err_set(e, ERR_ANSWER, "the answer contains a NUL character");
    a->summary = buf_take(prose);
    return a->summary ? 0 : err_nomem(e);
}

int
aiaction_check_mode(const struct aiaction *a, enum aiaction_mode mode,
                    struct err *e)
{
    if (mode == AIACTION_EXPLAIN && a->kind != ANSWER_ONLY)
        return err_set(e, ERR_ANSWER,
                       "kind: an explanation must be answer_only, not %s",
                       aiaction_kind_name(a->kind));
    if (a->kind != ANSWER_ONLY && a->n == 0)
        return err_set(e, ERR_ANSWER, "steps: %s needs at least one",
                       aiaction_kind_name(a->kind));
    return 0;
}

/* Whether the object is an action of any mode. */
static bool
is_action(const void *tools, const struct json *v)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = action_new(NULL);

    return a && read_aiaction(v, tools, a, NULL) == 0 &&
           aiaction_check_mode(a, AIACTION_DO, NULL) == 0;
}

struct aiaction *
aiaction_parse(const char *text, size_t n, enum aiaction_mode mode,
               const struct aiaction_tools *tools, struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = action_new(e);
    CLEANUP(json_free_p) struct json *root = NULL;
    CLEANUP_BUF struct buf prose = buf_of(n);
    const struct json_extract_check check = {is_action, tools};

    if (!a || json_extract(text, n, &check, &root, &prose, e) < 0)
        return NULL;
    if (root ? read_aiaction(root, tools, a, e) < 0
             : action_from_prose(a, &prose, e) < 0)
        return NULL;
    if (aiaction_check_mode(a, mode, e) < 0)
        return NULL;
    return TAKE_PTR(a);
}

struct aiaction *
aiaction_load(const char *text, size_t n, const struct aiaction_tools *tools,
              struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = action_new(e);
    CLEANUP(json_free_p) struct json *root = NULL;

    if (!a || !(root = json_parse(text, n, JSON_UNIQUE, e)))
        return NULL;
    if (read_aiaction(root, tools, a, e) < 0) {
        if (e)
            e->code = ERR_INVALID;
        return NULL;
    }
    if (a->n == 0) {
        err_set(e, ERR_INVALID, "the plan has no steps");
        return NULL;
    }
    return TAKE_PTR(a);
}
