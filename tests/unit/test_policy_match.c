/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_policy_match.c - which calls a rule for commands matches. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "guard/policy/policy_match.h"

#define WORDS_MAX 16

/* The call's words with blanks between. */
struct call_row {
    const char *rule, *call;
    bool yes;
    unsigned facts;
    const char *wrapper, *path; /* NULL: /usr/bin/ and the name */
};

static const struct call_row wide_rows[] = {
    {"ls *", "ls", true, 0, "", NULL},
    {"ls *", "ls -l x", true, 0, "", NULL},
    {"ls *", "lsof -i", false, 0, "", NULL},
    {"ls*", "lsof", true, 0, "", NULL},
    {"ls*", "lsof -i", false, 0, "", NULL},
    {"ls", "ls x", false, 0, "", NULL},
    {"rm *", "/bin/rm x", true, 0, "", NULL},
    {"rm *", "./rm x", true, 0, "", NULL},
    {"/usr/bin/rm *", "rm x", true, 0, "", NULL},
    {"/opt/rm *", "rm x", false, 0, "", NULL},
    {"* --force *", "git push --force", true, 0, "", NULL},
    {"* --force *", "git push", false, 0, "", NULL},
    /* options, wherever they stand */
    {"git push -f *", "git push -f", true, 0, "", NULL},
    {"git push -f *", "git push origin -f", true, 0, "", NULL},
    {"git push -f *", "git -f push", true, 0, "", NULL},
    {"git push -f *", "git push -uf origin", true, 0, "", NULL},
    {"git push -f *", "git push origin", false, 0, "", NULL},
    {"git push -f *", "git push -- -f", false, 0, "", NULL},
    {"git push --force *", "git push --force=x", true, 0, "", NULL},
    {"git push --force *", "git push --forc", true, 0, "", NULL},
    {"git push --force *", "git push --force-with-lease", false, 0, "", NULL},
    {"git push --force *", "git push --", false, 0, "", NULL},
    {"git push *", "git -C dir push", true, 0, "", NULL},
    {"git push *", "git -c a=b push", true, 0, "", NULL},
    {"git push *", "git --git-dir=x push", true, 0, "", NULL},
    {"git push *", "git log push", false, 0, "", NULL},
    {"git push", "git push", true, 0, "", NULL},
    {"git push", "git push origin", false, 0, "", NULL},
    {"git push", "git push -f", false, 0, "", NULL},
    {"rm -rf /", "rm -rf /", true, 0, "", NULL},
    {"rm -rf /", "rm -r -f /", true, 0, "", NULL},
    {"rm -rf /", "rm -f / -r", true, 0, "", NULL},
    {"rm -rf /", "rm -rf -- /", true, 0, "", NULL},
    {"rm -rf /", "rm -f /", false, 0, "", NULL},
    {"rm -rf /", "rm -rf /tmp/x", false, 0, "", NULL},
    {"find * -delete *", "find . -type d -delete", true, 0, "", NULL},
    {"find * -delete *", "find . -type d -lets", false, 0, "", NULL},
    {"git diff --output=* *", "git diff --output=F", true, 0, "", NULL},
    {"git diff --output=* *", "git diff --output F", true, 0, "", NULL},
    {"git diff --output=* *", "git diff --out=F", true, 0, "", NULL},
    {"git diff --output=/etc/* *", "git diff --output=F", false, 0, "", NULL},
    /* what expands */
    {"rm -rf /", "rm -rf $x", true, 0, "", NULL},
    {"rm -rf /", "rm $x", true, 0, "", NULL},
    {"rm -rf /", "rm -rf /*", true, 0, "", NULL},
    {"rm -rf /", "rm -rf a*", false, 0, "", NULL},
    {"rm -rf *", "rm a*", false, 0, "", NULL},
    {"rm -rf *", "rm {-rf,x}", true, 0, "", NULL},
    {"rm *", "$x y", true, 0, "", NULL},
    {"rm *", "/bin/r? y", true, 0, "", NULL},
    {"rm *", "l? y", false, 0, "", NULL},
    /* wrappers */
    {"sudo *", "rm x", true, RISK_SUDO, "sudo", NULL},
    {"sudo *", "rm x", true, RISK_SUDO, "env", NULL},
    {"sudo *", "rm x", false, 0, "env", NULL},
    {"sudo rm *", "rm x", true, RISK_SUDO, "sudo", NULL},
    {"sudo -u root rm *", "rm x", false, RISK_SUDO, "sudo", NULL},
    {"sudo rm *", "ls x", false, RISK_SUDO, "sudo", NULL},
    {"xargs *", "rm x", true, 0, "xargs", NULL},
    {"rm *", "rm x", true, 0, "xargs", NULL},
};

