/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_approvals.c - agentsh approvals: lists and answers the operations that
 * wait for this user's approval. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "server/spaces_command.h"
#include "term/escape.h"
#include "json/write.h"

#define LIST_MAX     (64u << 20) /* a thousand commands, escaped */
#define SHOWN_ID_MAX 256 /* bytes of an operation's id, which has no limit */
#define LABEL_MAX    4096

struct approvals_call {
    struct spaces_command *command;
    struct command_args *args;
    struct buf out;
    struct json_writer w;
    bool json, many;
    size_t n;
    /* of the one that was found: */
    int64_t number;
    char run[SPACES_STORE_ID_SIZE];
    bool expired; /* it has expired, and no process has recorded that yet */
};

static const char *
format_ms(int64_t unix_ms, char text[CLOCK_RFC3339_SIZE])
{
    return clock_rfc3339((time_t)(unix_ms / 1000), text);
}

static void
put_time(struct json_writer *w, const char *name, int64_t unix_ms)
{
    char text[CLOCK_RFC3339_SIZE];

    if (unix_ms > 0)
        json_member_str(w, name, format_ms(unix_ms, text));
}

static void
put_approval_json(struct json_writer *w, const struct spaces_approval *a)
{
    json_open_object(w);
    json_member_int(w, "id", a->number);
    json_member_str(w, "door", "spaces");
    json_member_str(w, "state", spaces_approval_state_name(a->state));
    json_member_str(w, "run", a->run);
    json_key(w, "operation");
    json_put_strn(w, a->op, utf8_boundary(a->op, a->op_n, SHOWN_ID_MAX));
    json_member_str(w, "type", a->type);
    json_member_str(w, a->type[0] == 's' ? "command" : "path", a->what);
    json_member_str(w, "reason", a->reason);
    json_member_str(w, "policy", a->rule);
    json_member_str(w, "workspace", a->workspace);
    put_time(w, "asked", a->asked_ms);
    put_time(w, "expires", a->expires_ms);
    put_time(w, "decided", a->decided_ms);
    if (a->by[0])
        json_member_str(w, "by", a->by);
    if (a->via[0])
        json_member_str(w, "via", a->via);
    json_member_bool(w, "served", a->lives);
    json_close_object(w);
}

static void
put_label(struct buf *out, const char *label, const char *text)
{
    size_t n = strlen(text);

    if (n == 0)
        return;
    buf_printf(out, "    %-11s", label);
    escape_text(out, NULL, text, n < LABEL_MAX ? n : LABEL_MAX, ESCAPE_LINES);
    buf_ch(out, '\n');
}

static void
put_approval_text(struct approvals_call *l, const struct spaces_approval *a)
{
    char when[CLOCK_RFC3339_SIZE];
    struct buf *out = &l->out;

    buf_printf(out, "%lld  %s  ", (long long)a->number, a->type);
    escape_str(out, NULL, a->what[0] ? a->what : "(over)", ESCAPE_LINES);
    buf_ch(out, '\n');
    put_label(out, "why", a->reason);
    put_label(out, "in", a->workspace);
    if (a->state != SPACES_APPROVAL_WAITS)
        put_label(out, "state", spaces_approval_state_name(a->state));
    if (a->expires_ms > 0 && a->state == SPACES_APPROVAL_WAITS)
        put_label(out, "expires", format_ms(a->expires_ms, when));
    if (l->many)
        return;
    put_label(out, "rule", a->rule);
    put_label(out, "run", a->run);
    put_label(out, "operation", a->op);
    put_label(out, "asked", format_ms(a->asked_ms, when));
    if (a->decided_ms > 0)
        put_label(out, "decided", format_ms(a->decided_ms, when));
    put_label(out, "by", a->by);
    put_label(out, "via", a->via);
    put_label(out, "served", a->lives ? "yes" : "no: the run goes on here");
}

static void
on_approval(void *arg, const struct spaces_approval *a)
{
    struct approvals_call *l = arg;

    l->n++;
    if (l->json)
        put_approval_json(&l->w, a);
    else
        put_approval_text(l, a);
}

static int
list_approvals(struct approvals_call *l, struct err *e)
{
    l->many = true;
    if (l->json) {
        json_open_object(&l->w);
        json_key(&l->w, "approvals");
        json_open_array(&l->w);
    }
    if (spaces_store_list(l->command->store, on_approval, l, e) < 0)
        return -1;
    if (l->json) {
        json_close_array(&l->w);
        json_close_object(&l->w);
        buf_ch(&l->out, '\n');
    } else if (l->n == 0) {
        app_note(l->args->app, "nothing waits");
    }
    return app_write_result(&l->out, e);
}

