/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question_keys.c - what each question of a review offers, and does. */
#include "person/question_in.h"

#include <stdio.h>

#include "offline/explain/explain.h"
#include "person/edit.h"
#include "person/show_plan.h"
#include "term/clipboard.h"
#include "term/escape.h"

static void
give_verdict(struct question *q, enum plan_verdict verdict)
{
    q->answer.verdict = verdict;
    question_end(q);
}

static void
run(struct question *q, char key)
{
    (void)key;
    give_verdict(q, PLAN_RUN);
}

static void
run_by_steps(struct question *q, char key)
{
    (void)key;
    give_verdict(q, PLAN_STEPS);
}

static void
skip(struct question *q, char key)
{
    (void)key;
    give_verdict(q, PLAN_SKIP);
}

static void
quit(struct question *q, char key)
{
    (void)key;
    give_verdict(q, PLAN_QUIT);
}

static void
preview(struct question *q, char key)
{
    (void)key;
    q->answer.preview = true;
    question_end(q);
}

static void
insert(struct question *q, char key)
{
    (void)key;
    q->answer.insert = true;
    question_end(q);
}

static void
on_words(void *arg, const char *line, const struct err *why)
{
    struct question *q = arg;

    if (why) {
        q->answer.why = *why;
        question_end(q);
        return;
    }
    if (!line[0]) {
        question_put(q);
        return;
    }
    snprintf(q->words, sizeof(q->words), "%s", line);
    q->answer.words = q->words;
    question_end(q);
}

static void
take_words(struct question *q, char key)
{
    struct err e = {0};

    (void)key;
    if (!q->takes_words) {
        app_note(q->app, "no model to ask for another plan");
        question_put(q);
        return;
    }
    question_hide(q);
    q->menu = menu_open_line(q->app->loop, &q->app->screen,
                             "What should change: ", on_words, q, &e);
    if (!q->menu) {
        q->answer.why = e;
        question_end(q);
    }
}

/* What the tool that runs says of its action, in its manifest. */
static void
explain_tool(const struct judgement *j, const struct step *s, struct buf *out)
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
explain(struct question *q, char key)
{
    bool one = q->kind != PLAN_ASK_ALL && q->kind != PLAN_ASK_SUDO;
    size_t end = one ? q->step + 1 : q->action->n;
    CLEANUP_BUF struct buf b = buf_of(QUESTION_SHOWN);

    (void)key;
    for (size_t i = one ? q->step : 0; i < end; i++) {
        CLEANUP(explain_done) struct explain x = {0};

        explain_tool(plan_judgement(q->plan, i), &q->action->steps[i], &b);
        if (explain_line(q->action->steps[i].command, &x, NULL) == 0)
            explain_text(&x, q->app->screen.columns, &b);
        buf_ch(&b, '\n');
    }
    (void)term_put(&q->app->screen, &b, NULL);
    question_put(q);
}

static void
unfold(struct question *q, char key)
{
    CLEANUP_BUF struct buf b = buf_of(QUESTION_SHOWN);

    (void)key;
    show_unfolded(&b, &q->app->screen, q->action, q->plan, &q->folded);
    (void)term_put(&q->app->screen, &b, NULL);
    q->unfolds = false;
    question_put(q);
}

static void
copy(struct question *q, char key)
{
    CLEANUP_BUF struct buf b = buf_of(QUESTION_SHOWN);
    enum clipboard_result end;
    struct err e = {0};

    (void)key;
    for (size_t i = 0; i < q->action->n; i++)
        buf_printf(&b, "%s\n", q->action->steps[i].command);
    if (buf_ok(&b, "the commands", &e) < 0 ||
        clipboard_copy(&q->app->screen, b.p, b.len, &end, &e) < 0)
        app_note(q->app, "not copied: %s", e.text);
    else
        app_note(q->app, "%s", clipboard_result_text(end));
    question_put(q);
}

static void
edit_step(struct question *q, size_t i)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_COMMAND_MAX);
    bool named = q->action->steps[i].tool != NULL;
    struct err e = {0};

    question_hide(q); /* the editor has the terminal */
    if (edit_text(q->app, q->action->steps[i].command, &text, &e) < 0 ||
        aiaction_set_command(q->action, i, text.p, &e) < 0) {
        app_note(q->app, "not edited: %s", e.text);
        question_put(q);
        return;
    }
    if (named)
        app_note(q->app, "step %zu now runs the command instead of the tool",
                 i + 1);
    q->answer.edited = true;
    q->answer.step = i;
    question_end(q);
}

static void
edit_digit(struct question *q, char key)
{
    edit_step(q, (size_t)(key - '1'));
}

static void
edit(struct question *q, char key)
{
    (void)key;
    if (q->action->n == 1)
        edit_step(q, 0);
    else
        question_offer_steps(q, "Edit which step?",
                             "edit the command of this step", edit_digit);
}

static void
add_rules(struct question *q, char key)
{
    struct err e = {0};

    (void)key;
    if (remember_keep(&q->remember, &e) == 0) {
        give_verdict(q, PLAN_RUN);
        return;
    }
    app_note(q->app, "not added: %s", e.text);
    question_back(q, 'q');
}

static const struct choice add_choices[] = {
    {{'y', "yes", "add them, and run the plan"}, add_rules},
    {{'q', "back", "add nothing"}, question_back},
    {{0}, NULL},
};

static void
propose_rules(struct question *q, char key)
{
    CLEANUP_BUF struct buf b = buf_of(QUESTION_SHOWN);
    struct err e = {0};

    (void)key;
    if (remember_propose(q->plan, q->action->n, &q->remember, &e) < 0) {
        app_note(q->app, "%s", e.text);
        question_back(q, 'q');
        return;
    }
    remember_show(&q->remember, &b, &q->app->screen);
    (void)term_put(&q->app->screen, &b, NULL);
    question_offer(q, add_choices, "Add?");
}

