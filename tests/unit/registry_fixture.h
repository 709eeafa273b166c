/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_fixture.h - a registry over a test's own directories. */
#ifndef TESTS_REGISTRY_FIXTURE_H
#define TESTS_REGISTRY_FIXTURE_H

#include "plugins.h"
#include "unit_seat.h"

struct fixture {
    struct tree tree;
    char builtin[PATH_MAX], user[PATH_MAX], list[PATH_MAX];
};

static inline int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_int_equal(tree_make(&f->tree), 0);
    tree_path(&f->tree, "builtin", f->builtin);
    tree_path(&f->tree, "user", f->user);
    tree_path(&f->tree, "more", f->list);
    setenv("XDG_STATE_HOME", f->tree.top, 1);
    *state = f;
    return 0;
}

static inline int
teardown(void **state)
{
    struct fixture *f = *state;

    tree_drop(&f->tree);
    free(f);
    return 0;
}

static inline struct registry *
open_all(const struct fixture *f)
{
    const struct registry_dirs places = {
        .builtin = f->builtin, .user = f->user, .list = f->list};
    struct err e = {0};
    struct registry *r = registry_open_in(unit_seat(), &places, NULL, &e);

    if (!r)
        fail_msg("%s", e.text);
    return r;
}

static inline const struct tool *
must_find(struct registry *r, const char *name)
{
    struct err e = {0};
    const struct tool *t = registry_find(r, name, &e);

    if (!t)
        fail_msg("%s: %s", name, e.text);
    return t;
}

static inline void
put(const struct fixture *f, const char *place, const char *name,
    const char *manifest)
{
    assert_int_equal(plugins_put(&f->tree, place, name, manifest), 0);
}

#endif
