/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_peer_files.c - which calls a peer answers in place of a plugin. */
#include "tree.h"
#include "unit_seat.h"

#include "tool/peer_files.h"
#include "tool/registry.h"
#include "json/json.h"

/* What the peer was asked. */
struct asked {
    char what[16], path[PATH_MAX];
};

static void *
on_read(void *owner, const char *path, int64_t line, int64_t lines,
        peer_files_cb *cb, void *arg, struct err *e)
{
    struct asked *a = owner;

    (void)line;
    (void)lines;
    (void)cb;
    (void)arg;
    (void)e;
    snprintf(a->what, sizeof(a->what), "read");
    snprintf(a->path, sizeof(a->path), "%s", path);
    return a;
}

static void *
on_write(void *owner, const char *path, const char *text, size_t n,
         peer_files_cb *cb, void *arg, struct err *e)
{
    struct asked *a = owner;

    (void)cb;
    (void)arg;
    (void)e;
    snprintf(a->what, sizeof(a->what), "write %.*s", (int)n, text);
    snprintf(a->path, sizeof(a->path), "%s", path);
    return a;
}

static void
on_cancel(void *handle)
{
    (void)handle;
}

/* In here/, beside which there is away/. */
static const struct take_row {
    const char *tool, *args;
    const char *asked; /* NULL: the plugin answers */
} takes[] = {
    {"fs.read_file", "{\"path\":\"old\"}", "read"},
    {"fs.read_file", "{\"path\":\"./x/../old\",\"line\":1}", "read"},
    {"fs.read_file", "{\"path\":\"old\",\"offset\":1}", NULL},
    {"fs.read_file", "{\"path\":\"old\",\"content\":null}", "read"},
    {"fs.read_file", "{\"path\":\"../away/old\"}", NULL},
    {"fs.read_file", "{\"path\":\"link\"}", NULL},
    {"fs.read_file", "{\"path\":\"out/old\"}", NULL},
    {"fs.write_file", "{\"path\":\"old\",\"content\":\"a\"}", "write a"},
    {"fs.write_file", "{\"path\":\"new\",\"content\":\"a\"}", "write a"},
    {"fs.write_file", "{\"path\":\"none/new\",\"content\":\"a\"}", NULL},
    {"fs.write_file", "{\"path\":\"link\",\"content\":\"a\"}", NULL},
    {"fs.write_file", "{\"path\":\"out/new\",\"content\":\"a\"}", NULL},
    /* a link to nothing: what is written would be made where it leads */
    {"fs.write_file", "{\"path\":\"dangling\",\"content\":\"a\"}", NULL},
    {"fs.write_file", "{\"path\":\"loop\",\"content\":\"a\"}", NULL},
    {"cmd.run", "{\"path\":\"old\"}", NULL},
};

static void
check_take(const struct seat *s, const struct take_row *row)
{
    const struct tool_events events = {0};
    const struct tool t = {.name = row->tool, .source = TOOL_BUILTIN};
    CLEANUP(json_free_p)
    struct json *args = json_parse(row->args, strlen(row->args), 0, NULL);
    const struct tool_request rq = {.args = args};
    struct asked asked = {0};
    const struct peer_files files = {.read = on_read,
                                     .write = on_write,
                                     .cancel = on_cancel,
                                     .owner = &asked};

    assert_non_null(args);
    if (peer_call_takes(&files, s, &t, &rq))
        peer_call_free(
            peer_call_start(&files, s, &t, &rq, &events, NULL, NULL));
    if (strcmp(asked.what, row->asked ? row->asked : "") != 0)
        fail_msg("%s %s: '%s'", row->tool, row->args, asked.what);
}

static void
a_peer_is_asked_about_plain_paths_of_the_session_alone(void **state)
{
    struct tree tree;
    char here[PATH_MAX];
    struct seat *s;

    (void)state;
    assert_int_equal(tree_make(&tree), 0);
    assert_int_equal(tree_dir(&tree, "here"), 0);
    assert_int_equal(tree_dir(&tree, "away"), 0);
    assert_int_equal(tree_text(&tree, "here/old", "x"), 0);
    assert_int_equal(tree_text(&tree, "away/old", "x"), 0);
    assert_int_equal(tree_link(&tree, "old", "here/link"), 0);
    assert_int_equal(tree_link(&tree, "../away", "here/out"), 0);
    assert_int_equal(tree_link(&tree, "../away/new", "here/dangling"), 0);
    assert_int_equal(tree_link(&tree, "loop", "here/loop"), 0);
    s = unit_seat_at(tree_path(&tree, "here", here), NULL, NULL);
    for (size_t i = 0; i < N_OF(takes); i++)
        check_take(s, &takes[i]);
    seat_free(s);
    tree_drop(&tree);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_peer_is_asked_about_plain_paths_of_the_session_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
