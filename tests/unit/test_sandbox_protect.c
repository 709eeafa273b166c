/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox_protect.c - a command cannot change what git believes. */
#include "tests/unit/unit.h"

#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "sandbox/protect/protect.h"

static char *top; /* a directory of each test's own */

/* Makes what is above a file, and the file with a byte in it. */
static void
put(const char *below)
{
    char path[PATH_MAX], dir[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", top, below);
    snprintf(dir, sizeof(dir), "%s", path);
    *strrchr(dir, '/') = '\0';
    assert_int_equal(path_make_dirs(dir, 0755, NULL), 0);
    assert_int_equal(file_write(path, "x", 1, 0644, NULL), 0);
}

static bool
there(const char *below)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", top, below);
    return access(path, F_OK) == 0;
}

static void
unput(const char *below)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", top, below);
    assert_int_equal(unlink(path), 0);
}

static bool
holds(const char *below, const char *text)
{
    CLEANUP_BUF struct buf got = buf_of(65536);
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", top, below);
    assert_int_equal(file_read(path, &got, NULL), 0);
    return strstr(got.p, text) != NULL;
}

/* '-': not kept, 'r': read-only, 'w': only kept in its place. */
static char
how_kept(const struct protect *p, const char *path)
{
    for (size_t i = 0; i < p->n_paths; i++) {
        if (strcmp(p->paths[i].path, path) == 0)
            return p->paths[i].writable ? 'w' : 'r';
    }
    return '-';
}

static const char *const files[] = {
    ".agentsh/policy",
    ".git/HEAD",
    ".git/config",
    ".git/hooks/sample",
    ".git/config.worktree",
    ".git/modules/a/b/HEAD",
    ".git/modules/a/b/modules/c/HEAD",
    ".git/worktrees/w/HEAD",
    ".git/worktrees/w/commondir",
    "one/two/three/four/.git/HEAD",
    "one/two/three/four/five/.git/HEAD",
    "node_modules/it/.git/HEAD",
    "node_modules/@scope/it/.git/HEAD",
    "node_modules/that/deep/.git/HEAD",
    "sub/.git",
    "mirror.git/HEAD",
    "mirror.git/objects/x",
    "mirror.git/refs/x",
    "mirror.git/modules/x",
    "no repository/HEAD",
    "no repository/config",
};

static const struct {
    const char *path;
    char how;
} kept[] = {
    {".agentsh", 'r'},
    {".git", 'w'},
    {".git/hooks", 'r'},
    {".git/config", 'r'},
    {".git/config.worktree", 'r'},
    {".git/modules", 'w'},
    {".git/modules/a", 'w'},
    {".git/modules/a/b", 'w'},
    {".git/modules/a/b/config", 'r'},
    {".git/modules/a/b/hooks", 'r'},
    {".git/modules/a/b/modules/c/config", 'r'},
    {".git/worktrees/w/commondir", 'r'},
    {"one/two/three/four/.git/hooks", 'r'},
    {"one", 'w'},
    {"one/two/three/four", 'w'},
    {"one/two/three/four/five", 'w'},
    {"one/two/three/four/five/.git", 'w'},
    {"one/two/three/four/five/.git/hooks", 'r'},
    {"one/two/three/four/five/.git/commondir", 'r'},
    {"node_modules/it/.git", 'w'},
    {"node_modules/it/.git/config", 'r'},
    {"node_modules/@scope/it/.git/config", 'r'},
    {"node_modules/that/deep/.git", '-'},
    {"no repository", '-'},
    {".git/commondir", 'r'},
    {"sub/.git", 'r'},
    {".git/worktrees/w/config.worktree", 'r'},
    {"mirror.git", 'w'},
    {"mirror.git/hooks", 'r'},
    {"mirror.git/config", 'r'},
    {"mirror.git/config.worktree", '-'},
    {"mirror.git/commondir", 'r'},
    {"no repository/config", '-'},
};

static void
repositories_are_found_and_what_is_missing_is_made(void **state)
{
    struct protect p;

    (void)state;
    for (size_t i = 0; i < N_OF(files); i++)
        put(files[i]);
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    for (size_t i = 0; i < N_OF(kept); i++) {
        if (how_kept(&p, kept[i].path) != kept[i].how)
            fail_msg("%s is kept as %c", kept[i].path,
                     how_kept(&p, kept[i].path));
    }
    assert_true(there("one/two/three/four/.git/config"));
    assert_true(there(".git/modules/a/b/hooks"));
    assert_true(there("one/two/three/four/five/.git/hooks"));
    assert_true(there(".git/commondir"));
    protect_close(&p, NULL, NULL);
    assert_true(there(".git/worktrees/w/commondir"));
    assert_true(there(".git/config.worktree"));
    assert_false(there(".git/commondir"));
    assert_false(there("mirror.git/commondir"));
    assert_false(there("mirror.git/config.worktree"));
}

