/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_changes.c - the list of what a command changed in a view. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sandbox/preview/changes.h"
#include "sandbox/preview/workcopy.h"
#include "tests/unit/overlaid.h"

#define TEXT_MAX 65536

struct row {
    const char *before;    /* makes the workspace */
    const char *run;       /* in the view */
    const char *meanwhile; /* plainly, after the run; NULL: nothing */
    const char *want;
};

static char
sign(const struct change *c)
{
    static const char signs[] = {
        [CHANGE_ADDED] = '+',
        [CHANGE_CHANGED] = '~',
        [CHANGE_ATTRIBUTES] = '=',
        [CHANGE_DELETED] = '-',
    };

    return signs[c->kind];
}

static char
type(mode_t mode)
{
    return S_ISDIR(mode)   ? 'd'
           : S_ISLNK(mode) ? 'l'
           : S_ISREG(mode) ? 'f'
                           : '?';
}

/* One line an entry: what, its type before and after, its path, marks. */
static void
put(struct buf *out, const struct changes *list, const struct change *c)
{
    buf_ch(out, sign(c));
    if (c->before.st_mode)
        buf_ch(out, type(c->before.st_mode));
    if (c->after.st_mode)
        buf_ch(out, type(c->after.st_mode));
    buf_printf(out, " %s", c->path);
    if (c->target)
        buf_printf(out, " -> %s", c->target);
    if (c->leaves)
        buf_str(out, " leaves");
    if (c->kind == CHANGE_ATTRIBUTES && c->before.st_mode != c->after.st_mode)
        buf_printf(out, " %o", (unsigned)c->after.st_mode & 07777);
    if (c->bar)
        buf_str(out, c->bar == CHANGE_PROTECTED ? " protected" : " special");
    if (c->meanwhile)
        buf_str(out, " meanwhile");
    if (c->files > 1)
        buf_printf(out, " takes %d", (int)c->files);
    if (c->pair != CHANGE_NO_PAIR && c->kind == CHANGE_ADDED)
        buf_printf(out, " was %s", list->v[c->pair].path);
    buf_ch(out, '\n');
}

static void
check(const struct row *row, enum overlaid_way way)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct changes_spec spec;
    struct changes list = {0};
    struct overlaid o;
    struct err e = {0};

    overlaid_open(&o, way);
    assert_int_equal(overlaid_plain(&o, row->before), 0);
    spec = overlaid_begin(&o);
    assert_int_equal(overlaid_run(&o, row->run), 0);
    if (row->meanwhile)
        assert_int_equal(overlaid_plain(&o, row->meanwhile), 0);
    if (changes_read(&spec, &list, &e) < 0)
        fail_msg("%s: %s", row->run, e.text);
    for (size_t i = 0; i < list.n; i++)
        put(&text, &list, &list.v[i]);
    assert_string_equal(text.p, row->want);
    changes_done(&list);
    overlaid_close(&o);
}

