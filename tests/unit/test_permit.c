/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_permit.c - which calls of a tool are allowed, and what they may write.
 */
#include "unit_seat.h"

#include "plugins.h"
#include "tool/permit.h"

#define ARGS                                                                   \
    "\"args\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":"           \
    "\"string\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"  \
    "\"command\":{\"type\":\"string\"},\"hereing_directory\":{\"type\":"       \
    "\"string\"}}}"
#define ACTIONS                                                                \
    "\"actions\":{"                                                            \
    "\"look\":{\"summary\":\"s\",\"read_only\":true,\"reads\":[\"p\",\"l\"],"  \
    "\"hosts\":[]," ARGS "},"                                                  \
    "\"write\":{\"summary\":\"s\",\"writes\":[\"p\",\"l\"]," ARGS "},"         \
    "\"fetch\":{\"summary\":\"s\",\"read_only\":true,\"hosts\":[\"p\"]," ARGS  \
    "},"                                                                       \
    "\"act\":{\"summary\":\"s\",\"destructive\":false," ARGS "},"              \
    "\"drop\":{\"summary\":\"s\"," ARGS "}}"

struct fixture {
    struct tree tree; /* with here/ and other/, here/.env, here/old, and the
                         links here/out -> ../other, here/key -> .env */
    char here[PATH_MAX];
    struct registry *registry;
    struct policy *policy;
    struct config *config;
};

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    char builtin[PATH_MAX], user[PATH_MAX];
    const struct registry_dirs places = {.builtin = builtin, .user = user};

    assert_int_equal(tree_make(&f->tree), 0);
    assert_int_equal(tree_dir(&f->tree, "here"), 0);
    assert_int_equal(tree_dir(&f->tree, "other"), 0);
    assert_int_equal(tree_text(&f->tree, "here/.env", "x"), 0);
    assert_int_equal(tree_text(&f->tree, "here/old", "x"), 0);
    assert_int_equal(tree_link(&f->tree, "../other", "here/out"), 0);
    assert_int_equal(tree_link(&f->tree, ".env", "here/key"), 0);
    tree_path(&f->tree, "here", f->here);
    tree_path(&f->tree, "builtin", builtin);
    tree_path(&f->tree, "user", user);
    setenv("XDG_STATE_HOME", f->tree.top, 1);
    setenv("HOME", f->tree.top, 1);
    assert_int_equal(
        plugins_put(&f->tree, "builtin", "t", PLUGIN_WITH("t", ACTIONS)), 0);
    assert_int_equal(
        plugins_put(&f->tree, "builtin", "root",
                    PLUGIN_WITH("root", "\"needs\":{\"privileged\":["
                                        "\"/usr/bin/x\"]}," ACTIONS)),
        0);
    assert_int_equal(
        plugins_put(&f->tree, "builtin", "step",
                    PLUGIN_WITH("step", "\"confinement\":\"step\"," ACTIONS)),
        0);
    assert_int_equal(
        plugins_put(&f->tree, "user", "mine", PLUGIN_WITH("mine", ACTIONS)), 0);
    f->registry = registry_open_in(unit_seat(), &places, NULL, NULL);
    f->config = config_load_files(NULL, NULL, NULL);
    assert_non_null(f->registry);
    assert_non_null(f->config);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    registry_free(f->registry);
    policy_free(f->policy);
    config_free(f->config);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

static const struct tool *
find(const struct fixture *f, const char *name)
{
    struct err e = {0};
    const struct tool *t = registry_find(f->registry, name, &e);

    if (!t)
        fail_msg("%s", e.text);
    return t;
}

static void
use(struct fixture *f, const char *preset)
{
    policy_free(f->policy);
    f->policy = policy_load_files(NULL, NULL, preset, NULL, NULL);
    assert_non_null(f->policy);
}

/* `$` in the arguments stands for the tree's top. */
static int
judge(const struct fixture *f, const char *tool, const char *action,
      const char *args, struct permit *out, struct err *e)
{
    const struct path_context where = {
        .cwd = f->here, .home = "/home/me", .path = "/usr/bin:/bin"};
    CLEANUP_BUF struct buf text = buf_of(8192);
    CLEANUP(json_free_p) struct json *v = NULL;

    for (; *args; args++)
        buf_printf(&text, *args == '$' ? "%s" : "%.1s",
                   *args == '$' ? f->tree.top : args);
    v = json_parse(text.p, text.len, 0, NULL);
    assert_non_null(v);
    return permit_judge(f->policy, find(f, tool), action, v, &where, out, e);
}

