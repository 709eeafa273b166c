/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aiaction_tool.c - the tool that a step names, beside its command. */
#include <string.h>
#include <unistd.h>

#include "action/aiaction_in.h"

/* A tree of its own from a value: through its text, which is bounded. */
static struct json *
copy_of(const struct json *v, struct err *e)
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

/* The object, or its text: decoders that know every member beforehand cannot
 * write an object of which they know none. */
static struct json *
read_args(const struct json *v, struct err *e)
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
        return copy_of(v, e);
    args = json_parse(text, n, JSON_UNIQUE, &why);
    if (!args || json_type(args) != JSON_OBJECT) {
        err_set(e, ERR_ANSWER, "args must be a JSON object%s%s",
                args ? "" : ": ", args ? "" : why.text);
        return NULL;
    }
    return TAKE_PTR(args);
}

/* One of cmd.run's arguments: it says what the step says, which is what is
 * shown. A time limit is passed over: a step has none but Ctrl-C. */
static int
check_member(const char *name, const struct json *v, const struct step *s,
             struct err *e)
{
    const bool directory = strcmp(name, "working_directory") == 0;
    const char *said = directory ? s->directory : s->command;
    size_t n;
    const char *text = json_str(v, &n);

    if (json_type(v) == JSON_NULL || strcmp(name, "timeout_ms") == 0)
        return 0;
    if (!directory && strcmp(name, "command") != 0)
        return err_set(e, ERR_ANSWER,
                       AIACTION_TOOL " has no argument \"%.60s\"", name);
    if (!said || !text || n != strlen(said) || memcmp(text, said, n) != 0)
        return err_set(e, ERR_ANSWER,
                       "args.%s must be the same as %s of the step", name,
                       directory ? name : "shell_command");
    return 0;
}

static int
check_command(const char *action, const struct json *args, const struct step *s,
              struct err *e)
{
    if (action && strcmp(action, "execute") != 0)
        return err_set(e, ERR_ANSWER, AIACTION_TOOL " has no action \"%.60s\"",
                       action);
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        if (check_member(json_name(v, NULL), v, s, e) < 0)
            return -1;
    }
    return 0;
}

/* A tool finds relative paths from where the person is. */
static int
check_directory(const struct step *s, struct err *e)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);

    if (!s->directory || !s->directory[0] || strcmp(s->directory, ".") == 0 ||
        (cwd && strcmp(s->directory, cwd) == 0))
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

int
aiaction_read_tool(const struct json *v, const struct aiaction_tools *tools,
                   struct step *s, struct err *e)
{
    const char *tool = json_get_str(v, "tool");
    const char *action = json_get_str(v, "action");
    CLEANUP(json_free_p) struct json *args = NULL;

    if (!tool)
        return 0;
    args = read_args(json_get(v, "args"), e);
    if (!args)
        return -1;
    if (strcmp(tool, AIACTION_TOOL) == 0)
        return check_command(action, args, s, e);
    if (!tools)
        return err_set(e, ERR_ANSWER, "unknown tool \"%.60s\"", tool);
    if (tools->check(tools->arg, tool, &action, args, e) < 0) {
        if (e && e->code != ERR_NOMEM)
            e->code = ERR_ANSWER;
        return -1;
    }
    if (check_directory(s, e) < 0)
        return -1;
    if (!action)
        return err_set(e, ERR_ANSWER, "%.60s needs an action", tool);
    if (copy_name(tool, &s->tool, e) < 0 ||
        copy_name(action, &s->action, e) < 0)
        return -1;
    s->args = TAKE_PTR(args);
    return 0;
}
