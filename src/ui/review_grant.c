/* SPDX-License-Identifier: GPL-3.0-or-later */
/* review_grant.c - grants a step more than its profile: by a key of the review,
 * and after the sandbox has stopped it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/path.h"
#include "term/escape.h"
#include "ui/review_menu.h"

static const enum denial_remedy_kind kinds[] = {
    DENIAL_REMEDY_WRITE, DENIAL_REMEDY_READ, DENIAL_REMEDY_NET,
    DENIAL_REMEDY_FULL};

/* Answers the review with a grant, as the user saw it. */
static void
give_grant(struct review *r, const struct denial_remedy *remedy)
{
    r->answer.step = r->granted_step;
    r->answer.remedy = *remedy;
    review_menu_end(r);
}

static void
give_grant_kind(struct review *r, enum denial_remedy_kind kind)
{
    give_grant(r, &(struct denial_remedy){.kind = kind});
}

/* Resolves the directory that was typed; *gain becomes what the sandbox will
 * allow. */
static int
find_typed(const struct seat *s, const char *line, struct denial_remedy *remedy,
           struct err *e)
{
    CLEANUP(free_p) char *path = seat_expand_home(s, line);
    CLEANUP(free_p) char *full = path ? seat_resolve(s, path) : NULL;
    struct path_context where = path_context_of(s);
    char real[PATH_MAX], shown[PATH_MAX];
    struct stat st;

    if (!full)
        return err_nomem(e);
    if (!realpath(full, real) || stat(real, &st) < 0)
        return err_sys(e, "%s", line);
    path_short(real, where.home, shown);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "%s: not a directory", shown);
    if (access(real, W_OK) < 0)
        return err_sys(e, "%s", shown);
    if (!denial_remedy_write(remedy, real, &where))
        return err_set(e, ERR_INVALID,
                       "%s contains programs, settings or the system: name a "
                       "directory below it, or choose full",
                       shown);
    return 0;
}

static void
on_directory(void *arg, const char *line, const struct err *why)
{
    struct review *r = arg;
    struct denial_remedy remedy = {0};
    struct err e = {0};

    if (why) {
        review_menu_fail(r, why);
        return;
    }
    if (line[0] && find_typed(r->app->seat, line, &remedy, &e) == 0) {
        give_grant(r, &remedy);
        return;
    }
    if (line[0])
        app_note(r->app, "not granted: %s", e.text);
    r->put(r);
}

static void
grant_directory(struct review *r, char key)
{
    (void)key;
    review_menu_line(r, _("Directory that it may write in: "), on_directory);
}

static void
grant_sight(struct review *r, char key)
{
    (void)key;
    give_grant_kind(r, DENIAL_REMEDY_READ);
}

static void
grant_network(struct review *r, char key)
{
    (void)key;
    give_grant_kind(r, DENIAL_REMEDY_NET);
}

static void
grant_full(struct review *r, char key)
{
    (void)key;
    give_grant_kind(r, DENIAL_REMEDY_FULL);
}

static void
take_back_grants(struct review *r, char key)
{
    (void)key;
    r->answer.ungranted = true;
    r->answer.step = r->granted_step;
    review_menu_end(r);
}

/* In the order of `kinds`. */
static const struct review_choice grants[] = {
    {{'d', N_("directory"), N_("it may write in one more directory")},
     grant_directory},
    {{'s', N_("see"),
      N_("it may read your home directory, but not where keys and tokens are "
         "kept")},
     grant_sight},
    {{'n', N_("network"), N_("allow network access")}, grant_network},
    {{'f', N_("full"),
      N_("it runs outside the sandbox and may do all that you may")},
     grant_full},
    {{'t', N_("take back"), N_("it gets no more than its profile again")},
     take_back_grants},
    {{'q', N_("back"), N_("grant nothing")}, review_menu_back},
};