static const struct row {
    const char *preset, *tool, *action, *args;
    enum guard_decision want;
    const char *reason;
} rows[] = {
    {"standard", "t", "look", "{}", GUARD_ALLOW, ""},
    {"standard", "t", "look", "{\"p\":\"old\"}", GUARD_ALLOW, ""},
    {"standard", "t", "look", "{\"p\":null}", GUARD_ALLOW, ""},
    {"standard", "t", "look", "{\"p\":\"/etc/hostname\"}", GUARD_ALLOW, ""},
    {"standard", "t", "look", "{\"p\":\".env\"}", GUARD_DENY,
     "it may not read $/here/.env"},
    {"permissive", "t", "look", "{\"p\":\"key\"}", GUARD_DENY,
     "it may not read $/here/key, which is $/here/.env"},
    {"permissive", "t", "look", "{\"l\":[\"old\",\"out/../here/.env\"]}",
     GUARD_DENY, "it may not read $/"},
    {"permissive", "t", "look", "{\"p\":\"/home/me/.ssh/config\"}", GUARD_DENY,
     "it may not read /home/me/.ssh/config"},
    {"restrictive", "t", "look", "{\"p\":\"old\"}", GUARD_ALLOW, ""},
    {"restrictive", "t", "look", "{\"p\":\"/etc/hostname\"}", GUARD_ASK,
     "it would read /etc/hostname"},
    {"standard", "t", "write", "{\"p\":\"new\"}", GUARD_ALLOW, ""},
    {"standard", "t", "write", "{\"p\":\"old\"}", GUARD_ASK,
     "it would write $/here/old"},
    {"standard", "t", "write", "{\"p\":\"../other/x\"}", GUARD_ASK,
     "it would write $/other/x"},
    {"standard", "t", "write", "{\"p\":\"out/x\"}", GUARD_ASK,
     "it would write $/here/out/x"},
    {"permissive", "t", "write", "{\"p\":\"../other/x\"}", GUARD_ALLOW, ""},
    {"permissive", "t", "write", "{\"p\":\"x.pem\"}", GUARD_DENY,
     "it may not write $/here/x.pem"},
    {"restrictive", "t", "write", "{\"p\":\"new\"}", GUARD_ASK, ""},
    {"standard", "t", "act", "{}", GUARD_ASK, "t act"},
    {"standard", "t", "drop", "{}", GUARD_ASK, "t drop, which may lose data"},
    {"permissive", "t", "act", "{}", GUARD_ALLOW, ""},
    {"permissive", "t", "drop", "{}", GUARD_ASK, "which may lose data"},
    {"standard", "root", "look", "{}", GUARD_ALLOW, ""},
    {"standard", "root", "act", "{}", GUARD_ASK, "with the rights of root"},
    {"restrictive", "root", "act", "{}", GUARD_DENY, "with the rights of root"},
    {"standard", "t", "fetch", "{\"p\":\"https://u:p@Example.org:8443/x?y#z\"}",
     GUARD_ASK, "it would contact Example.org"},
    {"standard", "t", "fetch", "{\"p\":\"[::1]:80\"}", GUARD_ASK,
     "it would contact ::1"},
    /* programs differ about where these hosts end */
    {"standard", "t", "fetch", "{\"p\":\"http://a.com\\\\@b.com/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://a.com\\t@b.com/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://b.com/\\\\@x\"}", GUARD_ASK,
     "it would contact b.com"},
    {"standard", "t", "fetch", "{\"p\":\"https:a.com/?u=http://b.com/\"}",
     GUARD_ASK, "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"https:/a.com#x://b.com\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"https:a.com/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"a.com/x\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://a%2ecom/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://2130706433/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://0x7f.1/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://a.com./\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://a\u3002com/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http:///a.com/\"}", GUARD_ASK,
     "it would contact some host"},
    {"standard", "t", "fetch", "{\"p\":\"http://127.0.0.1:80/x\"}", GUARD_ASK,
     "it would contact 127.0.0.1"},
    {"standard", "t", "fetch", "{\"p\":\"http://[::1]/x\"}", GUARD_ASK,
     "it would contact ::1"},
    {"standard", "t", "fetch", "{\"p\":\"git+ssh://g@h.org/x\"}", GUARD_ASK,
     "it would contact h.org"},
    {"standard", "t", "fetch", "{\"p\":\"h.org:443\"}", GUARD_ASK,
     "it would contact h.org"},
    {"permissive", "t", "fetch", "{\"p\":\"example.org\"}", GUARD_ALLOW, ""},
    {"standard", "step", "act", "{\"command\":\"ls\"}", GUARD_ALLOW, ""},
    {"standard", "step", "act", "{\"command\":\"rm old\"}", GUARD_ASK,
     "rm deletes files"},
    {"permissive", "step", "act", "{\"command\":\"rm -rf /\"}", GUARD_DENY,
     "would delete or overwrite /"},
    {"standard", "step", "act",
     "{\"command\":\"rm x\",\"hereing_directory\":\"out\"}", GUARD_ASK, ""},
    {"standard", "step", "act",
     "{\"command\":\"ls\",\"env\":{},\"stdin\":\"x\"}", GUARD_ALLOW, ""},
    {"standard", "step", "act",
     "{\"command\":\"ls\",\"env\":{\"LANG\":\"C\",\"LD_PRELOAD\":\"x.so\"}}",
     GUARD_ASK, "LD_PRELOAD: a variable makes programs run unchecked code"},
    {"permissive", "step", "act",
     "{\"command\":\"ls\",\"env\":{\"LD_LIBRARY_PATH\":\"lib\"}}", GUARD_ASK,
     "LD_LIBRARY_PATH: runs code from a directory"},
    {"standard", "step", "act",
     "{\"command\":\"ls\",\"env\":{\"AGENTSH_X\":\"1\"}}", GUARD_ASK,
     "AGENTSH_X: a variable may change what the program does"},
    {"permissive", "step", "act",
     "{\"command\":\"rm -rf \\u0024D\",\"env\":{\"D\":\"/etc\"}}", GUARD_DENY,
     "would delete or overwrite /etc"},
    {"permissive", "step", "act", "{\"command\":\"sh\",\"stdin\":\"rm -rf /\"}",
     GUARD_DENY, "would delete or overwrite /"},
    {"standard", "step", "act", "{\"command\":\"cat\",\"stdin\":\"rm -rf /\"}",
     GUARD_ALLOW, ""},
    {"permissive", "mine", "write", "{\"p\":\"../other/x\"}", GUARD_ALLOW, ""},
    {"permissive", "mine", "write", "{\"p\":\"/etc/agentsh-x\"}", GUARD_DENY,
     "it may not write /etc/agentsh-x"},
};

