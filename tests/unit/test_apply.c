/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_apply.c - all listed changes are applied to the workspace, or none. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "sandbox/preview/apply.h"
#include "tests/unit/overlaid.h"

#define TEXT_MAX (1u << 20)

/* All that is to be seen of a tree, into a file beside it. */
#define MANIFEST(name)                                                         \
    "; { find . -mindepth 1 ! -type d -printf '%P|%y|%m|%l|%T@\\n';"           \
    "find . -mindepth 1 -type d -printf '%P|%y|%m\\n'; } |"                    \
    "LC_ALL=C sort >$STATE/" name "; find . -type f -exec sha256sum {} + "     \
    "2>&1 | LC_ALL=C sort >>$STATE/" name

struct row {
    const char *before, *run;
};

static const struct row rows[] = {
    {"echo a >a", "echo b >>a; mkdir -p d/e; echo c >d/e/c; chmod 750 d/e"},
    {"mkdir -p d/e; echo a >d/a; echo b >d/e/b", "rm -r d"},
    {"mkdir -p d/e; echo a >d/a; echo b >d/e/b", "rm -r d; echo file >d"},
    {"echo a >a", "rm a; mkdir a; echo b >a/b; ln -s b a/l"},
    {"mkdir d; echo a >d/a; echo b >d/b",
     "rm -r d; mkdir d; echo c >d/c; echo B >d/b"},
    {"echo a >a; ln -s a l", "ln -sfn nowhere l; ln -s /etc/passwd m"},
    {"echo a >a; ln -s a l", "rm l; echo a file now >l"},
    {"echo a >a; ln -s /etc l", "rm l; mkdir l; echo x >l/passwd"},
    {"echo a >a; mkdir d", "chmod 640 a; chmod 700 d; touch -d 2001-02-03 a"},
    {"echo a >a; echo b >b", "mv a c; mv b a; mv c b"},
    {"mkdir -p x/y; echo a >x/y/a", "mv x z; mkdir x; echo n >x/n"},
    {"mkdir d; echo a >d/a; chmod 555 d",
     "chmod 755 d; echo b >d/b; rm d/a; chmod 555 d"},
    {"mkdir d; echo a >d/a", "echo b >d/b; chmod 500 d"},
    {":", "mkdir d; echo s >d/s; chmod 400 d/s; chmod 500 d"},
    {":", "echo x >\"$(printf 'new\\nline\\033[31m')\"; echo y >'-rf ~'"},
    {"echo x >\"$(printf 'a\\nb')\"", "rm \"$(printf 'a\\nb')\""},
    {":", "for i in $(seq 200); do echo $i >f$i; done; mkdir d; cp f* d"},
    {"for i in $(seq 100); do echo $i >f$i; done", "rm f*; echo a >a"},
    {":", "truncate -s 1T sparse; printf end | dd of=sparse seek=1M bs=4096 "
          "conv=notrunc status=none; rm sparse; truncate -s 40M s2"},
    {"head -c 3000000 /dev/urandom >big", "head -c 100000 big >>small; "
                                          "echo end >>big"},
    {":", "echo a >a; ln a b; mkdir -p 'd e/ f'; : >'d e/ f/empty'"},
};

static int
keep(const struct changes_spec *view, struct apply_report *report,
     struct changes *list, struct err *e)
{
    struct apply_spec spec = {.view = view, .list = list, .run = "unit"};

    if (changes_read(view, list, e) < 0)
        fail_msg("%s", e->text);
    return apply_keep(&spec, report, e);
}

static void
read_state(const struct overlaid *o, const char *name, struct buf *out)
{
    char path[2 * OVERLAID_PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", o->state, name);
    assert_int_equal(file_read(path, out, NULL), 0);
}

static void
join(char *out, size_t size, const char *script, const char *more)
{
    snprintf(out, size, "%s%s", script, more);
}

/* After keeping, the directory is to the byte what the view was, and a second
 * reading finds nothing left to do. */
static void
check(const struct row *row, enum overlaid_way way)
{
    CLEANUP_BUF struct buf wanted = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf got = buf_of(TEXT_MAX);
    struct apply_report report = {0};
    struct changes list = {0}, again = {0};
    struct changes_spec view;
    struct overlaid o;
    struct err e = {0};
    char script[4096];

    overlaid_open(&o, way);
    assert_int_equal(overlaid_plain(&o, row->before), 0);
    view = overlaid_begin(&o);
    join(script, sizeof(script), row->run, MANIFEST("wanted"));
    assert_int_equal(overlaid_run(&o, script), 0);
    if (keep(&view, &report, &list, &e) < 0)
        fail_msg("%s: %s", row->run, e.text);
    assert_int_equal(overlaid_plain(&o, ":" MANIFEST("got")), 0);
    read_state(&o, "wanted", &wanted);
    read_state(&o, "got", &got);
    assert_string_equal(got.p, wanted.p);
    assert_int_equal(report.done, list.n);
    assert_int_equal(changes_read(&view, &again, &e), 0);
    assert_int_equal(again.n, 0);
    changes_done(&again);
    changes_done(&list);
    apply_report_done(&report);
    overlaid_close(&o);
}

static void
what_the_view_showed_is_there_after_keeping(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        check(&rows[i], OVERLAID_VIEW);
        check(&rows[i], OVERLAID_USER);
    }
}

