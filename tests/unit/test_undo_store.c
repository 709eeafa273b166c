/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_undo_store.c - what is kept of a step is put back, and nothing else is
 * touched. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "action/undo_plan.h"
#include "action/undo_record.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "tree.h"
#include "unit_seat.h"

#define NOBODY 65534

/* A directory with files, and a state directory in it. */
struct place {
    struct tree tree;
    struct seat *seat;
    struct undo_targets targets;
};

static const struct undo_wanted wanted = {.budget_bytes = 1u << 20};

static void
begin(struct place *p)
{
    char home[PATH_MAX], state[PATH_MAX + 16];
    const char *variables[] = {home, state, NULL};

    *p = (struct place){0};
    assert_int_equal(tree_make(&p->tree), 0);
    assert_int_equal(tree_dir(&p->tree, "state"), 0);
    snprintf(home, sizeof(home), "HOME=%s", p->tree.top);
    snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", p->tree.top);
    p->seat = unit_seat_with(variables);
}

static void
end(struct place *p)
{
    undo_targets_done(&p->targets);
    seat_free(p->seat);
    tree_drop(&p->tree);
}

static struct undo_store *
make_store(const struct place *p)
{
    struct err e = {0};
    struct undo_store *u = undo_store_new(p->seat, "run", &e);

    if (!u)
        fail_msg("%s", e.text);
    return u;
}

static void
target(struct place *p, const char *name, enum undo_how how)
{
    char path[PATH_MAX];

    assert_int_equal(undo_targets_add(&p->targets,
                                      tree_path(&p->tree, name, path), how,
                                      NULL),
                     0);
}

static void
keep(struct undo_store *u, struct place *p, const struct undo_wanted *w)
{
    struct err e = {0};

    if (undo_store_keep(u, 0, &p->targets, w, &e) < 0)
        fail_msg("%s", e.text);
}

/* Goes on as a user without rights, who has the directory and these files; as
 * root. A mode keeps root from nothing. */
static void
become_nobody(const struct place *p, const char *const *names)
{
    static const char *const own[] = {"", "state", NULL};
    char path[PATH_MAX];

    if (geteuid() != 0)
        return;
    for (; *names; names++)
        assert_int_equal(
            chown(tree_path(&p->tree, *names, path), NOBODY, NOBODY), 0);
    for (names = own; *names; names++)
        assert_int_equal(
            chown(tree_path(&p->tree, *names, path), NOBODY, NOBODY), 0);
    assert_int_equal(seteuid(NOBODY), 0);
}

