/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction.c - an action's life after it was read. */
#include "action/aiaction.h"

#include <string.h>

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
    free(a);
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
