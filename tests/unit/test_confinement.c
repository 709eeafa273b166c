/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_confinement.c - a manifest's needs become the sandbox setup of its tool.
 */
#include "unit_seat.h"

#include "plugins.h"
#include "tool/confinement.h"

/* With home/ (HOME) and home/notes, the workspace here/, and plugins that are
 * not built in. */
struct fixture {
    struct tree tree;
    char home[PATH_MAX], here[PATH_MAX], user[PATH_MAX];
    struct registry *registry;
    struct config *config;
    struct sandbox_setup setup;
};

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_int_equal(tree_make(&f->tree), 0);
    tree_path(&f->tree, "home", f->home);
    tree_path(&f->tree, "here", f->here);
    tree_path(&f->tree, "user", f->user);
    assert_int_equal(tree_dir(&f->tree, "home"), 0);
    assert_int_equal(tree_dir(&f->tree, "home/notes"), 0);
    assert_int_equal(tree_dir(&f->tree, "home/.ssh"), 0);
    assert_int_equal(tree_dir(&f->tree, "here"), 0);
    setenv("XDG_STATE_HOME", f->tree.top, 1);
    setenv("HOME", f->home, 1);
    f->config = config_load_files(NULL, NULL, NULL);
    assert_non_null(f->config);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    sandbox_setup_done(&f->setup);
    registry_free(f->registry);
    config_free(f->config);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

/* The plugin t with these needs. */
static const struct tool *
put(struct fixture *f, const char *needs)
{
    const struct registry_dirs places = {.user = f->user};
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct err e = {0};
    const struct tool *t;

    buf_printf(&text, PLUGIN_WITH("t", "\"needs\":{%s}," PLUGIN_LOOK), needs);
    assert_int_equal(plugins_put(&f->tree, "user", "t", text.p), 0);
    f->registry = registry_open_in(unit_seat(), &places, NULL, NULL);
    t = registry_find(f->registry, "t", &e);
    if (!t)
        fail_msg("%s", e.text);
    return t;
}

static int
fill(struct fixture *f, const struct permit *p, const char *needs,
     const char *workspace, struct err *e)
{
    const struct confinement_params params = {.tool = put(f, needs),
                                              .permit = p,
                                              .seat = unit_seat(),
                                              .workspace = workspace,
                                              .config = f->config};

    return confinement_fill_sandbox(&params, &f->setup, e);
}

static const struct sandbox_spec *
site_of(struct fixture *f, const struct permit *p, const char *needs)
{
    struct err e = {0};

    if (fill(f, p, needs, f->here, &e) < 0)
        fail_msg("%s", e.text);
    return &f->setup.spec;
}

/* A path of the tree. */
static bool
lists(const struct fixture *f, const char *const *list, const char *name)
{
    char path[PATH_MAX];

    tree_path(&f->tree, name, path);
    for (; *list; list++)
        if (strcmp(*list, path) == 0)
            return true;
    return false;
}

static void
without_needs_it_gets_nothing(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(f, NULL, "");

    assert_int_equal(s->profile, PROFILE_PLUGIN);
    assert_false(s->net || s->sees_all);
    assert_null(s->workspace);
    assert_null(s->writable[0]);
    assert_int_equal(s->limit_ms, 0);
    assert_true(lists(f, s->programs, "user/t"));
}

static void
a_read_workspace_is_seen(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(f, NULL, "\"read\":[\"workspace\"]");

    assert_string_equal(s->workspace, f->here);
    assert_null(s->writable[0]);
}

static void
a_written_workspace_is_writable(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(f, NULL,
                                           "\"write\":[\"workspace\"]");

    assert_string_equal(s->workspace, f->here);
    assert_true(lists(f, s->writable, "here"));
}

static void
everything_is_a_flag_and_the_rest_are_paths(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(
        f, NULL,
        "\"read\":[\"/\",\"~/notes\",\"~/gone\"],\"write\":[\"~/notes\"],"
        "\"network\":\"internet\",\"memory_mb\":64");

    assert_true(s->sees_all && s->net);
    assert_true(lists(f, s->readable, "home/notes"));
    assert_false(lists(f, s->readable, "home/gone"));
    assert_true(lists(f, s->writable, "home/notes"));
    assert_int_equal(s->memory_bytes, 64u << 20);
    assert_true(lists(f, s->secret, "home/.ssh"));
}

