/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_policy_files.c - which files of rules are read; saving a rule. */
#include "policy_fixture.h"
#include "unit_seat.h"

static void
an_administrators_rules_cannot_be_lifted(void **state)
{
    char system[PATH_MAX], user[PATH_MAX];
    struct policy *p;
    struct err e = {0};

    (void)state;
    snprintf(system, sizeof(system), "%s/system", dir);
    snprintf(user, sizeof(user), "%s/user", dir);
    put("system", "preset restrictive\ndeny command rm *\n", 0644);
    put("user", "preset permissive\nallow command rm *\n", 0644);
    p = policy_load_files(system, user, "permissive", NULL, &e);
    if (geteuid() != 0) { /* root must own it */
        assert_null(p);
        assert_int_equal(e.code, ERR_CONFIG);
        return;
    }
    assert_non_null(p);
    check(p, "rm x", GUARD_DENY, "system:2: deny");
    check(p, "make", GUARD_ASK, "restrictive");
    policy_free(p);
    put("system", "", 0666);
    assert_null(policy_load_files(system, user, NULL, NULL, &e));
    assert_int_equal(e.code, ERR_CONFIG);
    assert_non_null(strstr(e.text, "writable only by root"));
    unlink(system);
}

static void
an_example_that_does_not_hold_is_an_error(void **state)
{
    struct err e = {0};

    (void)state;
    assert_null(load("deny command rm *\n  match rm x\n  match ls\n", &e));
    assert_int_equal(e.code, ERR_CONFIG);
    assert_non_null(
        strstr(e.text, "user:3: the rule of line 1 does not match \"ls\""));
    assert_null(load("allow command ls *\n  not-match ls -l\n", &e));
    assert_non_null(strstr(e.text, "user:2: the rule of line 1 matches"));
}

struct propose_row {
    const char *line, *rule; /* NULL: no rule can be proposed */
    const char *error;
};

static const struct propose_row propose_rows[] = {
    {"git status --short", "allow command git status --short", NULL},
    {"curl 'http://a.b/a b'", "allow command curl 'http://a.b/a b'", NULL},
    {"curl 'http://a.b/*' \"it's\"",
     "allow command curl 'http://a.b/*' 'it'\\''s'", NULL},
    {"make test", NULL, "make runs commands from the Makefile, which may be"},
    {"npm test", NULL, "npm runs commands of the project"},
    {"python3 a.py", NULL, "python3 runs a file of code"},
    {"ansible-playbook a.yml", NULL, "need approval every time"},
    {"docker compose up", NULL, "follows commands in its files"},
    {"python3 -m pytest", NULL, "python3 may do more than print"},
    {"nosuchprogram x", NULL, "nosuchprogram is an unknown command"},
    {"./a.sh", NULL, "is not a known program"},
    {"sh -x good.sh", NULL, "sh runs a file of code"},
    {"sh ./nosuch.sh", NULL, "No such file"},
    {"sh sources.sh", NULL, "code that is not in the file"},
    {"sh made.sh", NULL, "code that is not in the file"},
    {"sh deletes.sh", NULL, "needs approval every time"},
    {"sh outside.sh", NULL, "outside of its directory"},
    {"sh first.sh", NULL, "sh"},
    {"rm x", NULL, "destructive commands need approval every time"},
    {"sudo ls", NULL, "commands need approval every time"},
    {"eval \"$x\"", NULL, "opaque commands need approval every time"},
    {"make; make", NULL, "more than one command"},
    {"x=1", NULL, "no command"},
    {"make \"$x\"", NULL, "may be different next time"},
    {"timeout 5 make", NULL, "it is run by timeout"},
    {"make > /srv/log", NULL, "also writes a file"},
    /* the directory's configuration decides */
    {"git x", NULL, "git"},
    {"git hook run pre-commit", NULL, "git"},
    {"git difftool", NULL, "git"},
    {"git instaweb", NULL, "git"},
    {"git commit -m x", NULL, "from the directory's configuration"},
    {"git stash", NULL, "from the directory's configuration"},
    {"git fetch", NULL, "from the directory's configuration"},
    {"git add a", NULL, "from the directory's configuration"},
    {"git -C sub mergetool", NULL, "from the directory's configuration"},
    {"sh commits.sh", NULL, "it runs commands from the directory's"},
    {"sh wraps.sh", NULL, "timeout starts ls"},
};