static void
what_the_copy_held_is_there_after_keeping(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check(&rows[i], OVERLAID_COPY);
}

/* Nothing may be touched: before and after are the same to the byte. */
struct refusal {
    const char *before, *run, *meanwhile, *path;
    enum apply_state why;
};

static const struct refusal refusals[] = {
    {"echo a >a; echo o >o", "echo b >>a; echo p >>o", "echo c >>a", "a",
     APPLY_CHANGED},
    {"echo a >a; echo o >o", "rm a; echo p >>o", "echo c >>a", "a",
     APPLY_CHANGED},
    {"echo a >a; echo o >o", "echo b >>a; echo p >n", "rm a", "a", APPLY_GONE},
    {"echo o >o", "echo b >n; rm o", "echo c >n", "n", APPLY_CHANGED},
    {"mkdir d; echo o >o", "echo b >d/n; rm o", "rmdir d", "d", APPLY_GONE},
    {"mkdir d e; echo o >o", "echo b >d/n; rm o", "rmdir d; ln -s e d", "d",
     APPLY_CHANGED},
    {"mkdir d; echo o >o", "echo b >d/n; rm o", "rmdir d; ln -s ../state d",
     "d", APPLY_CHANGED},
    {"mkdir d; echo a >d/a; echo o >o", "rm -r d o", "echo n >d/n", "d",
     APPLY_CHANGED},
    {"mkdir d; echo a >d/a; echo o >o", "rm -r d; echo d >d; rm o",
     "echo n >>d/a", "d", APPLY_CHANGED},
};

static void
check_refusal(const struct refusal *row, enum overlaid_way way)
{
    CLEANUP_BUF struct buf wanted = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf got = buf_of(TEXT_MAX);
    struct apply_report report = {0};
    struct changes list = {0};
    struct changes_spec view;
    struct overlaid o;
    struct err e = {0};
    char script[4096];

    overlaid_open(&o, way);
    assert_int_equal(overlaid_plain(&o, row->before), 0);
    view = overlaid_begin(&o);
    assert_int_equal(overlaid_run(&o, row->run), 0);
    join(script, sizeof(script), row->meanwhile, MANIFEST("wanted"));
    assert_int_equal(overlaid_plain(&o, script), 0);
    assert_int_equal(keep(&view, &report, &list, &e), -1);
    assert_int_equal(overlaid_plain(&o, ":" MANIFEST("got")), 0);
    read_state(&o, "wanted", &wanted);
    read_state(&o, "got", &got);
    assert_string_equal(got.p, wanted.p);
    assert_int_equal(e.code, ERR_PERMISSION);
    assert_int_equal(report.refused, 1);
    for (size_t i = 0; i < list.n; i++) {
        if (strcmp(list.v[i].path, row->path) == 0 &&
            report.state[i] != row->why)
            fail_msg("%s: %s", row->path, apply_state_text(report.state[i]));
    }
    changes_done(&list);
    apply_report_done(&report);
    overlaid_close(&o);
}

static void
an_original_that_changed_meanwhile_refuses_it_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refusals); i++)
        check_refusal(&refusals[i], OVERLAID_USER);
}

static void
a_copy_is_refused_as_well(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refusals); i++)
        check_refusal(&refusals[i], OVERLAID_COPY);
}

static const char *const later[] = {
    "echo c >a",         "touch a",          "cp -p a b && mv b a",
    "rm a && ln -s c a", "rm a && mkfifo a", "chmod 600 a",
};

/* What the list does not say comes by nobody's yes. */
static void
check_shown(enum overlaid_way way, const char *script)
{
    struct apply_report report = {0};
    struct changes list = {0};
    struct changes_spec view;
    struct overlaid o;
    struct err e = {0};
    char there[512];

    overlaid_open(&o, way);
    assert_int_equal(overlaid_plain(&o, "echo o >a; echo o >o"), 0);
    view = overlaid_begin(&o);
    assert_int_equal(overlaid_run(&o, "echo b >a; rm o"), 0);
    assert_int_equal(changes_read(&view, &list, &e), 0);
    snprintf(there, sizeof(there), "cd ../state/upper && echo k >c && %s",
             script);
    assert_int_equal(overlaid_plain(&o, there), 0);
    if (apply_keep(
            &(struct apply_spec){.view = &view, .list = &list, .run = "unit"},
            &report, &e) == 0)
        fail_msg("%s was kept", script);
    assert_non_null(strstr(e.text, "nothing was changed: a: "));
    assert_int_equal(overlaid_plain(&o, "test \"$(cat a o)\" = \"$(echo o; "
                                        "echo o)\""),
                     0);
    changes_done(&list);
    apply_report_done(&report);
    overlaid_close(&o);
}

