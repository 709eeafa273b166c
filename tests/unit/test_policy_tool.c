/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_policy_tool.c - rules for tools, and for the files they touch. */
#include "policy_fixture.h"

static void
tools_files_and_hosts_have_rules_too(void **state)
{
    const struct path_context where = {.cwd = dir, .home = "/home/me"};
    CLEANUP(policy_free_p)
    struct policy *p = load("allow tool mcp.* \nask tool * delete\n"
                            "deny action format\nallow host *.org\n"
                            "deny read ~/.ssh/**\n",
                            NULL);
    struct policy_verdict v;

    (void)state;
    policy_judge_tool(p, "mcp.files", "list", 0, &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_tool(p, "mcp.files", "delete", 0, &v);
    assert_int_equal(v.decision, GUARD_ASK);
    policy_judge_tool(p, "mcp.files", "format", 0, &v);
    assert_int_equal(v.decision, GUARD_DENY);
    policy_judge_tool(p, "other", NULL, 0, &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_host(p, "example.org", &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_host(p, "example.com", &v);
    assert_int_equal(v.decision, GUARD_ASK);
    policy_judge_path(p, "/home/me/.ssh/config", false, &where, &v);
    assert_int_equal(v.decision, GUARD_DENY);
    assert_non_null(strstr(v.rule, "user:5: deny read ~/.ssh/**"));
    policy_judge_path(p, "old.txt", false, &where, &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_path(p, "old.txt", true, &where, &v);
    assert_int_equal(v.decision, GUARD_ASK);
    policy_judge_path(p, "a*[1].txt", true, &where, &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_path(p, "out/x", true, &where, &v);
    assert_int_equal(v.decision, GUARD_ASK);
}

static struct policy *
preset(const char *name)
{
    struct err e = {0};
    struct policy *p = policy_load_files(NULL, NULL, name, NULL, &e);

    if (!p)
        fail_msg("%s", e.text);
    return p;
}

static const struct {
    unsigned facts;
    enum guard_decision restrictive, standard, permissive;
} tools[] = {
    {0, GUARD_ALLOW, GUARD_ALLOW, GUARD_ALLOW},
    {RISK_ACTS, GUARD_ASK, GUARD_ASK, GUARD_ALLOW},
    {RISK_WRITES, GUARD_ASK, GUARD_ALLOW, GUARD_ALLOW},
    {RISK_NETWORK, GUARD_ASK, GUARD_ASK, GUARD_ALLOW},
    {RISK_DESTRUCTIVE, GUARD_ASK, GUARD_ASK, GUARD_ASK},
    {RISK_PRIVILEGED | RISK_ACTS, GUARD_DENY, GUARD_ASK, GUARD_ASK},
};

static void
a_tool_is_judged_by_what_it_does(void **state)
{
    static const char *const names[] = {"restrictive", "standard",
                                        "permissive"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(policy_free_p) struct policy *p = preset(names[i]);

        for (size_t k = 0; k < N_OF(tools); k++) {
            const enum guard_decision want[] = {
                tools[k].restrictive, tools[k].standard, tools[k].permissive};
            struct policy_verdict v;

            policy_judge_tool(p, "x", "y", tools[k].facts, &v);
            if (v.decision != want[i])
                fail_msg("%s, case %zu: %s (%s)", names[i], k,
                         guard_decision_name(v.decision), v.rule);
        }
    }
}

static void
a_rule_for_a_tool_lifts_what_the_preset_asks(void **state)
{
    CLEANUP(policy_free_p)
    struct policy *p = load("allow tool svc.* restart\n", NULL);
    struct policy_verdict v;

    (void)state;
    policy_judge_tool(p, "svc.manage", "restart", RISK_ACTS | RISK_PRIVILEGED,
                      &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_tool(p, "svc.manage", "stop", RISK_ACTS, &v);
    assert_int_equal(v.decision, GUARD_ASK);
}

/* .env is a file of the directory, key a link to it, sub a directory. */
static const struct {
    const char *path;
    bool denied;
} keys[] = {
    {".env", true},
    {".env.local", true},
    {"key", true},
    {"sub/../.env", true},
    {"down/../.env", true},
    {"./sub//server.pem", true},
    {"tls.key", true},
    {"id_rsa", true},
    {"/home/me/.ssh/config", true},
    {"/home/me/.ssh", true},
    {"/home/you/.gnupg/x", true},
    {"/root/.aws/credentials", true},
    {"/srv/../home/me/.ssh/known_hosts", true},
    {"/home/me/.local/state/agentsh/journal", true},
    {"old.txt", false},
    {"monkey", false},
    {"keys.txt", false},
    {"a.pem.txt", false},
    {"sub/id_project/x", false}, /* a directory's name is no file's */
    {"~/x", false},
    {"/etc/hostname", false},
};

static void
judge_key(const struct policy *p, size_t i, bool write)
{
    const struct path_context where = {.cwd = dir, .home = "/home/me"};
    struct policy_verdict v;

    policy_judge_path(p, keys[i].path, write, &where, &v);
    if ((v.decision == GUARD_DENY && strstr(v.rule, "keys and secrets")) !=
        keys[i].denied)
        fail_msg("%s: %s (%s)", keys[i].path, guard_decision_name(v.decision),
                 v.rule);
}

static void
every_preset_denies_keys_to_tools(void **state)
{
    static const char *const names[] = {"restrictive", "standard",
                                        "permissive"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(policy_free_p) struct policy *p = preset(names[i]);

        for (size_t k = 0; k < N_OF(keys); k++) {
            judge_key(p, k, false);
            judge_key(p, k, true);
        }
    }
}

static void
the_reason_says_what_a_link_leads_to(void **state)
{
    const struct path_context where = {.cwd = dir, .home = "/home/me"};
    CLEANUP(policy_free_p) struct policy *p = preset("permissive");
    struct policy_verdict v;
    char want[PATH_MAX];

    (void)state;
    policy_judge_path(p, "key", false, &where, &v);
    snprintf(want, sizeof(want), "%s/key, which is %s/.env", dir, dir);
    assert_string_equal(v.part, want);
    policy_judge_path(p, ".env", false, &where, &v);
    snprintf(want, sizeof(want), "%s/.env", dir);
    assert_string_equal(v.part, want);
}

static void
only_a_rule_that_names_a_key_allows_one(void **state)
{
    const struct path_context where = {.cwd = dir, .home = "/home/me"};
    struct policy_verdict v;
    struct policy *p = load("allow read **\nallow write **\n", NULL);

    (void)state;
    policy_judge_path(p, ".env", false, &where, &v);
    assert_int_equal(v.decision, GUARD_DENY);
    policy_free(p);
    p = load("allow read ./.env\nask read ~/.ssh/config\n", NULL);
    policy_judge_path(p, ".env", false, &where, &v);
    assert_int_equal(v.decision, GUARD_ALLOW);
    policy_judge_path(p, ".env", true, &where, &v);
    assert_int_equal(v.decision, GUARD_DENY);
    policy_judge_path(p, "/home/me/.ssh/config", false, &where, &v);
    assert_int_equal(v.decision, GUARD_ASK);
    policy_free(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_files_and_hosts_have_rules_too),
        cmocka_unit_test(a_tool_is_judged_by_what_it_does),
        cmocka_unit_test(a_rule_for_a_tool_lifts_what_the_preset_asks),
        cmocka_unit_test(every_preset_denies_keys_to_tools),
        cmocka_unit_test(the_reason_says_what_a_link_leads_to),
        cmocka_unit_test(only_a_rule_that_names_a_key_allows_one),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
