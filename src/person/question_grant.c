/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question_grant.c - a step is given more than the profile chosen for it: in
 * the review by a key, and after a wall has stopped it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "person/question_in.h"
#include "term/escape.h"

static const enum denial_remedy_kind kinds[] = {
    DENIAL_REMEDY_WRITE, DENIAL_REMEDY_READ, DENIAL_REMEDY_NET,
    DENIAL_REMEDY_FULL};

#define N_OF(a) (sizeof(a) / sizeof((a)[0]))

/* Gives it, as the person saw it. */
static void
give(struct question *q, const struct denial_remedy *gain)
{
    q->answer.step = q->granted_step;
    q->answer.gain = *gain;
    question_end(q);
}

static void
give_kind(struct question *q, enum denial_remedy_kind kind)
{
    give(q, &(struct denial_remedy){.kind = kind});
}

/* The directory that was typed, as the walls will open it. */
static int
find_typed(const char *line, struct denial_remedy *gain, struct err *e)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);
    CLEANUP(free_p) char *path = path_expand_home(line);
    struct risk_context where = risk_context_here(cwd);
    char real[PATH_MAX], shown[PATH_MAX];
    struct stat st;

    if (!cwd || !path)
        return err_nomem(e);
    if (!realpath(path, real) || stat(real, &st) < 0)
        return err_sys(e, "%s", line);
    path_short(real, where.home, shown);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "%s: not a directory", shown);
    if (access(real, W_OK) < 0)
        return err_sys(e, "%s", shown);
    if (!denial_remedy_write(gain, real, &where))
        return err_set(e, ERR_INVALID,
                       "%s contains programs, settings or the system: name a "
                       "directory below it, or choose full",
                       shown);
    return 0;
}

static void
on_directory(void *arg, const char *line, const struct err *why)
{
    struct question *q = arg;
    struct denial_remedy gain = {0};
    struct err e = {0};

    if (why) {
        q->answer.why = *why;
        question_end(q);
        return;
    }
    if (line[0] && find_typed(line, &gain, &e) == 0) {
        give(q, &gain);
        return;
    }
    if (line[0])
        app_note(q->app, "not granted: %s", e.text);
    question_put(q);
}

static void
grant_directory(struct question *q, char key)
{
    struct err e = {0};

    (void)key;
    question_hide(q);
    q->menu = menu_open_line(q->app->loop, &q->app->screen,
                             "Directory that it may write in: ", on_directory,
                             q, &e);
    if (!q->menu) {
        q->answer.why = e;
        question_end(q);
    }
}

static void
grant_sight(struct question *q, char key)
{
    (void)key;
    give_kind(q, DENIAL_REMEDY_READ);
}

static void
grant_network(struct question *q, char key)
{
    (void)key;
    give_kind(q, DENIAL_REMEDY_NET);
}

static void
grant_full(struct question *q, char key)
{
    (void)key;
    give_kind(q, DENIAL_REMEDY_FULL);
}

static void
take_back(struct question *q, char key)
{
    (void)key;
    q->answer.ungranted = true;
    q->answer.step = q->granted_step;
    question_end(q);
}

/* In the order of `kinds`. */
static const struct choice grants[] = {
    {{'d', "directory", "it may write in one more directory"}, grant_directory},
    {{'s', "see",
      "it may read your home directory, but not where keys and tokens are "
      "kept"},
     grant_sight},
    {{'n', "network", "allow network access"}, grant_network},
    {{'f', "full", "it runs outside the sandbox and may do all that you may"},
     grant_full},
    {{'t', "take back", "it gets no more than its profile again"}, take_back},
    {{'q', "back", "grant nothing"}, question_back},
};

static void
offer(struct question *q, size_t step)
{
    const struct judgement *j = plan_judgement(q->plan, step);
    size_t n = 0;

    q->granted_step = step;
    for (size_t i = 0; i < N_OF(kinds); i++)
        if (grant_fits(j, kinds[i]))
            q->digits[n++] = grants[i];
    if (plan_is_granted(q->plan, step))
        q->digits[n++] = grants[N_OF(kinds)];
    q->digits[n++] = grants[N_OF(kinds) + 1];
    q->digits[n] = (struct choice){{0}, NULL};
    snprintf(q->text, sizeof(q->text), "Grant step %zu what?", step + 1);
    question_offer(q, q->digits, q->text);
}

static bool
takes_more(const struct question *q, size_t step)
{
    return plan_is_granted(q->plan, step) ||
           grant_fits(plan_judgement(q->plan, step), DENIAL_REMEDY_FULL);
}

static void
offer_digit(struct question *q, char key)
{
    size_t step = (size_t)(key - '1');

    if (takes_more(q, step)) {
        offer(q, step);
        return;
    }
    app_note(q->app, "step %zu cannot be granted more", step + 1);
    question_put(q);
}

void
question_grant(struct question *q, char key)
{
    (void)key;
    if (!question_can_grant(q)) {
        app_note(q->app, "no step can be granted more");
        question_put(q);
    } else if (q->action->n == 1) {
        offer(q, 0);
    } else {
        question_offer_steps(q, "Grant which step more?",
                             "let this step do more", offer_digit);
    }
}

bool
question_can_grant(const struct question *q)
{
    for (size_t i = 0; i < q->action->n && i < QUESTION_DIGITS; i++)
        if (takes_more(q, i))
            return true;
    return false;
}

static void
run_with_more(struct question *q, char key)
{
    (void)key;
    q->granted_step = q->step;
    q->answer.verdict = PLAN_MORE;
    give(q, plan_gain(q->plan));
}

/* A plan of one step has nothing else to offer. */
static void
decline_more(struct question *q, char key)
{
    (void)key;
    q->declined = true;
    if (q->action->n > 1) {
        question_put(q);
        return;
    }
    q->answer.verdict = PLAN_QUIT;
    question_end(q);
}

static const struct choice more_choices[] = {
    {{'y', "yes", "run this step again, with that"}, run_with_more},
    {{'n', "no", "leave it as it is"}, decline_more},
    {{0}, NULL},
};

/* What the step would be able to do. */
static void
put_gain(struct buf *out, const struct denial_remedy *gain)
{
    char text[PATH_MAX];

    switch (gain->kind) {
    case DENIAL_REMEDY_APPROVAL:
        buf_str(out, ", able to write in this directory");
        break;
    case DENIAL_REMEDY_WRITE:
        buf_str(out, ", able to write in ");
        escape_str(out, NULL, path_short(gain->path, path_home(), text),
                   ESCAPE_LINES);
        break;
    case DENIAL_REMEDY_READ:
        buf_str(out,
                ", able to read your home directory, but not where keys and "
                "tokens are kept");
        break;
    case DENIAL_REMEDY_NET:
        buf_str(out, " with the network on");
        break;
    default:
        break;
    }
}

bool
question_offer_more(struct question *q)
{
    const struct denial_remedy *gain = plan_gain(q->plan);
    CLEANUP_BUF struct buf b = buf_of(sizeof(q->more) - 1);

    if (q->kind != PLAN_ASK_FAILED || q->declined ||
        gain->kind == DENIAL_REMEDY_NONE)
        return false;
    buf_str(&b, "Run this step again");
    put_gain(&b, gain);
    buf_str(&b, "?");
    if (b.bad)
        return false;
    snprintf(q->more, sizeof(q->more), "%s", b.p);
    question_offer(q, more_choices, q->more);
    return true;
}