static void
become_root_again(void)
{
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

static struct undo_item *
item_of(struct undo_plan *plan, const struct place *p, const char *name)
{
    char path[PATH_MAX];

    tree_path(&p->tree, name, path);
    for (size_t i = 0; i < plan->n; i++)
        if (strcmp(plan->v[i].path, path) == 0)
            return &plan->v[i];
    fail_msg("%s is not in the plan", name);
    return NULL;
}

static mode_t
mode_of(const struct place *p, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    assert_int_equal(lstat(tree_path(&p->tree, name, path), &st), 0);
    return st.st_mode & 07777;
}

static void
set_mode(const struct place *p, const char *name, mode_t mode)
{
    char path[PATH_MAX];

    assert_int_equal(chmod(tree_path(&p->tree, name, path), mode), 0);
}

/* As whoever may write the directory does, between the question and the yes. */
static void
another_file_in_the_place_keeps_its_mode(void **state)
{
    CLEANUP(undo_plan_done) struct undo_plan plan = {0};
    char a[PATH_MAX], b[PATH_MAX];
    struct undo_store *u;
    struct err e = {0};
    struct place p;

    (void)state;
    begin(&p);
    assert_int_equal(tree_text(&p.tree, "a", "one"), 0);
    assert_int_equal(tree_text(&p.tree, "b", "two"), 0);
    set_mode(&p, "b", 0640);
    target(&p, "a", UNDO_ALONE);
    u = make_store(&p);
    keep(u, &p, &wanted);
    set_mode(&p, "a", 0755);
    assert_int_equal(undo_store_note(u, 0, &p.targets, NULL), 0);

    assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
    assert_int_equal(item_of(&plan, &p, "a")->act, UNDO_SET);
    assert_int_equal(
        rename(tree_path(&p.tree, "b", b), tree_path(&p.tree, "a", a)), 0);
    assert_int_equal(undo_plan_apply(u, &plan, "by", &e), -1);
    assert_int_equal(item_of(&plan, &p, "a")->act, UNDO_SINCE);
    assert_int_equal(mode_of(&p, "a"), 0640);
    undo_store_free(u);
    end(&p);
}

/* Else the next start would take a step back that was not killed. */
static void
a_step_that_cannot_be_listed_has_ended(void **state)
{
    CLEANUP(undo_plan_done) struct undo_plan plan = {0};
    CLEANUP_BUF struct buf reasons = buf_of(4096);
    char name[NAME_MAX + 2];
    struct undo_store *u;
    struct place p;

    (void)state;
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    begin(&p);
    assert_int_equal(tree_text(&p.tree, "a", "one"), 0);
    target(&p, "a", UNDO_CHANGES);
    u = make_store(&p);
    keep(u, &p, &wanted);
    assert_true(undo_store_is_killed(u));
    assert_int_equal(tree_text(&p.tree, "a", "other"), 0);
    target(&p, name, UNDO_CHANGES); /* which lstat(2) refuses */
    assert_int_equal(undo_store_note(u, 0, &p.targets, NULL), 0);
    assert_false(undo_store_is_killed(u));
    assert_int_equal(undo_store_reasons(u, &reasons, NULL), 0);
    assert_non_null(strstr(reasons.p, "what a step made anew: "));

    assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
    assert_false(plan.killed);
    assert_int_equal(item_of(&plan, &p, "a")->act, UNDO_RESTORE);
    undo_store_free(u);
    end(&p);
}

static void
a_directory_that_became_a_file_is_one_again(void **state)
{
    CLEANUP(undo_plan_done) struct undo_plan plan = {0};
    CLEANUP_BUF struct buf reasons = buf_of(4096);
    char path[PATH_MAX];
    struct undo_store *u;
    struct err e = {0};
    struct place p;

    (void)state;
    begin(&p);
    assert_int_equal(tree_dir(&p.tree, "d"), 0);
    assert_int_equal(tree_text(&p.tree, "d/f", "one"), 0);
    target(&p, "d/f", UNDO_GOES);
    target(&p, "d", UNDO_CHANGES);
    u = make_store(&p);
    keep(u, &p, &wanted);
    assert_int_equal(unlink(tree_path(&p.tree, "d/f", path)), 0);
    assert_int_equal(rmdir(tree_path(&p.tree, "d", path)), 0);
    assert_int_equal(tree_text(&p.tree, "d", "a file"), 0);
    assert_int_equal(undo_store_note(u, 0, &p.targets, NULL), 0);
    assert_int_equal(undo_store_reasons(u, &reasons, NULL), 0);
    assert_string_equal(reasons.p, "");

    assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
    if (undo_plan_apply(u, &plan, "by", &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(access(tree_path(&p.tree, "d/f", path), F_OK), 0);
    undo_store_free(u);
    end(&p);
}

/* Else all that is there after the second would count as its work. */
static void
what_a_step_changed_is_noted_once(void **state)
{
    static const char before[] = "{\"a\":\"1\",\"b\":\"1\"}";
    static const char after[] = "{\"a\":\"2\",\"b\":\"1\"}";
    const struct undo_call call = {.tool = "x.y", .of = (char[]){"{}"}};
    CLEANUP(json_free_p)
    struct json *was = json_parse(before, strlen(before), JSON_UNIQUE, NULL);
    CLEANUP(json_free_p)
    struct json *is = json_parse(after, strlen(after), JSON_UNIQUE, NULL);
    CLEANUP(undo_record_done) struct undo_record r = {0};
    struct undo_store *u;
    struct err e = {0};
    struct place p;

    (void)state;
    begin(&p);
    u = make_store(&p);
    assert_int_equal(undo_record_count(u), 0);
    assert_int_equal(undo_record_read(u, 0, &r, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_int_equal(undo_record_keep(u, 0, &call, "do", was, NULL), 0);
    assert_int_equal(undo_record_count(u), 1);
    assert_int_equal(undo_record_note(u, 0, is, NULL), 0);
    assert_int_equal(undo_record_note(u, 0, is, NULL), -1);
    assert_int_equal(undo_record_keep(u, 1, &call, "do", was, NULL), 0);
    assert_int_equal(undo_record_count(u), 2);
    assert_int_equal(undo_record_read(u, 0, &r, NULL), 0);
    assert_int_equal(json_count(r.changes), 1);
    assert_string_equal(json_get_str(json_first(r.changes), "name"), "a");
    undo_store_free(u);
    end(&p);
}

static void
a_damaged_record_is_told_from_none(void **state)
{
#define HEAD "{\"tool\":\"x.y\",\"command\":\"do\",\"of\":"
    static const char *const rows[] = {
        "",
        "[]",
        "{",
        HEAD "{}}",
        HEAD "[],\"state\":{}}",
        HEAD "{},\"state\":[\"a\"]}",
        HEAD "{},\"state\":\"a\"}",
        HEAD "{},\"state\":{},\"changes\":{\"a\":\"b\"}}",
        "{\"tool\":1,\"command\":\"do\",\"of\":{},\"state\":{}}",
    };
#undef HEAD
    const char *name = "state/agentsh/undo/run/0.state";
    struct undo_record r = {0};
    char path[PATH_MAX];
    struct undo_store *u;
    struct err e = {0};
    struct place p;

    (void)state;
    begin(&p);
    u = make_store(&p);
    for (size_t i = 0; i < N_OF(rows); i++) {
        e = (struct err){0};
        assert_int_equal(tree_text(&p.tree, name, rows[i]), 0);
        if (undo_record_read(u, 0, &r, &e) == 0)
            fail_msg("%s", rows[i]);
        assert_int_equal(e.code, ERR_PARSE);
        assert_int_equal(undo_record_count(u), 1);
    }
    assert_int_equal(unlink(tree_path(&p.tree, name, path)), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* which must not be waited for */
    assert_int_equal(undo_record_read(u, 0, &r, &e), -1);
    undo_store_free(u);
    end(&p);
}

static void
a_store_that_others_may_write_is_not_read(void **state)
{
    static const char *const dirs[] = {"state/agentsh/undo",
                                       "state/agentsh/undo/run"};
    struct place p;

    (void)state;
    begin(&p);
    undo_store_free(make_store(&p));
    for (size_t i = 0; i < N_OF(dirs); i++) {
        struct err e = {0};
        char path[PATH_MAX];

        set_mode(&p, dirs[i], 0777);
        assert_null(undo_store_open(p.seat, "run", &e));
        assert_int_equal(e.code, ERR_PERMISSION);
        set_mode(&p, dirs[i], 0700);
        if (geteuid() == 0) {
            e = (struct err){0};
            tree_path(&p.tree, dirs[i], path);
            assert_int_equal(chown(path, NOBODY, NOBODY), 0);
            assert_null(undo_store_open(p.seat, NULL, &e));
            assert_int_equal(e.code, ERR_PERMISSION);
            assert_null(undo_store_new(p.seat, "run", &e));
            assert_int_equal(chown(path, 0, 0), 0);
        }
    }
    end(&p);
}

/* The other names of a file are looked for in all of the workspace. */
static void
a_directory_that_is_closed_to_us_stops_nothing(void **state)
{
    static const char *const own[] = {"a", NULL};
    struct undo_wanted w = wanted;
    struct undo_store *u;
    char a[PATH_MAX], b[PATH_MAX];
    struct place p;

    (void)state;
    begin(&p);
    w.top = p.tree.top;
    assert_int_equal(tree_text(&p.tree, "a", "one"), 0);
    assert_int_equal(
        link(tree_path(&p.tree, "a", a), tree_path(&p.tree, "b", b)), 0);
    assert_int_equal(tree_dir(&p.tree, "closed"), 0);
    set_mode(&p, "closed", 0);
    become_nobody(&p, own);
    target(&p, "a", UNDO_CHANGES);
    u = make_store(&p);
    keep(u, &p, &w);
    assert_int_equal(p.targets.n, 2); /* b, too */
    undo_store_free(u);
    become_root_again();
    set_mode(&p, "closed", 0700);
    end(&p);
}

/* Nobody may set an attribute of a file that is not writable, but its mode. */
static void
a_file_that_was_made_read_only_is_writable_again(void **state)
{
    static const char *const notes[] = {"kept", "other"};
    static const char *const own[] = {"a", NULL};
    char a[PATH_MAX], b[PATH_MAX];

    (void)state;
    for (size_t i = 0; i < N_OF(notes); i++) {
        CLEANUP(undo_plan_done) struct undo_plan plan = {0};
        struct undo_store *u;
        struct err e = {0};
        struct place p;

        begin(&p);
        assert_int_equal(tree_text(&p.tree, "a", "one"), 0);
        tree_path(&p.tree, "a", a);
        become_nobody(&p, own);
        if (setxattr(a, "user.note", "kept", 4, 0) == 0) {
            target(&p, "a", UNDO_ALONE);
            u = make_store(&p);
            keep(u, &p, &wanted);
            assert_int_equal(
                setxattr(a, "user.note", notes[i], strlen(notes[i]), 0), 0);
            set_mode(&p, "a", 0444);
            assert_int_equal(undo_store_note(u, 0, &p.targets, NULL), 0);
            assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
            if (undo_plan_apply(u, &plan, "by", &e) < 0)
                fail_msg("%s", e.text);
            assert_int_equal(mode_of(&p, "a"), 0600);
            assert_int_equal(getxattr(a, "user.note", b, sizeof(b)), 4);
            undo_store_free(u);
        }
        become_root_again();
        end(&p);
    }
}

/* What is in it is not said to be gone, and stays. */
static void
a_directory_that_was_closed_is_open_again(void **state)
{
    static const char *const own[] = {"d", "d/f", NULL};
    struct undo_plan plan = {0};
    struct undo_store *u;
    struct err e = {0};
    struct place p;

    (void)state;
    begin(&p);
    assert_int_equal(tree_dir(&p.tree, "d"), 0);
    assert_int_equal(tree_text(&p.tree, "d/f", "one"), 0);
    become_nobody(&p, own);
    target(&p, "d", UNDO_CHANGES);
    u = make_store(&p);
    keep(u, &p, &wanted);
    set_mode(&p, "d", 0);
    assert_int_equal(undo_plan_make(u, true, &plan, NULL), 0);
    assert_int_equal(item_of(&plan, &p, "d")->act, UNDO_SET);
    undo_targets_done(&p.targets);
    assert_int_equal(undo_plan_paths(&plan, &p.targets, NULL), 0);
    assert_int_equal(p.targets.n, 1); /* what is done about d can be kept */
    undo_plan_done(&plan);

    assert_int_equal(undo_store_note(u, 0, &p.targets, NULL), 0);
    assert_false(undo_store_is_killed(u));

    assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
    assert_int_equal(item_of(&plan, &p, "d")->act, UNDO_SET);
    assert_int_equal(item_of(&plan, &p, "d/f")->act, UNDO_CANNOT);
    if (undo_plan_apply(u, &plan, "by", &e) < 0)
        fail_msg("%s", e.text);
    undo_plan_done(&plan);
    assert_int_equal(mode_of(&p, "d"), 0700);
    assert_int_equal(undo_plan_make(u, false, &plan, NULL), 0);
    assert_int_equal(item_of(&plan, &p, "d/f")->act, UNDO_NOTHING);
    undo_plan_done(&plan);
    undo_store_free(u);
    become_root_again();
    end(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_file_in_the_place_keeps_its_mode),
        cmocka_unit_test(a_step_that_cannot_be_listed_has_ended),
        cmocka_unit_test(a_directory_that_became_a_file_is_one_again),
        cmocka_unit_test(what_a_step_changed_is_noted_once),
        cmocka_unit_test(a_damaged_record_is_told_from_none),
        cmocka_unit_test(a_store_that_others_may_write_is_not_read),
        cmocka_unit_test(a_directory_that_is_closed_to_us_stops_nothing),
        cmocka_unit_test(a_file_that_was_made_read_only_is_writable_again),
        cmocka_unit_test(a_directory_that_was_closed_is_open_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
