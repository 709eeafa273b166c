/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox_protect.c - a command cannot change what git believes. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "sandbox/protect/protect.h"

static char *top; /* a directory of each test's own */

/* Somebody else who acts between two calls of protect_keep.c: just before it
 * opens a file of this name, or just after it resolved a path that ends in it.
 * These two functions stand before those of the C library. */
static const char *racing_name;
static int calls_before; /* such calls that pass first */
static void (*race)(void);

static void
race_once(const char *path)
{
    size_t n = racing_name ? strlen(racing_name) : 0, len = strlen(path);

    if (n == 0 || len < n || strcmp(path + len - n, racing_name) != 0)
        return;
    if (calls_before-- > 0)
        return;
    racing_name = NULL;
    race();
}

int
openat(int dir, const char *path, int flags, ...)
{
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (flags == (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
        race_once(path);
    return (int)syscall(SYS_openat, dir, path, flags, mode);
}

char *
realpath(const char *path, char *room)
{
    char link[64], real[PATH_MAX];
    CLEANUP(fd_close_p) int fd = open(path, O_PATH | O_CLOEXEC);
    ssize_t n;

    assert_null(room); /* nobody here gives any */
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = fd < 0 ? -1 : readlink(link, real, sizeof(real) - 1);
    if (n < 0)
        return NULL;
    real[n] = '\0';
    race_once(real);
    return strdup(real);
}

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

/* The file's inode: a copy has another one. */
static ino_t
inode_of(const char *below)
{
    char path[PATH_MAX];
    struct stat st;

    snprintf(path, sizeof(path), "%s/%s", top, below);
    assert_int_equal(lstat(path, &st), 0);
    return st.st_ino;
}

static void
put_link(const char *below, const char *target)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", top, below);
    assert_int_equal(symlink(target, path), 0);
}

static void
put_second_name(const char *below, const char *other)
{
    char from[PATH_MAX], to[PATH_MAX];

    snprintf(from, sizeof(from), "%s/%s", top, below);
    snprintf(to, sizeof(to), "%s/%s", top, other);
    assert_int_equal(link(from, to), 0);
}

static void
rename_below(const char *below, const char *other)
{
    char from[PATH_MAX], to[PATH_MAX];

    snprintf(from, sizeof(from), "%s/%s", top, below);
    snprintf(to, sizeof(to), "%s/%s", top, other);
    assert_int_equal(rename(from, to), 0);
}

static void
a_file_with_two_names_becomes_one_of_its_own(void **state)
{
    struct protect p;
    ino_t was;

    (void)state;
    put(".git/HEAD");
    put(".git/config");
    put_second_name(".git/config", "other");
    was = inode_of("other");
    assert_int_equal(protect_open(&p, top, NULL, false, NULL), 0);
    assert_int_equal(inode_of("other"), was);
    assert_int_not_equal(inode_of(".git/config"), was);
    protect_close(&p, NULL, NULL);
}

static void
put_file_of_another(void)
{
    rename_below("another's", ".git/config");
}

/* Who may write in the directory must not get a copy of a file that we alone
 * can read. */
static void
a_file_that_takes_the_place_of_one_with_two_names_is_not_copied(void **state)
{
    struct err e = {0};
    struct protect p;

    (void)state;
    put(".git/HEAD");
    put(".git/config");
    put("another's");
    put_second_name(".git/config", "other");
    racing_name = "config";
    calls_before = 1; /* what git trusts is read first */
    race = put_file_of_another;
    assert_int_equal(protect_open(&p, top, NULL, false, &e), -1);
    protect_close(&p, NULL, NULL);
    assert_null(racing_name);
    assert_non_null(strstr(e.text, "config has other hard links"));
}

static void
put_fifo(void)
{
    char path[PATH_MAX];

    unput(".git/config");
    snprintf(path, sizeof(path), "%s/.git/config", top);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void
a_pipe_that_takes_its_place_is_not_waited_for(void **state)
{
    struct err e = {0};
    struct protect p;

    (void)state;
    put(".git/HEAD");
    put(".git/config");
    put_second_name(".git/config", "other");
    racing_name = "config";
    calls_before = 1;
    race = put_fifo;
    alarm(20); /* a program that waits for a writer is ended by this */
    assert_int_equal(protect_open(&p, top, NULL, false, &e), -1);
    alarm(0);
    protect_close(&p, NULL, NULL);
    assert_null(racing_name);
    assert_non_null(strstr(e.text, "config has other hard links"));
}

static void
lead_elsewhere(void)
{
    char outside[PATH_MAX];

    rename_below("root/rules", "root/moved");
    snprintf(outside, sizeof(outside), "%s/outside", top);
    put_link("root/rules", outside);
}

/* A link leads out of the root, and back to root/rules/config. While it is
 * resolved, root/rules becomes a link to a directory outside. */
static void
a_path_that_changes_while_it_is_resolved_leads_nobody_outside(void **state)
{
    char target[PATH_MAX], root[PATH_MAX];
    struct protect p;
    ino_t outside;

    (void)state;
    put("root/.git/HEAD");
    put("root/rules/config");
    put_second_name("root/rules/config", "root/other");
    put("outside/config");
    put_second_name("outside/config", "outside/second");
    outside = inode_of("outside/second");
    snprintf(root, sizeof(root), "%s/root", top);
    put_link("back", root);
    snprintf(target, sizeof(target), "%s/back/rules/config", top);
    put_link("root/.git/config", target);
    racing_name = "root/rules/config";
    calls_before = 0;
    race = lead_elsewhere;
    assert_int_equal(protect_open(&p, root, NULL, false, NULL), 0);
    protect_close(&p, NULL, NULL);
    assert_null(racing_name);
    assert_int_equal(inode_of("outside/config"), outside);
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
        CASE(a_file_with_two_names_becomes_one_of_its_own),
        CASE(a_file_that_takes_the_place_of_one_with_two_names_is_not_copied),
        CASE(a_pipe_that_takes_its_place_is_not_waited_for),
        CASE(a_path_that_changes_while_it_is_resolved_leads_nobody_outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
