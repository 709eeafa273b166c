/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_effects.c - what a line would touch, from a risk made by hand. */
#include "unit_seat.h"

#include "guard/effects/effects.h"
#include "guard/effects/effects_text.h"
#include "tree_git.h"

struct effect_row {
    const char *name; /* of the program */
    const char *argv[8];
    struct risk_path path;
    uint64_t files, bytes;
    size_t paths, outside, untracked;
    bool unknown;
    const char *refusal; /* a part of the reason */
    const char *summary; /* "@" is the scratch directory */
};

#define PATH(u, r, t)                                                          \
    {                                                                          \
        .use = (u), .recursive = (r), .known = true, .text = (t), .to = 1      \
    }
#define RM(t)      .name = "rm", .path = PATH(RISK_DELETES, true, t)
#define UNKNOWN(t) .name = "rm", .path = {RISK_DELETES, true, false, t, .to = 1}

/* In @/home/proj: a.log (10), b.log (20), kept.c (5, tracked by git), .hidden
 * (1), sub/x (100), sub/deep/y (200), link -> ../data; in @/home: data/z (7),
 * proj. */
static const struct effect_row rows[] = {
    {RM("a.log"), .files = 1, .bytes = 10, .paths = 1, .untracked = 1,
     .summary = "deletes a.log - 10 bytes, not in git"},
    {RM("kept.c"), .files = 1, .bytes = 5, .paths = 1,
     .summary = "deletes kept.c - 5 bytes"},
    {RM("*.log"), .files = 2, .bytes = 30, .paths = 2, .untracked = 2,
     .summary = "deletes a.log, b.log - 2 files, 30 bytes, not in git"},
    {RM("{a,b}.log"), .files = 2, .bytes = 30, .paths = 2, .untracked = 2},
    {RM("sub"), .files = 2, .bytes = 300, .paths = 1, .untracked = 2,
     .summary = "deletes sub/ - 2 files, 300 bytes, not in git"},
    {RM("./sub//deep/../"), .files = 2, .bytes = 300, .paths = 1,
     .untracked = 2},
    {RM("link"), .files = 1, .paths = 1, .untracked = 1},
    {RM("~/data"), .files = 1, .bytes = 7, .paths = 1, .outside = 1,
     .summary = "deletes ~/data/ - 1 file, 7 bytes, 1 outside ~/proj"},
    {RM("link/z"), .files = 1, .bytes = 7, .paths = 1, .outside = 1},
    {RM("gone"), .paths = 1, .summary = ""},
    {RM("*.gone"), .paths = 1},
    {RM("*"), .files = 6, .bytes = 335, .paths = 5, .untracked = 5},
    {RM("../proj"), .files = 7, .bytes = 0, .paths = 1},
    {.name = "sed",
     .path = PATH(RISK_CHANGES, false, "kept.c"),
     .files = 1,
     .bytes = 5,
     .paths = 1,
     .summary = "changes kept.c - 5 bytes"},
    {.name = "cp", .path = PATH(RISK_CHANGES, false, "new.c")},
    {.name = "chmod",
     .path = PATH(RISK_CHANGES, false, "sub"),
     .paths = 1,
     .summary = "changes sub/"},
    {.name = "chmod",
     .path = PATH(RISK_CHANGES, true, "sub"),
     .files = 2,
     .bytes = 300,
     .paths = 1,
     .untracked = 2},
    {.name = "touch", .path = PATH(RISK_MAKES, false, "~/x")},
    {.name = "cat", .path = PATH(RISK_READS, true, "/")},
    {UNKNOWN("$x"), .unknown = true,
     .summary = "cannot tell what this changes"},
    {.name = "frob", .unknown = true},
    /* protected paths */
    {RM("/"), .refusal = "/, the root", .paths = 1, .outside = 1},
    {RM("/*"), .refusal = "everything in /"},
    {RM("~"), .refusal = "~, your home"},
    {RM("~/"), .refusal = "~, your home"},
    {RM("~/*"), .refusal = "everything in ~"},
    {RM("~/.*"), .refusal = "everything in ~"},
    {RM("~/.[!.]*"), .refusal = "everything in ~"},
    {RM("~/{*,.*}"), .refusal = "everything in ~"},
    {RM("~/*/"), .refusal = "everything in ~"},
    {RM("../*"), .refusal = "everything in ~"},
    {RM("../../home"), .refusal = "~, your home"},
    {RM("../.."), .refusal = "above your home"},
    {RM("/usr/*"), .refusal = "everything in /usr"},
    {UNKNOWN("$x/*"), .unknown = true, .refusal = "if the part before"},
    {UNKNOWN("${x}/"), .unknown = true, .refusal = "if the part before"},
    {UNKNOWN("$x$y/"), .unknown = true, .refusal = "if the part before"},
    {UNKNOWN("$(cat x)/*"), .unknown = true, .refusal = "if the part"},
    {UNKNOWN("${x:?}/*"), .unknown = true},
    {UNKNOWN("$x/lib"), .unknown = true},
    {UNKNOWN("a$x/*"), .unknown = true},
    {.name = "dd",
     .path = PATH(RISK_CHANGES, false, "/dev/sdz"),
     .refusal = "raw disk"},
    {.name = "cat",
     .path = PATH(RISK_MAKES, false, "/dev/nvme7n1"),
     .refusal = "raw disk"},
    {.name = "chown", .path = PATH(RISK_CHANGES, true, "~"), .refusal = "home"},
    {.name = "cp", .path = PATH(RISK_CHANGES, false, "~"), .paths = 1},
    {.name = "find",
     .argv = {"find", "~", "-delete"},
     .path = PATH(RISK_DELETES, true, "~"),
     .refusal = "home"},
#define FIND(...)                                                              \
    .name = "find", .argv = {"find", ".", __VA_ARGS__},                        \
    .path = PATH(RISK_DELETES, true, ".")
    {FIND("-name", "*.log"), .files = 2, .bytes = 30, .paths = 2,
     .untracked = 2},
    {FIND("-iname", "?.LOG"), .files = 2, .bytes = 30, .paths = 2,
     .untracked = 2},
    {FIND("-size", "+50c", "-name", "[xy]"), .files = 2, .bytes = 300,
     .paths = 2, .untracked = 2},
    {FIND("-size", "1k", "-name", "[xy]"), .files = 2, .bytes = 300, .paths = 2,
     .untracked = 2},
    {FIND("-name", "x", "-type", "d")},
    {FIND("-mtime", "+7")},
    {FIND("-mtime", "-7", "-name", "a*", "-maxdepth", "1"), .files = 1,
     .bytes = 10, .paths = 1, .untracked = 1},
    {FIND("-newer", "x"), .unknown = true},
    {FIND("-name", "x", "-o", "-name", "y"), .unknown = true},
    {FIND("!", "-name", "x"), .unknown = true},
    {FIND("!", "-path", "./x"), .unknown = true},
    {FIND("-name", "*.log", "!", "-path", "*/a.*"), .files = 1, .bytes = 20,
     .paths = 1, .untracked = 1},
    {.name = "find",
     .argv = {"find", "~", "-type", "f", "-delete"},
     .path = PATH(RISK_DELETES, true, "~"),
     .refusal = "home"},
    {.name = "find",
     .argv = {"find", "~", "-name", "*.o"},
     .path = PATH(RISK_DELETES, true, "~")},
};

