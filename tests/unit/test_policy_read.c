/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_policy_read.c - what a file of rules may contain, and its errors. */
#include "unit.h"

#include <string.h>

#include "guard/policy/policy_rule.h"

struct wrong_row {
    const char *text, *error; /* a part of it */
};

static const struct wrong_row wrong_rows[] = {
    {"alow command ls", "policy:1: unknown word \"alow\"; did you mean "
                        "\"allow\"?"},
    {"permit command ls", "a rule must begin with allow, ask, deny or preset"},
    {"\n\ndeny comand ls", "policy:3: unknown word \"comand\"; did you mean "
                           "\"command\"?"},
    {"deny everything", "the second word must be command, read"},
    {"deny", "the second word must be"},
    {"allow command", "command needs the words of a command"},
    {"allow command # ls", "command needs the words"},
    {"allow command 'ls", "unclosed quote (')"},
    {"allow command ls\\", "backslash at the end"},
    {"allow read notes", "a path begins with /, ~/, ./ or **"},
    {"allow read ~other/x", "a path begins with"},
    {"allow read /a /b", "read needs one path"},
    {"allow read /a/../b", "must not contain . or .."},
    {"allow read ./.", "must not contain . or .."},
    {"allow write /a**b", "** must be a whole component"},
    {"allow write /a/**b", "** must be a whole component"},
    {"deny host", "host needs one host"},
    {"deny risk", "risk needs facts"},
    {"deny risk destuctive", "unknown fact \"destuctive\"; did you mean "
                             "\"destructive\"?"},
    {"deny tool a b c", "tool needs a tool's name"},
    {"preset strict", "unknown preset \"strict\""},
    {"preset standrad", "did you mean \"standard\"?"},
    {"preset", "preset needs one name"},
    {"preset standard permissive", "preset needs one name"},
    {"preset standard\npreset standard", "policy:2: only one preset"},
    {"match ls", "an example must be indented, below its rule"},
    {"  match ls", "an example must follow its rule"},
    {"allow command ls\n  allow command rm", "an indented line must be"},
    {"allow tool x\n  match ls", "a rule about a tool cannot have"},
    {"allow command l\x01s", "control character 0x01"},
    {"allow command \xff", "not valid UTF-8"},
    {"allow\rcommand ls", "control character 0x0D"},
};

static const char *const good_rows[] = {
    "",
    "# nothing\n\n   # here\n",
    "preset standard # a word\n",
    "allow command ls *\r\n  match ls -l\r\n",
    "deny command rm '-rf' \"/\" # never\n",
    "ask read ~/.ssh/**\nask write **/.env\ndeny read /\nallow read ./\n",
    "allow read **\nallow write ~\nallow read /a/**/b/*.c\n",
    "deny host *.example.org\nask tool mcp.* delete\nask action remove\n",
    "ask risk network opaque\n",
    "allow command ''",
};

static int
read_text(const char *text, size_t n, struct policy_rules *r, struct err *e)
{
    *r = (struct policy_rules){.name = strdup("policy")};
    return policy_rules_read(r, text, n, e);
}

static void
a_mistake_names_its_line_and_what_is_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(wrong_rows); i++) {
        const struct wrong_row *row = &wrong_rows[i];
        struct policy_rules r;
        struct err e = {0};

        if (read_text(row->text, strlen(row->text), &r, &e) == 0)
            fail_msg("%s: was taken", row->text);
        if (e.code != ERR_CONFIG || !strstr(e.text, row->error) ||
            strncmp(e.text, "policy:", 7) != 0)
            fail_msg("%s: %s", row->text, e.text);
        policy_rules_done(&r);
    }
}

static void
what_is_right_is_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good_rows); i++) {
        struct policy_rules r;
        struct err e = {0};

        if (read_text(good_rows[i], strlen(good_rows[i]), &r, &e) < 0)
            fail_msg("%s: %s", good_rows[i], e.text);
        policy_rules_done(&r);
    }
}

static void
a_rule_knows_its_parts(void **state)
{
    static const char text[] = "preset permissive\n\n"
                               "deny command git push --force *\n"
                               "  match git push -f\n"
                               "  not-match git push\n";
    struct policy_rules r;
    struct err e;

    (void)state;
    assert_int_equal(read_text(text, strlen(text), &r, &e), 0);
    assert_string_equal(r.preset, "permissive");
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].decision, GUARD_DENY);
    assert_int_equal(r.v[0].kind, POLICY_COMMAND);
    assert_int_equal(r.v[0].line, 3);
    assert_int_equal(r.v[0].n, 4);
    assert_true(r.v[0].rest);
    assert_string_equal(r.v[0].text, "deny command git push --force *");
    assert_true(r.v[0].examples->match);
    assert_string_equal(r.v[0].examples->command, "git push -f");
    assert_int_equal(r.v[0].examples->next->line, 5);
    assert_false(r.v[0].examples->next->match);
    policy_rules_done(&r);
}

