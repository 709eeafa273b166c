/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.c - looks, acts by a need, looks again, answers. */
#include "plugins/svc.manage/act.h"

#include <stdio.h>
#include <string.h>

#include "plugins/lib/text.h"
#include "plugins/svc.manage/look.h"

static int
read_action(const char *name, enum init_ask *out, struct err *e)
{
    for (int i = 0; i < ASK_ACTIONS; i++) {
        if (strcmp(name, init_action_name(i)) == 0) {
            *out = i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID,
                   "action must be start, stop, restart, reload, enable, "
                   "disable, status, state or reverse, not \"%.40s\"",
                   name);
}

int
act_read(const struct request *r, struct act *out, struct err *e)
{
    const struct json *args = r->args, *manager;
    struct act a = {0};
    size_t n;

    if (read_action(r->action, &a.action, e) < 0)
        return -1;
    if (a.action == ASK_STATE || a.action == ASK_REVERSE)
        args = json_get(r->args, "of"); /* of the call that it is about */
    manager = json_get(args, "manager");
    a.service = json_str(json_get(args, "service"), &n);
    if (!a.service)
        return err_set(e, ERR_INVALID, "args.service must be a string");
    /* systemd escapes a name's other bytes with a backslash */
    if (!words_is_name(a.service, n, "\\", LOOK_NAME_MAX))
        return err_set(
            e, ERR_INVALID,
            "args.service: \"%.60s\" is not a service name: a letter or digit, "
            "then letters, digits and + . _ : @ - \\",
            a.service);
    a.manager = json_get_str(args, "manager");
    if (!a.manager && json_type(manager) != JSON_NULL)
        return err_set(e, ERR_INVALID, "args.manager must be a string");
    *out = a;
    return 0;
}

/* How it went: the service, and the program that acted on it. */
struct outcome {
    const struct act *act;
    struct look look;
    struct need_answer ran;
    const char *why; /* an error code, or NULL */
};

static void
outcome_done(struct outcome *o)
{
    look_done(&o->look);
    need_answer_done(&o->ran);
}

/* "ssh is running (active/running), started at boot" */
static void
put_line(struct buf *out, const struct look *l)
{
    const struct state *s = &l->state;

    buf_printf(out, "%s: %s", l->service, state_name(s->word));
    if (*s->detail)
        buf_printf(out, " (%s)", s->detail);
    if (s->boot_known)
        buf_printf(out, ", %sstarted at boot", s->boot ? "" : "not ");
    buf_ch(out, '\n');
}

static void
put_state(struct json_writer *w, const struct state *s)
{
    json_member_str(w, "service_state", state_name(s->word));
    if (s->boot_known)
        json_member_bool(w, "enabled", s->boot);
    if (*s->detail)
        json_member_str(w, "detail", s->detail);
    if (s->pid > 0)
        json_member_int(w, "main_pid", s->pid);
}

static int
answer(const struct request *r, const struct outcome *o, struct err *e)
{
    const struct need_answer *answer = o->act->action == ASK_STATUS
                                           ? &o->look.answer
                                           : &o->ran;
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf err = buf_of(TEXT_MAX);
    struct json_writer w;
    bool cut;

    cut = text_fit(&out, &answer->out, r);
    cut |= text_fit(&err, &answer->err, r);
    if (o->act->action == ASK_STATUS && out.len == 0)
        put_line(&out, &o->look);
    if (*o->look.note)
        text_note(&err, "%s", o->look.note);
    reply_begin(r, &w, &line, !o->why, out.p, out.len, err.p, err.len);
    if (o->why)
        json_member_str(&w, "error_code", o->why);
    json_member_str(&w, "manager", o->look.init->name);
    if (answer->exit_code >= 0)
        json_member_int(&w, "exit_code", answer->exit_code);
    json_member_bool(&w, "truncated", cut);
    put_state(&w, &o->look.state);
    return reply_send(&w, e);
}

/* Why an action did not do its work; init scripts have numbers for it (LSB
 * Core, 22.2). */
static const char *
why_not(const struct init *i, const struct need_answer *ran)
{
    static const struct {
        int exit_code;
        enum err_code code;
    } lsb[] = {
        {3, ERR_UNSUPPORTED}, /* the script has no such action */
        {4, ERR_PERMISSION},
        {5, ERR_NOT_FOUND}, /* the program is not installed */
    };

    if (*ran->error_code)
        return ran->error_code;
    if (ran->exit_code == 0)
        return NULL;
    for (size_t k = 0; i->lsb && k < sizeof(lsb) / sizeof(*lsb); k++) {
        if (lsb[k].exit_code == ran->exit_code)
            return err_tool_code(lsb[k].code);
    }
    return err_tool_code(ERR_IO);
}

static int
act_once(const struct request *r, enum init_ask what, struct outcome *o,
         struct err *e)
{
    CLEANUP(words_done) struct words w = {0};

    if (look_fill(&o->look, o->look.init->row[what], &w, e) < 0 ||
        reply_need(r, w.argv, &o->ran, e) < 0)
        return -1;
    o->why = why_not(o->look.init, &o->ran);
    return 0;
}

/* Once more, when something was run; as root only where we cannot tell. */
static void
look_again(struct outcome *o)
{
    if (*o->ran.error_code || look_run(&o->look, NULL) < 0 ||
        o->look.state.word != STATE_UNKNOWN)
        return;
    o->look.as_root = true;
    (void)look_run(&o->look, NULL);
}

int
act_run(const struct request *r, const struct act *a, const struct init *i,
        struct err *e)
{
    CLEANUP(outcome_done) struct outcome o = {.act = a};

    look_init(&o.look, r, i, a->service);
    need_answer_init(&o.ran, NEED_TEXT_MAX);
    if (look_run(&o.look, e) < 0)
        return -1;
    if (a->action == ASK_STATUS) {
        o.why = *o.look.answer.error_code ? o.look.answer.error_code : NULL;
        return answer(r, &o, e);
    }
    if (a->action == ASK_RELOAD && o.look.state.no_reload)
        return err_set(e, ERR_UNSUPPORTED,
                       "%.100s cannot reload its configuration; restart makes "
                       "it read it",
                       a->service);
    if (a->action == ASK_ENABLE && i->row[ASK_REGISTER][0] &&
        act_once(r, ASK_REGISTER, &o, e) < 0)
        return -1;
    if (!o.why && act_once(r, a->action, &o, e) < 0)
        return -1;
    look_again(&o);
    return answer(r, &o, e);
}