/* Whether text begins with what is wanted, $ being the tree's top. */
static bool
holds(const struct fixture *f, const char *text, const char *want)
{
    CLEANUP_BUF struct buf whole = buf_of(1024);

    for (; *want; want++)
        buf_printf(&whole, *want == '$' ? "%s" : "%.1s",
                   *want == '$' ? f->tree.top : want);
    return strstr(text, whole.p) != NULL;
}

static void
each_call_is_judged_by_what_it_touches(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct row *r = &rows[i];
        CLEANUP(permit_done) struct permit p = {0};
        struct err e = {0};

        use(f, r->preset);
        if (judge(f, r->tool, r->action, r->args, &p, &e) < 0)
            fail_msg("case %zu: %s", i, e.text);
        if (p.decision != r->want || !holds(f, p.reason, r->reason) ||
            (r->want == GUARD_ALLOW && p.reason[0]) || !p.rule[0])
            fail_msg("case %zu, %s %s: %s, %s (%s)", i, r->action, r->args,
                     guard_decision_name(p.decision), p.reason, p.rule);
    }
}

static void
what_cannot_be_judged_is_an_error(void **state)
{
    struct fixture *f = *state;
    CLEANUP(permit_done) struct permit p = {0}, q = {0}, r = {0};
    struct err e = {0};

    use(f, "permissive");
    assert_int_equal(judge(f, "t", "explode", "{}", &p, &e), -1);
    assert_string_equal(e.text, "t has no action \"explode\"");
    assert_int_equal(judge(f, "t", "look", "{\"p\":\"a\\u0000b\"}", &q, &e),
                     -1);
    assert_non_null(strstr(e.text, "p: it must be text"));
    assert_int_equal(judge(f, "t", "write", "{\"l\":[\"\"]}", &r, &e), -1);
    assert_non_null(strstr(e.text, "l: it must be text"));
}