static void
what_a_link_leads_to_is_kept_with_it(void **state)
{
    char link[PATH_MAX];
    struct protect p;

    (void)state;
    put("real/HEAD");
    put("rules/policy");
    put("sub/x");
    snprintf(link, sizeof(link), "%s/sub/.git", top);
    assert_int_equal(symlink("../real", link), 0);
    snprintf(link, sizeof(link), "%s/here", top);
    assert_int_equal(symlink(top, link), 0); /* the root itself */
    snprintf(link, sizeof(link), "%s/.agentsh", top);
    assert_int_equal(symlink("here/rules", link), 0);
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    assert_int_equal(how_kept(&p, "sub/.git"), 'w'); /* a link has no mode */
    assert_int_equal(how_kept(&p, "real"), 'w');
    assert_int_equal(how_kept(&p, "real/config"), 'r');
    assert_int_equal(how_kept(&p, "real/hooks"), 'r');
    assert_int_equal(how_kept(&p, ".agentsh"), 'r');
    assert_int_equal(how_kept(&p, "rules"), 'r');
    assert_int_equal(how_kept(&p, "here"), 'r');
    protect_close(&p, NULL, NULL);
}

static void
a_repository_itself_may_be_what_is_writable(void **state)
{
    struct protect p;

    (void)state;
    put("HEAD");
    put("objects/x");
    put("refs/x");
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    assert_int_equal(how_kept(&p, "hooks"), 'r');
    assert_int_equal(how_kept(&p, "config"), 'r');
    protect_close(&p, NULL, NULL);
}

static void
outer_paths_stand_before_inner_ones(void **state)
{
    struct protect p;

    (void)state;
    put(".git/HEAD");
    put(".git/modules/a/HEAD");
    assert_int_equal(protect_open(&p, top, NULL, false, NULL), 0);
    for (size_t i = 0; i < p.n_paths; i++) {
        size_t n = strlen(p.paths[i].path);

        for (size_t j = 0; j < i; j++)
            assert_false(strncmp(p.paths[j].path, p.paths[i].path, n) == 0 &&
                         p.paths[j].path[n] == '/');
    }
    assert_int_equal(how_kept(&p, ".agentsh"), '-');
    protect_close(&p, NULL, NULL);
}

static void
a_directory_that_was_moved_is_cleared_all_the_same(void **state)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct protect p;

    (void)state;
    put("from/.git/HEAD");
    snprintf(from, sizeof(from), "%s/from", top);
    snprintf(to, sizeof(to), "%s/to", top);
    assert_int_equal(protect_open(&p, from, NULL, true, NULL), 0);
    put("from/.git/commondir");
    assert_int_equal(rename(from, to), 0);
    protect_close(&p, NULL, NULL);
    assert_true(there("to/.git/HEAD"));
    assert_false(there("to/.git/commondir"));
}

struct heard {
    char text[4096];
};

static void
hear(void *arg, const char *what, const char *root, const char *path)
{
    struct heard *h = arg;
    size_t n = strlen(h->text);

    assert_string_equal(root, top);
    snprintf(h->text + n, sizeof(h->text) - n, "%s %s\n", what, path);
}

/* Whether the report says of path that it was set aside, or that it is new. */
static bool
heard(const struct heard *h, const char *what, const char *path)
{
    char line[PATH_MAX];

    snprintf(line, sizeof(line), "%s %s\n", what, path);
    return strstr(h->text, line) != NULL;
}

static void
what_would_lead_git_elsewhere_is_set_aside(void **state)
{
    struct heard h = {""};
    struct protect p;

    (void)state;
    put("old/.git/HEAD");
    assert_int_equal(protect_open(&p, top, NULL, false, NULL), 0);
    unput("old/.git/commondir"); /* as nobody can whom the walls hold */
    put("old/.git/commondir");
    protect_close(&p, hear, &h);
    assert_false(there("old/.git/commondir"));
    assert_string_equal(h.text, "set aside old/.git/commondir\n");
}