static void
offer_grants(struct review *r, size_t step)
{
    const struct step_verdict *j = plan_step_verdict(r->plan, step);
    size_t n = 0;

    r->granted_step = step;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (grant_fits(j, kinds[i]))
            r->digits[n++] = grants[i];
    if (plan_is_granted(r->plan, step))
        r->digits[n++] = grants[ARRAY_SIZE(kinds)];
    r->digits[n++] = grants[ARRAY_SIZE(kinds) + 1];
    r->digits[n] = (struct review_choice){{0}, NULL};
    snprintf(r->text, sizeof(r->text), _("Grant step %zu what?"), step + 1);
    review_menu_show(r, r->digits, r->text, NULL);
}

static bool
can_grant_step(const struct review *r, size_t step)
{
    return plan_is_granted(r->plan, step) ||
           grant_fits(plan_step_verdict(r->plan, step), DENIAL_REMEDY_FULL);
}

static void
on_step_digit(struct review *r, char key)
{
    size_t step = (size_t)(key - '1');

    if (can_grant_step(r, step)) {
        offer_grants(r, step);
        return;
    }
    app_note(r->app, "step %zu cannot be granted more", step + 1);
    r->put(r);
}

void
review_grant(struct review *r, char key)
{
    (void)key;
    if (!review_can_grant(r)) {
        app_note(r->app, "no step can be granted more");
        r->put(r);
    } else if (r->action->n == 1) {
        offer_grants(r, 0);
    } else {
        review_menu_steps(r, _("Grant which step more?"),
                          "let this step do more", on_step_digit);
    }
}

bool
review_can_grant(const struct review *r)
{
    for (size_t i = 0; i < r->action->n && i < REVIEW_DIGITS; i++)
        if (can_grant_step(r, i))
            return true;
    return false;
}

static void
run_with_more(struct review *r, char key)
{
    (void)key;
    r->granted_step = r->step;
    r->answer.verdict = PLAN_MORE;
    give_grant(r, plan_remedy(r->plan));
}

/* No: the question about the failed step follows; a plan of one step ends. */
static void
decline_more(struct review *r, char key)
{
    (void)key;
    r->declined = true;
    if (r->action->n > 1) {
        r->put(r);
        return;
    }
    r->answer.verdict = PLAN_QUIT;
    review_menu_end(r);
}

static const struct review_choice more_choices[] = {
    {{'y', N_("yes"), N_("run this step again, with that")}, run_with_more},
    {{'n', N_("no"), N_("leave it as it is")}, decline_more},
    {{0}, NULL},
};

/* Appends what the step would be able to do. */
static void
put_remedy(struct buf *out, const struct seat *s,
           const struct denial_remedy *remedy)
{
    char text[PATH_MAX];

    switch (remedy->kind) {
    case DENIAL_REMEDY_APPROVAL:
        buf_str(out, _(", able to write in this directory"));
        break;
    case DENIAL_REMEDY_WRITE:
        buf_str(out, _(", able to write in "));
        escape_str(out, NULL, path_short(remedy->path, seat_home(s), text),
                   ESCAPE_LINES);
        break;
    case DENIAL_REMEDY_READ:
        buf_str(out,
                _(", able to read your home directory, but not where keys and "
                  "tokens are kept"));
        break;
    case DENIAL_REMEDY_NET:
        buf_str(out, _(" with the network on"));
        break;
    default:
        break;
    }
}

bool
review_grant_offer(struct review *r)
{
    const struct denial_remedy *remedy = plan_remedy(r->plan);
    CLEANUP_BUF struct buf b = buf_of(sizeof(r->more) - 1);

    if (r->kind != PLAN_ASK_FAILED || r->declined ||
        remedy->kind == DENIAL_REMEDY_NONE)
        return false;
    buf_str(&b, _("Run this step again"));
    put_remedy(&b, r->app->seat, remedy);
    buf_str(&b, "?");
    if (b.bad)
        return false;
    snprintf(r->more, sizeof(r->more), "%s", b.p);
    review_menu_show(r, more_choices, r->more, NULL);
    return true;
}
