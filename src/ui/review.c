/* SPDX-License-Identifier: GPL-3.0-or-later */
/* review.c - asks the user a question about a plan until it has a verdict. */
#include "ui/review.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "offline/explain/explain.h"
#include "term/clipboard.h"
#include "term/escape.h"
#include "term/style.h"
#include "ui/plan_text.h"
#include "ui/review_menu.h"
#include "ui/user_shell.h"

static void
give_verdict(struct review *r, enum plan_choice verdict)
{
    r->answer.verdict = verdict;
    review_menu_end(r);
}

static void
run_all(struct review *r, char key)
{
    (void)key;
    give_verdict(r, PLAN_RUN);
}

static void
run_by_steps(struct review *r, char key)
{
    (void)key;
    give_verdict(r, PLAN_STEPS);
}

static void
skip_step(struct review *r, char key)
{
    (void)key;
    give_verdict(r, PLAN_SKIP);
}

static void
quit_plan(struct review *r, char key)
{
    (void)key;
    give_verdict(r, PLAN_QUIT);
}

/* Before an answer that judges the plan anew: whether what it would run is what
 * was shown. If not, the plan is reviewed again instead. */
static bool
is_as_shown(struct review *r)
{
    if (plan_is_as_shown(r->plan))
        return true;
    r->answer.changed = true;
    review_menu_end(r);
    return false;
}

static void
run_in_preview(struct review *r, char key)
{
    (void)key;
    if (!is_as_shown(r))
        return;
    r->answer.preview = true;
    review_menu_end(r);
}

static void
insert_commands(struct review *r, char key)
{
    (void)key;
    r->answer.insert = true;
    review_menu_end(r);
}

static void
on_words(void *arg, const char *line, const struct err *why)
{
    struct review *r = arg;

    if (why) {
        review_menu_fail(r, why);
        return;
    }
    if (!line[0]) {
        r->put(r);
        return;
    }
    snprintf(r->words, sizeof(r->words), "%s", line);
    r->answer.words = r->words;
    review_menu_end(r);
}

static void
ask_for_words(struct review *r, char key)
{
    (void)key;
    if (!r->takes_words) {
        app_note(r->app, "no model to ask for another plan");
        r->put(r);
        return;
    }
    review_menu_line(r, _("What should change: "), on_words);
}

/* Appends what the manifest of the tool says of its action. */
static void
explain_tool(const struct step_verdict *j, const struct step *s,
             struct buf *out)
{
    const struct manifest_action *a = j->tool
                                          ? manifest_action(j->tool->manifest,
                                                            s->action)
                                          : NULL;

    if (!a)
        return;
    buf_printf(out, "%s %s: ", s->tool, s->action);
    escape_str(out, NULL, a->summary, ESCAPE_PROSE | ESCAPE_LINES);
    buf_str(out, "\n");
}

static void
explain_steps(struct review *r, char key)
{
    bool one = r->kind != PLAN_ASK_ALL && r->kind != PLAN_ASK_SUDO;
    size_t end = one ? r->step + 1 : r->action->n;
    CLEANUP_BUF struct buf b = buf_of(REVIEW_SHOWN);

    (void)key;
    for (size_t i = one ? r->step : 0; i < end; i++) {
        CLEANUP(explain_done) struct explain x = {0};

        explain_tool(plan_step_verdict(r->plan, i), &r->action->steps[i], &b);
        if (explain_for(true, r->app->seat, r->action->steps[i].command, &x,
                        NULL) == 0)
            explain_text(&x,
                         r->app->screen.plain ? EXPLAIN_PLAIN
                                              : r->app->screen.columns,
                         &b);
        buf_ch(&b, '\n');
    }
    (void)term_put(&r->app->screen, &b, NULL);
    r->put(r);
}

static void
show_unfolded(struct review *r, char key)
{
    CLEANUP_BUF struct buf b = buf_of(REVIEW_SHOWN);

    (void)key;
    plan_text_put_unfolded(&b, &r->app->screen, r->action, r->plan, &r->folded);
    (void)term_put(&r->app->screen, &b, NULL);
    r->unfolds = false;
    r->put(r);
}

