/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_secret_tree.c - finding the secrets in a workspace by their names. */
#include "unit_seat.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "guard/path/secret_cache.h"
#include "guard/path/secret_tree.h"
#include "tree.h"

#define DIRS 40    /* enough for the cache */
#define MANY 10000 /* in one directory */

static const char *const dirs[] = {
    "a",
    "a/b",
    "secrets",
    "secrets/b",
    "credentials",
    ".git",
    "bare",
    "bare/refs",
    "bare/objects",
    "node_modules",
    "node_modules/x",
    "b",
};

static const struct {
    const char *path;
    bool secret;
} files[] = {
    {".env", true},
    {"a/.env.example", false},
    {"a/b/ID_RSA", true},
    {"a/b/id_rsa.pub", false},
    {"a/token", true},
    {"a/token.c", false},
    {"secrets/any.c", false},
    {"secrets/b/app.toml", true},
    {"credentials/any.c", true},
    {".git/credentials", false},
    {"bare/HEAD", false},
    {"bare/refs/token", false},
    {"bare/x.pem", true},
    {"node_modules/x/x.pem", false},
    {"node_modules/.npmrc", true},
    {"b/terraform.tfstate", true},
};

static void
find(struct secret_tree *t, const char *top, const char *const *opened)
{
    struct err e = {0};

    secret_tree_forget(t);
    if (secret_tree_find(t, top, opened, unit_seat(), &e) < 0)
        fail_msg("%s", e.text);
}

static bool
has(const struct secret_tree *t, const char *top, const char *name)
{
    char path[192];

    snprintf(path, sizeof(path), "%s/%s", top, name);
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->paths[i], path) == 0)
            return true;
    return false;
}

static void
make_all(struct tree *t)
{
    assert_int_equal(tree_make(t), 0);
    for (size_t i = 0; i < N_OF(dirs); i++)
        assert_int_equal(tree_dir(t, dirs[i]), 0);
    for (size_t i = 0; i < N_OF(files); i++)
        assert_int_equal(tree_text(t, files[i].path, ""), 0);
}

static void
names_in_every_directory_are_found(void **state)
{
    struct secret_tree found = {0};
    struct tree t;
    size_t n = 0;

    (void)state;
    make_all(&t);
    find(&found, t.top, NULL);
    for (size_t i = 0; i < N_OF(files); i++) {
        if (has(&found, t.top, files[i].path) != files[i].secret)
            fail_msg("%s", files[i].path);
        n += files[i].secret;
    }
    assert_int_equal(found.n, n);
    assert_null(found.paths[n]);
    secret_tree_done(&found);
    tree_drop(&t);
}

static void
a_link_stands_for_the_file_it_leads_to(void **state)
{
    struct secret_tree found = {0};
    struct tree t;

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_dir(&t, "d"), 0);
    assert_int_equal(tree_text(&t, "d/plain", ""), 0);
    assert_int_equal(tree_link(&t, "d/plain", ".env"), 0);
    assert_int_equal(tree_link(&t, "d", "secret"), 0);
    assert_int_equal(tree_link(&t, "/bin/sh", "token"), 0);
    assert_int_equal(tree_link(&t, "/nowhere", "password"), 0);
    find(&found, t.top, NULL);
    assert_true(has(&found, t.top, "d/plain"));
    assert_int_equal(found.n, 1);
    secret_tree_done(&found);
    tree_drop(&t);
}

static void
what_a_person_opened_is_left_out(void **state)
{
    struct secret_tree found = {0};
    char path[192];
    const char *const opened[] = {path, NULL};
    struct tree t;

    (void)state;
    make_all(&t);
    snprintf(path, sizeof(path), "%s/secrets", t.top);
    find(&found, t.top, opened);
    assert_false(has(&found, t.top, "secrets/b/app.toml"));
    assert_true(has(&found, t.top, ".env"));
    secret_tree_done(&found);
    tree_drop(&t);
}

/* Waits until a new change gets another ctime than the last one. */
static void
await_tick(void)
{
    struct timespec begin, now;

    assert_int_equal(clock_gettime(CLOCK_REALTIME_COARSE, &begin), 0);
    do {
        sched_yield();
        assert_int_equal(clock_gettime(CLOCK_REALTIME_COARSE, &now), 0);
    } while ((now.tv_sec - begin.tv_sec) * 1000 +
                 (now.tv_nsec - begin.tv_nsec) / 1000000 <
             40);
}

/* Makes a tree that the cache can hold: its directories changed long enough
 * ago. */
static void
make_deep(struct tree *t)
{
    char name[32];

    assert_int_equal(tree_make(t), 0);
    assert_int_equal(setenv("XDG_STATE_HOME", t->top, 1), 0);
    assert_int_equal(tree_dir(t, "w"), 0);
    for (int i = 0; i < DIRS; i++) {
        snprintf(name, sizeof(name), "w/d%d", i);
        assert_int_equal(tree_dir(t, name), 0);
        snprintf(name, sizeof(name), "w/d%d/e", i);
        assert_int_equal(tree_dir(t, name), 0);
    }
    assert_int_equal(tree_text(t, "w/d7/e/.env", ""), 0);
    await_tick();
}