static void
a_policy_is_nothing_that_a_command_makes(void **state)
{
    struct heard h = {""};
    struct protect p;

    (void)state;
    put("file");
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    assert_int_equal(how_kept(&p, ".agentsh"), '-');
    assert_false(there(".agentsh"));
    protect_close(&p, hear, &h);
    assert_false(there(".agentsh"));
    assert_string_equal(h.text, "");
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    put(".agentsh/policy");
    protect_close(&p, hear, &h);
    assert_false(there(".agentsh"));
    assert_string_equal(h.text, "set aside .agentsh\n");
    put(".agentsh/policy"); /* a person's own */
    assert_int_equal(protect_open(&p, top, NULL, true, NULL), 0);
    protect_close(&p, hear, &h);
    assert_true(there(".agentsh/policy"));
    assert_string_equal(h.text, "set aside .agentsh\n");
}

static void
a_repository_that_is_new_runs_nothing(void **state)
{
    static const char text[] = "[core]\n\tbare = false\n\tfsmonitor = ./evil\n";
    struct heard h = {""};
    struct protect p;
    char path[PATH_MAX];

    (void)state;
    put("old/.git/HEAD");
    assert_int_equal(protect_open(&p, top, NULL, false, NULL), 0);
    put("new/.git/HEAD");
    put("new/.git/commondir");
    put("new/.git/hooks/pre-commit");
    put("fine/.git/HEAD");
    put("fine/.git/hooks/pre-commit.sample");
    put("bare/HEAD");
    put("bare/refs/x");
    put("bare/objects/x");
    snprintf(path, sizeof(path), "%s/bare/config", top);
    assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
    protect_close(&p, hear, &h);
    assert_true(heard(&h, "new repository", "new/.git"));
    assert_true(heard(&h, "new repository", "fine/.git"));
    assert_true(heard(&h, "set aside", "new/.git/hooks"));
    assert_true(heard(&h, "set aside", "new/.git/commondir"));
    assert_true(heard(&h, "set aside", "bare/config"));
    assert_false(heard(&h, "set aside", "fine/.git/hooks"));
    assert_false(there("new/.git/hooks"));
    assert_false(there("new/.git/commondir"));
    assert_true(there("fine/.git/hooks/pre-commit.sample"));
    assert_true(there("bare/config"));
    assert_false(holds("bare/config", "fsmonitor"));
    assert_true(holds("bare/config", "bare = "));
}

/* A command may make any name beforehand. */
static void
no_name_keeps_what_is_missing_from_being_made(void **state)
{
    char name[64];
    struct protect p;

    (void)state;
    put("taken/.git/HEAD");
    snprintf(name, sizeof(name), "taken/.git/hooks.agentsh-%d/x",
             (int)getpid());
    put(name);
    assert_int_equal(protect_open(&p, top, NULL, false, NULL), 0);
    assert_true(there("taken/.git/hooks"));
    protect_close(&p, NULL, NULL);
    assert_false(there("taken/.git/hooks"));
}

static void
a_file_has_nothing_below_it(void **state)
{
    char path[PATH_MAX];
    struct protect p;

    (void)state;
    put("file");
    snprintf(path, sizeof(path), "%s/file", top);
    assert_int_equal(protect_open(&p, path, NULL, true, NULL), 0);
    assert_int_equal(p.n_paths, 0);
    protect_close(&p, NULL, NULL);
}

static int
make_top(void **state)
{
    const char *tmp = getenv("TMPDIR");
    size_t n = strlen(tmp ? tmp : "/tmp") + 32;

    (void)state;
    top = malloc(n);
    assert_non_null(top);
    snprintf(top, n, "%s/agentsh-protect-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(top) ? 0 : -1;
}

static int
drop(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static int
drop_top(void **state)
{
    int rc = nftw(top, drop, 8, FTW_DEPTH | FTW_PHYS);

    (void)state;
    free(top);
    return rc;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_top, drop_top)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(repositories_are_found_and_what_is_missing_is_made),
        CASE(what_a_link_leads_to_is_kept_with_it),
        CASE(a_repository_itself_may_be_what_is_writable),
        CASE(outer_paths_stand_before_inner_ones),
        CASE(a_directory_that_was_moved_is_cleared_all_the_same),
        CASE(what_would_lead_git_elsewhere_is_set_aside),
        CASE(a_policy_is_nothing_that_a_command_makes),
        CASE(a_repository_that_is_new_runs_nothing),
        CASE(no_name_keeps_what_is_missing_from_being_made),
        CASE(a_file_has_nothing_below_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
