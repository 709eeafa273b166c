/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_manifest.c - which manifests are valid, and what an error says. */
#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "tool/manifest.h"
#include "tree.h"

#define HEAD                                                                   \
    "{\"name\":\"t\",\"version\":\"1\",\"summary\":\"s\",\"executable\":\"t\""
#define ACT                                                                    \
    "\"actions\":{\"a\":{\"summary\":\"s\",\"args\":{\"type\":\"object\"}}}"
#define BARE HEAD "," ACT "}"

/* An action with these members more, and arguments p (a path), l (a list of
 * them), n (a number). */
#define ACTION(more)                                                           \
    HEAD ",\"actions\":{\"a\":{\"summary\":\"s\",\"args\":{\"type\":"          \
         "\"object\",\"properties\":{\"p\":{\"type\":[\"string\",\"null\"]},"  \
         "\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"         \
         "\"n\":{\"type\":\"integer\"}}}" more "}}}"
#define NEEDS(members) HEAD ",\"needs\":{" members "}," ACT "}"

static struct manifest *
parse(const char *text, struct err *e)
{
    return manifest_parse(text, strlen(text), "dir/plugin.json", e);
}

static struct manifest *
must_parse(const char *text)
{
    struct err e = {0};
    struct manifest *m = parse(text, &e);

    if (!m)
        fail_msg("%s: %s", text, e.text);
    return m;
}

