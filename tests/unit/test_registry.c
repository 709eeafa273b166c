/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_registry.c - which tools are found, and which of them are trusted. */
#include "unit_seat.h"

#include "base/file.h"
#include "plugins.h"
#include "registry_fixture.h"

static void
what_is_not_there_is_no_mistake(void **state)
{
    CLEANUP(registry_free_p) struct registry *r = open_all(*state);

    assert_null(registry_at(r, 0));
}

static void
a_tool_is_found_by_its_name(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;
    struct err e = {0};

    put(f, "builtin", "fs.read", PLUGIN("fs.read"));
    r = open_all(f);
    t = must_find(r, "fs.read");
    assert_int_equal(t->source, TOOL_BUILTIN);
    assert_int_equal(t->trust, TOOL_TRUSTED);
    assert_string_equal(t->hash, "");
    assert_string_equal(t->manifest->summary, "about fs.read");
    assert_non_null(strstr(t->program, "/builtin/fs.read/run"));
    assert_null(registry_find(r, "fs.raed", &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_string_equal(e.text,
                        "unknown tool 'fs.raed'; did you mean fs.read?");
}

static void
the_first_place_of_a_name_wins(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;

    put(f, "more", "a", PLUGIN("a"));
    put(f, "user", "a", PLUGIN("a"));
    put(f, "builtin", "a", PLUGIN("a"));
    put(f, "more", "b", PLUGIN("b"));
    put(f, "user", "b", PLUGIN("b"));
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->source, TOOL_BUILTIN);
    assert_int_equal(must_find(r, "b")->source, TOOL_USER);
}

static void
a_faulty_one_hides_no_other_and_stays_in_the_list(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;
    struct err e = {0};

    put(f, "user", "a", "{");
    put(f, "more", "a", PLUGIN("a"));
    put(f, "user", "b", NULL);
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->source, TOOL_PATH);
    assert_null(registry_find(r, "b", &e));
    assert_non_null(strstr(e.text, "/user/b/plugin.json"));
    t = registry_at(r, 0);
    assert_int_equal(t->source, TOOL_USER);
    assert_null(t->manifest);
    assert_non_null(strstr(t->fault.text, "/user/a/plugin.json"));
    assert_non_null(registry_at(r, 1)->manifest);
    assert_string_equal(registry_at(r, 2)->name, "b");
    assert_null(registry_at(r, 3));
}

static void
one_that_is_hidden_says_by_whom(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;

    put(f, "user", "a", PLUGIN("a"));
    put(f, "more", "a", PLUGIN("a"));
    r = open_all(f);
    assert_non_null(registry_at(r, 0)->manifest);
    assert_null(registry_at(r, 1)->manifest);
    assert_non_null(strstr(registry_at(r, 1)->fault.text, "/user/a"));
    assert_int_equal(must_find(r, "a")->source, TOOL_USER);
}

static void
what_is_beside_the_plugins_is_none(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;

    put(f, "builtin", "lib", NULL); /* objects of the build */
    put(f, "user", ".git", NULL);
    assert_int_equal(tree_text(&f->tree, "user/README", "x"), 0);
    r = open_all(f);
    assert_null(registry_at(r, 0));
}

static void
a_place_that_is_not_absolute_is_passed_over(void **state)
{
    const struct fixture *f = *state;
    const struct registry_dirs places = {.list = ":more:."};
    CLEANUP(registry_free_p) struct registry *r = NULL;

    put(f, "more", "a", PLUGIN("a"));
    assert_int_equal(chdir(f->tree.top), 0);
    r = registry_open_in(unit_seat(), &places, NULL, NULL);
    assert_non_null(r);
    assert_null(registry_at(r, 0));
    assert_int_equal(chdir("/"), 0);
}

static const struct {
    const char *name, *manifest, *fault;
} faults[] = {
    {"Big", PLUGIN("big"), "the directory's name is not a valid tool name"},
    {"a", PLUGIN("b"), "name: must be that of the directory"},
    {"step", PLUGIN_WITH("step", "\"confinement\":\"step\"," PLUGIN_LOOK),
     "confinement: only for built-in tools"},
};

static void
some_faults_are_of_the_place(void **state)
{
    const struct fixture *f = *state;

    for (size_t i = 0; i < N_OF(faults); i++) {
        CLEANUP(registry_free_p) struct registry *r = NULL;
        struct err e = {0};

        put(f, "user", faults[i].name, faults[i].manifest);
        r = open_all(f);
        if (registry_find(r, faults[i].name, &e) ||
            !strstr(e.text, faults[i].fault))
            fail_msg("%s: %s", faults[i].name, e.text);
    }
}