static void
copy_commands(struct review *r, char key)
{
    CLEANUP_BUF struct buf b = buf_of(REVIEW_SHOWN);
    enum clipboard_result end;
    struct err e = {0};

    (void)key;
    for (size_t i = 0; i < r->action->n; i++)
        buf_printf(&b, "%s\n", r->action->steps[i].command);
    if (buf_ok(&b, "the commands", &e) < 0 ||
        clipboard_copy(&r->app->screen, b.p, b.len, &end, &e) < 0)
        app_note(r->app, "not copied: %s", e.text);
    else
        app_note(r->app, "%s", clipboard_result_text(end));
    r->put(r);
}

static void
refuse_edit(struct review *r, const struct err *why)
{
    app_note(r->app, "not edited: %s", why->text);
    r->put(r);
}

static void
on_edited(void *arg, const char *text, const struct err *why)
{
    struct review *r = arg;
    size_t i = r->answer.step;
    bool named = r->action->steps[i].tool != NULL;
    struct err e = *why;

    review_menu_hide(r);
    if (!text || aiaction_set_command(r->action, i, text, &e) < 0) {
        refuse_edit(r, &e);
        return;
    }
    if (named)
        app_note(r->app, "step %zu now runs the command instead of the tool",
                 i + 1);
    r->answer.edited = true;
    review_menu_end(r);
}

static void
edit_step(struct review *r, size_t i)
{
    struct err e = {0};

    review_menu_hide(r); /* the editor has the terminal */
    r->answer.step = i;
    r->editor = editor_open(r->app, r->action->steps[i].command, on_edited, r,
                            &e);
    if (!r->editor)
        refuse_edit(r, &e);
}

static void
edit_digit(struct review *r, char key)
{
    edit_step(r, (size_t)(key - '1'));
}

static void
edit_one(struct review *r, char key)
{
    (void)key;
    if (r->action->n == 1)
        edit_step(r, 0);
    else
        review_menu_steps(r, _("Edit which step?"),
                          "edit the command of this step", edit_digit);
}

static void
add_rules(struct review *r, char key)
{
    struct err e = {0};

    (void)key;
    if (rule_proposal_keep(r->app->seat, &r->rules, &e) == 0) {
        give_verdict(r, PLAN_RUN);
        return;
    }
    app_note(r->app, "not added: %s", e.text);
    review_menu_back(r, 'q');
}

static const struct review_choice add_rules_choices[] = {
    {{'y', N_("yes"), N_("add them, and run the plan")}, add_rules},
    {{'q', N_("back"), N_("add nothing")}, review_menu_back},
    {{0}, NULL},
};

static void
propose_rules(struct review *r, char key)
{
    CLEANUP_BUF struct buf b = buf_of(REVIEW_SHOWN);
    struct err e = {0};

    (void)key;
    if (rule_proposal_make(r->app->seat, r->plan, r->action->n, &r->rules, &e) <
        0) {
        app_note(r->app, "%s", e.text);
        review_menu_back(r, 'q');
        return;
    }
    if (!is_as_shown(r)) /* nor would the rules be for it */
        return;
    rule_proposal_show(&r->rules, &b, &r->app->screen);
    (void)term_put(&r->app->screen, &b, NULL);
    review_menu_show(r, add_rules_choices, _("Add?"), NULL);
}

#define GRANT_ROW                                                              \
    {                                                                          \
        {'g', N_("grant"),                                                     \
         N_("let a step do more: a directory, the network, all")},             \
            review_grant                                                       \
    }
#define INSERT_ROW                                                             \
    {                                                                          \
        {'i', N_("insert"),                                                    \
         N_("put the commands on your own prompt, to run yourself")},          \
            insert_commands                                                    \
    }
#define WORDS_ROW                                                              \
    {                                                                          \
        {'w', N_("words"),                                                     \
         N_("say what should change, and get another plan")},                  \
            ask_for_words                                                      \
    }
