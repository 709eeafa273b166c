/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_policy_files.c - whose rules count, and rules to keep. */
#include "policy_place.h"

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
    p = policy_load_files(system, user, "permissive", &e);
    if (geteuid() != 0) { /* it must be root's */
        assert_null(p);
        assert_int_equal(e.code, ERR_CONFIG);
        return;
    }
    assert_non_null(p);
    check(p, "rm x", GUARD_DENY, "system:2: deny");
    check(p, "make", GUARD_ASK, "restrictive");
    policy_free(p);
    put("system", "", 0666);
    assert_null(policy_load_files(system, user, NULL, &e));
    assert_int_equal(e.code, ERR_CONFIG);
    assert_non_null(strstr(e.text, "writable by root alone"));
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
    const char *line, *rule; /* NULL: none can be */
    const char *error;
};

static const struct propose_row propose_rows[] = {
    {"git status --short", "allow command git status --short", NULL},
    {"make 'a b' ''", "allow command make 'a b' ''", NULL},
    {"make '*' \"it's\"", "allow command make '*' 'it'\\''s'", NULL},
    {"rm x", NULL, "destructive is asked every time"},
    {"sudo ls", NULL, "is asked every time"},
    {"eval \"$x\"", NULL, "opaque is asked every time"},
    {"make; make", NULL, "more than one command"},
    {"x=1", NULL, "no command"},
    {"make \"$x\"", NULL, "may be something else another time"},
    {"timeout 5 make", NULL, "timeout runs it"},
    {"make > /srv/log", NULL, "a file beside"},
};

static void
the_narrowest_rule_is_proposed(void **state)
{
    const struct risk_place where = {
        .cwd = dir, .home = "/home/me", .path = "/usr/bin:/bin"};

    (void)state;
    for (size_t i = 0; i < N_OF(propose_rows); i++) {
        const struct propose_row *row = &propose_rows[i];
        CLEANUP(free_p) char *rule = NULL;
        struct syntax s = {0};
        struct risk r = {0};
        struct err e = {0};

        assert_int_equal(syntax_read(row->line, strlen(row->line), &s, &e), 0);
        assert_int_equal(risk_read(&s, &where, &r, &e), 0);
        rule = policy_propose(&r, &e);
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
    if (policy_remember("allow command make test", &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(file_write(path, "# mine", 6, 0640, &e), 0);
    if (policy_remember("ask host *", &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(policy_remember("ask hots *", &e), -1);
    assert_int_equal(policy_remember("# nothing", &e), -1);
    assert_int_equal(policy_remember("ask host a\ndeny host b", &e), -1);
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
        cmocka_unit_test(the_narrowest_rule_is_proposed),
        cmocka_unit_test(a_rule_is_kept_beside_what_was_there),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
