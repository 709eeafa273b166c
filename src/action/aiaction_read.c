/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction_read.c - checks a model's JSON and makes an action of it. */
#include <string.h>

#include "action/aiaction_in.h"
#include "action/extract.h"
#include "model/prompt/prompt.h"
#include "json/schema.h"

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
    if (strspn(s->command, " \t\r\n") == strlen(s->command))
        return err_set(e, ERR_ANSWER, "shell_command is empty");
    if (strlen(s->command) > AIACTION_COMMAND_MAX)
        return err_set(e, ERR_ANSWER, "shell_command is over %u bytes",
                       AIACTION_COMMAND_MAX);
    return aiaction_read_tool(v, tools, s, e);
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

static int
read_steps(const struct json *steps, const struct aiaction_tools *tools,
           struct aiaction *a, struct err *e)
{
    size_t n = json_count(steps);

    if (n > AIACTION_STEPS_MAX)
        return err_set(e, ERR_ANSWER, "steps: at most %d, not %zu",
                       AIACTION_STEPS_MAX, n);
    a->steps = calloc(n ? n : 1, sizeof(*a->steps));
    if (!a->steps)
        return err_nomem(e);
    for (const struct json *v = json_first(steps); v; v = json_next(v)) {
        /* counted first, so that a half-read step is freed too */
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

/* Everything that one object can tell. */
static int
read_action(const struct json *v, const struct aiaction_tools *tools,
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
    if (!a->summary[0])
        return err_set(e, ERR_ANSWER,
                       "summary: must contain the text of the answer");
    return 0;
}

static struct aiaction *
action_new(struct err *e)
{
    struct aiaction *a = calloc(1, sizeof(*a));

    if (!a)
        err_nomem(e);
    return a;
}

/* An answer without any JSON is a plain answer. */
static int
from_prose(struct aiaction *a, struct buf *prose, struct err *e)
{
    a->kind = ANSWER_ONLY;
    if (memchr(prose->p, '\0', prose->len))
        return err_set(e, ERR_ANSWER, "the answer contains a NUL character");
    a->summary = buf_take(prose);
    return a->summary ? 0 : err_nomem(e);
}

static int
check_mode(const struct aiaction *a, enum aiaction_mode mode, struct err *e)
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

struct aiaction *
aiaction_parse(const char *text, size_t n, enum aiaction_mode mode,
               const struct aiaction_tools *tools, struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = action_new(e);
    CLEANUP(json_free_p) struct json *root = NULL;
    CLEANUP_BUF struct buf prose = buf_of(n);

    if (!a || extract_json(text, n, &root, &prose, e) < 0)
        return NULL;
    if (root ? read_action(root, tools, a, e) < 0
             : from_prose(a, &prose, e) < 0)
        return NULL;
    if (check_mode(a, mode, e) < 0)
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
    if (read_action(root, tools, a, e) < 0) {
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