static const struct {
    const char *text, *fault;
    enum err_code code;
} faults[] = {
    {"", "byte 1", ERR_PARSE},
    {"{\"name\":\"a\",\"name\":\"b\"}", "name", ERR_INVALID},
    {"[]", "must be an object, not an array", ERR_INVALID},
    {"{}", "missing \"name\"", ERR_INVALID},
    {HEAD "}", "missing \"actions\"", ERR_INVALID},
    {HEAD ",\"sumary\":\"x\"," ACT "}",
     "unknown member \"sumary\"; did you mean \"summary\"?", ERR_INVALID},
    {HEAD ",\"zzzzzzzzz\":1," ACT "}", "unknown member \"zzzzzzzzz\"",
     ERR_INVALID},
    {"{\"name\":1}", "name: must be a string, not a number", ERR_INVALID},
    {"{\"name\":\"\"}", "name: must not be empty", ERR_INVALID},
    {"{\"name\":\"A\"}", "name: \"A\" is not a valid name", ERR_INVALID},
    {"{\"name\":\".a\"}", "name: \".a\" is not a valid name", ERR_INVALID},
    {"{\"name\":\"a/b\"}", "name: \"a/b\" is not a valid name", ERR_INVALID},
    {"{\"name\":\"a\\u0000b\"}", "name: must not contain control", ERR_INVALID},
    {"{\"summary\":\"a\\nb\"}", "summary: must not contain control",
     ERR_INVALID},
    {"{\"executable\":\"/bin/sh\"}",
     "executable: must be a file next to plugin.json, not \"/bin/sh\"",
     ERR_INVALID},
    {"{\"executable\":\"..\"}", "executable: must be a file next to",
     ERR_INVALID},
    {"{\"confinement\":\"none\"}", "confinement: must be \"step\" or absent",
     ERR_INVALID},
    {"{\"persistent\":1}", "persistent: must be true or false, not a number",
     ERR_INVALID},
    {HEAD ",\"needs\":[]," ACT "}", "needs: must be an object, not an array",
     ERR_INVALID},
    {NEEDS("\"reed\":[]"),
     "needs: unknown member \"reed\"; did you mean \"read\"?", ERR_INVALID},
    {NEEDS("\"read\":\"/\""), "needs.read: must be a list, not a string",
     ERR_INVALID},
    {NEEDS("\"read\":[\"/a\",\"b\"]"),
     "needs.read[1]: must be absolute, \"~/…\" or \"workspace\", not \"b\"",
     ERR_INVALID},
    {NEEDS("\"read\":[\"~\"]"), "needs.read[0]: must be absolute", ERR_INVALID},
    {NEEDS("\"read\":[\"~/\"]"), "needs.read[0]: must be absolute",
     ERR_INVALID},
    {NEEDS("\"read\":[\"~joe/x\"]"), "needs.read[0]: must be absolute",
     ERR_INVALID},
    {NEEDS("\"read\":[\"/a/../b\"]"),
     "needs.read[0]: must not contain \".\" or \"..\"", ERR_INVALID},
    {NEEDS("\"write\":[\"/\"]"),
     "needs.write[0]: must not be \"/\": no tool may write everywhere",
     ERR_INVALID},
    {NEEDS("\"write\":[\"/.\"]"), "needs.write[0]: must not contain",
     ERR_INVALID},
    {NEEDS("\"network\":\"loopback\""),
     "needs.network: must be \"none\" or \"internet\"", ERR_INVALID},
    {NEEDS("\"processes\":true"), "needs.processes: must be \"own\" or \"all\"",
     ERR_INVALID},
    {NEEDS("\"processes\":\"all\",\"state\":true"),
     "needs: a tool that sees all processes may have", ERR_INVALID},
    {NEEDS("\"programs\":[\"/bin/x\"]"),
     "needs.programs[0]: must be the name of a program on PATH", ERR_INVALID},
    {NEEDS("\"privileged\":[\"apt\"]"),
     "needs.privileged[0]: must be a program's absolute path", ERR_INVALID},
    {NEEDS("\"time_limit_ms\":0"),
     "needs.time_limit_ms: must be a whole number, 1 to 86400000", ERR_INVALID},
    {NEEDS("\"memory_mb\":1.5"), "needs.memory_mb: must be a whole number",
     ERR_INVALID},
    {HEAD ",\"actions\":{}}", "actions: must be an object of 1 to 64 actions",
     ERR_INVALID},
    {HEAD ",\"actions\":{\"A\":{}}}", "actions.A: is not a valid action name",
     ERR_INVALID},
    {HEAD ",\"actions\":{\"a\":{\"args\":{\"type\":\"object\"}}}}",
     "actions.a: missing \"summary\"", ERR_INVALID},
    {HEAD ",\"actions\":{\"a\":{\"summary\":\"s\"}}}",
     "actions.a: missing \"args\"", ERR_INVALID},
    {HEAD ",\"actions\":{\"a\":{\"args\":{}}}}",
     "actions.a.args: must be a schema with \"type\": \"object\"", ERR_INVALID},
    {HEAD ",\"actions\":{\"a\":{\"args\":{\"type\":\"object\",\"typ\":1}}}}",
     "actions.a.args: schema: unknown keyword \"typ\"", ERR_INVALID},
    {ACTION(",\"meta\":{\"minLength\":-1}"),
     "actions.a.meta: schema: minLength", ERR_INVALID},
    {ACTION(",\"read_only\":true,\"destructive\":true"),
     "actions.a: a read_only action cannot be destructive", ERR_INVALID},
    {ACTION(",\"read_only\":true,\"writes\":[\"p\"]"),
     "actions.a: a read_only action cannot write", ERR_INVALID},
    {ACTION(",\"reads\":[\"p\",\"q\"]"),
     "actions.a.reads[1]: \"q\" is not an argument", ERR_INVALID},
    {ACTION(",\"writes\":[\"n\"]"),
     "actions.a.writes[0]: \"n\" must be a string or a list of strings",
     ERR_INVALID},
    {ACTION(",\"hosts\":\"p\""), "actions.a.hosts: must be a list",
     ERR_INVALID},
    {ACTION(",\"undo\":true"), "actions.a.undo: must be \"state\"",
     ERR_INVALID},
    {ACTION(",\"undo\":\"state\""),
     "actions.a: \"undo\" needs the read_only actions state and reverse",
     ERR_INVALID},
};

