/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_git_trusted.c - the files and the configuration keys that git trusts. */
#include "tests/unit/unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "guard/path/git_config.h"
#include "guard/path/git_files.h"
#include "guard/path/git_trusted.h"
#include "guard/path/path_table.h"

static const struct {
    const char *path;
    bool believed;
} paths[] = {
    {".git/hooks", true},
    {"/w/.git/hooks/pre-commit", true},
    {".git/config", true},
    {".GIT/Config", true},
    {".git/config.lock", false},
    {".git/config.worktree", true},
    {".git/commondir", true},
    {".git/rebase-merge/git-rebase-todo", true},
    {".git/rebase-merge/done", false},
    {".git/modules/a/config", true},
    {".git/modules/a/b/hooks/x", true},
    {".git/modules/a/modules/b/commondir", true},
    {".git/modules/a/refs/heads/config", false},
    {".git/worktrees/w/config.worktree", true},
    {".git/worktrees/w/commondir", false},
    {".git/worktrees/w/HEAD", false},
    {".git/refs/heads/hooks", false},
    {".git/HEAD", false},
    {".git", false},
    {"x.git/config", false},
    {"hooks/x", false},
    {"a/.git/b/.git/hooks", true},
};

static void
places_are_found_by_their_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(paths); i++) {
        if (git_trusted_holds(paths[i].path) != paths[i].believed ||
            path_runs_later(paths[i].path) != paths[i].believed)
            fail_msg("%s: not %d", paths[i].path, paths[i].believed);
    }
    assert_true(path_runs_later("/w/.agentsh/policy"));
}

static void
check_files(unsigned kinds, const char *home, const char *config,
            const char *expected)
{
    CLEANUP_BUF struct buf all = buf_of(PATH_MAX);
    char path[PATH_MAX];
    const struct git_person who = {home, config};
    size_t at = 0;

    while (git_files_next(kinds, &who, &at, path))
        buf_printf(&all, "%s ", path);
    assert_string_equal(all.len ? all.p : "", expected);
}

static void
the_files_of_a_person_are_those_that_git_may_read(void **state)
{
    const unsigned both = GIT_FILES_SYSTEM | GIT_FILES_PERSON;

    (void)state;
    check_files(both, "/h", NULL,
                "/etc/gitconfig /h/.gitconfig /h/.config/git/config ");
    check_files(GIT_FILES_IGNORE, "/h", NULL, "/h/.config/git/ignore ");
    check_files(both, NULL, NULL, "/etc/gitconfig ");
    check_files(GIT_FILES_PERSON, "/h", "/x",
                "/h/.gitconfig /h/.config/git/config /x/git/config ");
    check_files(GIT_FILES_IGNORE, NULL, "/x", "/x/git/ignore ");
    check_files(GIT_FILES_IGNORE, "/h", "/h/.config", "/h/.config/git/ignore ");
    check_files(GIT_FILES_PERSON, NULL, "x", "");
}

static void
a_git_file_leads_to_a_directory(void **state)
{
    static const struct {
        const char *text, *link;
    } rows[] = {
        {"gitdir: ../a b\n", "../a b"}, {"gitdir: /x", "/x"},
        {"gitdir: /x\r\ny", "/x"},      {"gitdir: \n", NULL},
        {"gitdir:/x\n", NULL},          {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(free_p) char *text = strdup(rows[i].text);
        const char *link = git_files_link(text);

        if (!link != !rows[i].link || (link && strcmp(link, rows[i].link) != 0))
            fail_msg("row %zu: %s", i, link ? link : "nowhere");
    }
}

static const struct {
    const char *key, *value;
    enum git_config_use use;
} keys[] = {
    {"core.bare", "false", GIT_DATA},
    {"core.fsmonitor", "true", GIT_COMMAND},
    {"core.unheard", "x", GIT_COMMAND},
    {"core.hookspath", "h", GIT_DIRECTORY},
    {"core.worktree", "..", GIT_TREE},
    {"include.path", "x", GIT_FILE},
    {"includeif.gitdir:/x/.path", "x", GIT_FILE},
    {"alias.st", "status", GIT_DATA},
    {"alias.st", "!status", GIT_COMMAND},
    {"remote.origin.url", "https://example.com/a", GIT_DATA},
    {"remote.a.b.url", "git@example.com:a", GIT_DATA},
    {"remote.origin.url", "ext::sh -c x", GIT_COMMAND},
    {"remote.origin.url", "-x", GIT_COMMAND},
    {"remote.origin.vcs", "x", GIT_COMMAND},
    {"remote.url", "x", GIT_COMMAND},
    {"branch.main.remote", "origin", GIT_DATA},
    {"submodule.a.update", "!x", GIT_COMMAND},
    {"filter.x.clean", "x", GIT_COMMAND},
};

static void
keys_are_data_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(keys); i++) {
        if (git_config_use_of(keys[i].key, keys[i].value) != keys[i].use)
            fail_msg("%s = %s: not %d", keys[i].key, keys[i].value,
                     keys[i].use);
    }
}

/* What git_config_keep_data keeps of a text; NULL: all of it, unchanged. */
static const struct {
    const char *text, *kept;
} texts[] = {
    {"", NULL},
    {"[core]\n\tbare = false\n", NULL},
    {"# a\n[remote \"a\"]\n\turl = https://x.example/y\n", NULL},
    {"[core]\n\tworktree = ../../sub\n", NULL},
    {"[core]\n\tworktree = ../../../sub\n", ""},
    {"[core]\n\tworktree = /x\n", ""},
    {"[core]\n\tworktree = ../x/../../y\n", ""},
    {"[core]\n\tbare = false\n\tpager = x\n", "[core]\n\tbare = \"false\"\n"},
    {"[core] bare = false\n", "[core]\n\tbare = \"false\"\n"},
    {"[core]\nbare\n", "[core]\n\tbare = \"true\"\n"},
    {"[core]\n\tbare = a \\\n[core] pager = x\n",
     "[core]\n\tbare = \"a [core] pager = x\"\n"},
    {"# \\\n[core]\n\tpager = x\n", ""},
    {"[user]\n\tname = \"a \\\"b\\\" \\\\ ; c\" ; d\n",
     "[user]\n\tname = \"a \\\"b\\\" \\\\ ; c\"\n"},
    {"[branch \"a\\\"b\"]\n\tremote = o\n",
     "[branch \"a\\\"b\"]\n\tremote = \"o\"\n"},
    {"[Branch \"X\"]\r\n\tRemote = o\r\n",
     "[branch \"X\"]\n\tremote = \"o\"\n"},
    {"[core]\n\tbare = false\n]nonsense\n[core]\n\tabbrev = 4\n",
     "[core]\n\tbare = \"false\"\n"},
};

static void
only_data_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        CLEANUP_BUF struct buf out = buf_of(4096);
        size_t n = strlen(texts[i].text);

        assert_int_equal(git_config_is_data(texts[i].text, n, 2),
                         texts[i].kept == NULL);
        assert_int_equal(git_config_keep_data(texts[i].text, n, 2, &out), 0);
        if (texts[i].kept)
            assert_string_equal(out.p, texts[i].kept);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_found_by_their_path),
        cmocka_unit_test(the_files_of_a_person_are_those_that_git_may_read),
        cmocka_unit_test(a_git_file_leads_to_a_directory),
        cmocka_unit_test(keys_are_data_or_not),
        cmocka_unit_test(only_data_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
