/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task_json.c - a task as clients see it. */
#include "server/gateway/gateway_task_json.h"

#include <string.h>

#include "server/gateway/gateway_message.h"

#define MICRO     1000000.0
#define MINUTE_MS 60000.0

/* A text that is there. */
static void
put_given(struct json_writer *w, const char *name, const char *text)
{
    if (text[0])
        json_member_str(w, name, text);
}

static void
put_task_time(struct json_writer *w, const char *name, int64_t ms)
{
    char at[GATEWAY_TIME_SIZE];

    json_member_str(w, name, gateway_message_time(ms, at));
}

static double
minutes_of(int64_t ms)
{
    return (double)(ms / 60) / 1000;
}

void
gateway_usage_put(struct json_writer *w, const struct gateway_usage *u)
{
    json_member_int(w, "turns", u->turns);
    json_key(w, "minutes");
    json_put_num(w, minutes_of(u->ms));
    json_member_int(w, "tokens_in", u->tokens_in);
    json_member_int(w, "tokens_out", u->tokens_out);
    json_key(w, "cost");
    json_put_num(w, (double)u->cost / MICRO);
}

static void
put_task_limits(struct json_writer *w, const int64_t *number)
{
    json_key(w, "limits");
    json_open_object(w);
    if (number[TASK_LIMIT_TURNS] > 0)
        json_member_int(w, "turns", number[TASK_LIMIT_TURNS]);
    if (number[TASK_LIMIT_MS] > 0) {
        json_key(w, "minutes");
        json_put_num(w, (double)number[TASK_LIMIT_MS] / MINUTE_MS);
    }
    if (number[TASK_LIMIT_TOKENS] > 0)
        json_member_int(w, "tokens", number[TASK_LIMIT_TOKENS]);
    if (number[TASK_LIMIT_COST] > 0) {
        json_key(w, "cost");
        json_put_num(w, (double)number[TASK_LIMIT_COST] / MICRO);
    }
    json_close_object(w);
}

/* The session is the one that the task has now. */
static void
put_metadata(struct json_writer *w, const struct gateway_values *v)
{
    const char *text = v->text[TASK_METADATA];
    CLEANUP(json_free_p)
    struct json *root = json_parse(text, strlen(text), 0, NULL);

    json_key(w, "metadata");
    json_open_object(w);
    for (const struct json *m = json_first(root); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        if (strcmp(name, GATEWAY_SESSION_KEY) == 0 && v->text[TASK_SESSION][0])
            continue;
        json_keyn(w, name, n);
        json_put_value(w, m);
    }
    put_given(w, GATEWAY_SESSION_KEY, v->text[TASK_SESSION]);
    json_close_object(w);
}

void
gateway_task_put(struct json_writer *w, const struct gateway_values *v,
                 bool brief)
{
    const struct gateway_usage used = {
        v->number[TASK_TURNS], v->number[TASK_MS], v->number[TASK_TOKENS_IN],
        v->number[TASK_TOKENS_OUT], v->number[TASK_COST]};

    json_open_object(w);
    json_member_str(w, "id", v->text[TASK_ID]);
    json_member_str(w, "title", v->text[TASK_TITLE]);
    if (!brief) {
        json_member_str(w, "description", v->text[TASK_DESCRIPTION]);
        put_metadata(w, v);
    }
    put_given(w, "board_id", v->text[TASK_BOARD]);
    put_given(w, "column_id", v->text[TASK_COLUMN]);
    put_given(w, "agent_type", v->text[TASK_AGENT_TYPE]);
    json_member_str(w, "state", v->text[TASK_STATE]);
    json_member_int(w, "priority", v->number[TASK_PRIORITY]);
    put_task_time(w, "created_at", v->number[TASK_CREATED]);
    put_task_time(w, "updated_at", v->number[TASK_UPDATED]);
    json_member_int(w, "last_seq", v->number[TASK_LAST_SEQ]);
    json_member_int(w, "prompts", v->number[TASK_PROMPTS]);
    json_member_int(w, "waiting", v->number[TASK_WAITING]);
    json_member_int(w, "attempts", v->number[TASK_ATTEMPTS]);
    put_task_limits(w, v->number);
    json_key(w, "usage");
    json_open_object(w);
    gateway_usage_put(w, &used);
    json_close_object(w);
    put_given(w, "session_id", v->text[TASK_SESSION]);
    put_given(w, "agent_instance_id", v->text[TASK_INSTANCE]);
    put_given(w, "agent_command", v->text[TASK_COMMAND]);
    put_given(w, "directory", v->text[TASK_DIRECTORY]);
    put_given(w, "working_tree", v->text[TASK_TREE]);
    put_given(w, "error", v->text[TASK_ERROR]);
    json_close_object(w);
}