static void
what_changed_is_seen_by_a_memory(void **state)
{
    struct secret_tree found = {0};
    char w[128], from[192], to[192];
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    struct tree t;

    (void)state;
    make_deep(&t);
    snprintf(w, sizeof(w), "%s/w", t.top);
    find(&found, w, NULL);
    find(&found, w, NULL);
    assert_int_equal(found.n, 1);
    /* a new file in a directory whose times are set back */
    assert_int_equal(tree_text(&t, "w/d9/e/id_rsa", ""), 0);
    snprintf(from, sizeof(from), "%s/d9/e", w);
    assert_int_equal(utimensat(AT_FDCWD, from, old, 0), 0);
    find(&found, w, NULL);
    assert_true(has(&found, w, "d9/e/id_rsa"));
    assert_true(has(&found, w, "d7/e/.env"));
    /* a directory in the place of another */
    snprintf(from, sizeof(from), "%s/d9/e", w);
    snprintf(to, sizeof(to), "%s/d8/e", w);
    assert_int_equal(rmdir(to), 0);
    assert_int_equal(rename(from, to), 0);
    find(&found, w, NULL);
    assert_true(has(&found, w, "d8/e/id_rsa"));
    assert_false(has(&found, w, "d9/e/id_rsa"));
    assert_int_equal(found.n, 2);
    /* and one that was removed */
    snprintf(to, sizeof(to), "%s/d7/e/.env", w);
    assert_int_equal(unlink(to), 0);
    find(&found, w, NULL);
    assert_int_equal(found.n, 1);
    secret_tree_done(&found);
    tree_drop(&t);
}

static double
time_find(struct secret_tree *found, const char *w)
{
    clock_t begin = clock();

    find(found, w, NULL);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static void
a_memory_is_no_slower_than_to_look_anew(void **state)
{
    struct secret_tree found = {0};
    char name[32], w[128];
    double anew, again;
    struct tree t;

    (void)state;
    make_deep(&t);
    snprintf(w, sizeof(w), "%s/w", t.top);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "w/m%d", i);
        assert_int_equal(tree_dir(&t, name), 0);
    }
    await_tick();
    anew = time_find(&found, w);
    assert_int_equal(tree_dir(&t, "w/new"), 0);
    again = time_find(&found, w);
    if (again > 2 * anew)
        fail_msg("%.3f s, and anew %.3f s", again, anew);
    secret_tree_done(&found);
    tree_drop(&t);
}

static void
a_damaged_memory_is_none(void **state)
{
    CLEANUP_BUF struct buf bytes = buf_of(SECRET_CACHE_MAX);
    struct secret_tree found = {0};
    struct secret_cache_span top;
    char w[128];
    struct tree t;

    (void)state;
    make_deep(&t);
    snprintf(w, sizeof(w), "%s/w", t.top);
    find(&found, w, NULL);
    secret_cache_read(unit_seat(), w, &bytes, &top);
    assert_non_null(top.p);
    for (size_t cut = 0; cut < (size_t)(top.end - top.p); cut += 7) {
        CLEANUP_BUF struct buf part = buf_of(SECRET_CACHE_MAX);

        buf_add(&part, top.p, cut);
        for (size_t at = cut / 2; at < cut; at += 5)
            part.p[at] = (char)(part.p[at] ^ 0x55);
        secret_cache_write(unit_seat(), w, &part);
        find(&found, w, NULL);
        assert_true(has(&found, w, "d7/e/.env"));
    }
    secret_tree_done(&found);
    tree_drop(&t);
}

static void
too_much_is_said(void **state)
{
    struct secret_tree found = {0};
    struct err e = {0};
    char name[512] = "d";
    struct tree t;

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    for (int i = 0; i <= SECRET_TREE_MAX; i++) {
        snprintf(name, sizeof(name), "%d.pem", i);
        assert_int_equal(tree_text(&t, name, ""), 0);
    }
    assert_int_equal(secret_tree_find(&found, t.top, NULL, NULL, &e), -1);
    assert_int_equal(e.code, ERR_DENIED);
    assert_non_null(strstr(e.text, "more than 256 files"));
    tree_drop(&t);
    assert_int_equal(tree_make(&t), 0);
    for (size_t n = 1; n < 2 * 66; n += 2) {
        memcpy(name + n - 1, "d", 2);
        assert_int_equal(tree_dir(&t, name), 0);
        name[n] = '/';
    }
    assert_int_equal(secret_tree_find(&found, t.top, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "more than 64 levels"));
    secret_tree_done(&found);
    tree_drop(&t);
}

static void
a_search_that_nobody_waits_for_ends(void **state)
{
    atomic_bool unwanted = true;
    struct secret_tree found = {.unwanted = &unwanted};
    struct err e = {0};
    struct tree t;

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_text(&t, "a.pem", ""), 0);
    assert_int_equal(secret_tree_find(&found, t.top, NULL, NULL, &e), -1);
    assert_int_equal(e.code, ERR_INTERRUPTED);
    unwanted = false;
    assert_int_equal(secret_tree_find(&found, t.top, NULL, NULL, &e), 0);
    assert_int_equal(found.n, 1);
    secret_tree_done(&found);
    assert_ptr_equal(found.unwanted, &unwanted);
    tree_drop(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_every_directory_are_found),
        cmocka_unit_test(a_link_stands_for_the_file_it_leads_to),
        cmocka_unit_test(what_a_person_opened_is_left_out),
        cmocka_unit_test(what_changed_is_seen_by_a_memory),
        cmocka_unit_test(a_memory_is_no_slower_than_to_look_anew),
        cmocka_unit_test(a_damaged_memory_is_none),
        cmocka_unit_test(too_much_is_said),
        cmocka_unit_test(a_search_that_nobody_waits_for_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