static void
only_what_was_shown_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(later); i++)
        check_shown(OVERLAID_COPY, later[i]);
}

static void
only_what_a_view_showed_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(later); i++)
        check_shown(OVERLAID_VIEW, later[i]);
}

static void
check_left_out(enum overlaid_way way)
{
    struct apply_report report = {0};
    struct changes list = {0};
    struct changes_spec view;
    struct overlaid o;
    struct err e = {0};

    overlaid_open(&o, way);
    assert_int_equal(overlaid_plain(&o, "mkdir .git; echo c >.git/config"), 0);
    view = overlaid_begin(&o);
    assert_int_equal(
        overlaid_run(&o, "echo evil >.git/config; mkdir .git/hooks .agentsh; "
                         "echo evil >.git/hooks/pre-commit; echo x >.agentsh/x;"
                         "echo head >.git/HEAD; mkfifo pipe; "
                         "cp /bin/true su; chmod 4755 su"),
        0);
    assert_int_equal(keep(&view, &report, &list, &e), 0);
    assert_int_equal(report.left_out, 6);
    assert_int_equal(overlaid_plain(&o,
                                    "test \"$(cat .git/config)\" = c && "
                                    "test ! -e .git/hooks/pre-commit && "
                                    "test ! -e .agentsh && "
                                    "test -e .git/HEAD && test ! -e pipe && "
                                    "test \"$(stat -c %a su)\" = 755"),
                     0);
    changes_done(&list);
    apply_report_done(&report);
    overlaid_close(&o);
}

static void
what_no_run_may_write_is_left_out(void **state)
{
    (void)state;
    check_left_out(OVERLAID_VIEW);
}

static void
a_copy_leaves_it_out_too(void **state)
{
    (void)state;
    check_left_out(OVERLAID_COPY);
}

/* Says no after a number of questions. */
static bool
until(void *arg, size_t done, size_t of)
{
    int *left = arg;

    (void)done;
    (void)of;
    return (*left)-- > 0;
}

static void
check_interrupted(enum overlaid_way way)
{
    static const char all[] = "test ! -e old && test -e new/a -a -e new/b && "
                              "test \"$(cat c)\" = d && "
                              "test -z \"$(ls -A | grep agentsh)\"";

    for (int stop = 0;; stop++) {
        struct apply_report report = {0};
        struct changes list = {0};
        struct changes_spec view;
        struct apply_spec spec = {.view = &view, .list = &list, .run = "unit"};
        struct overlaid o;
        struct err e = {0};
        int left = stop, rc;

        overlaid_open(&o, way);
        assert_int_equal(
            overlaid_plain(&o, "echo c >c; mkdir -p old/x; echo 1 >old/1; "
                               "echo 2 >old/x/2"),
            0);
        view = overlaid_begin(&o);
        assert_int_equal(overlaid_run(&o, "rm -r old; mkdir new; echo a >new/a;"
                                          "echo b >new/b; echo d >c"),
                         0);
        assert_int_equal(changes_read(&view, &list, &e), 0);
        spec.goes_on = until;
        spec.arg = &left;
        rc = apply_keep(&spec, &report, &e);
        if (rc < 0) {
            assert_int_equal(e.code, ERR_INTERRUPTED);
            changes_done(&list);
            spec.goes_on = NULL;
            assert_int_equal(changes_read(&view, &list, &e), 0);
            assert_int_equal(apply_keep(&spec, &report, &e), 0);
        }
        assert_int_equal(overlaid_plain(&o, all), 0);
        changes_done(&list);
        apply_report_done(&report);
        overlaid_close(&o);
        if (rc == 0)
            break;
        assert_true(stop < 100);
    }
}

static void
an_interrupted_keep_can_be_done_again(void **state)
{
    (void)state;
    check_interrupted(OVERLAID_VIEW);
}

static void
so_can_that_of_a_copy(void **state)
{
    (void)state;
    check_interrupted(OVERLAID_COPY);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_copy_held_is_there_after_keeping),
        cmocka_unit_test(a_copy_is_refused_as_well),
        cmocka_unit_test(a_copy_leaves_it_out_too),
        cmocka_unit_test(so_can_that_of_a_copy),
        cmocka_unit_test(only_what_was_shown_is_kept),
        cmocka_unit_test(what_the_view_showed_is_there_after_keeping),
        cmocka_unit_test(an_original_that_changed_meanwhile_refuses_it_all),
        cmocka_unit_test(only_what_a_view_showed_is_kept),
        cmocka_unit_test(what_no_run_may_write_is_left_out),
        cmocka_unit_test(an_interrupted_keep_can_be_done_again),
    };
    const struct CMUnitTest of_copies[] = {tests[0], tests[1], tests[2],
                                           tests[3], tests[4]};

    if (!overlaid_is_possible()) /* no user namespaces with an overlay here */
        return cmocka_run_group_tests(of_copies, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
