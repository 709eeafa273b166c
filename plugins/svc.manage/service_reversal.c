/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_reversal.c - from a difference in how a service is to the calls that
 * take it back. */
#include "plugins/svc.manage/service_reversal.h"

#include <string.h>

#include "base/message.h"
#include "plugins/lib/reply.h"
#include "plugins/svc.manage/look.h"

#define RUNS     "running"
#define RUNS_NOT "not running"
#define UNKNOWN  "unknown"

/* Of a unit of which nothing runs, systemd's files do not tell why. */
static const char *
activity(const struct state *s)
{
    return s->word == STATE_RUNNING ? RUNS
           : s->word != STATE_UNKNOWN || strcmp(s->detail, "no process") == 0
               ? RUNS_NOT
               : UNKNOWN;
}

static const char *
boot_word(const struct state *s)
{
    return !s->boot_known ? NULL : s->boot ? "yes" : "no";
}

int
service_state_run(const struct request *r, const struct act *a,
                  const struct init *i, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP(look_done) struct look l = {0};
    struct json_writer w;

    look_init(&l, r, i, a->service);
    if (look_run(&l, e) < 0)
        return -1;
    reply_begin(r, &w, &line, true, "", 0, "", 0);
    json_member_str(&w, "manager", i->name);
    json_key(&w, "state");
    json_open_object(&w);
    json_member_str(&w, "active", activity(&l.state));
    if (boot_word(&l.state))
        json_member_str(&w, "boot", boot_word(&l.state));
    json_close_object(&w);
    return reply_send(&w, e);
}

static bool
is_word(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* What takes a change back: ASK_ACTIONS where nothing does, with the reason, or
 * NULL where nothing is to be done. */
static enum init_ask
find_reverse(const struct state *now, const struct json *change,
             const char **why)
{
    const char *name = json_get_str(change, "name");
    const char *before = json_get_str(change, "before");
    const char *after = json_get_str(change, "after");
    bool boot = is_word(name, "boot");
    const char *is = boot ? boot_word(now) : activity(now);

    *why = NULL;
    if (!before || is_word(before, UNKNOWN)) {
        *why = N_("it is not known how it was");
    } else if (is_word(is, before)) {
        return ASK_ACTIONS;
    } else if (!is || is_word(is, UNKNOWN)) {
        *why = N_("it is not known how it is");
    } else if (!is_word(is, after ? after : "") && !is_word(after, UNKNOWN)) {
        *why = N_("it was changed since");
    } else if (boot) {
        return is_word(before, "yes") ? ASK_ENABLE : ASK_DISABLE;
    } else if (is_word(name, "active")) {
        return is_word(before, RUNS) ? ASK_START : ASK_STOP;
    }
    return ASK_ACTIONS;
}

static void
put_call_command(struct buf *out, const struct look *l, enum init_ask ask)
{
    const char *const *row = l->init->row[ask];

    for (size_t k = 0; k < WORDS_ROW && row[k]; k++)
        if (strcmp(row[k], "--") != 0 &&
            strcmp(row[k], "--no-ask-password") != 0)
            buf_printf(out, "%s%s", out->len ? " " : "",
                       strcmp(row[k], "%s") == 0   ? l->service
                       : strcmp(row[k], "%t") == 0 ? l->target
                                                   : row[k]);
}

static const char *
says_of(enum init_ask ask)
{
    return ask == ASK_START  ? N_("Start the service, which ran before")
           : ask == ASK_STOP ? N_("Stop the service, which did not run before")
           : ask == ASK_ENABLE ? N_("Have it started at boot, as it was")
                               : N_("Have it not started at boot, as it was");
}

static void
put_reverse_call(struct json_writer *w, const struct look *l, enum init_ask ask)
{
    CLEANUP_BUF struct buf line = buf_of(4 * LOOK_NAME_MAX);

    json_open_object(w);
    json_member_str(w, "action", init_action_name(ask));
    json_key(w, "args");
    json_open_object(w);
    json_member_str(w, "service", l->service);
    json_member_str(w, "manager", l->init->name);
    json_close_object(w);
    put_call_command(&line, l, ask);
    json_member_str(w, "command", line.p);
    json_member_str(w, "says", says_of(ask));
    json_close_object(w);
}

int
service_reversal_run(const struct request *r, const struct act *a,
                     const struct init *i, struct err *e)
{
    const struct json *changes = json_get(r->args, "changes");
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP(look_done) struct look l = {0};
    struct json_writer w;
    const char *why;

    look_init(&l, r, i, a->service);
    if (look_run(&l, e) < 0)
        return -1;
    reply_begin(r, &w, &line, true, "", 0, "", 0);
    json_member_str(&w, "manager", i->name);
    json_key(&w, "calls");
    json_open_array(&w);
    for (const struct json *v = json_first(changes); v; v = json_next(v)) {
        enum init_ask ask = find_reverse(&l.state, v, &why);

        if (ask != ASK_ACTIONS)
            put_reverse_call(&w, &l, ask);
    }
    json_close_array(&w);
    json_key(&w, "left");
    json_open_array(&w);
    for (const struct json *v = json_first(changes); v; v = json_next(v)) {
        (void)find_reverse(&l.state, v, &why);
        if (!why)
            continue;
        json_open_object(&w);
        json_member_str(&w, "name",
                        is_word(json_get_str(v, "name"), "boot")
                            ? N_("whether it is started at boot")
                            : N_("whether it runs"));
        json_member_str(&w, "why", why);
        json_close_object(&w);
    }
    json_close_array(&w);
    return reply_send(&w, e);
}