static const struct {
    const char *name, *text;
} scripts[] = {
    {"good.sh", "ls | wc -l\necho done >out.txt\necho done >/dev/stderr\n"},
    {"sources.sh", ". ./other.sh\n"},
    {"made.sh", "make\n"},
    {"deletes.sh", "rm -f a\n"},
    {"outside.sh", "echo a >>../b\n"},
    {"first.sh", "$1 a\n"},
    {"commits.sh", "git commit -m x\n"},
    {"wraps.sh", "timeout 5 ls\n"},
};

static void
put_script(const char *name, const char *text)
{
    char path[PATH_MAX + 20];
    struct err e = {0};

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    assert_int_equal(file_write(path, text, strlen(text), 0644, &e), 0);
}

static void
put_scripts(void)
{
    for (size_t i = 0; i < N_OF(scripts); i++)
        put_script(scripts[i].name, scripts[i].text);
}

static void
remove_scripts(void)
{
    char path[PATH_MAX + 20];

    for (size_t i = 0; i < N_OF(scripts); i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, scripts[i].name);
        assert_int_equal(unlink(path), 0);
    }
}

static void
the_narrowest_rule_is_proposed(void **state)
{
    const struct path_context where = {
        .cwd = dir, .home = "/home/me", .path = "/usr/bin:/bin"};

    (void)state;
    put_scripts();
    for (size_t i = 0; i < N_OF(propose_rows); i++) {
        const struct propose_row *row = &propose_rows[i];
        CLEANUP(free_p) char *rule = NULL;
        struct syntax s = {0};
        struct risk r = {0};
        struct err e = {0};

        assert_int_equal(syntax_read(row->line, strlen(row->line), &s, &e), 0);
        assert_int_equal(risk_read(&s, &where, &r, &e), 0);
        rule = policy_propose(&r, &where, &e);
        if (!row->rule != !rule || (rule && strcmp(rule, row->rule) != 0))
            fail_msg("%s: %s %s", row->line, rule ? rule : "", e.text);
        if (row->error && !strstr(e.text, row->error))
            fail_msg("%s: %s", row->line, e.text);
        if (rule) {
            CLEANUP(policy_free_p) struct policy *p = load(rule, &e);

            assert_non_null(p);
            check(p, row->line, GUARD_ALLOW, rule);
        }
        risk_done(&r);
        syntax_done(&s);
    }
    remove_scripts();
}

static char *
propose(const char *line, const char *path, struct err *e)
{
    const struct path_context where = {
        .cwd = dir, .home = "/home/me", .path = path};
    struct syntax s = {0};
    struct risk r = {0};
    char *rule;

    assert_int_equal(syntax_read(line, strlen(line), &s, e), 0);
    assert_int_equal(risk_read(&s, &where, &r, e), 0);
    rule = policy_propose(&r, &where, e);
    risk_done(&r);
    syntax_done(&s);
    return rule;
}

static void
no_rule_is_proposed_for_a_program_that_is_not_installed(void **state)
{
    struct err e = {0};

    (void)state;
    assert_null(propose("curl http://a.b/", dir, &e));
    assert_string_equal(e.text, "curl is not installed here");
}

static void
no_rule_is_proposed_for_a_program_that_is_not_the_systems(void **state)
{
    static const char *const lines[] = {"ls", "sh lists.sh", "cd; ls"};
    char path[PATH_MAX + 40], program[PATH_MAX + 20];
    struct err e = {0};

    (void)state;
    put_script("lists.sh", "ls\n");
    put_script("ls", "echo evil\n");
    snprintf(program, sizeof(program), "%s/ls", dir);
    assert_int_equal(chmod(program, 0755), 0);
    for (size_t i = 0; i < N_OF(lines); i++) {
        CLEANUP(free_p) char *rule = NULL;

        snprintf(path, sizeof(path), "%s:/usr/bin:/bin", dir);
        assert_null(propose(lines[i], path, &e));
        assert_null(propose(lines[i], ":/usr/bin:/bin", &e));
        assert_null(propose(lines[i], ".:/usr/bin:/bin", &e));
        rule = propose(lines[i], "/usr/bin:/bin:", &e);
        assert_int_equal(rule != NULL, i < 2);
    }
    assert_int_equal(unlink(program), 0);
    snprintf(program, sizeof(program), "%s/lists.sh", dir);
    assert_int_equal(unlink(program), 0);
}

