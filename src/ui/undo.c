/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo.c - ai undo: makes a plan that takes back what a run changed. */
#include "ui/undo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/step_tools.h"
#include "action/undo_files.h"
#include "action/undo_record.h"
#include "base/message.h"
#include "base/message_put.h"
#include "term/escape.h"
#include "ui/assist.h"
#include "ui/undo_recover.h"

#define TEXT_MAX (8u << 20)

/* The plan is being made: the tools are asked one by one, the last step of the
 * run first, and what they answer becomes steps. */
struct undo_making {
    struct app *app;
    struct undo_request request;
    struct undo_files *files;
    struct aiaction *action;
    struct undo_record record; /* the one that is asked about */
    struct undo_query *query;
    size_t next;     /* records that are still to be asked about */
    struct buf text; /* what is left alone, for the person */
};

static void
undo_making_free(struct undo_making *m)
{
    if (!m)
        return;
    undo_query_free(m->query);
    undo_record_done(&m->record);
    aiaction_free(m->action);
    undo_files_free(m->files);
    buf_done(&m->text);
    free(m);
}
DEFINE_CLEANUP(struct undo_making, undo_making_free)

/* A line about what is left alone. */
static void
put_left_line(struct undo_making *m, const char *what, const char *how,
              const char *why)
{
    CLEANUP_BUF struct buf reason = buf_of(TEXT_MAX);

    buf_str(&m->text, "  ");
    escape_str(&m->text, &m->app->screen, what, ESCAPE_LINES);
    buf_printf(&m->text, "  %s", _(how));
    if (why[0]) {
        buf_str(&m->text, ": ");
        (void)message_put(&reason, why);
        escape_str(&m->text, &m->app->screen, reason.p, ESCAPE_LINES);
    }
    buf_ch(&m->text, '\n');
}

static void
note_left(struct undo_making *m, const char *what, const char *why)
{
    why = why ? why : "";
    (void)undo_files_leave(m->files, what, why, NULL);
    put_left_line(m, _(what), N_("left alone"), why);
}

/* The files that are left alone, which the plan counts already. */
static void
put_left_files(struct undo_making *m)
{
    for (size_t i = 0; i < m->files->plan.n; i++) {
        const struct undo_item *item = &m->files->plan.v[i];

        if (item->act >= UNDO_SINCE)
            put_left_line(m, item->path, undo_files_act(item), item->why);
    }
}

/* The steps of the run that cannot be undone. */
static void
put_reasons(struct undo_making *m)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (undo_store_reasons(m->files->store, &text, NULL) < 0 || text.len == 0)
        return;
    buf_str(&m->text, _("  cannot be undone:\n"));
    for (char *at = text.p, *end; (end = strchr(at, '\n')); at = end + 1) {
        CLEANUP_BUF struct buf said = buf_of(TEXT_MAX);

        *end = '\0';
        buf_str(&m->text, "    ");
        (void)message_put(&said, at);
        escape_str(&m->text, &m->app->screen, said.p, ESCAPE_LINES);
        buf_ch(&m->text, '\n');
    }
}

static int
add_files_step(struct undo_making *m, size_t from, size_t n, struct err *e)
{
    const char *run = undo_store_run(m->files->store);
    const char *one = N_("Put back a file");
    char command[512], says[256], shown[256];

    snprintf(command, sizeof(command), "%s undo %.200s", m->app->name, run);
    if (m->request.each && n == 1) {
        snprintf(says, sizeof(says), "%s", one);
        snprintf(shown, sizeof(shown), "%s", _(one));
    } else {
        snprintf(says, sizeof(says), "Put back %zu path%s", n,
                 n == 1 ? "" : "s");
        snprintf(shown, sizeof(shown),
                 P_("Put back %zu path", "Put back %zu paths", n), n);
    }
    if (aiaction_add_restores(m->action, says, command, from, n, e) < 0)
        return -1;
    return aiaction_show_step(m->action, shown, e);
}

/* All in one step, so that they are put back whole or not at all; with --step
 * one each, and the rest in the last that there may be. */
static int
add_all_files(struct undo_making *m, struct err *e)
{
    size_t n = m->files->n, room = AIACTION_STEPS_MAX - m->action->n;

    if (n > 0 && room == 0)
        return err_set(e, ERR_UNSUPPORTED, "that takes more than %d steps",
                       AIACTION_STEPS_MAX);
    for (size_t from = 0, one; from < n; from += one, room--) {
        one = m->request.each && room > 1 ? 1 : n - from;
        if (add_files_step(m, from, one, e) < 0)
            return -1;
    }
    return 0;
}

