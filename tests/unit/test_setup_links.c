/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_setup_links.c - links that a command leaves to lead later ones
 * elsewhere. */
#include "unit_seat.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/probe.h"
#include "sandbox/setup.h"
#include "tree.h"

/* The home directory is the tree's top. */
struct fixture {
    struct tree tree;
    struct config *settings;
    struct sandbox_setup site;
};

/* Where there are no namespaces, the rows are about `reduced`. */
static void
allow_reduced(struct fixture *f)
{
    char path[PATH_MAX];

    assert_int_equal(
        tree_text(&f->tree, "settings", "[sandbox]\nallow_reduced = yes\n"), 0);
    f->settings = config_load_files(NULL, tree_path(&f->tree, "settings", path),
                                    NULL);
    assert_non_null(f->settings);
}

static int
setup(void **state)
{
    static const char *const dirs[] = {".ssh", ".config", "bin", "proj",
                                       "proj/sub"};
    struct fixture *f = calloc(1, sizeof(*f));

    assert_int_equal(tree_make(&f->tree), 0);
    for (size_t i = 0; i < N_OF(dirs); i++)
        assert_int_equal(tree_dir(&f->tree, dirs[i]), 0);
    setenv("HOME", f->tree.top, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_DATA_HOME");
    allow_reduced(f);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    sandbox_setup_done(&f->site);
    config_free(f->settings);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

static const struct sandbox_spec *
fill(struct fixture *f, const char *workspace)
{
    char path[PATH_MAX];
    const struct sandbox_setup_params wish = {
        .seat = unit_seat(),
        .profile = PROFILE_WORKSPACE_WRITE,
        .workspace = tree_path(&f->tree, workspace, path)};
    struct err e = {0};

    sandbox_setup_done(&f->site);
    if (sandbox_setup_fill(&f->site, &wish, f->settings, &e) < 0)
        fail_msg("%s", e.text);
    return &f->site.spec;
}

static bool
lists(const char *const *list, const char *path)
{
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

/* Below /tmp, whoever made it; the home directory is elsewhere. */
static void
no_link_leads_a_path_of_tmp(void **state)
{
    struct fixture *f = *state;
    char dir[] = "/tmp/agentsh-links-XXXXXX", file[64], link[64];
    const char *const plain[] = {file, NULL}, *const led[] = {link, NULL};
    struct sandbox_setup_params wish = {
        .seat = unit_seat(), .profile = PROFILE_READ_ONLY, .readable = plain};
    struct err e = {0};

    assert_non_null(mkdtemp(dir));
    snprintf(file, sizeof(file), "%s/file", dir);
    snprintf(link, sizeof(link), "%s/link", dir);
    assert_int_equal(mkdir(file, 0700), 0);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(sandbox_setup_fill(&f->site, &wish, f->settings, &e), 0);
    assert_true(lists(f->site.spec.readable, file));
    assert_null(f->site.spec.writable[0]);
    sandbox_setup_done(&f->site);
    wish.readable = led;
    assert_int_equal(sandbox_setup_fill(&f->site, &wish, f->settings, &e), -1);
    assert_int_equal(e.code, ERR_DENIED);
    assert_int_equal(unlink(link) + rmdir(file) + rmdir(dir), 0);
}

/* PATH names a directory of the workspace, and a command that ran there made
 * a link of it. */
static void
a_link_of_the_workspace_shows_nothing_else(void **state)
{
    static const struct {
        const char *target;
        bool seen;
    } rows[] = {
        {"../.ssh", false}, {"../bin", false}, {"sub/../..", false},
        {"tools", false},   {"sub", true},     {"../proj/./sub/", true},
    };
    struct fixture *f = *state;
    char link[PATH_MAX];

    setenv("PATH", tree_path(&f->tree, "proj/tools", link), 1);
    for (size_t i = 0; i < N_OF(rows); i++) {
        assert_int_equal(symlink(rows[i].target, link), 0);
        if (lists(fill(f, "proj")->readable, link) != rows[i].seen)
            fail_msg("%s", rows[i].target);
        assert_int_equal(unlink(link), 0);
    }
}

static void
a_link_of_the_person_s_leads_where_it_does(void **state)
{
    struct fixture *f = *state;
    char link[PATH_MAX];

    setenv("PATH", tree_path(&f->tree, "tools", link), 1);
    assert_int_equal(symlink("bin", link), 0);
    assert_true(lists(fill(f, "proj")->readable, link));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink(".ssh", link), 0);
    assert_false(lists(fill(f, "proj")->readable, link));
}

/* Nobody has settings yet: a command must not make some. */
static void
what_configures_us_is_hidden_before_it_is_there(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];
    struct stat st;

    tree_path(&f->tree, ".config/agentsh", path);
    (void)fill(f, "proj");
    assert_int_equal(access(path, F_OK), -1);
    if (probe_machine(false) != PROBE_WHOLE)
        return; /* it is no workspace then, as below */
    assert_true(lists(fill(f, ".config")->secret, path));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
}

/* There is no mount to hide them. */
static void
reduced_has_no_workspace_with_our_settings_in_it(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];
    const struct sandbox_setup_params wish = {
        .seat = unit_seat(),
        .profile = PROFILE_REDUCED,
        .workspace = tree_path(&f->tree, ".config", path)};
    struct err e = {0};

    assert_int_equal(sandbox_setup_fill(&f->site, &wish, f->settings, &e), -1);
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "contains agentsh's own settings"));
}

static void
reduced_writes_nowhere_else_where_they_are(void **state)
{
    struct fixture *f = *state;
    char proj[PATH_MAX], bin[PATH_MAX], settings[PATH_MAX];
    const char *writable[] = {tree_path(&f->tree, "bin", bin), NULL, NULL};
    const struct sandbox_setup_params wish = {
        .seat = unit_seat(),
        .profile = PROFILE_REDUCED,
        .workspace = tree_path(&f->tree, "proj", proj),
        .writable = writable};
    struct err e = {0};

    assert_int_equal(sandbox_setup_fill(&f->site, &wish, f->settings, &e), 0);
    sandbox_setup_done(&f->site);
    writable[1] = tree_path(&f->tree, ".config", settings);
    assert_int_equal(sandbox_setup_fill(&f->site, &wish, f->settings, &e), -1);
    assert_int_equal(e.code, ERR_DENIED);
    assert_non_null(strstr(e.text, "contains agentsh's own settings"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(no_link_leads_a_path_of_tmp),
        T(a_link_of_the_workspace_shows_nothing_else),
        T(a_link_of_the_person_s_leads_where_it_does),
        T(what_configures_us_is_hidden_before_it_is_there),
        T(reduced_has_no_workspace_with_our_settings_in_it),
        T(reduced_writes_nowhere_else_where_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
