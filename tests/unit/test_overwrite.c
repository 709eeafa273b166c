/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_overwrite.c - commands that replace existing files are found. */
#include "tests/unit/unit_seat.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "offline/engine/overwrite.h"
#include "offline/engine/sanitize.h"
#include "tree.h"

static const struct {
    const char *command;
    bool over;
} rows[] = {
    {"cp a.txt b.txt", true},
    {"cp a.txt new.txt", false},
    {"cp -n a.txt b.txt", false},
    {"cp a.txt old", true},
    {"mkdir -p old && cp a.txt old", true},
    {"mv b.txt b.bak && cp a.txt b.txt", false},
    {"mv b.txt old", false},
    {"tar -czf all.tgz docs", true},
    {"du -s docs && tar -czf all.tgz docs", true},
    {"sort -o b.txt a.txt", true},
    {"cat a.txt && sort -o b.txt a.txt", true},
    {"sort -o a.txt a.txt", false},
    {"sort a.txt > b.txt", true},
    {"sort a.txt >> b.txt", false},
    {"sort --output=b.txt a.txt", true},
    {"sort --output=new.txt a.txt", false},
    {"tar -f all.tgz -c docs", true},
    {"tar --create --file=all.tgz docs", true},
    {"tar -f all.tgz -x", false},
    {"cp -t old a.txt", true},
    {"mv --target-directory=old a.txt", true},
    {"cp -t old b.txt", false},
    {"mv ./a*.txt old", true},
    {"mv ./b*.txt old", false},
    {"docker cp web:a.txt .", true},
    {"docker cp web:/srv/a.txt old", true},
    {"docker cp web:c.txt .", false},
    {"docker cp web:c.txt b.txt", true},
    {"docker cp a.txt web:/tmp", false},
    {"scp box:a.txt .", true},
    {"scp a.txt box:", false},
    {"ln -s docs link", true},
    {"ln -sfn docs link", false},
    {"ln -s ../docs old", false},
    {"ln -sf docs b.txt", true},
};

static void
a_file_that_is_there_is_not_lost_unseen(void **state)
{
    const struct request_world here = {.seat = unit_seat()};
    CLEANUP(request_done) struct request q = {0};

    (void)state;
    assert_int_equal(request_read("pack it up", &here, &q, NULL), 0);
    assert_int_equal(chdir("/"), 0); /* where the process is says nothing */
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (overwrites(&q, rows[i].command, true) != rows[i].over)
            fail_msg("%s", rows[i].command);
    assert_int_equal(chdir(seat_dir(here.seat)), 0);
}