/* Has the plan reviewed and run; sets the exit status, or APP_GOES_ON. */
static int
review_undoing(struct undo_making *m, int *status, struct err *e)
{
    struct app *a = m->app;
    struct assist_request w = {.mode = AIACTION_DO,
                               .text = undo_store_run(m->files->store),
                               .dry_run = m->request.dry_run,
                               .each_step = m->request.each};

    if (add_all_files(m, e) < 0)
        return -1;
    put_left_files(m);
    put_reasons(m);
    (void)term_put(&a->screen, &m->text, NULL);
    if (m->action->n == 0)
        return err_set(e, ERR_NOT_FOUND, "nothing is to be put back");
    w.repair = TAKE_PTR(m->action);
    w.undoing = TAKE_PTR(m->files);
    *status = assist_start(a, &w);
    return 0;
}

static void ask_next_tool(struct undo_making *m);

static void
end_making(struct undo_making *m, const struct err *why)
{
    CLEANUP(undo_making_free_p) struct undo_making *held = m;
    struct app *a = m->app;
    struct err e = *why;
    int status = 0;

    if (e.code != ERR_NONE || review_undoing(m, &status, &e) < 0)
        status = app_fail(a, &e);
    if (status != APP_GOES_ON)
        app_over(a, status);
}

/* A call of the tool, and of no other. */
static int
add_tool_call(struct undo_making *m, const struct json *v, struct err *e)
{
    const struct aiaction_tools tools = step_tools_checker(m->app->registry,
                                                           m->app->seat);
    CLEANUP_BUF struct buf text = buf_of(AIACTION_ARGS_MAX);
    CLEANUP(json_free_p) struct json *call = NULL;
    const char *says = json_get_str(v, "says");
    struct json_writer w;

    if (m->action->n == AIACTION_STEPS_MAX)
        return err_set(e, ERR_UNSUPPORTED, "that takes more than %d steps",
                       AIACTION_STEPS_MAX);
    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "tool", m->record.tool);
    json_member_str(&w, "action", json_get_str(v, "action"));
    json_member_str(&w, "command", json_get_str(v, "command"));
    json_key(&w, "args");
    json_put_value(&w, json_get(v, "args"));
    json_close_object(&w);
    if (buf_ok(&text, "a step", e) < 0 ||
        !(call = json_parse(text.p, text.len, JSON_UNIQUE, e)))
        return -1;
    says = says ? says : "";
    if (aiaction_add_call(m->action, says, call, &tools, e) < 0)
        return -1;
    return aiaction_show_step(m->action, _(says), e); /* the tool is ours */
}

/* All calls that the tool answered, or none: half a way back is none. */
static int
add_tool_calls(struct undo_making *m, const struct json *meta, struct err *e)
{
    size_t before = m->action->n;

    for (const struct json *v = json_first(json_get(meta, "calls")); v;
         v = json_next(v)) {
        if (add_tool_call(m, v, e) < 0) {
            aiaction_cut(m->action, before);
            return -1;
        }
    }
    for (const struct json *v = json_first(json_get(meta, "left")); v;
         v = json_next(v)) {
        const char *name = json_get_str(v, "name");

        note_left(m, name ? name : "", json_get_str(v, "why"));
    }
    return 0;
}

/* The tool does not say how to go back: that is said, and the rest goes on. */
static void
go_on_with_tools(struct undo_making *m, const struct err *why)
{
    if (why)
        note_left(m, m->record.command, why->text);
    undo_query_free(TAKE_PTR(m->query)); /* why may be in it */
    undo_record_done(&m->record);
    ask_next_tool(m);
}

static void
on_reverse_calls(void *arg, const struct json *meta, const struct err *why)
{
    struct undo_making *m = arg;
    struct err e = {0};

    if (!why && add_tool_calls(m, meta, &e) < 0)
        why = &e;
    go_on_with_tools(m, why);
}

/* Asks for the calls that lead back. `now`: how it is, where the end of the
 * step is not known. */