static void
a_place_of_secrets_is_seen_where_it_is_named(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(f, NULL,
                                           "\"read\":[\"/\",\"~/.ssh\"]");

    assert_false(lists(f, s->secret, "home/.ssh"));
    assert_true(lists(f, s->readable, "home/.ssh"));
}

static void
what_is_to_be_written_must_be_there(void **state)
{
    struct fixture *f = *state;
    struct err e = {0};

    assert_int_equal(fill(f, NULL, "\"write\":[\"~/gone\"]", f->here, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_non_null(strstr(e.text, "/home/gone to write to"));
}

static void
must_refuse(struct fixture *f, const char *needs, const char *why)
{
    struct err e = {0};

    assert_int_equal(fill(f, NULL, needs, NULL, &e), -1);
    assert_int_equal(e.code, ERR_DENIED);
    assert_non_null(strstr(e.text, why));
}

/* As whatever could write ~/notes may have left it. */
static void
must_refuse_link(struct fixture *f, const char *target, const char *needs)
{
    char link[PATH_MAX];

    tree_path(&f->tree, "home/notes/link", link);
    assert_int_equal(symlink(target, link), 0);
    must_refuse(f, needs, "a symbolic link in it leads");
}

static void
a_link_leads_to_no_keys(void **state)
{
    must_refuse_link(*state, "../.ssh", "\"read\":[\"~/notes/link\"]");
}

static void
a_link_that_it_could_have_made_leads_nowhere(void **state)
{
    must_refuse_link(*state, "../../here",
                     "\"write\":[\"~/notes\"],\"read\":[\"~/notes/link\"]");
}

static void
what_is_agentsh_s_own_is_no_tool_s(void **state)
{
    struct fixture *f = *state;
    CLEANUP_BUF struct buf needs = buf_of(PATH_MAX + 64);
    char own[PATH_MAX];

    assert_int_equal(tree_dir(&f->tree, "agentsh"), 0);
    tree_path(&f->tree, "agentsh", own);
    buf_printf(&needs, "\"write\":[\"%s\"]", own);
    must_refuse(f, needs.p, "agentsh's own");
}

static void
a_state_directory_is_made_for_the_owner_alone(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(f, NULL, "\"state\":true");
    char path[PATH_MAX];
    struct stat st;

    assert_true(lists(f, s->writable, "agentsh/plugins/t"));
    tree_path(&f->tree, "agentsh/plugins/t", path);
    assert_string_equal(s->state, path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
}

static void
who_sees_all_processes_has_a_profile_for_it(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s = site_of(
        f, NULL, "\"processes\":\"all\",\"read\":[\"/\"]");

    assert_int_equal(s->profile, PROFILE_OBSERVE_PROC);
    assert_false(s->sees_all);
    assert_null(s->writable[0]);
}

static void
what_was_permitted_is_writable(void **state)
{
    struct fixture *f = *state;
    char notes[PATH_MAX];
    const struct permit p = {.writable = {notes}, .n_writable = 1};
    const struct sandbox_spec *s;

    tree_path(&f->tree, "home/notes", notes);
    s = site_of(f, &p, "");
    assert_true(lists(f, s->writable, "home/notes"));
}

static void
a_home_directory_is_no_workspace(void **state)
{
    struct fixture *f = *state;
    const struct sandbox_spec *s;

    snprintf(f->here, sizeof(f->here), "%s", f->home);
    s = site_of(f, NULL, "\"write\":[\"workspace\"]");
    assert_null(s->workspace);
    assert_null(s->writable[0]);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(without_needs_it_gets_nothing),
        T(a_read_workspace_is_seen),
        T(a_written_workspace_is_writable),
        T(everything_is_a_flag_and_the_rest_are_paths),
        T(a_place_of_secrets_is_seen_where_it_is_named),
        T(what_is_to_be_written_must_be_there),
        T(a_link_leads_to_no_keys),
        T(a_link_that_it_could_have_made_leads_nowhere),
        T(what_is_agentsh_s_own_is_no_tool_s),
        T(a_state_directory_is_made_for_the_owner_alone),
        T(who_sees_all_processes_has_a_profile_for_it),
        T(what_was_permitted_is_writable),
        T(a_home_directory_is_no_workspace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