static const struct review_choice all_choices[] = {
    {{'r', N_("run"), N_("run the plan, every step of it")}, run_all},
    {{'s', N_("step"), N_("run it, but ask before each step")}, run_by_steps},
    {{'v', N_("view"), N_("show everything: checks, and all affected files")},
     show_unfolded},
    {{'p', N_("preview"),
      N_("run it in a copy-on-write view, then keep or drop the changes")},
     run_in_preview},
    {{'a', N_("always"),
      N_("run it, and remember rules that allow it from now on")},
     propose_rules},
    GRANT_ROW,
    {{'e', N_("edit"),
      N_("change a command in your editor, then review again")},
     edit_one},
    WORDS_ROW,
    {{'x', N_("explain"), N_("what the commands mean, from the manual pages")},
     explain_steps},
    {{'c', N_("copy"), N_("send the commands to the clipboard")},
     copy_commands},
    INSERT_ROW,
    {{'q', N_("quit"), N_("run nothing")}, quit_plan},
    {{0}, NULL},
};
/* For a plan with a step that can do its work only in the user's own shell. */
static const struct review_choice own_shell_choices[] = {
    INSERT_ROW,
    {{'r', N_("run"), N_("run the plan anyway, every step of it")}, run_all},
    {{'s', N_("step"), N_("run it, but ask before each step")}, run_by_steps},
    {{'v', N_("view"), N_("show everything: checks, and all affected files")},
     show_unfolded},
    GRANT_ROW,
    {{'e', N_("edit"),
      N_("change a command in your editor, then review again")},
     edit_one},
    WORDS_ROW,
    {{'x', N_("explain"), N_("what the commands mean, from the manual pages")},
     explain_steps},
    {{'c', N_("copy"), N_("send the commands to the clipboard")},
     copy_commands},
    {{'q', N_("quit"), N_("run nothing")}, quit_plan},
    {{0}, NULL},
};
/* For a plan that needs sudo, no step of which can be run by us. */
static const struct review_choice sudo_choices[] = {
    INSERT_ROW,
    {{'e', N_("edit"),
      N_("change a command in your editor, then review again")},
     edit_one},
    WORDS_ROW,
    {{'x', N_("explain"), N_("what the commands mean, from the manual pages")},
     explain_steps},
    {{'c', N_("copy"), N_("send the commands to the clipboard")},
     copy_commands},
    {{'q', N_("quit"), N_("run nothing")}, quit_plan},
    {{0}, NULL},
};
static const struct review_choice step_choices[] = {
    {{'r', N_("run"), N_("run this step")}, run_all},
    {{'s', N_("skip"), N_("skip this step")}, skip_step},
    {{'x', N_("explain"), N_("what the command means, from the manual pages")},
     explain_steps},
    {{'q', N_("quit"), N_("stop here")}, quit_plan},
    {{0}, NULL},
};
static const struct review_choice failed_choices[] = {
    {{'r', N_("retry"), N_("run this step again")}, run_all},
    {{'s', N_("skip"), N_("continue with the next step")}, skip_step},
    {{'q', N_("quit"), N_("stop here")}, quit_plan},
    {{0}, NULL},
};
/* The keys that menu_open_word makes of the word that was typed. */
static const struct review_choice word_choices[] = {
    {{'y', N_("yes"), N_("run this step")}, run_all},
    {{'n', N_("no"), N_("stop here")}, quit_plan},
    {{0}, NULL},
};

static bool
can_preview(const struct review *r)
{
    for (size_t i = 0; i < r->action->n; i++) {
        if (!step_verdict_fits_view(&r->action->steps[i],
                                    plan_step_verdict(r->plan, i)))
            return false;
    }
    return true;
}

/* The key that is marked as likely; 0: none, where a step could do harm and
 * cannot run in a view. */
static char
likely_key(const struct review *r)
{
    if (r->own_shell)
        return 'i';
    for (size_t i = 0; i < r->action->n; i++) {
        const struct step_verdict *j = plan_step_verdict(r->plan, i);

        if (j->destructive || j->privileged || j->hidden || j->alone)
            return can_preview(r) ? 'p' : '\0';
    }
    return 'r';
}

/* Whether rules can be proposed; the key itself says why not. */
static bool
can_propose_rules(const struct review *r)
{
    struct rule_proposal rules = {0};
    bool yes = rule_proposal_make(r->app->seat, r->plan, r->action->n, &rules,
                                  NULL) == 0;

    rule_proposal_done(&rules);
    return yes;
}

static bool
can_choose(const struct review *r, char key)
{
    /* on other hosts there is no view, no grant, no rule, no prompt */
    if (strchr("pagi", key) && plan_step_verdict(r->plan, 0)->hosts)
        return false;
    switch (key) {
    case 's':
        return r->action->n > 1;
    case 'v':
        return r->unfolds;
    case 'p':
        return can_preview(r);
    case 'a':
        return can_propose_rules(r);
    case 'g':
        return review_can_grant(r);
    case 'w':
        return r->takes_words;
    case 'c':
        return r->app->screen.moves;
    default:
        return true;
    }
}

/* Sets which keys are hidden and which is likely, of the question about a whole
 * plan. */