static void
a_plugin_is_new_then_trusted_then_changed(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    char path[PATH_MAX];
    struct stat st;
    struct err e = {0};

    put(f, "user", "a", PLUGIN("a"));
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->trust, TOOL_NEW);
    if (registry_trust(r, must_find(r, "a"), &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(must_find(r, "a")->trust, TOOL_TRUSTED);
    assert_int_equal(stat(tree_path(&f->tree, "agentsh/trusted", path), &st),
                     0);
    assert_int_equal(st.st_mode & 07777, 0600);
    registry_free(r);
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->trust, TOOL_TRUSTED);
    assert_int_equal(chmod(tree_path(&f->tree, "user/a/run", path), 0755), 0);
    registry_free(r);
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->trust, TOOL_CHANGED);
}

static void
what_changed_while_it_was_shown_is_not_agreed_to(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    struct err e = {0};

    put(f, "user", "a", PLUGIN("a"));
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->trust, TOOL_NEW);
    assert_int_equal(tree_text(&f->tree, "user/a/more", "x"), 0);
    assert_int_equal(registry_trust(r, must_find(r, "a"), &e), -1);
    assert_non_null(strstr(e.text, "changed since it was shown"));
    assert_int_equal(must_find(r, "a")->trust, TOOL_NEW);
}

static void
trust_is_of_one_place(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;

    put(f, "user", "a", PLUGIN("a"));
    put(f, "user", "b", PLUGIN("b"));
    r = open_all(f);
    assert_int_equal(registry_trust(r, must_find(r, "b"), NULL), 0);
    assert_int_equal(registry_trust(r, must_find(r, "a"), NULL), 0);
    registry_free(r);
    r = open_all(f);
    assert_int_equal(must_find(r, "a")->trust, TOOL_TRUSTED);
    assert_int_equal(must_find(r, "b")->trust, TOOL_TRUSTED);
}

static void
notes_that_others_may_write_are_refused(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    char path[PATH_MAX];
    struct err e = {0};

    put(f, "user", "a", PLUGIN("a"));
    assert_int_equal(tree_dir(&f->tree, "agentsh"), 0);
    assert_int_equal(tree_text(&f->tree, "agentsh/trusted", ""), 0);
    tree_path(&f->tree, "agentsh/trusted", path);
    assert_int_equal(chmod(path, 0666), 0);
    r = open_all(f);
    assert_null(registry_find(r, "a", &e));
    assert_int_equal(e.code, ERR_CONFIG);
    assert_non_null(strstr(e.text, "is writable by others"));
}

static void
a_place_that_others_may_write_is_refused(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    struct err e = {0};

    put(f, "user", "a", PLUGIN("a"));
    assert_int_equal(chmod(f->user, 0777), 0);
    r = open_all(f);
    assert_null(registry_find(r, "a", &e));
    assert_int_equal(e.code, ERR_PERMISSION);
    assert_non_null(strstr(e.text, "/user is writable by others"));
}

/* A link to itself: root cannot read it either. */
static void
a_place_that_cannot_be_read_hides_no_tool(void **state)
{
    struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;

    assert_int_equal(symlink("more", f->list), 0);
    put(f, "user", "a", PLUGIN("a"));
    r = open_all(f);
    assert_non_null(must_find(r, "a"));
    t = registry_unreadable_dir(r, 0);
    assert_non_null(t);
    assert_string_equal(t->name, f->list);
    assert_ptr_equal(registry_at(r, 0), t);
    assert_null(registry_unreadable_dir(r, 1));
}

/* Whatever it says that it reads: nothing keeps it from the rest. */
static void
who_sees_all_processes_is_told_to_read_everything(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    CLEANUP_BUF struct buf out = buf_of(65536);

    put(f, "user", "a",
        PLUGIN_WITH("a", "\"needs\":{\"processes\":\"all\"}," PLUGIN_LOOK));
    r = open_all(f);
    registry_describe(unit_seat(), must_find(r, "a"), &out);
    assert_non_null(strstr(out.p, "all your files, including keys"));
    assert_null(strstr(out.p, "reads       nothing"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(what_is_not_there_is_no_mistake),
        T(a_tool_is_found_by_its_name),
        T(the_first_place_of_a_name_wins),
        T(a_faulty_one_hides_no_other_and_stays_in_the_list),
        T(one_that_is_hidden_says_by_whom),
        T(what_is_beside_the_plugins_is_none),
        T(a_place_that_is_not_absolute_is_passed_over),
        T(some_faults_are_of_the_place),
        T(a_plugin_is_new_then_trusted_then_changed),
        T(what_changed_while_it_was_shown_is_not_agreed_to),
        T(trust_is_of_one_place),
        T(notes_that_others_may_write_are_refused),
        T(a_place_that_others_may_write_is_refused),
        T(a_place_that_cannot_be_read_hides_no_tool),
        T(who_sees_all_processes_is_told_to_read_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