#define GRANT_ROW                                                              \
    {                                                                          \
        {'g', "grant", "let a step do more: a directory, the network, all"},   \
            question_grant                                                     \
    }
#define INSERT_ROW                                                             \
    {                                                                          \
        {'i', "insert",                                                        \
         "put the commands on your own prompt, to run yourself"},              \
            insert                                                             \
    }
#define WORDS_ROW                                                              \
    {                                                                          \
        {'w', "words", "say what should change, and get another plan"},        \
            take_words                                                         \
    }
static const struct choice all_choices[] = {
    {{'r', "run", "run the plan, every step of it"}, run},
    {{'s', "step", "run it, but ask before each step"}, run_by_steps},
    {{'v', "view", "show everything: checks, and all affected files"}, unfold},
    {{'p', "preview",
      "run it in a copy-on-write view, then keep or drop the changes"},
     preview},
    {{'a', "always", "run it, and remember rules that allow it from now on"},
     propose_rules},
    GRANT_ROW,
    {{'e', "edit", "change a command in your editor, then review again"}, edit},
    WORDS_ROW,
    {{'x', "explain", "what the commands mean, from the manual pages"},
     explain},
    {{'c', "copy", "send the commands to the clipboard"}, copy},
    INSERT_ROW,
    {{'q', "quit", "run nothing"}, quit},
    {{0}, NULL},
};
/* A step could not do its work. */
static const struct choice hand_choices[] = {
    INSERT_ROW,
    {{'r', "run", "run the plan anyway, every step of it"}, run},
    {{'s', "step", "run it, but ask before each step"}, run_by_steps},
    {{'v', "view", "show everything: checks, and all affected files"}, unfold},
    GRANT_ROW,
    {{'e', "edit", "change a command in your editor, then review again"}, edit},
    WORDS_ROW,
    {{'x', "explain", "what the commands mean, from the manual pages"},
     explain},
    {{'c', "copy", "send the commands to the clipboard"}, copy},
    {{'q', "quit", "run nothing"}, quit},
    {{0}, NULL},
};
/* Nothing of it can be run by us. */
static const struct choice sudo_choices[] = {
    INSERT_ROW,
    {{'e', "edit", "change a command in your editor, then review again"}, edit},
    WORDS_ROW,
    {{'x', "explain", "what the commands mean, from the manual pages"},
     explain},
    {{'c', "copy", "send the commands to the clipboard"}, copy},
    {{'q', "quit", "run nothing"}, quit},
    {{0}, NULL},
};
static const struct choice step_choices[] = {
    {{'r', "run", "run this step"}, run},
    {{'s', "skip", "skip this step"}, skip},
    {{'x', "explain", "what the command means, from the manual pages"},
     explain},
    {{'q', "quit", "stop here"}, quit},
    {{0}, NULL},
};
static const struct choice failed_choices[] = {
    {{'r', "retry", "run this step again"}, run},
    {{'s', "skip", "continue with the next step"}, skip},
    {{'q', "quit", "stop here"}, quit},
    {{0}, NULL},
};
/* What menu_open_word makes of the word that was typed. */
static const struct choice word_choices[] = {
    {{'y', "yes", "run this step"}, run},
    {{'n', "no", "stop here"}, quit},
    {{0}, NULL},
};

static bool
can_preview(const struct question *q)
{
    for (size_t i = 0; i < q->action->n; i++) {
        if (!judge_fits_view(&q->action->steps[i], plan_judgement(q->plan, i)))
            return false;
    }
    return true;
}

/* Nobody is led to run what harms, or what has no walls. */
static char
likely_key(const struct question *q)
{
    if (q->by_hand)
        return 'i';
    for (size_t i = 0; i < q->action->n; i++) {
        const struct judgement *j = plan_judgement(q->plan, i);

        if (j->destructive || j->privileged || j->hidden || j->alone)
            return can_preview(q) ? 'p' : '\0';
    }
    return 'r';
}

/* Whether rules could be proposed; why not is what the key says. */
static bool
can_remember(const struct question *q)
{
    struct remember r = {0};
    bool yes = remember_propose(q->plan, q->action->n, &r, NULL) == 0;

    remember_done(&r);
    return yes;
}

static bool
can_choose(const struct question *q, char key)
{
    switch (key) {
    case 's':
        return q->action->n > 1;
    case 'v':
        return q->unfolds;
    case 'p':
        return can_preview(q);
    case 'a':
        return can_remember(q);
    case 'g':
        return question_can_grant(q);
    case 'w':
        return q->takes_words;
    case 'c':
        return q->app->screen.moves;
    default:
        return true;
    }
}

void
question_mark(struct question *q)
{
    size_t n = 0;

    q->spec.likely = likely_key(q);
    for (const struct menu_row *r = q->rows; r->key; r++) {
        if (!can_choose(q, r->key))
            q->hidden[n++] = r->key;
    }
    q->hidden[n] = '\0';
    q->spec.hidden = q->hidden;
}

const struct choice *
question_choices(enum plan_question kind, bool by_hand)
{
    static const struct choice *const of[] = {
        [PLAN_ASK_ALL] = all_choices,       [PLAN_ASK_STEP] = step_choices,
        [PLAN_ASK_WORD] = word_choices,     [PLAN_ASK_NEED] = word_choices,
        [PLAN_ASK_FAILED] = failed_choices, [PLAN_ASK_SUDO] = sudo_choices,
    };

    return kind == PLAN_ASK_ALL && by_hand ? hand_choices : of[kind];
}