static const struct row kinds[] = {
    {"echo a >a", ":", NULL, ""},
    {"echo a >a", "{ cat a; ls -la; } >/dev/null", NULL, ""},
    {":", "echo a >a; mkdir -p d/e; echo b >d/e/b", NULL,
     "+f a\n+d d\n+d d/e\n+f d/e/b\n"},
    {"echo a >a; mkdir d; echo b >d/b", "echo x >>a; echo x >d/b", NULL,
     "~ff a\n~ff d/b\n"},
    {"echo a >a; mkdir d; echo b >d/b", "rm a d/b", NULL, "-f a\n-f d/b\n"},
    {"mkdir -p d/e; echo b >d/b; echo c >d/e/c", "rm -r d", NULL,
     "-d d takes 4\n"},
    {"mkdir -p d/e; echo b >d/b; echo c >d/e/c",
     "rm -r d; mkdir d; echo n >d/n; echo other >d/b", NULL,
     "~ff d/b\n-d d/e takes 2\n+f d/n\n"},
    {"mkdir -p d/e/f; echo c >d/e/c; echo k >d/e/f/k",
     "rm -r d; mkdir -p d/e/f; echo k2 >d/e/f/k", NULL,
     "-f d/e/c\n~ff d/e/f/k\n"},
    {"echo a >a", "rm a; mkdir a; echo b >a/b", NULL, "~fd a\n+f a/b\n"},
    {"mkdir a; echo b >a/b", "rm -r a; echo a >a", NULL, "~df a takes 2\n"},
    {"echo a >a", "ln -s a l; ln -s ../x m; ln -s /etc/passwd n", NULL,
     "+l l -> a\n+l m -> ../x leaves\n+l n -> /etc/passwd leaves\n"},
    {"ln -s a l; echo a >a", "ln -sfn b l", NULL, "~ll l -> b\n"},
    {"ln -s a l; echo a >a", "rm l; echo l >l", NULL, "~lf l\n"},
    {"echo a >a; ln -s a l", "echo b >l", NULL, "~ff a\n"},
    {"echo a >a; mkdir d", "chmod 600 a; chmod 700 d", NULL,
     "=ff a 600\n=dd d 700\n"},
    {"echo a >a", "touch -d 2001-01-01 a", NULL, "=ff a\n"},
    {"echo a >a", "chmod 600 .", NULL, "=dd . 600\n"},
    {"echo a >a", "rm a; echo b >b; mv b a", NULL, "~ff a\n"},
    {"echo a >a", "echo a >b; touch -r a b; mv b a", NULL, ""},
    {"printf 1234 >a; touch -d 2001-01-01 a",
     "printf 5678 >a; touch -d 2001-01-01 a", NULL, "~ff a\n"},
    {":", "mkfifo p", NULL, "+? p special\n"},
    {":", "mkdir d; echo s >d/s; chmod 0 d/s; chmod 0 d", NULL,
     "+d d\n+f d/s\n"},
    {"mkdir .git; echo c >.git/config; echo r >.git/HEAD",
     "echo e >.git/config; echo s >.git/HEAD; mkdir .git/hooks; "
     "echo h >.git/hooks/pre-commit; mkdir -p d/.agentsh; echo p >d/.agentsh/p",
     NULL,
     "~ff .git/HEAD\n~ff .git/config protected\n+d .git/hooks protected\n"
     "+f .git/hooks/pre-commit protected\n+d d\n+d d/.agentsh protected\n"
     "+f d/.agentsh/p protected\n"},
    {"mkdir -p .git/modules/m .git/worktrees/w",
     "echo /e | tee .git/commondir .git/modules/m/commondir "
     ">.git/worktrees/w/commondir",
     NULL,
     "+f .git/commondir protected\n+f .git/modules/m/commondir protected\n"
     "+f .git/worktrees/w/commondir\n"},
    {"mkdir -p r/.git; echo c >r/.git/config", "rm -r r", NULL,
     "-d r protected takes 3\n"},
    {"mkdir -p .git/refs/heads; echo c >.git/refs/heads/config",
     "echo d >.git/refs/heads/config", NULL, "~ff .git/refs/heads/config\n"},
    {"mkdir -p .git/modules/a/b; echo c >.git/modules/a/b/config",
     "echo d >.git/modules/a/b/config", NULL,
     "~ff .git/modules/a/b/config protected\n"},
};

static const struct row renames[] = {
    {"echo text >a", "mv a b", NULL, "-f a\n+f b was a\n"},
    {"mkdir d; echo text >d/a", "mv d/a b", NULL, "+f b was d/a\n-f d/a\n"},
    {"echo 1 >a; echo 2 >b; touch -r a b", "mv a c; mv b d", NULL,
     "-f a\n-f b\n+f c was a\n+f d was b\n"},
    {"echo text >a", "mv a b; echo more >>b", NULL, "-f a\n+f b\n"},
    {"ln -s x a", "mv a b", NULL, "-l a\n+l b -> x was a\n"},
};

/* Somebody else was at the originals. */
static const struct row meanwhiles[] = {
    {"echo a >a", "echo b >>a", "echo c >>a", "~ff a meanwhile\n"},
    {"echo a >a", "rm a", "echo c >>a", "-f a meanwhile\n"},
    {"echo a >a", "rm a", "rm a", ""},
    {"echo a >a", "echo b >>a", "rm a", "+f a meanwhile\n"},
    {":", "echo b >a", "echo c >a", "~ff a meanwhile\n"},
    {":", "echo b >a", "mkdir a", "~df a\n"},
    {"echo a >a", "echo b >>a", "chmod 600 a", "~ff a meanwhile\n"},
    {"echo a >a; echo o >o", "echo b >>a", "mv o a", "~ff a meanwhile\n"},
    {"mkdir d; echo a >d/a", "rm -r d", "echo b >d/new",
     "-d d meanwhile takes 3\n"},
    {"mkdir d; echo a >d/a", "rm -r d", "touch d/a",
     "-d d meanwhile takes 2\n"},
    {"echo a >a; echo o >o", "echo b >>a", "echo p >>o", "~ff a\n"},
    {"echo a >a", "echo b >a", "touch -a a", "~ff a meanwhile\n"},
    {"echo a >a", "echo b >a", "echo b >a; touch -d 2001-01-01 a",
     "=ff a meanwhile\n"},
};