static void
each_fault_names_the_file_and_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(faults); i++) {
        struct err e = {0};
        CLEANUP(manifest_free_p)
        struct manifest *m = parse(faults[i].text, &e);

        if (m || !strstr(e.text, faults[i].fault) ||
            strncmp(e.text, "dir/plugin.json: ", 17) != 0)
            fail_msg("%s: %s", faults[i].text, m ? "taken" : e.text);
        assert_int_equal(e.code, faults[i].code);
    }
}

static void
of_a_long_path_the_end_is_named(void **state)
{
    char where[400];
    struct err e = {0};

    (void)state;
    memset(where, 'x', sizeof(where));
    snprintf(where + 380, 20, "/t/plugin.json");
    assert_null(manifest_parse("{}", 2, where, &e));
    assert_non_null(strstr(e.text, "x/t/plugin.json: missing \"name\""));
}

static void
a_list_has_a_bound(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct err e = {0};

    (void)state;
    buf_str(&text, HEAD ",\"needs\":{\"read\":[\"/a\"");
    for (int i = 0; i < MANIFEST_LIST_MAX; i++)
        buf_str(&text, ",\"/a\"");
    buf_str(&text, "]}," ACT "}");
    assert_null(parse(text.p, &e));
    assert_non_null(strstr(e.text, "needs.read: must have at most 16"));
}

static void
what_is_not_said_is_the_careful_choice(void **state)
{
    CLEANUP(manifest_free_p) struct manifest *m = must_parse(BARE);

    (void)state;
    assert_false(m->step || m->persistent);
    assert_false(m->needs.network || m->needs.all_processes || m->needs.state);
    assert_null(m->needs.read[0]);
    assert_null(m->needs.write[0]);
    assert_int_equal(m->needs.time_limit_ms, 0);
    assert_int_equal(m->n_actions, 1);
    assert_false(m->actions[0].read_only);
    assert_true(m->actions[0].destructive);
    assert_null(m->actions[0].meta_check);
}

static void
what_reads_only_is_not_destructive(void **state)
{
    CLEANUP(manifest_free_p)
    struct manifest *m = must_parse(ACTION(",\"read_only\":true"));

    (void)state;
    assert_true(m->actions[0].read_only);
    assert_false(m->actions[0].destructive);
}

static void
needs_are_read(void **state)
{
    CLEANUP(manifest_free_p)
    struct manifest *m = must_parse(
        NEEDS("\"read\":[\"/\",\"~/x\",\"workspace\"],\"write\":[\"/srv\"],"
              "\"network\":\"internet\",\"processes\":\"own\",\"state\":true,"
              "\"programs\":[\"jq\"],\"privileged\":[\"/usr/bin/apt-get\"],"
              "\"time_limit_ms\":1000,\"memory_mb\":256"));
    const struct manifest_needs *n = &m->needs;

    (void)state;
    assert_string_equal(n->read[0], "/");
    assert_string_equal(n->read[1], "~/x");
    assert_string_equal(n->read[2], "workspace");
    assert_null(n->read[3]);
    assert_string_equal(n->write[0], "/srv");
    assert_true(n->network && n->state && !n->all_processes);
    assert_string_equal(n->programs[0], "jq");
    assert_string_equal(n->privileged[0], "/usr/bin/apt-get");
    assert_int_equal(n->time_limit_ms, 1000);
    assert_int_equal(n->memory_mb, 256);
}

static void
arguments_are_checked_by_the_schema(void **state)
{
    static const char wrong[] = "{\"p\":7}";
    CLEANUP(manifest_free_p)
    struct manifest *m = must_parse(ACTION(",\"reads\":[\"p\",\"l\"]"));
    const struct manifest_action *a = manifest_action(m, "a");
    CLEANUP(json_free_p)
    struct json *args = json_parse(wrong, strlen(wrong), 0, NULL);
    struct err e = {0};

    (void)state;
    assert_null(manifest_action(m, "b"));
    assert_string_equal(a->reads[1], "l");
    assert_int_equal(json_schema_check(a->args_check, args, 0, &e), -1);
    assert_non_null(strstr(e.text, "p: must be"));
}