static const struct {
    const char *request, *command, *kept;
} members[] = {
    {"unpack x.tgz", "tar -xf x.tgz", "tar -k -xf x.tgz"},
    {"unpack x.tgz", "tar xzf x.tgz", "tar kxzf x.tgz"},
    {"unpack x.tgz", "tar -xf x.tgz -C old", "tar -k -xf x.tgz -C old"},
    {"unpack x.tgz", "sudo tar -C / -xf x", "sudo tar -k -C / -xf x"},
    {"unpack it", "tar -xf a && tar -xf b", "tar -k -xf a && tar -k -xf b"},
    {"unpack x.tgz", "tar -xf x 2> log", "tar -k -xf x 2> log"},
    {"unpack b of x", "tar -xf x -- b", "tar -k -xf x -- b"},
    {"unpack x", "cd old && tar xf ../x", "cd old && tar kxf ../x"},
    {"unpack x", "cd docs && tar -xf ../x", NULL},
    {"unpack x", "cd docs; tar -xf ../x -C ../old",
     "cd docs; tar -k -xf ../x -C ../old"},
    {"unpack x", "cat x | (cd old; tar -x)", "cat x | (cd old; tar -k -x)"},
    {"unpack x", "cd \"$d\" && tar -xf ../x", "cd \"$d\" && tar -k -xf ../x"},
    {"unpack x", "tar -xf x -C \"$d\"", "tar -k -xf x -C \"$d\""},
    {"unpack x.tgz", "tar -xf x.tgz -C docs", NULL},
    {"unpack x.tgz", "tar -xf x.tgz -Cdocs", NULL},
    {"unpack x.tgz", "tar -xCdocs -f x.tgz", NULL},
    {"unpack x.tgz", "tar xCf docs x.tgz", NULL},
    {"unpack x.tgz", "tar xfC x.tgz docs", NULL},
    {"unpack x.tgz", "tar xCf old x.tgz", "tar kxCf old x.tgz"},
    {"unpack x", "tar -xf x -Cold/k", NULL},
    {"unpack x", "tar -xf x -COut/..", "tar -k -xf x -COut/.."},
    {"unpack it", "tar -xfkept.tar", "tar -k -xfkept.tar"},
    {"unpack x", "tar -xkf x", NULL},
    {"unpack x.tgz", "mkdir new && tar -xf x.tgz --directory=new", NULL},
    {"unpack x.tgz over what is there", "tar -xf x.tgz", NULL},
    {"print b of x.tgz", "tar -xOf x.tgz b", NULL},
    {"unpack x.tgz", "tar -xf x.tgz --skip-old-files", NULL},
    {"list x.tgz", "tar -tf x.tgz", NULL},
    {"move all texts to old", "find . -name '*.txt' -exec mv {} old \\;",
     "find . -name '*.txt' -exec mv -n {} old \\;"},
    {"copy all texts to old", "find . -name '*.txt' -exec cp -t old {} +",
     "find . -name '*.txt' -exec cp -n -t old {} +"},
    {"move all texts to docs", "find . -name '*.txt' -exec mv {} docs \\;",
     NULL},
    {"move all here", "cd old && find ../docs -exec mv {} . \\;",
     "cd old && find ../docs -exec mv -n {} . \\;"},
    {"move all over old", "find . -exec mv {} old \\;", NULL},
    {"pack x", "tar -czf x.tgz x", NULL},
};

static void
what_is_unpacked_replaces_nothing_unasked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        const struct request_world here = {.seat = unit_seat()};
        CLEANUP(request_done) struct request q = {0};
        CLEANUP_BUF struct buf out = buf_of(PATH_MAX);
        const char *command = members[i].command;

        assert_int_equal(request_read(members[i].request, &here, &q, NULL), 0);
        assert_int_equal(sanitize_keep_members(&q, command, &out, NULL), 0);
        assert_string_equal(out.p, members[i].kept ? members[i].kept : command);
    }
}

/* From now on every directory opens, and none can be read. */
static bool
break_directories(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getdents64, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {N_OF(code), code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void
a_directory_that_cannot_be_read_may_hold_files(void **state)
{
    const struct request_world here = {.seat = unit_seat()};
    CLEANUP(request_done) struct request q = {0};
    CLEANUP_BUF struct buf out = buf_of(PATH_MAX);
    int status;
    pid_t pid;

    (void)state;
    assert_int_equal(request_read("unpack x", &here, &q, NULL), 0);
    pid = fork();
    if (pid == 0)
        _exit(!break_directories() ||
              sanitize_keep_members(&q, "tar -xf x -C docs", &out, NULL) < 0 ||
              strcmp(out.p, "tar -k -xf x -C docs") != 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int
go_into_a_tree(void **state)
{
    static const char *const files[] = {"a.txt", "b.txt", "old/a.txt",
                                        "all.tgz"};
    static struct tree t;

    if (tree_make(&t) < 0 || tree_dir(&t, "old") < 0 ||
        tree_dir(&t, "docs") < 0)
        return -1;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        if (tree_file(&t, files[i], 1) < 0)
            return -1;
    *state = &t;
    return chdir(t.top) < 0 ? -1 : symlink("old", "link");
}

static int
drop_tree(void **state)
{
    tree_drop(*state);
    return chdir("/");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_there_is_not_lost_unseen),
        cmocka_unit_test(what_is_unpacked_replaces_nothing_unasked),
        cmocka_unit_test(a_directory_that_cannot_be_read_may_hold_files),
    };

    return cmocka_run_group_tests(tests, go_into_a_tree, drop_tree);
}
