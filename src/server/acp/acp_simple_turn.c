/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_simple_turn.c - a turn in the dialect whose version is a string. */
#include "server/acp/acp_simple_turn.h"

#include <string.h>

#include "server/acp/acp_turn.h"
#include "json/write.h"

static void
open_data(struct json_writer *w, struct buf *out, const char *type)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "type", type);
    json_key(w, "data");
    json_open_object(w);
}

static void
send_data(struct acp_turn *t, struct json_writer *w)
{
    json_close_object(w);
    json_close_object(w);
    acp_turn_send(t, w->out);
}

static void
send_content(struct acp_turn *t, const char *text, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    struct json_writer w;

    open_data(&w, &b, "content");
    json_key(&w, "text");
    json_put_strn(&w, text, n);
    send_data(t, &w);
}

static void
send_text(struct acp_turn *t, const char *text)
{
    send_content(t, text, strlen(text));
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct acp_turn *t = arg;

    acp_turn_add_text(t, bytes, n);
    send_content(t, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct acp_turn *t = arg;

    acp_turn_end_text(t); /* another answer comes */
    send_text(t, line);
}

/* args NULL: none are known. */
static void
send_simple_call(struct acp_turn *t, const char *tool, const char *status,
                 const struct json *args, const char *command)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    struct json_writer w;

    open_data(&w, &b, "toolCall");
    json_member_str(&w, "toolName", tool);
    json_member_str(&w, "status", status);
    json_key(&w, "args");
    if (args) {
        json_put_value(&w, args);
    } else {
        json_open_object(&w);
        if (command)
            json_member_str(&w, "command", command);
        json_close_object(&w);
    }
    send_data(t, &w);
}

static void
on_tool_started(void *arg, const char *line)
{
    (void)arg; /* its end has its name and arguments */
    (void)line;
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct acp_turn *t = arg;

    send_simple_call(t, c->tool ? c->tool : c->line,
                     c->failed ? "failed" : "completed", c->args, NULL);
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    (void)arg; /* the dialect has no word for it */
    (void)u;
}

static void
on_proposed(void *arg, const struct aiaction *a, const struct plan *p)
{
    struct acp_turn *t = arg;

    acp_turn_propose(t, a, p);
    acp_turn_end_text(t);
    send_text(t, acp_turn_summary(a));
}

/* Nobody can be asked: the plan has no questions then (plan_setting.can_ask).
 */
static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct acp_turn *t = arg;

    (void)q;
    (void)step;
    (void)turn_answer(t->turn, token, PLAN_QUIT, "quit: nobody to ask");
}

static void
send_step(struct acp_turn *t, size_t step, const char *status)
{
    const struct step *s = &t->action->steps[step];

    send_simple_call(t, s->tool ? s->tool : AIACTION_TOOL, status, s->args,
                     s->command);
}

static void
on_step_begin(void *arg, size_t step)
{
    struct acp_turn *t = arg;

    acp_turn_begin_step(t, step);
    send_step(t, step, "running");
}

static void
on_output(void *arg, size_t step, const char *host, const char *stream,
          const char *bytes, size_t n)
{
    struct acp_turn *t = arg;

    (void)step;
    (void)host;
    (void)stream;
    send_content(t, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct acp_turn *t = arg;

    acp_turn_end_step(t, step + 1);
    send_step(t, step, acp_update_is_done(end) ? "completed" : "failed");
}

static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct acp_turn *t = arg;

    if (end->why.code == ERR_DENIED)
        send_text(t, end->why.text);
    return false;
}

static void
send_simple_error(struct acp_turn *t, const struct err *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    struct json_writer w;

    open_data(&w, &b, "error");
    json_member_str(&w, "message", why->text);
    json_member_str(&w, "details", err_tool_code(why->code));
    send_data(t, &w);
}

static void
send_complete(struct acp_turn *t, bool success, const char *summary)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    struct json_writer w;

    open_data(&w, &b, "complete");
    json_member_str(&w, "sessionId", t->session->id);
    json_member_bool(&w, "success", success);
    json_member_str(&w, "summary", summary);
    send_data(t, &w);
}

/* What the model or the connection to it did wrong is an error; the rest is
 * said in words. */
static void
send_failure(struct acp_turn *t, const struct err *why)
{
    if (why->code == ERR_UNFIT || why->code == ERR_USAGE)
        send_text(t, why->text);
    else if (why->code != ERR_DENIED && why->code != ERR_INTERRUPTED)
        send_simple_error(t, why);
}

static void
on_over(void *arg, const struct turn_end *end)
{
    CLEANUP(acp_turn_free_p) void *held = arg;
    struct acp_turn *t = arg;
    bool failed = end->outcome == TURN_FAILED;
    const char *summary = failed                          ? end->why.text
                          : end->outcome == TURN_ANSWERED ? end->answer
                                                          : t->action->summary;

    if (end->outcome == TURN_ANSWERED &&
        (t->streamed.len == 0 || strcmp(t->streamed.p, end->answer) != 0))
        send_text(t, end->answer);
    if (t->running) /* it was cancelled */
        send_step(t, t->at, "failed");
    if (failed)
        send_failure(t, &end->why);
    acp_turn_end(t, end);
    send_complete(t, !failed && !end->unfit, summary);
}

static void
break_simple_silence(void *turn)
{
    send_text(turn, "");
}

static const struct acp_turn_dialect simple_dialect = {
    .size = sizeof(struct acp_turn),
    .events =
        {
            .text = on_text,
            .waiting = on_waiting,
            .tool_started = on_tool_started,
            .tool_ended = on_tool_ended,
            .usage = on_usage,
            .proposed = on_proposed,
            .ask = on_ask,
            .step_begin = on_step_begin,
            .output = on_output,
            .step_complete = on_step_complete,
            .plan_complete = on_plan_complete,
            .over = on_over,
        },
    .quiet = break_simple_silence,
};

int
acp_simple_turn_start(struct acp_session *s, const struct acp_prompt *p,
                      struct err *e)
{
    return acp_turn_start(s, &simple_dialect, p, e) ? 0 : -1;
}