/* Hard links, which a view breaks and a copy keeps; a directory that moves. */
static const struct row copies[] = {
    {"echo a >a; ln a b", "echo x >>a", NULL, "~ff a\n~ff b\n"},
    {"echo a >a; ln a b", "rm a", NULL, "-f a\n"},
    {"mkdir d; echo text >d/a; echo b >d/b", "mv d e", NULL,
     "-d d takes 3\n+d e\n+f e/a\n+f e/b\n"},
    {"mkdir d; echo a >d/a", "echo b >>d/a; echo n >d/n", "rm -r d",
     "+f d/a meanwhile\n+f d/n\n"},
    {"echo a >a", "mv a b; ln -s b a; mknod c c 0 0 2>/dev/null || mkfifo c",
     NULL, "~fl a -> b\n+f b\n+? c special\n"},
    {"mkdir d; echo text >d/a", "mkfifo d/p; mv d e", NULL,
     "-d d takes 2\n+d e\n+f e/a\n+? e/p special\n"},
    {"mkdir d; chmod 2770 d; echo a >d/a", "echo b >d/b", "chmod 700 d",
     "+f d/b\n"},
    {":", "mkdir d; echo b >d/a",
     "mkdir ../other; echo o >../other/a; touch -d 2001-01-01 ../other/a; "
     "mv ../other d",
     "~ff d/a meanwhile\n"},
    {"mkdir -p d/e; echo a >d/e/a; chmod 2750 d; chmod 0400 d/e/a",
     "chmod 0640 d/e/a", NULL, "=ff d/e/a 640\n"},
};

#define RUN_ALL(rows, way)                                                     \
    for (size_t i_ = 0; i_ < N_OF(rows); i_++)                                 \
    check(&(rows)[i_], way)

static void
each_kind_of_change_is_told(void **state)
{
    (void)state;
    RUN_ALL(kinds, OVERLAID_VIEW);
}

static void
each_kind_of_change_is_told_to_a_normal_user(void **state)
{
    (void)state;
    RUN_ALL(kinds, OVERLAID_USER);
}

static void
what_was_moved_is_known_by_its_bytes_and_time(void **state)
{
    (void)state;
    RUN_ALL(renames, OVERLAID_VIEW);
    RUN_ALL(renames, OVERLAID_USER);
}

static void
what_others_did_meanwhile_is_seen(void **state)
{
    (void)state;
    RUN_ALL(meanwhiles, OVERLAID_VIEW);
}

static void
a_copy_tells_the_same_as_a_view(void **state)
{
    (void)state;
    RUN_ALL(kinds, OVERLAID_COPY);
    RUN_ALL(renames, OVERLAID_COPY);
    RUN_ALL(meanwhiles, OVERLAID_COPY);
    RUN_ALL(copies, OVERLAID_COPY);
}

/* As a mapping in memory is written to: with nothing that tells of it. */
static void
in_memory_every_file_is_read(void **state)
{
    struct changes_spec spec;
    struct changes list = {0};
    struct overlaid o;
    struct err e = {0};
    struct stat st;

    (void)state;
    overlaid_open(&o, OVERLAID_COPY);
    assert_int_equal(overlaid_plain(&o, "echo 1 >a; echo o >o; ln -s o l"), 0);
    spec = overlaid_begin(&o);
    assert_int_equal(overlaid_run(&o, "cp -p a r; echo 2 >a; touch -r r a; "
                                      "rm r"),
                     0);
    assert_int_equal(fstatat(o.upper, "a", &st, 0), 0);
    for (size_t i = 0; i < o.copied->n; i++)
        if (strcmp(o.copied->v[i].path, "a") == 0)
            o.copied->v[i].changed = st.st_ctim;
    assert_int_equal(changes_read(&spec, &list, &e), 0);
    assert_int_equal(list.n, 0); /* else what follows would prove nothing */
    changes_done(&list);
    spec.memory = true;
    assert_int_equal(changes_read(&spec, &list, &e), 0);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.v[0].kind, CHANGE_CHANGED);
    assert_string_equal(list.v[0].path, "a");
    changes_done(&list);
    overlaid_close(&o);
}

static void
a_link_leaves_by_its_text(void **state)
{
    static const struct {
        const char *path, *target;
        bool leaves;
    } rows[] = {
        {"l", "x", false},           {"l", "../x", true},
        {"d/l", "../x", false},      {"d/l", "../../x", true},
        {"d/l", "e/../../x", false}, {"d/l", "./.././../x", true},
        {"l", "/p/w/x", false},      {"l", "/p/w", false},
        {"l", "/p/wx", true},        {"l", "/p/w/../x", true},
        {"l", "/p", true},           {"l", "", false},
        {"l", ".", false},           {"l", "..", true},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        if (changes_link_leaves(rows[i].path, rows[i].target, "/p/w") !=
            rows[i].leaves)
            fail_msg("%s -> %s", rows[i].path, rows[i].target);
    }
}

int
main(void)
{
    const struct CMUnitTest of_copies[] = {
        cmocka_unit_test(a_copy_tells_the_same_as_a_view),
        cmocka_unit_test(in_memory_every_file_is_read),
        cmocka_unit_test(a_link_leaves_by_its_text),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_change_is_told),
        cmocka_unit_test(each_kind_of_change_is_told_to_a_normal_user),
        cmocka_unit_test(what_was_moved_is_known_by_its_bytes_and_time),
        cmocka_unit_test(what_others_did_meanwhile_is_seen),
        cmocka_unit_test(a_copy_tells_the_same_as_a_view),
        cmocka_unit_test(in_memory_every_file_is_read),
        cmocka_unit_test(a_link_leaves_by_its_text),
    };

    if (!overlaid_is_possible())
        return cmocka_run_group_tests(of_copies, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