static int
ask_for_calls(struct undo_making *m, const struct undo_query_params *p,
              const struct json *now, struct err *e)
{
    CLEANUP_BUF struct buf args = buf_of(UNDO_CALL_TEXT_MAX);
    struct undo_query_params asked = *p;
    struct json_writer w;

    json_write_init(&w, &args);
    json_open_object(&w);
    json_key(&w, "of");
    json_put_value(&w, m->record.of);
    json_key(&w, "changes");
    if (m->record.changes)
        json_put_value(&w, m->record.changes);
    else
        undo_record_put_changes(&w, m->record.state, now);
    json_close_object(&w);
    if (buf_ok(&args, "the question", e) < 0)
        return -1;
    asked.action = "reverse";
    asked.args = args.p;
    m->query = undo_query_start(&asked, on_reverse_calls, m, e);
    return m->query ? 0 : -1;
}

static int
tool_of_record(struct undo_making *m, struct undo_query_params *p,
               struct err *e)
{
    struct app *a = m->app;

    *p = (struct undo_query_params){
        .loop = a->loop, .seat = a->seat, .config = a->config};
    p->tool = undo_call_tool(a->registry, m->record.tool, e);
    return p->tool ? 0 : -1;
}

/* How it is now, for a step whose end is not known. */
static void
on_state_now(void *arg, const struct json *meta, const struct err *why)
{
    struct undo_making *m = arg;
    const struct json *now = json_get(meta, "state");
    struct undo_query_params p;
    struct err e = {0};
    CLEANUP(undo_query_free_p)
    struct undo_query *held = TAKE_PTR(m->query);

    if (why)
        e = *why;
    else if (!now)
        err_set(&e, ERR_TOOL, "the tool does not tell how it is");
    else if (tool_of_record(m, &p, &e) == 0 &&
             ask_for_calls(m, &p, now, &e) == 0)
        app_note(m->app,
                 "how this ended is not known, so that all that differs from "
                 "before it counts as its work: %.200s",
                 m->record.command);
    if (e.code != ERR_NONE)
        go_on_with_tools(m, &e);
}

static int
ask_about_record(struct undo_making *m, struct err *e)
{
    CLEANUP_BUF struct buf of = buf_of(AIACTION_ARGS_MAX);
    struct undo_query_params p;
    struct json_writer w;

    if (tool_of_record(m, &p, e) < 0)
        return -1;
    if (m->record.changes)
        return ask_for_calls(m, &p, NULL, e);
    json_write_init(&w, &of);
    json_put_value(&w, m->record.of);
    if (buf_ok(&of, "the question", e) < 0)
        return -1;
    m->query = undo_query_state(&p, &(struct undo_call){.of = of.p},
                                on_state_now, m, e);
    return m->query ? 0 : -1;
}

static void
ask_next_tool(struct undo_making *m)
{
    struct err e = {0};

    while (m->next > 0) {
        m->next--;
        if (undo_record_read(m->files->store, m->next, &m->record, &e) == 0 &&
            ask_about_record(m, &e) == 0)
            return;
        note_left(
            m, m->record.command ? m->record.command : N_("a step of the run"),
            e.text);
        undo_record_done(&m->record);
        e = (struct err){0};
    }
    end_making(m, &e);
}

static struct undo_making *
new_undo_making(struct app *a, const struct undo_request *w, struct err *e)
{
    CLEANUP(undo_making_free_p)
    struct undo_making *m = calloc(1, sizeof(*m));
    struct undo_store *store;
    char summary[300], shown[300];
    const char *run;

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    m->app = a;
    m->request = *w;
    buf_init(&m->text, TEXT_MAX);
    if (!(store = undo_store_open(a->seat, w->run, e)) ||
        !(m->files = undo_files_new(store, e)))
        return NULL;
    run = undo_store_run(m->files->store);
    snprintf(summary, sizeof(summary), "Undo the run %.200s", run);
    snprintf(shown, sizeof(shown), _("Undo the run %.200s"), run);
    if (!(m->action = aiaction_new(COMMAND_SEQUENCE, summary, e)) ||
        aiaction_show_summary(m->action, shown, e) < 0)
        return NULL;
    m->next = undo_record_count(m->files->store);
    return TAKE_PTR(m);
}

int
undo_start(struct app *a, const struct undo_request *w)
{
    struct undo_making *m;
    struct err e = {0};

    undo_recover(a);
    if (app_registry(a, &e) < 0 || !(m = new_undo_making(a, w, &e)))
        return app_fail(a, &e);
    ask_next_tool(m);
    return APP_GOES_ON;
}