static enum guard_decision
decision_in(const struct policy *p, const char *cwd, const char *line,
            bool *changed)
{
    const struct path_context where = {
        .cwd = cwd, .home = "/home/me", .path = "/usr/bin:/bin"};
    struct policy_verdict v;
    struct syntax s = {0};
    struct risk r = {0};
    struct err e = {0};

    assert_int_equal(syntax_read(line, strlen(line), &s, &e), 0);
    assert_int_equal(risk_read(&s, &where, &r, &e), 0);
    policy_judge(p, &r, &where, &v);
    *changed = v.reason_kind == POLICY_REASON_CHANGED;
    risk_done(&r);
    syntax_done(&s);
    return v.decision;
}

static void
a_rule_for_a_script_holds_for_its_place_and_its_bytes(void **state)
{
    const struct path_context where = {
        .cwd = dir, .home = "/home/me", .path = "/usr/bin:/bin"};
    static const char line[] = "sh good.sh a";
    CLEANUP(policy_free_p) struct policy *p = NULL;
    CLEANUP(free_p) char *rule = NULL;
    struct syntax s = {0};
    struct risk r = {0};
    struct err e = {0};
    bool changed;

    (void)state;
    put_scripts();
    assert_int_equal(syntax_read(line, strlen(line), &s, &e), 0);
    assert_int_equal(risk_read(&s, &where, &r, &e), 0);
    rule = policy_propose(&r, &where, &e);
    if (!rule)
        fail_msg("%s", e.text);
    risk_done(&r);
    syntax_done(&s);
    assert_non_null(strstr(rule, "allow command sh good.sh a\n    in /"));
    assert_non_null(strstr(rule, "\n    with sha256:"));
    assert_non_null(p = load(rule, &e));
    assert_int_equal(decision_in(p, dir, line, &changed), GUARD_ALLOW);
    assert_int_equal(decision_in(p, "/", line, &changed), GUARD_ASK);
    assert_false(changed);
    assert_int_equal(decision_in(p, dir, "sh good.sh b", &changed), GUARD_ASK);
    assert_int_equal(decision_in(p, dir, "cd sub; sh good.sh a", &changed),
                     GUARD_ASK);
    assert_int_equal(decision_in(p, dir, "(sh good.sh a)", &changed),
                     GUARD_ALLOW);
    put_script("good.sh", "rm -rf sub\n");
    assert_int_equal(decision_in(p, dir, line, &changed), GUARD_ASK);
    assert_true(changed);
    put_scripts();
    assert_int_equal(decision_in(p, dir, line, &changed), GUARD_ALLOW);
    remove_scripts();
}

static void
a_rule_that_is_narrowed_wrongly_is_an_error(void **state)
{
    static const char *const bad[] = {
        "allow command sh a\n in here\n",
        "allow command sh a\n with sha256:12 a\n",
        "allow command sh a\n with a\n",
        "allow command sh a\n in /a\n in /b\n",
        "deny command sh a\n in /a\n",
        "allow read /a\n in /a\n",
        "  in /a\n",
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        assert_null(load(bad[i], &e));
        assert_int_equal(e.code, ERR_CONFIG);
    }
}

static void
a_rule_is_kept_beside_what_was_there(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1000);
    char config[PATH_MAX], path[PATH_MAX + 20];
    struct stat st;
    struct err e = {0};

    (void)state;
    snprintf(config, sizeof(config), "%s/config", dir);
    snprintf(path, sizeof(path), "%s/agentsh/policy", config);
    assert_int_equal(setenv("XDG_CONFIG_HOME", config, 1), 0);
    if (policy_remember(unit_seat(), "allow command make test", &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(file_write(path, "# mine", 6, 0640, &e), 0);
    if (policy_remember(unit_seat(), "ask host *", &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(policy_remember(unit_seat(), "ask hots *", &e), -1);
    assert_int_equal(policy_remember(unit_seat(), "# nothing", &e), -1);
    assert_int_equal(
        policy_remember(unit_seat(), "ask host a\ndeny host b", &e), -1);
    assert_int_equal(file_read(path, &text, &e), 0);
    assert_string_equal(text.p, "# mine\nask host *\n");
    unsetenv("XDG_CONFIG_HOME");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_administrators_rules_cannot_be_lifted),
        cmocka_unit_test(an_example_that_does_not_hold_is_an_error),
        cmocka_unit_test(
            no_rule_is_proposed_for_a_program_that_is_not_the_systems),
        cmocka_unit_test(
            no_rule_is_proposed_for_a_program_that_is_not_installed),
        cmocka_unit_test(the_narrowest_rule_is_proposed),
        cmocka_unit_test(a_rule_for_a_script_holds_for_its_place_and_its_bytes),
        cmocka_unit_test(a_rule_that_is_narrowed_wrongly_is_an_error),
        cmocka_unit_test(a_rule_is_kept_beside_what_was_there),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
