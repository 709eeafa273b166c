/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_setup.c - where a child works, and what it sees of the home
 * directory. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/probe.h"
#include "sandbox/setup.h"

/* Below the home directory. */
static const char *const dirs[] = {
    "proj/sub",        "proj/.git/hooks", ".ssh", ".config/git",
    ".config/agentsh", ".config/gh",      "bin",  ".npm",
};

struct place {
    char root[64];
    char *home, *config;
    struct config *settings;
    struct sandbox_setup setup;
};

static void
put(const char *path, const char *text)
{
    struct err e = {0};

    if (file_write(path, text, strlen(text), 0600, &e) < 0)
        fail_msg("%s", e.text);
}

static int
setup(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    char name[256];

    snprintf(p->root, sizeof(p->root), "/tmp/test_setup.XXXXXX");
    assert_non_null(mkdtemp(p->root));
    p->home = path_join(p->root, "home");
    p->config = path_join(p->root, "settings");
    for (size_t i = 0; i < N_OF(dirs); i++) {
        snprintf(name, sizeof(name), "%s/%s", p->home, dirs[i]);
        assert_int_equal(path_make_dirs(name, 0700, NULL), 0);
    }
    snprintf(name, sizeof(name), "%s/.netrc", p->home);
    put(name, "x");
    snprintf(name, sizeof(name), "/bin:%s/bin:%s/gone:%s:%s/.:%s/bin/..",
             p->home, p->home, p->home, p->home, p->home);
    setenv("PATH", name, 1);
    setenv("HOME", p->home, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_DATA_HOME");
    *state = p;
    return 0;
}

static int
teardown(void **state)
{
    struct place *p = *state;
    char command[128];

    assert_int_equal(chdir("/"), 0);
    sandbox_setup_done(&p->setup);
    config_free(p->settings);
    snprintf(command, sizeof(command), "%s/.netrc", p->home);
    unlink(command);
    for (size_t i = 0; i < N_OF(dirs); i++) {
        char name[256];

        snprintf(name, sizeof(name), "%s/%s", p->home, dirs[i]);
        for (char *end = name + strlen(name); rmdir(name) == 0;) {
            while (*--end != '/')
                continue;
            *end = '\0';
        }
    }
    unlink(p->config);
    rmdir(p->home);
    assert_int_equal(rmdir(p->root), 0);
    free(p->home);
    free(p->config);
    free(p);
    return 0;
}

static bool
has_namespaces(void)
{
    return probe_machine(false) == PROBE_WHOLE;
}

static bool
lists_path(const char *const *list, const char *path)
{
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

/* Where there are no namespaces, what would write is `reduced`, unless the
 * settings speak of it. */
static int
fill(struct place *p, const struct sandbox_setup_params *w,
     const char *settings, struct err *e)
{
    char text[512];
    struct sandbox_setup_params here = *w;
    bool adds = !has_namespaces() && !strstr(settings, "allow_reduced");

    snprintf(text, sizeof(text), "%s%s", settings,
             adds ? "[sandbox]\nallow_reduced = yes\n" : "");
    sandbox_setup_done(&p->setup);
    config_free(p->settings);
    put(p->config, text);
    p->settings = config_load_files(NULL, p->config, e);
    if (!p->settings)
        fail_msg("%s", e->text);
    here.seat = unit_seat();
    return sandbox_setup_fill(&p->setup, &here, p->settings, e);
}

static void
must_fill(struct place *p, const struct sandbox_setup_params *w,
          const char *settings)
{
    struct err e = {0};

    if (fill(p, w, settings, &e) < 0)
        fail_msg("%s", e.text);
}

/* The names below the home directory, in their order, with blanks between. */
static void
expect(const struct place *p, const char *const *list, const char *names)
{
    char told[1024] = "";

    for (; *list; list++) {
        size_t n = strlen(p->home), at = strlen(told);

        if (strncmp(*list, p->home, n) != 0)
            continue; /* of who runs the test */
        snprintf(told + at, sizeof(told) - at, "%s%s", at ? " " : "",
                 *list + n + 1);
    }
    assert_string_equal(told, names);
}

static void
enter(const struct place *p, const char *dir)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", p->home, dir);
    assert_int_equal(chdir(path), 0);
}

static void
a_build_sees_its_directory_and_little_of_home(void **state)
{
    static const struct sandbox_setup_params wish = {
        .profile = PROFILE_WORKSPACE_WRITE};
    struct place *p = *state;
    const struct sandbox_spec *s = &p->setup.spec;
    char path[256];

    enter(p, "proj");
    must_fill(p, &wish, "");
    assert_string_equal(s->home, p->home);
    snprintf(path, sizeof(path), "%s/proj", p->home);
    assert_string_equal(s->workspace, path);
    expect(p, s->readable, ".config/git bin");
    assert_null(s->cache[0]);
    assert_null(s->programs[0]);
    assert_true(s->memory_bytes == (uint64_t)4 << 30);
    assert_int_equal(s->processes, 1024);
    assert_int_equal(s->limit_ms, 0);
    assert_true(spec_shows_path(s, path));
    assert_true(spec_shows_path(s, "/usr/bin/cc"));
    snprintf(path, sizeof(path), "%s/projects", p->home);
    assert_false(spec_shows_path(s, path));
    snprintf(path, sizeof(path), "%s/.ssh/id_rsa", p->home);
    assert_false(spec_shows_path(s, path));
}

static void
settings_show_copy_and_hide(void **state)
{
    static const struct sandbox_setup_params wish = {
        .profile = PROFILE_WORKSPACE_WRITE};
    struct place *p = *state;

    enter(p, "proj/sub");
    must_fill(p, &wish,
              "[sandbox]\nreadable = ~/.config:~/bin\n"
              "cache = ~/.npm:~/.cargo\nsecret = ~/proj/sub\n"
              "memory_mb = 64\nfile_mb = 1\nprocesses = 16\nlimit_s = 2\n");
    expect(p, p->setup.spec.readable, ".config bin");
    expect(p, p->setup.spec.cache, ".npm");
    if (geteuid() != 0) /* else the system's too */
        expect(p, p->setup.spec.secret, ".config/agentsh .config/gh proj/sub");
    assert_true(p->setup.spec.memory_bytes == 64u << 20);
    assert_true(p->setup.spec.file_bytes == 1u << 20);
    assert_int_equal(p->setup.spec.processes, 16);
    assert_int_equal(p->setup.spec.limit_ms, 2000);
}

static void
an_observer_sees_home_less_its_secrets(void **state)
{
    static const struct sandbox_setup_params wish = {
        .profile = PROFILE_OBSERVE};
    struct place *p = *state;
    size_t n = 0;

    assert_int_equal(chdir(p->home), 0);
    must_fill(p, &wish, "");
    assert_null(p->setup.spec.workspace);
    expect(p, p->setup.spec.readable, ".config/git bin");
    for (const char *const *s = p->setup.spec.secret; *s; s++)
        n += strncmp(*s, p->home, strlen(p->home)) == 0;
    assert_int_equal(n, 4); /* .config .netrc .npm .ssh */
}

static void
all_of_home_is_no_workspace(void **state)
{
    static const struct {
        const char *dir, *named, *why; /* dir below home, named too */
    } rows[] = {
        {"", NULL,
         " is your home directory, and commands could change all of it; name "
         "what they may change: --workspace DIR"},
        {"proj", "",
         " is your home directory, and commands could change all of it; name "
         "a directory below it"},
        {"proj", "/..",
         " contains your home directory, and commands could change "
         "all of it; name a directory below it"},
        {"proj", "/.ssh", "/.ssh contains secrets"},
        {".config/gh", NULL, "/.config/gh contains secrets"},
        {"proj", "/gone", "/gone: No such file or directory"},
        {"proj", "/.netrc", "/.netrc: not a directory"},
    };
    struct place *p = *state;

    for (size_t i = 0; i < N_OF(rows); i++) {
        char named[256];
        struct sandbox_setup_params wish = {.profile = PROFILE_WORKSPACE_WRITE};
        struct err e = {0};

        enter(p, rows[i].dir);
        snprintf(named, sizeof(named), "%s%s", p->home,
                 rows[i].named ? rows[i].named : "");
        wish.workspace = rows[i].named ? named : NULL;
        assert_int_equal(fill(p, &wish, "", &e), -1);
        assert_int_equal(e.code, ERR_USAGE);
        if (!strstr(e.text, rows[i].why))
            fail_msg("row %zu: %s", i, e.text);
    }
}

static void
what_is_git_s_is_no_workspace(void **state)
{
    struct place *p = *state;
    struct sandbox_setup_params wish = {.profile = PROFILE_WORKSPACE_WRITE};
    struct err e = {0};
    char name[256];

    enter(p, "proj/.git/hooks");
    assert_int_equal(fill(p, &wish, "", &e), -1);
    assert_non_null(strstr(e.text, "belongs to git"));
    wish.profile = PROFILE_READ_ONLY;
    must_fill(p, &wish, "");
    snprintf(name, sizeof(name), "%s/proj/.git/hooks", p->home);
    assert_string_equal(p->setup.spec.workspace, name);
}

static void
a_secret_may_be_a_link_into_what_is_seen(void **state)
{
    struct place *p = *state;
    struct sandbox_setup_params wish = {.profile = PROFILE_WORKSPACE_WRITE};
    struct err e = {0};
    char name[256];

    snprintf(name, sizeof(name), "%s/.gnupg", p->home);
    assert_int_equal(symlink("proj/sub", name), 0);
    enter(p, "proj");
    must_fill(p, &wish, "");
    snprintf(name, sizeof(name), "%s/proj/sub", p->home);
    assert_true(lists_path(p->setup.spec.secret, name));
    enter(p, "proj/sub");
    assert_int_equal(fill(p, &wish, "", &e), -1);
    assert_non_null(strstr(e.text, "contains secrets"));
    snprintf(name, sizeof(name), "%s/.gnupg", p->home);
    assert_int_equal(unlink(name), 0);
}

static void
the_root_directory_is_no_workspace(void **state)
{
    static const char *const names[] = {"/", "/proc/self", "/dev"};
    struct place *p = *state;

    for (size_t i = 0; i < N_OF(names); i++) {
        struct sandbox_setup_params wish = {.profile = PROFILE_WORKSPACE_WRITE,
                                            .workspace = names[i]};
        struct err e = {0};

        assert_int_equal(fill(p, &wish, "", &e), -1);
        assert_int_equal(e.code, ERR_USAGE);
    }
}

/* As it is mounted into a container, whose root works in it. */
static void
a_directory_below_the_root_that_no_row_names_is_a_workspace(void **state)
{
    static const char *const systems[] = {
        "/",     "/etc",   "/srv", "/mnt", "/tmp",    "/usr",
        "/home", "/usr/x", "/nix", "/gnu", "/ostree", "/sysroot/x"};
    static const char *const others[] = {"/work", "/app", "/srv/www", "/o"};

    (void)state;
    for (size_t i = 0; i < N_OF(systems); i++)
        assert_true(path_is_system_dir(systems[i]));
    for (size_t i = 0; i < N_OF(others); i++)
        assert_false(path_is_system_dir(others[i]));
}

static void
reduced_must_be_allowed(void **state)
{
    static const char no[] = "[sandbox]\nallow_reduced = no\n";
    static const struct sandbox_setup_params named = {
        .profile = PROFILE_REDUCED};
    static const struct sandbox_setup_params wish = {
        .profile = PROFILE_WORKSPACE_WRITE};
    struct place *p = *state;
    struct err e = {0};

    enter(p, "proj");
    /* it is named where there is more; or there is no more, and not named */
    assert_int_equal(fill(p, has_namespaces() ? &named : &wish, no, &e), -1);
    assert_int_equal(e.code, ERR_SANDBOX);
    must_fill(p, has_namespaces() ? &wish : &named, no);
    assert_int_equal(spec_is_reduced(&p->setup.spec), !has_namespaces());
    must_fill(p, &named, "[sandbox]\nallow_reduced = yes\n");
    assert_true(spec_is_reduced(&p->setup.spec));
    assert_false(spec_shows_path(&p->setup.spec, p->home));
    assert_non_null(p->setup.spec.workspace);
}

static void
other_directories_stand_beside_the_workspace(void **state)
{
    static const char *const more[] = {"/srv/www", "/srv/www", "/var/lib/x",
                                       NULL};
    static const struct sandbox_setup_params wish = {
        .profile = PROFILE_WORKSPACE_WRITE, .writable = more};
    struct place *p = *state;

    enter(p, "proj");
    must_fill(p, &wish, "");
    assert_string_equal(p->setup.spec.writable[0], "/srv/www");
    assert_string_equal(p->setup.spec.writable[1], "/var/lib/x");
    assert_null(p->setup.spec.writable[2]);
}

static void
too_many_paths_are_an_error_and_none_is_dropped(void **state)
{
    const char *many[SPEC_PATHS_MAX + 2] = {0};
    char names[SPEC_PATHS_MAX + 1][8];
    struct sandbox_setup_params wish = {.profile = PROFILE_WORKSPACE_WRITE,
                                        .writable = many};
    struct place *p = *state;
    struct err e = {0};

    enter(p, "proj");
    for (size_t i = 0; i <= SPEC_PATHS_MAX; i++) {
        snprintf(names[i], sizeof(names[i]), "/d%zu", i);
        many[i] = names[i];
    }
    assert_int_equal(fill(p, &wish, "", &e), -1);
    assert_int_equal(e.code, ERR_CONFIG);
    many[SPEC_PATHS_MAX] = NULL;
    must_fill(p, &wish, "");
}

static void
a_profile_without_walls_has_no_places(void **state)
{
    static const struct sandbox_setup_params wish = {.profile = PROFILE_FULL};
    struct place *p = *state;

    assert_int_equal(chdir("/"), 0);
    must_fill(p, &wish, "");
    assert_null(p->setup.spec.workspace);
    assert_null(p->setup.spec.secret[0]);
}

static void
places_of_secrets_are_secret_paths(void **state)
{
    const char *row;
    size_t at = 0;

    (void)state;
    while ((row = path_home_next(PATH_HOME_SECRET, &at))) {
        CLEANUP(free_p) char *path = path_join("/home/u", row);
        CLEANUP(free_p) char *inside = path_join(path, "x");

        assert_true(secret_is_path(path, NULL));
        assert_true(secret_is_path(inside, NULL));
    }
    assert_true(secret_is_path("/srv/.ssh/x", NULL));
    assert_false(secret_is_path("/srv/.sshd/x", NULL));
    assert_false(secret_is_path("/home/u/my.ssh", NULL));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_build_sees_its_directory_and_little_of_home),
        TEST(settings_show_copy_and_hide),
        TEST(an_observer_sees_home_less_its_secrets),
        TEST(all_of_home_is_no_workspace),
        TEST(what_is_git_s_is_no_workspace),
        TEST(a_secret_may_be_a_link_into_what_is_seen),
        TEST(the_root_directory_is_no_workspace),
        cmocka_unit_test(
            a_directory_below_the_root_that_no_row_names_is_a_workspace),
        TEST(reduced_must_be_allowed),
        TEST(other_directories_stand_beside_the_workspace),
        TEST(too_many_paths_are_an_error_and_none_is_dropped),
        TEST(a_profile_without_walls_has_no_places),
        cmocka_unit_test(places_of_secrets_are_secret_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