static const struct {
    const char *text; /* NULL: no file */
    bool program, executable;
    const char *fault;
    enum err_code code;
} dirs[] = {
    {NULL, true, true, "No such file", ERR_NOT_FOUND},
    {"{", true, true, "byte 2", ERR_PARSE},
    {"{\"name\":\"u\",\"version\":\"1\",\"summary\":\"s\",\"executable\":"
     "\"t\"," ACT "}",
     true, true, "name: must be that of the directory (\"t\"), not \"u\"",
     ERR_INVALID},
    {BARE, false, false, "executable: no such file next to it: \"t\"",
     ERR_NOT_FOUND},
    {BARE, true, false, "executable: \"t\" is not executable", ERR_PERMISSION},
    {BARE, true, true, NULL, ERR_NONE},
};

static void
read_one(size_t i)
{
    struct tree t;
    char path[PATH_MAX];
    struct err e = {0};
    struct manifest *m;

    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_dir(&t, "t"), 0);
    if (dirs[i].text)
        assert_int_equal(tree_text(&t, "t/plugin.json", dirs[i].text), 0);
    if (dirs[i].program)
        assert_int_equal(tree_file(&t, "t/t", 1), 0);
    if (dirs[i].executable)
        assert_int_equal(chmod(tree_path(&t, "t/t", path), 0700), 0);
    m = manifest_read(tree_path(&t, "t", path), &e);
    if (!m != !!dirs[i].fault ||
        (dirs[i].fault && (!strstr(e.text, dirs[i].fault) ||
                           !strstr(e.text, "/t/plugin.json: "))))
        fail_msg("case %zu: %s", i, e.text);
    assert_int_equal(e.code, dirs[i].code);
    manifest_free(m);
    tree_drop(&t);
}

static void
a_directory_holds_manifest_and_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(dirs); i++)
        read_one(i);
}

static void
what_is_no_file_is_no_manifest(void **state)
{
    struct tree t;
    char path[PATH_MAX];
    struct err e = {0};

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_dir(&t, "t"), 0);
    assert_int_equal(tree_text(&t, "real.json", BARE), 0);
    assert_int_equal(tree_link(&t, "../real.json", "t/plugin.json"), 0);
    assert_null(manifest_read(tree_path(&t, "t", path), &e));
    assert_int_equal(unlink(tree_path(&t, "t/plugin.json", path)), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(manifest_read(tree_path(&t, "t", path), &e));
    assert_non_null(strstr(e.text, "not a regular file"));
    tree_drop(&t);
}

static const struct {
    const char *name;
    bool good;
} names[] = {
    {"cmd.run", true},
    {"a", true},
    {"0", true},
    {"a_b-c.d", true},
    {"", false},
    {"-a", false},
    {".a", false},
    {"_a", false},
    {"A", false},
    {"a b", false},
    {"a/b", false},
    {"é", false},
    {"a123456789b123456789c123456789d123456789e123456789f123456789g123", true},
    {"a123456789b123456789c123456789d123456789e123456789f123456789g1234",
     false},
};

static void
names_are_plain(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(names); i++)
        if (manifest_is_name(names[i].name) != names[i].good)
            fail_msg("'%s'", names[i].name);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_names_the_file_and_the_place),
        cmocka_unit_test(of_a_long_path_the_end_is_named),
        cmocka_unit_test(a_list_has_a_bound),
        cmocka_unit_test(what_is_not_said_is_the_careful_choice),
        cmocka_unit_test(what_reads_only_is_not_destructive),
        cmocka_unit_test(needs_are_read),
        cmocka_unit_test(arguments_are_checked_by_the_schema),
        cmocka_unit_test(a_directory_holds_manifest_and_program),
        cmocka_unit_test(what_is_no_file_is_no_manifest),
        cmocka_unit_test(names_are_plain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
