/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix_request.c - has a rule or a model repair a failure that is known. */
#include "ui/fix_request.h"

#include <stdlib.h>
#include <string.h>

#include "action/run_audit.h"
#include "base/message.h"
#include "guard/guard.h"
#include "offline/repair/repair.h"
#include "ui/fix_candidates.h"

#define REQUEST_MAX (4 * REPAIR_TEXT_MAX)
#define ASKS        "Repair my last command, which failed. "
#define OUTSIDE     "what the failed command showed"

/* Where it came from */

static const char *
source_in_words(const char *source)
{
    static const struct {
        const char *source, *words;
    } rows[] = {
        {FIX_SOURCE_GIVEN, N_("the options")},
        {FIX_SOURCE_TRANSCRIPT, N_("the transcript of this shell")},
        {FIX_SOURCE_TMUX, N_("tmux, between the last two prompts")},
        {FIX_SOURCE_RERUN,
         N_("a second run in a view, of which nothing was kept")},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].source, source) == 0)
            return _(rows[i].words);
    }
    return _("nowhere");
}

void
fix_request_note(struct app *a, const struct fix_failure *f)
{
    if (!f->text)
        app_note(a,
                 "what it showed was not captured (%s): only the command and "
                 "its status %d are known",
                 a->source_reason, f->status);
    else if (!f->text[0])
        app_note(a, "it printed nothing (%s); status %d",
                 source_in_words(f->source), f->status);
    else
        app_note(a, "what it showed is from %s; status %d",
                 source_in_words(f->source), f->status);
}

/* Nothing is to be repaired */

static void
record_none(struct app *a, const char *command, const char *why)
{
    const struct run_audit_journal to = app_audit_journal(a);
    const struct run_audit_request about = {
        .verb = "fix", .text = command, .directory = seat_dir(a->seat)};
    struct run_audit audit;

    run_audit_begin(&audit, &about, &to);
    run_audit_answer(&audit, why, NULL, NULL);
    (void)run_audit_done(&audit, 0);
    app_record_sync(a, true);
}

int
fix_request_none(struct app *a, const char *command, const char *why,
                 const char *shown)
{
    CLEANUP_BUF struct buf out = buf_of(REQUEST_MAX);
    struct json_writer w;

    record_none(a, command, why);
    if (a->output == OUTPUT_TEXT) {
        buf_printf(&out, "%s\n", shown);
    } else {
        json_write_init(&w, &out);
        json_open_object(&w);
        json_member_str(&w, "source", a->source ? a->source : "none");
        if (a->source_reason[0])
            json_member_str(&w, "source_reason", a->source_reason);
        json_member_str(&w, "answer", why);
        json_member_int(&w, "exit_status", 0);
        json_close_object(&w);
        buf_ch(&out, '\n');
    }
    app_put_result(a, &out);
    return 0;
}

/* A rule's repair */

/* The steps run where the command did. */
static int
set_directory(struct aiaction *plan, const char *directory, struct err *e)
{
    struct step *s = &plan->steps[plan->n - 1];

    if (directory && !(s->directory = strdup(directory)))
        return err_nomem(e);
    return 0;
}

static struct aiaction *
plan_of(const struct repair *r, const char *directory, struct err *e)
{
    static const char first[] = N_("What it needs first");
    CLEANUP(aiaction_free_p)
    struct aiaction *plan = aiaction_new(PLAN_AND_COMMANDS, r->title, e);

    if (plan && aiaction_show_summary(plan, r->shown, e) < 0)
        return NULL;
    for (size_t i = 0; plan && i < r->n; i++) {
        bool last = i + 1 == r->n;
        const char *what = last ? r->title : first;
        const char *shown = last ? r->shown : _(first);

        if (aiaction_add_step(plan, what, r->steps[i].p, false, e) < 0 ||
            aiaction_show_step(plan, shown, e) < 0 ||
            set_directory(plan, directory, e) < 0)
            return NULL;
    }
    return plan ? TAKE_PTR(plan) : NULL;
}

/* What a model is told */

/* What the failure is, as data: the text was written by others. */
static void
put_fix_failure(struct buf *out, const struct app *a, const struct seat *s,
                const struct fix_failure *f, const struct repair *rule)
{
    const struct path_context where = path_context_of(s);
    bool secret = guard_names_secret(f->command, &where);

    buf_printf(out, "command: %s\nexit status: %d\n", f->command, f->status);
    if (f->directory[0])
        buf_printf(out, "directory: %s\n", f->directory);
    if (!f->text)
        buf_printf(out, "what it showed was not captured: %s\n",
                   a->source_reason);
    else if (!f->text[0])
        buf_str(out, "it printed nothing\n");
    else
        buf_printf(out, "what it showed:\n%s\n",
                   secret ? "[redacted:secret-file]" : f->text);
    fix_candidates_put(out, s, f->command);
    for (size_t i = 0; i < rule->n; i++)
        buf_printf(out, "%s: %s\n",
                   i == 0 ? "a rule without a model would run"
                          : "and after that",
                   rule->steps[i].p);
}

static bool
wants_model(const struct assist_request *r)
{
    return !r->model.offline && (r->text[0] || r->show_request ||
                                 r->model.provider || r->model.model);
}

/* The rule is known, and the steps that it makes. */
static int
start_known(struct app *a, struct assist_request *r, const struct seat *s,
            const struct fix_failure *f, const struct repair *rule)
{
    CLEANUP_BUF struct buf text = buf_of(REQUEST_MAX);
    CLEANUP_BUF struct buf shown = buf_of(REQUEST_MAX);
    struct err e = {0};

    buf_printf(&text, "%s%s", ASKS, r->text);
    put_fix_failure(&shown, a, s, f, rule);
    if (buf_ok(&text, "the hint", &e) < 0 || buf_ok(&shown, "the text", &e) < 0)
        return app_fail(a, &e);
    r->asks_model = wants_model(r);
    r->hint = strlen(ASKS);
    r->text = text.p;
    r->shown = shown.p;
    r->failed = f->command;
    r->outside = f->text && f->text[0] ? OUTSIDE : NULL;
    if (rule->n > 0 &&
        !(r->repair = plan_of(rule, s == a->seat ? NULL : seat_dir(s), &e)))
        return app_fail(a, &e);
    return assist_start(a, r);
}

/* The seat of the command's directory, where that is another one. NULL: it is
 * the app's, or it is gone. */
static struct seat *
seat_of_failure(const struct app *a, const struct fix_failure *f)
{
    const char *here = seat_dir(a->seat);

    if (!f->directory[0] || (here && strcmp(here, f->directory) == 0))
        return NULL;
    return seat_move(a->seat, f->directory, NULL, NULL);
}

int
fix_request_start(struct app *a, struct assist_request *r,
                  const struct fix_failure *f)
{
    const struct repair_failure about = {
        f->command, f->status, f->text ? f->text : REPAIR_NOT_CAPTURED};
    CLEANUP(seat_free_p) struct seat *moved = seat_of_failure(a, f);
    const struct seat *s = moved ? moved : a->seat;
    CLEANUP(repair_done) struct repair rule = {0};
    struct err e = {0};

    if (repair_find(s, &about, &rule, &e) < 0)
        return app_fail(a, &e);
    if (rule.none && !wants_model(r))
        return fix_request_none(a, f->command, rule.title, rule.shown);
    return start_known(a, r, s, f, &rule);
}