struct world {
    struct tree t;
    char home[PATH_MAX], proj[PATH_MAX];
    bool git;
};

static int
world_make(void **state)
{
    static struct world w;
    struct tree *t = &w.t;

    if (tree_make(t) < 0 || tree_dir(t, "home") < 0 ||
        tree_dir(t, "home/data") < 0 || tree_dir(t, "home/proj") < 0 ||
        tree_dir(t, "home/proj/sub") < 0 ||
        tree_dir(t, "home/proj/sub/deep") < 0 ||
        tree_file(t, "home/data/z", 7) < 0 ||
        tree_file(t, "home/proj/a.log", 10) < 0 ||
        tree_file(t, "home/proj/b.log", 20) < 0 ||
        tree_file(t, "home/proj/kept.c", 5) < 0 ||
        tree_file(t, "home/proj/.hidden", 1) < 0 ||
        tree_file(t, "home/proj/sub/x", 100) < 0 ||
        tree_file(t, "home/proj/sub/deep/y", 200) < 0 ||
        tree_link(t, "../data", "home/proj/link") < 0)
        return -1;
    tree_path(t, "home", w.home);
    tree_path(t, "home/proj", w.proj);
    w.git = GIT(t, "home/proj", "init", "-q") &&
            GIT(t, "home/proj", "add", "kept.c");
    *state = &w;
    return 0;
}

static int
world_drop(void **state)
{
    tree_drop(&((struct world *)*state)->t);
    return 0;
}

static void
check_counts(const struct world *w, const struct effect_row *row, size_t i,
             const struct effects *x)
{
    /* the sizes of links and of git's own files differ between machines */
    bool whole = strcmp(row->path.text ? row->path.text : "", "../proj") == 0;

    if (row->refusal)
        return;
    assert_int_equal(x->n_paths, row->paths);
    assert_int_equal(x->outside, row->outside);
    if (whole) {
        assert_true(x->files >= row->files);
        return;
    }
    if (x->files != row->files || x->bytes != row->bytes)
        fail_msg("row %zu: %d files, %d bytes", i, (int)x->files,
                 (int)x->bytes);
    assert_int_equal(x->untracked, w->git ? row->untracked : 0);
}