static const struct call_row narrow_rows[] = {
    {"ls *", "ls", true, 0, "", NULL},
    {"ls *", "ls -la /tmp", true, 0, "", NULL},
    {"ls *", "lsof", false, 0, "", NULL},
    {"ls", "ls -l", false, 0, "", NULL},
    {"git status -s -b", "git status -b -s", true, 0, "", NULL},
    {"git status -s -b", "git status -sb", true, 0, "", NULL},
    {"git status -s -b", "git status -s", false, 0, "", NULL},
    {"git status -s -b", "git status -sbx", false, 0, "", NULL},
    {"git status *", "git -C /x status", false, 0, "", NULL},
    {"git status *", "git status -s x", true, 0, "", NULL},
    {"git push --force", "git push --forc", false, 0, "", NULL},
    {"git push --force", "git push --force=x", false, 0, "", NULL},
    {"make test", "make test", true, 0, "", NULL},
    {"make test", "make test install", false, 0, "", NULL},
    {"make test", "make", false, 0, "", NULL},
    {"make build/*", "make build/x", true, 0, "", NULL},
    {"make build/*", "make build/../x", false, 0, "", NULL},
    /* the directory of the program */
    {"ls *", "ls", false, 0, "", "/tmp/ls"},
    {"ls *", "ls", false, 0, "", ""},
    {"echo *", "echo x", true, 0, "", ""},
    {"/usr/bin/ls *", "ls", true, 0, "", NULL},
    {"/opt/ls *", "ls", false, 0, "", NULL},
    {"/opt/ls *", "ls", true, 0, "", "/opt/ls"},
    /* what expands */
    {"cat *", "cat $x", false, 0, "", NULL},
    {"cat *", "cat *.c", false, 0, "", NULL},
    {"cat *", "cat src/*.c", true, 0, "", NULL},
    {"cat *", "cat -*", false, 0, "", NULL},
    {"cat *", "cat a$x", false, 0, "", NULL},
    {"cat *", "$x a", false, 0, "", NULL},
    {"cat a", "cat $x", false, 0, "", NULL},
    {"cat src/*", "cat src/?", false, 0, "", NULL},
    /* a call that does worse than the rule's own words */
    {"git diff *", "git diff --output=F", false, RISK_DESTRUCTIVE, "", NULL},
    {"git diff *", "git diff", false, RISK_OPAQUE, "", NULL},
    {"rm x", "rm x", true, RISK_DESTRUCTIVE, "", NULL},
    {"rm x*", "rm xy", false, RISK_DESTRUCTIVE, "", NULL},
    {"rm x", "rm x", false, RISK_SUDO, "sudo", NULL},
    {"rm x", "rm x", false, RISK_DESTRUCTIVE, "xargs", NULL},
    {"sudo rm x", "rm x", false, RISK_SUDO, "sudo", NULL},
};

struct made_call {
    struct risk_call call;
    char text[200], path[200];
    const char *argv[WORDS_MAX + 1];
    unsigned expands[WORDS_MAX];
};

static void
make_call(const struct call_row *row, struct made_call *m)
{
    char *save = NULL;

    *m = (struct made_call){0};
    snprintf(m->text, sizeof(m->text), "%s", row->call);
    for (char *w = strtok_r(m->text, " ", &save); w;
         w = strtok_r(NULL, " ", &save)) {
        assert_between(m->call.n, 0, WORDS_MAX - 1);
        if (strpbrk(w, "$*?[{~"))
            m->expands[m->call.n] = SYNTAX_EXPANDS;
        m->argv[m->call.n++] = w;
    }
    snprintf(m->path, sizeof(m->path), "/usr/bin/%s", path_base(m->argv[0]));
    m->call.name = m->expands[0] ? "" : path_base(m->argv[0]);
    m->call.path = m->path;
    if (row->path)
        m->call.path = row->path[0] ? row->path : NULL;
    m->call.argv = m->argv;
    m->call.expands = m->expands;
    m->call.facts = row->facts;
    m->call.wrapper = row->wrapper;
}

static bool
is_about(const char *decision, const struct call_row *row)
{
    const struct path_context nowhere = {0};
    struct policy_context place = {.where = &nowhere};
    struct policy_rule rule = {0};
    struct policy_match_call c;
    struct made_call m;
    char text[200];
    struct err e;
    bool yes;

    snprintf(text, sizeof(text), "%s command %s", decision, row->rule);
    if (policy_rule_read(&rule, text, &e) < 0)
        fail_msg("%s: %s", text, e.text);
    make_call(row, &m);
    c = (struct policy_match_call){.call = &m.call, .facts = row->facts};
    yes = rule.decision == GUARD_ALLOW
              ? policy_match_certain(&rule, &c, &place)
              : policy_match_possible(&rule, &m.call, &place);
    policy_rule_done(&rule);
    return yes;
}

static void
a_deny_is_not_dodged(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(wide_rows); i++)
        if (is_about("deny", &wide_rows[i]) != wide_rows[i].yes)
            fail_msg("%s: %s", wide_rows[i].rule, wide_rows[i].call);
}

static void
an_allow_covers_what_it_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(narrow_rows); i++)
        if (is_about("allow", &narrow_rows[i]) != narrow_rows[i].yes)
            fail_msg("%s: %s", narrow_rows[i].rule, narrow_rows[i].call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deny_is_not_dodged),
        cmocka_unit_test(an_allow_covers_what_it_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
