/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox_binds.c - which places of the view differ from the machine's
 * files. */
#include "base/path.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/binds.h"

/* Directories that every machine has, in the roles of a person's. */
#define HOME "/usr"
#define WORK "/usr/share"

static const struct bind *
find(const struct binds *b, const char *path)
{
    const struct bind *found = NULL;

    for (size_t i = 0; i < b->n; i++) {
        if (strcmp(b->at[i].given, path) == 0)
            found = &b->at[i];
    }
    return found;
}

static struct binds *
binds(const struct sandbox_spec *s, struct err *e)
{
    struct binds *b = calloc(1, sizeof(*b));

    assert_non_null(b);
    if (binds_make(s, b, e) == 0)
        return b;
    binds_done(b);
    free(b);
    return NULL;
}

static void
let_go(struct binds *b)
{
    binds_done(b);
    free(b);
}

static const struct {
    enum profile profile;
    enum bind_kind workspace;
} kinds[] = {
    {PROFILE_READ_ONLY, BIND_READ}, {PROFILE_WORKSPACE_WRITE, BIND_WRITE},
    {PROFILE_PREVIEW, BIND_COPY},   {PROFILE_PLUGIN, BIND_READ},
    {PROFILE_REDUCED, BIND_WRITE},
};

static void
the_workspace_is_what_its_profile_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(kinds); i++) {
        struct sandbox_spec s = {
            .profile = kinds[i].profile,
            .home = HOME,
            .workspace = WORK,
            .preview = kinds[i].profile == PROFILE_PREVIEW ? "/tmp" : NULL};
        struct binds *b = binds(&s, NULL);

        assert_non_null(b);
        assert_int_equal(find(b, WORK)->kind, kinds[i].workspace);
        assert_int_equal(find(b, HOME)->kind, BIND_HOME);
        assert_int_equal(find(b, "/tmp")->kind, BIND_EMPTY);
        let_go(b);
    }
}

static void
a_tool_that_sees_all_finds_nothing_emptied(void **state)
{
    struct sandbox_spec s = {.profile = PROFILE_PLUGIN,
                             .sees_all = true,
                             .home = HOME,
                             .workspace = WORK,
                             .writable = {"/usr/share/doc"},
                             .secret = {"/usr/lib"}};
    struct binds *b = binds(&s, NULL);

    (void)state;
    assert_non_null(b);
    assert_int_equal(b->n, 2);
    assert_int_equal(find(b, "/usr/share/doc")->kind, BIND_WRITE);
    assert_int_equal(find(b, "/usr/lib")->kind, BIND_SECRET);
    let_go(b);
}

static void
outer_places_stand_before_inner_ones(void **state)
{
    struct sandbox_spec s = {
        .profile = PROFILE_WORKSPACE_WRITE,
        .home = HOME,
        .workspace = WORK,
        .readable = {"/usr/share/doc"},
        .programs = {"/usr/bin"},
        .cache = {"/usr/share/doc/none/such"},
    };
    struct binds *b = binds(&s, NULL);

    (void)state;
    assert_non_null(b);
    for (size_t i = 0; i < b->n; i++) {
        for (size_t j = 0; j < i; j++)
            assert_false(strcmp(b->at[i].real, b->at[j].real) != 0 &&
                         path_is_below(b->at[j].real, b->at[i].real));
    }
    assert_int_equal(find(b, "/usr/share/doc/none/such")->kind, BIND_EMPTY);
    let_go(b);
}

static void
a_workspace_that_holds_the_home_directory_is_refused(void **state)
{
    static const char *const wide[] = {"/", HOME};

    (void)state;
    for (size_t i = 0; i < N_OF(wide); i++) {
        struct sandbox_spec s = {.profile = PROFILE_WORKSPACE_WRITE,
                                 .home = HOME,
                                 .workspace = wide[i]};
        struct err e = {0};

        assert_null(binds(&s, &e));
        assert_int_equal(e.code, ERR_SANDBOX);
    }
}

static void
what_is_missing_is_refused_where_it_would_be_missed(void **state)
{
    struct sandbox_spec read = {.readable = {"/nonexistent"},
                                .secret = {"/nonexistent"}};
    struct sandbox_spec write = {.profile = PROFILE_WORKSPACE_WRITE,
                                 .writable = {"/nonexistent"}};
    struct sandbox_spec preview = {.profile = PROFILE_PREVIEW,
                                   .workspace = WORK};
    struct binds *b = binds(&read, NULL);
    struct err e = {0};

    (void)state;
    assert_non_null(b);
    assert_null(find(b, "/nonexistent"));
    let_go(b);
    assert_null(binds(&write, &e));
    assert_int_equal(e.code, ERR_SANDBOX);
    assert_non_null(strstr(e.text, "/nonexistent"));
    assert_null(binds(&preview, &e));
}

static void
secrets_are_hidden_where_they_would_be_seen(void **state)
{
    struct sandbox_spec s = {.home = HOME, .secret = {"/usr/share/doc"}};
    struct binds *b = binds(&s, NULL);

    (void)state;
    assert_non_null(b);
    assert_null(find(b, "/usr/share/doc")); /* with the home directory */
    let_go(b);
    s.workspace = WORK;
    b = binds(&s, NULL);
    assert_non_null(b);
    assert_int_equal(find(b, "/usr/share/doc")->kind, BIND_SECRET);
    let_go(b);
    s.workspace = NULL;
    s.profile = PROFILE_OBSERVE;
    b = binds(&s, NULL);
    assert_non_null(b);
    assert_int_equal(find(b, "/usr/share/doc")->kind, BIND_SECRET);
    assert_null(find(b, HOME)); /* is seen as it is */
    assert_null(find(b, "/run"));
    let_go(b);
}

static const struct {
    const char *a, *path;
    bool covers;
} covers[] = {
    {"/", "/a", true},    {"/a", "/a", true},    {"/a", "/a/b", true},
    {"/a", "/ab", false}, {"/a/b", "/a", false}, {"/a/b", "/a/b/c", true},
};

static void
a_place_that_became_a_link_is_not_opened(void **state)
{
    char top[] = "/tmp/agentsh-binds-XXXXXX", path[96], link[64];
    int fd;

    (void)state;
    assert_non_null(mkdtemp(top));
    snprintf(path, sizeof(path), "%s/a", top);
    snprintf(link, sizeof(link), "%s/b", top);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(symlink("/usr", link), 0);
    fd = binds_open_real(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(binds_open_real(link), -1);
    snprintf(path, sizeof(path), "%s/share", link);
    assert_int_equal(binds_open_real(path), -1);
    assert_int_equal(errno, ELOOP);
    snprintf(path, sizeof(path), "%s/a", top);
    (void)rmdir(path);
    (void)unlink(link);
    (void)rmdir(top);
}

static void
a_path_covers_what_is_below_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(covers); i++)
        assert_int_equal(path_is_below(covers[i].path, covers[i].a),
                         covers[i].covers);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_workspace_is_what_its_profile_says),
        cmocka_unit_test(a_tool_that_sees_all_finds_nothing_emptied),
        cmocka_unit_test(outer_places_stand_before_inner_ones),
        cmocka_unit_test(a_workspace_that_holds_the_home_directory_is_refused),
        cmocka_unit_test(what_is_missing_is_refused_where_it_would_be_missed),
        cmocka_unit_test(secrets_are_hidden_where_they_would_be_seen),
        cmocka_unit_test(a_place_that_became_a_link_is_not_opened),
        cmocka_unit_test(a_path_covers_what_is_below_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