static int
show_approval(struct approvals_call *l, struct err *e)
{
    if (spaces_store_show(l->command->store, l->args->words[1], on_approval, l,
                          e) < 0)
        return -1;
    if (l->json)
        buf_ch(&l->out, '\n');
    return app_write_result(&l->out, e);
}

static void
on_decided_about(void *arg, const struct spaces_approval *a)
{
    struct approvals_call *l = arg;

    l->number = a->number;
    l->expired = a->state == SPACES_APPROVAL_EXPIRED && a->decided_ms == 0;
    snprintf(l->run, sizeof(l->run), "%s", a->run);
}

/* The answer is a journal run of its own: the run that asked may belong to
 * another process. */
static void
record_answer(const struct approvals_call *l, const char *decision)
{
    struct journal *journal = l->command->service.journal;
    CLEANUP(journal_run_free_p)
    struct journal_run *run = journal_run_new(journal, NULL);

    (void)journal_add(run, "decision",
                      (const struct journal_member[]){
                          JOURNAL_NUM("approval", l->number),
                          JOURNAL_STR("session", l->run),
                          JOURNAL_STR("decision", decision),
                          JOURNAL_STR("by", l->expired ? NULL : l->command->by),
                          JOURNAL_STR("via", "agentsh approvals"),
                          {0},
                      });
    (void)journal_sync(run, false);
}

static int
report_decision(struct approvals_call *l, bool yes, struct err *e)
{
    const char *word = yes ? "approved" : "denied";

    if (l->json) {
        json_open_object(&l->w);
        json_member_int(&l->w, "id", l->number);
        json_member_str(&l->w, "run", l->run);
        json_member_str(&l->w, "decision", word);
        json_close_object(&l->w);
    } else {
        buf_printf(&l->out, "%s: the agentsh spaces that asked goes on", word);
    }
    buf_ch(&l->out, '\n');
    return app_write_result(&l->out, e);
}

/* The process that asked resumes the run; where that has ended, this process
 * does. */
static int
answer_approval(struct approvals_call *l, bool yes, struct err *e)
{
    struct spaces_command *r = l->command;
    const struct spaces_answer answer = {
        .yes = yes, .by = r->by, .via = "agentsh approvals"};
    struct spaces_resume resume = {.run = l->run};
    bool lives = false;

    if (spaces_store_show(r->store, l->args->words[1], on_decided_about, l, e) <
        0)
        return -1;
    if (spaces_store_answer(r->store, l->number, &answer, &lives, e) < 0) {
        if (l->expired)
            record_answer(l, "expired");
        return -1;
    }
    l->expired = false;
    record_answer(l, yes ? "approved" : "denied");
    if (lives)
        return report_decision(l, yes, e);
    return spaces_command_go_on(r, l->args, &resume, e);
}

static int
approve(struct approvals_call *l, struct err *e)
{
    return answer_approval(l, true, e);
}

static int
deny(struct approvals_call *l, struct err *e)
{
    return answer_approval(l, false, e);
}

static const struct approvals_verb {
    const char *name;
    int words; /* with the verb */
    int (*run)(struct approvals_call *l, struct err *e);
} verbs[] = {
    {"list", 1, list_approvals},
    {"show", 2, show_approval},
    {"approve", 2, approve},
    {"deny", 2, deny},
};

/* NULL: the arguments are wrong. */
static const struct approvals_verb *
find_approvals_verb(const struct command_args *c, struct err *e)
{
    const char *word = c->n > 0 ? c->words[0] : "list";

    for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
        if (strcmp(verbs[i].name, word) != 0)
            continue;
        if (c->n == verbs[i].words || c->n == 0)
            return &verbs[i];
        err_set(e, ERR_USAGE, "approvals %s takes %s", word,
                verbs[i].words == 1 ? "no words" : "one ID");
        return NULL;
    }
    err_set(e, ERR_USAGE,
            "unknown verb 'approvals %.40s'; verbs are list, show, approve, "
            "deny",
            word);
    return NULL;
}

int
cmd_run_approvals(struct command_args *c)
{
    CLEANUP(spaces_command_done) struct spaces_command r = {.in = -1};
    struct approvals_call l = {
        .command = &r, .args = c, .json = c->app->output != OUTPUT_TEXT};
    const struct approvals_verb *verb;
    struct err e = {0};
    int status = -1;

    buf_init(&l.out, LIST_MAX);
    json_write_init(&l.w, &l.out);
    if ((verb = find_approvals_verb(c, &e)) &&
        spaces_command_open(&r, c, "agentsh approvals", true, &e) == 0)
        status = verb->run(&l, &e);
    buf_done(&l.out);
    return status < 0 ? app_fail(c->app, &e) : status;
}