static void
mark_rows(struct review *r)
{
    size_t n = 0;

    r->spec.likely = likely_key(r);
    for (const struct menu_row *row = r->rows; row->key; row++) {
        if (!can_choose(r, row->key))
            r->hidden[n++] = row->key;
    }
    r->hidden[n] = '\0';
    r->spec.hidden = r->hidden;
}

const struct review_choice *
review_choices(enum plan_question kind, bool own_shell)
{
    static const struct review_choice *const of[] = {
        [PLAN_ASK_ALL] = all_choices,       [PLAN_ASK_STEP] = step_choices,
        [PLAN_ASK_WORD] = word_choices,     [PLAN_ASK_ELEVATE] = word_choices,
        [PLAN_ASK_FAILED] = failed_choices, [PLAN_ASK_SUDO] = sudo_choices,
    };

    return kind == PLAN_ASK_ALL && own_shell ? own_shell_choices : of[kind];
}

/* Asks for the word yes; what it is asked for is on the screen. */
static void
ask_for_yes(struct review *r)
{
    if (r->kind == PLAN_ASK_ELEVATE)
        snprintf(r->text, sizeof(r->text), _("Type yes to run this as root: "));
    else
        snprintf(r->text, sizeof(r->text), _("Type yes to run step %zu: "),
                 r->step + 1);
    review_menu_yes(r, review_choices(r->kind, r->own_shell));
}

/* The words before the keys: which step is asked about, where no line above
 * says so; else NULL. */
static const char *
question_prefix(struct review *r)
{
    if (r->kind != PLAN_ASK_STEP || !r->shown)
        return NULL;
    snprintf(r->text, sizeof(r->text), _("Step %zu:"), r->step + 1);
    return r->text;
}

/* Shows the question itself, at first or again. */
static void
put_question(struct review *r)
{
    const struct review_choice *choices = review_choices(r->kind, r->own_shell);
    bool all = r->kind == PLAN_ASK_ALL || r->kind == PLAN_ASK_SUDO;

    r->answer.repeated = r->asked;
    r->asked = true;
    if (r->kind == PLAN_ASK_WORD || r->kind == PLAN_ASK_ELEVATE)
        ask_for_yes(r);
    else if (!review_grant_offer(r))
        review_menu_show(r, choices, question_prefix(r),
                         all ? mark_rows : NULL);
}

/* Shows what the question is about, above it. */
static void
put_subject(struct review *r)
{
    CLEANUP_BUF struct buf b = buf_of(REVIEW_SHOWN);
    char why[256];

    if ((r->kind == PLAN_ASK_ALL || r->kind == PLAN_ASK_SUDO) &&
        user_shell_is_needed(r->action, r->plan, why)) {
        r->own_shell = true;
        app_note(r->app, "%s: i puts it on your prompt", why);
    }
    if (!r->shown && (r->kind == PLAN_ASK_STEP || r->kind == PLAN_ASK_WORD))
        plan_text_put_step(&b, &r->app->screen, r->action, r->plan, r->step);
    if (r->kind == PLAN_ASK_ELEVATE)
        plan_text_put_root(&b, &r->app->screen, plan_elevation(r->plan));
    if (r->kind == PLAN_ASK_FAILED)
        buf_printf(&b, "%s%s%s\n", style_on(&r->app->screen, STYLE_ERROR),
                   plan_failure(r->plan),
                   style_off(&r->app->screen, STYLE_ERROR));
    (void)term_put(&r->app->screen, &b, NULL);
}

int
review_open(struct app *a, struct aiaction *action, const struct plan *plan,
            unsigned token, const struct review_subject *about, review_cb *cb,
            void *arg, struct review **out, struct err *e)
{
    struct review *r = calloc(1, sizeof(*r));

    if (!r)
        return err_nomem(e);
    *r = (struct review){
        .app = a,
        .action = action,
        .plan = plan,
        .kind = about->kind,
        .step = about->step,
        .shown = about->shown,
        .takes_words = about->takes_words,
        .put = put_question,
        .cb = cb,
        .arg = arg,
        .answer = {.token = token, .verdict = PLAN_QUIT},
    };
    if (about->folded) {
        r->folded = *about->folded;
        r->unfolds = plan_text_can_unfold(action, plan, about->folded);
    }
    *out = r;
    put_subject(r);
    put_question(r);
    return 0;
}

bool
review_is_open(const struct review *r)
{
    return !r->done;
}

void
review_close(struct review *r)
{
    if (!r)
        return;
    review_menu_hide(r);
    rule_proposal_done(&r->rules);
    free(r);
}