static void
bounds_are_errors(void **state)
{
    size_t n = 64 * 1024;
    char *text = malloc(n);
    struct policy_rules r;
    struct err e = {0};

    (void)state;
    memset(text, 'a', n);
    assert_int_equal(read_text(text, n, &r, &e), -1);
    assert_non_null(strstr(e.text, "longer than"));
    policy_rules_done(&r);
    memcpy(text, "deny command ", 13);
    assert_int_equal(read_text(text, 1000, &r, &e), -1);
    assert_non_null(strstr(e.text, "a word is longer"));
    policy_rules_done(&r);
    for (size_t i = 12; i < 400; i += 2)
        memcpy(text + i, " a", 2);
    assert_int_equal(read_text(text, 400, &r, &e), -1);
    assert_non_null(strstr(e.text, "at most 64 words"));
    policy_rules_done(&r);
    for (size_t i = 0; i < n; i += 12)
        memcpy(text + i, "ask host h1\n", n - i < 12 ? n - i : 12);
    assert_int_equal(read_text(text, n, &r, &e), -1);
    assert_non_null(strstr(e.text, "more than 4096 rules"));
    policy_rules_done(&r);
    free(text);
}

struct pattern_row {
    const char *pattern, *text;
    bool is, begins; /* it matches; it matches a text that begins with it */
};

static const struct pattern_row word_rows[] = {
    {"ls", "ls", true, true},       {"ls", "lsof", false, false},
    {"ls", "l", false, true},       {"ls*", "lsof", true, true},
    {"ls*", "ls", true, true},      {"'ls*'", "lsof", false, false},
    {"'ls*'", "ls*", true, true},   {"ls\\*", "ls*", true, true},
    {"*", "", true, true},          {"*", "a/b c", true, true},
    {"a*b*c", "aXbYc", true, true}, {"a*b*c", "aXbY", false, true},
    {"a*b*c", "ac", false, true},   {"a b", "a", true, true},
    {"\"a b\"", "a b", true, true}, {"''", "", true, true},
    {"''", "a", false, false},
};

static const struct pattern_row path_rows[] = {
    {"/a/b", "/a/b", true, true},
    {"/a/b", "/a/", false, true},
    {"/a/b/", "/a/b", true, true},
    {"/a/*", "/a/b", true, true},
    {"/a/*", "/a/b/c", false, false},
    {"/a/*", "/a", false, true},
    {"/a/*.c", "/a/x.c", true, true},
    {"/a/*.c", "/a/x/y.c", false, false},
    {"/a/**", "/a", true, true},
    {"/a/**", "/a/b", true, true},
    {"/a/**", "/a/b/c", true, true},
    {"/a/**", "/ab", false, false},
    {"/a/**", "/", false, true},
    {"/**", "/", true, true},
    {"/**", "/x/y", true, true},
    {"**", "/x/y", true, true},
    {"**/.env", "/.env", true, true},
    {"**/.env", "/a/b/.env", true, true},
    {"**/.env", "/a/b/x.env", false, true},
    {"**/.env/**", "/a/.env/b", true, true},
    {"/a/**/b", "/a/b", true, true},
    {"/a/**/b", "/a/x/y/b", true, true},
    {"/a/**/b", "/a/xb", false, true},
    {"/a/**/b/*.c", "/a/b/b/x.c", true, true},
    {"/", "/", true, true},
    {"/", "/a", false, false},
};

static void
check_pattern(const struct pattern_row *row, bool path)
{
    struct policy_pattern p;
    const char *at = row->pattern;
    size_t n = strlen(row->text);

    assert_int_equal(policy_pattern_next(&at, &p, NULL), 1);
    if (path)
        assert_int_equal(policy_pattern_to_path(&p, NULL), 0);
    if (policy_pattern_matches(&p, row->text, n, false) != row->is)
        fail_msg("%s: %s", row->pattern, row->text);
    if (policy_pattern_matches(&p, row->text, n, true) != row->begins)
        fail_msg("%s: %s…", row->pattern, row->text);
    policy_pattern_done(&p);
}

static void
a_star_stands_for_what_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(word_rows); i++)
        check_pattern(&word_rows[i], false);
    for (size_t i = 0; i < N_OF(path_rows); i++)
        check_pattern(&path_rows[i], true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_names_its_line_and_what_is_meant),
        cmocka_unit_test(what_is_right_is_taken),
        cmocka_unit_test(a_rule_knows_its_parts),
        cmocka_unit_test(bounds_are_errors),
        cmocka_unit_test(a_star_stands_for_what_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