static void
variables_that_no_shell_could_assign_are_an_error(void **state)
{
    static const struct {
        const char *args, *says;
    } wrong[] = {
        {"{\"command\":\"ls\",\"env\":[]}", "env: must be an object"},
        {"{\"command\":\"ls\",\"env\":{\"A\":1}}", "env: values must be text"},
        {"{\"command\":\"ls\",\"env\":{\"A\":null}}",
         "env: values must be text"},
        {"{\"command\":\"ls\",\"env\":{\"\":\"x\"}}",
         "is no name of a variable"},
        {"{\"command\":\"ls\",\"env\":{\"1A\":\"x\"}}", "\"1A\" is no name"},
        {"{\"command\":\"ls\",\"env\":{\"A=B\":\"x\"}}", "\"A=B\" is no name"},
        {"{\"command\":\"ls\",\"env\":{\"BASH_FUNC_ls%%\":\"() { rm x; }\"}}",
         "is no name of a variable"},
        {"{\"command\":\"ls\",\"env\":{\"A\":\"x\\u0000y\"}}",
         "env: A contains a NUL"},
    };
    struct fixture *f = *state;

    use(f, "permissive");
    for (size_t i = 0; i < N_OF(wrong); i++) {
        CLEANUP(permit_done) struct permit p = {0};
        struct err e = {0};

        assert_int_equal(judge(f, "step", "act", wrong[i].args, &p, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        if (!strstr(e.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].args, e.text);
    }
}

static void
what_is_known_of_a_call_is_told(void **state)
{
    struct fixture *f = *state;
    CLEANUP(permit_done) struct permit look = {0}, root = {0}, step = {0};

    use(f, "standard");
    assert_int_equal(judge(f, "t", "look", "{}", &look, NULL), 0);
    assert_true(look.read_only);
    assert_false(look.destructive || look.privileged || look.network);
    assert_null(look.found);
    assert_int_equal(judge(f, "root", "drop", "{}", &root, NULL), 0);
    assert_true(root.destructive && root.privileged && !root.read_only);
    assert_int_equal(
        judge(f, "step", "act", "{\"command\":\"sudo rm x\"}", &step, NULL), 0);
    assert_true(step.destructive && step.privileged);
    assert_non_null(step.found);
}

static void
the_directory_of_what_is_written_outside_is_writable(void **state)
{
    struct fixture *f = *state;
    CLEANUP(permit_done) struct permit in = {0}, out = {0}, none = {0};

    use(f, "permissive");
    assert_int_equal(judge(f, "t", "write", "{\"p\":\"new\"}", &in, NULL), 0);
    assert_int_equal(in.n_writable, 0);
    assert_int_equal(judge(f, "t", "write",
                           "{\"l\":[\"out/a\",\"$/other/b\",\"new\"]}", &out,
                           NULL),
                     0);
    assert_int_equal(out.n_writable, 1);
    assert_true(holds(f, out.writable[0], "$/other"));
    assert_int_equal(
        judge(f, "t", "write", "{\"p\":\"$/gone/b\"}", &none, NULL), 0);
    assert_int_equal(none.n_writable, 0);
}

static void
what_a_command_writes_stands_beside_what_an_argument_names(void **state)
{
    struct fixture *f = *state;
    CLEANUP(permit_done) struct permit both = {0};
    struct err e = {0};

    use(f, "permissive");
    assert_int_equal(tree_dir(&f->tree, "third"), 0);
    if (judge(f, "step", "write",
              "{\"p\":\"../other/x\",\"command\":\"touch $/third/y "
              "$/other/z\"}",
              &both, &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(both.n_writable, 2);
    assert_true(holds(f, both.writable[0], "$/other"));
    assert_true(holds(f, both.writable[1], "$/third"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(each_call_is_judged_by_what_it_touches),
        T(what_cannot_be_judged_is_an_error),
        T(variables_that_no_shell_could_assign_are_an_error),
        T(what_is_known_of_a_call_is_told),
        T(the_directory_of_what_is_written_outside_is_writable),
        T(what_a_command_writes_stands_beside_what_an_argument_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