static void
check_summary(const struct world *w, const struct effect_row *row,
              const struct effects *x, const struct path_context *where)
{
    CLEANUP_BUF struct buf b = buf_of(4096);

    if (!row->summary || (row->untracked && !w->git))
        return;
    assert_int_equal(effects_summary(x, where, " - ", &b), 0);
    assert_string_equal(b.p, row->summary);
}

static void
check_row(const struct world *w, size_t i)
{
    const struct effect_row *row = &rows[i];
    struct path_context where = {
        .cwd = w->proj, .home = w->home, .workspace = w->proj};
    struct risk_path path = row->path;
    struct risk_call call = {.name = row->name,
                             .argv = row->argv,
                             .facts = RISK_DESTRUCTIVE,
                             .wrapper = "",
                             .to = 2};
    struct risk r = {
        .facts = RISK_DESTRUCTIVE,
        .paths = &path,
        .calls = &call,
        .n_calls = row->path.use < RISK_CHANGES && row->path.text ? 0 : 1,
        .n_paths = row->path.text ? 1 : 0};
    struct effects x;
    struct err e;

    while (call.n < N_OF(row->argv) && row->argv[call.n])
        call.n++;
    path.dir = w->proj;
    assert_int_equal(effects_find(&r, &where, w->proj, &x, &e), 0);
    if (row->refusal
            ? !x.protected_path || !strstr(x.protected_path, row->refusal)
            : x.protected_path != NULL)
        fail_msg("row %zu: the refusal is '%s'", i,
                 x.protected_path ? x.protected_path : "NULL");
    if (!row->refusal && x.unknown != row->unknown)
        fail_msg("row %zu: unknown is %d", i, x.unknown);
    check_counts(w, row, i, &x);
    check_summary(w, row, &x, &where);
    effects_done(&x);
}

static void
a_path_is_counted_and_judged_as_it_would_be_touched(void **state)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(*state, i);
}

/* Root can read everything, so the test runs as another user. */
static void
what_may_not_be_seen_is_not_said_to_be_gone(void **state)
{
    const struct world *w = *state;
    struct path_context where = {.cwd = w->proj, .home = w->home};
    struct risk_path paths[] = {PATH(RISK_DELETES, true, "a.log"),
                                PATH(RISK_DELETES, true, "*.log")};
    struct risk r = {.facts = RISK_DESTRUCTIVE, .paths = paths};
    bool root = geteuid() == 0;
    struct effects x;
    struct err e;

    for (size_t i = 0; i < N_OF(paths); i++, r.paths++) {
        r.n_paths = 1;
        r.paths->dir = w->proj;
        assert_int_equal(root ? seteuid(12345) : chmod(w->home, 0), 0);
        assert_int_equal(effects_find(&r, &where, NULL, &x, &e), 0);
        assert_int_equal(root ? seteuid(0) : chmod(w->home, 0700), 0);
        assert_true(x.unknown || x.more);
        assert_int_equal(x.files, 0);
        effects_done(&x);
    }
}

static void
the_list_names_each_path_and_says_how_many_more(void **state)
{
    const struct world *w = *state;
    struct path_context where = {.cwd = w->proj, .home = w->home};
    struct risk_path paths[] = {PATH(RISK_DELETES, true, "../data"),
                                PATH(RISK_DELETES, false, "a.log"),
                                PATH(RISK_DELETES, false, "gone\033[2J"),
                                PATH(RISK_DELETES, false, "b.log")};
    struct risk r = {.facts = RISK_DESTRUCTIVE, .paths = paths, .n_paths = 4};
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct effects x;
    struct err e;

    for (size_t i = 0; i < N_OF(paths); i++)
        paths[i].dir = w->proj;
    assert_int_equal(effects_find(&r, &where, NULL, &x, &e), 0);
    effects_list(&x, &where, 2, 3, &b);
    if (w->git)
        assert_string_equal(
            b.p, "  deletes ~/data/  1 file, 7 bytes, outside the workspace\n"
                 "  deletes a.log  10 bytes, not in git\n"
                 "  deletes gone\\x1b[2J: not there now\n"
                 "  and 1 more\n");
    effects_done(&x);
}

/* In @/home/repo: kept, loose, new/a, new/b, src/kept, src/loose,
 * other/.git. */
static const struct {
    const char *argv[4];
    const char *found; /* NULL: it is not known */
} cleans[] = {
    {{"git", "clean", "-f"}, "loose src/loose"},
    {{"git", "clean", "-fd"}, "loose new src/loose"},
    {{"git", "clean", "-f", "-dx"}, "loose new src/loose"},
    {{"git", "clean", "-ffdx"}, "loose new other src/loose"},
    {{"git", "clean", "-fdX"}, NULL},
    {{"git", "clean", "-fd", "src"}, NULL},
};

