/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_policy.c - agentsh policy: shows, checks and extends the rules. */
#include <sys/stat.h>

#include "base/path.h"
#include "frontend/cli/command.h"
#include "guard/policy/policy.h"
#include "term/escape.h"
#include "ui/app.h"

#define SHOW_MAX   (4u << 20) /* two files of rules and a preset */
#define DOUBTS_MAX (1u << 20) /* a line a rule */
#define RULE_MAX   8192

static int
done(struct command_args *c, int rc, const struct err *e)
{
    return rc < 0 ? app_fail(c->app, e) : 0;
}

static int
show(struct command_args *c, struct err *e)
{
    CLEANUP(policy_free_p) struct policy *p = NULL;
    CLEANUP_BUF struct buf text = buf_of(SHOW_MAX);
    CLEANUP_BUF struct buf out = buf_of(6 * SHOW_MAX);

    if (c->n > 0)
        return err_set(e, ERR_USAGE, "policy show takes no words");
    p = policy_load(c->app->seat, e);
    if (!p)
        return -1;
    policy_show(p, &text);
    escape_text(&out, &c->app->result, text.p, text.len, 0);
    if (buf_ok(&text, "the rules", e) < 0 || buf_ok(&out, "the rules", e) < 0)
        return -1;
    app_put_result(c->app, &out);
    return 0;
}

static int
run_policy_show(struct command_args *c)
{
    struct err e = {0};

    return done(c, show(c, &e), &e);
}

const struct command cmd_policy_show = {
    .name = "policy show",
    .args = "",
    .help = N_("print the rules that are in force"),
    .run = run_policy_show,
};

static int
check_policy(struct command_args *c, struct err *e)
{
    CLEANUP(policy_free_p) struct policy *p = NULL;
    CLEANUP_BUF struct buf doubts = buf_of(DOUBTS_MAX);
    CLEANUP_BUF struct buf out = buf_of(6 * DOUBTS_MAX);
    const char *path = c->n == 1 ? c->words[0] : NULL;
    struct policy_counts n;
    struct stat st;

    if (c->n > 1)
        return err_set(e, ERR_USAGE, "at most one file");
    if (path && stat(path, &st) < 0)
        return err_sys(e, "%s", path);
    p = path ? policy_load_files(NULL, path, NULL, seat_home(c->app->seat), e)
             : policy_load(c->app->seat, e);
    if (!p)
        return -1;
    policy_count(p, &n);
    buf_printf(&out, _("%zu rules, %zu examples, %s: ok\n"), n.rules,
               n.examples, n.preset);
    policy_lint(p, &doubts);
    escape_text(&out, &c->app->result, doubts.p, doubts.len, 0);
    if (buf_ok(&doubts, "the doubts", e) < 0 ||
        buf_ok(&out, "the doubts", e) < 0)
        return -1;
    app_put_result(c->app, &out);
    return 0;
}

static int
run_policy_check(struct command_args *c)
{
    struct err e = {0};

    return done(c, check_policy(c, &e), &e);
}

const struct command cmd_policy_check = {
    .name = "policy check",
    .args = "[FILE]",
    .help = N_("check a file of rules and its examples"),
    .run = run_policy_check,
};

/* What the rule that was added may not be about. */
static void
print_doubt(struct command_args *c)
{
    CLEANUP(policy_free_p) struct policy *p = policy_load(c->app->seat, NULL);
    CLEANUP_BUF struct buf doubt = buf_of(DOUBTS_MAX);

    if (p)
        policy_lint_last(p, &doubt);
    if (doubt.len > 0) /* without its newline */
        app_note(c->app, "%.*s", (int)doubt.len - 1, doubt.p);
}

static int
add(struct command_args *c, struct err *e)
{
    CLEANUP(free_p)
    char *path = seat_place(c->app->seat, PATH_CONFIG, "policy", e);
    CLEANUP_BUF struct buf rule = buf_of(RULE_MAX);
    CLEANUP_BUF struct buf out = buf_of(8 * RULE_MAX);

    if (c->n == 0)
        return err_set(e, ERR_USAGE,
                       "missing rule, such as 'ask command git push *'");
    if (!path || command_join_words(c, &rule, e) < 0 ||
        policy_remember(c->app->seat, rule.p, e) < 0)
        return -1;
    buf_printf(&out, "%s: ", path);
    escape_str(&out, &c->app->result, rule.p, ESCAPE_LINES);
    buf_ch(&out, '\n');
    app_put_result(c->app, &out);
    print_doubt(c);
    return 0;
}

static int
run_policy_add(struct command_args *c)
{
    struct err e = {0};

    return done(c, add(c, &e), &e);
}

const struct command cmd_policy_add = {
    .name = "policy add",
    .args = "RULE",
    .help = N_("append a rule to your own"),
    .options = FOR_LINE,
    .run = run_policy_add,
};