static int
by_path(const void *a, const void *b)
{
    const struct effects_path *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static void
check_clean(const struct world *w, const char *const *argv, const char *found)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    char repo[PATH_MAX];
    struct risk_call call = {.name = "git",
                             .argv = argv,
                             .facts = RISK_DESTRUCTIVE,
                             .wrapper = "",
                             .to = 1};
    struct risk_path dot = {
        .use = RISK_DELETES, .recursive = true, .known = true, .text = "."};
    struct risk r = {.facts = RISK_DESTRUCTIVE,
                     .calls = &call,
                     .paths = &dot,
                     .n_calls = 1,
                     .n_paths = 1};
    struct path_context where = {.home = w->home, .seat = unit_seat()};
    struct effects x;
    struct err e;

    dot.dir = tree_path(&w->t, "home/repo", repo);
    where.cwd = repo;
    while (call.n < 4 && argv[call.n])
        call.n++;
    assert_int_equal(effects_find(&r, &where, NULL, &x, &e), 0);
    assert_int_equal(x.unknown, found == NULL);
    if (x.n_paths)
        qsort(x.paths, x.n_paths, sizeof(*x.paths), by_path);
    for (size_t i = 0; i < x.n_paths; i++)
        buf_printf(&b, "%s%s", i ? " " : "",
                   x.paths[i].path + strlen(repo) + 1);
    if (found)
        assert_string_equal(b.p, found);
    effects_done(&x);
}

static void
git_clean_takes_what_git_does_not_know(void **state)
{
    static const char *const all[] = {"git", "clean", "-fdx", NULL};
    const struct world *w = *state;
    const struct tree *t = &w->t;
    char xdg[PATH_MAX];

    if (!w->git)
        return;
    assert_int_equal(tree_dir(t, "home/repo") | tree_dir(t, "home/repo/new") |
                         tree_dir(t, "home/repo/src") |
                         tree_dir(t, "home/repo/other"),
                     0);
    assert_int_equal(tree_file(t, "home/repo/kept", 1) |
                         tree_file(t, "home/repo/src/kept", 1),
                     0);
    assert_true(GIT(t, "home/repo", "init", "-q"));
    assert_true(GIT(t, "home/repo/other", "init", "-q"));
    assert_true(GIT(t, "home/repo", "add", "kept", "src"));
    assert_int_equal(tree_file(t, "home/repo/loose", 1) |
                         tree_file(t, "home/repo/src/loose", 1) |
                         tree_file(t, "home/repo/new/a", 1) |
                         tree_file(t, "home/repo/new/b", 1),
                     0);
    for (size_t i = 0; i < N_OF(cleans); i++)
        check_clean(w, cleans[i].argv, cleans[i].found);
    assert_int_equal(tree_dir(t, "xdg") | tree_dir(t, "xdg/git") |
                         tree_text(t, "xdg/git/ignore", "loose\n"),
                     0);
    setenv("XDG_CONFIG_HOME", tree_path(t, "xdg", xdg), 1);
    check_clean(w, cleans[0].argv, NULL);
    unsetenv("XDG_CONFIG_HOME");
    assert_int_equal(tree_text(t, "home/repo/.gitignore", "loose\n"), 0);
    check_clean(w, cleans[0].argv, NULL);
    check_clean(w, all, ".gitignore loose new src/loose");
}

static void
what_nobody_waits_for_is_not_counted(void **state)
{
    const struct world *w = *state;
    atomic_bool unwanted = false;
    struct risk_path p = {.use = RISK_DELETES,
                          .recursive = true,
                          .known = true,
                          .text = "sub",
                          .dir = w->proj};
    const struct risk r = {
        .facts = RISK_DESTRUCTIVE, .paths = &p, .n_paths = 1};
    const struct path_context where = {.cwd = w->proj,
                                       .home = w->home,
                                       .seat = unit_seat(),
                                       .unwanted = &unwanted};
    struct effects x;

    assert_int_equal(effects_find(&r, &where, NULL, &x, NULL), 0);
    assert_true(x.files > 0);
    assert_false(x.more);
    effects_done(&x);
    unwanted = true;
    assert_int_equal(effects_find(&r, &where, NULL, &x, NULL), 0);
    assert_int_equal(x.files, 0);
    assert_true(x.more);
    effects_done(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_counted_and_judged_as_it_would_be_touched),
        cmocka_unit_test(git_clean_takes_what_git_does_not_know),
        cmocka_unit_test(what_may_not_be_seen_is_not_said_to_be_gone),
        cmocka_unit_test(the_list_names_each_path_and_says_how_many_more),
        cmocka_unit_test(what_nobody_waits_for_is_not_counted),
    };

    return cmocka_run_group_tests(tests, world_make, world_drop);
}
