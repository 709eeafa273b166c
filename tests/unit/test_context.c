/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_context.c - what the context says of the machine, and what it keeps
 * back.
 */
#include "tests/unit/unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "model/prompt/context.h"
#include "model/prompt/last_command.h"
#include "json/json.h"

#define CONTEXT_MAX (1u << 20)

struct place {
    char dir[64]; /* the runtime directory's parent, and the working one */
};

static int
set_up(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    char dir[128];

    memcpy(p->dir, "/tmp/agentsh-test-XXXXXX", 25);
    assert_non_null(mkdtemp(p->dir));
    snprintf(dir, sizeof(dir), "%s/agentsh", p->dir);
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_int_equal(chdir(p->dir), 0);
    setenv("XDG_RUNTIME_DIR", p->dir, 1);
    setenv("AGENTSH_SESSION", "12-ab", 1);
    *state = p;
    return 0;
}

static int
tear_down(void **state)
{
    struct place *p = *state;

    unlink("agentsh/last-12-ab");
    unlink("agentsh/stderr-12-ab");
    unlink("agentsh/rerun-12-ab");
    rmdir(".git");
    rmdir("agentsh");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(p->dir), 0);
    free(p);
    return 0;
}

static void
put_file(const char *path, const char *text, mode_t mode)
{
    assert_int_equal(file_write(path, text, strlen(text), mode, NULL), 0);
}

/* The context as JSON; the caller frees it. */
static struct json *
gather(void)
{
    CLEANUP_BUF struct buf out = buf_of(CONTEXT_MAX);
    struct origin origin = {0};
    struct err e = {0};
    struct json *root;

    assert_int_equal(context_write(unit_seat(), false, NULL, &out, &origin, &e),
                     0);
    root = json_parse(out.p, out.len, JSON_UNIQUE, &e);
    assert_non_null(root);
    return root;
}

static void
the_machine_and_the_directory_are_described(void **state)
{
    CLEANUP(json_free_p) struct json *root = gather();
    const struct json *c = json_get(root, "context");
    struct place *p = *state;
    bool git = true;

    assert_non_null(strstr(json_get_str(c, "os"), "Linux"));
    assert_string_equal(json_get_str(c, "cwd"), p->dir);
    assert_true(json_bool(json_get(c, "git"), &git));
    assert_false(git);
    assert_null(json_get(c, "last_command"));
    assert_null(json_get(c, "last_stderr"));
}

/* What a command needs in place of a question: sudo or not, apt or dnf. */
static void
rights_packages_and_init_are_told(void **state)
{
    CLEANUP(json_free_p) struct json *root = gather();
    const struct json *c = json_get(root, "context");
    bool value = false;

    (void)state;
    assert_true(json_bool(json_get(c, "root"), &value));
    assert_int_equal(value, geteuid() == 0);
    assert_true(json_bool(json_get(c, "sudo"), &value));
    if (access("/usr/bin/sudo", X_OK) == 0)
        assert_true(value);
    if (access("/usr/bin/apt-get", X_OK) == 0)
        assert_string_equal(json_get_str(c, "packages"), "apt");
    if (access("/run/systemd/system", F_OK) == 0)
        assert_string_equal(json_get_str(c, "init"), "systemd");
}

static void
a_repository_is_seen_from_below(void **state)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    bool git = false;

    (void)state;
    assert_int_equal(mkdir(".git", 0700), 0);
    assert_int_equal(chdir("agentsh"), 0);
    root = gather();
    assert_int_equal(chdir(".."), 0);
    assert_true(json_bool(json_get(json_get(root, "context"), "git"), &git));
    assert_true(git);
}

static void
the_last_command_is_described_without_its_secrets(void **state)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *c;
    int64_t code = 0;

    (void)state;
    put_file("agentsh/last-12-ab",
             "status=2\ncwd=/x\nduration_ms=5\ncommand=curl \\\n"
             "https://me:hunter2secret@example.org\nstatus=0",
             0600);
    put_file("agentsh/stderr-12-ab", "curl: (6) no host", 0600);
    root = gather();
    c = json_get(root, "context");
    assert_non_null(strstr(json_get_str(c, "last_command"), "curl \\\n"));
    assert_null(strstr(json_get_str(c, "last_command"), "hunter2secret"));
    assert_true(json_int(json_get(c, "last_exit_code"), &code));
    assert_int_equal(code, 2);
    assert_string_equal(json_get_str(c, "last_stderr"), "curl: (6) no host");
}

/* What a command that names a file of secrets showed stays here. */
static void
the_last_command_keeps_what_it_read(void **state)
{
    static const struct {
        const char *command, *shown;
    } rows[] = {
        {"cat .env nowhere", "[redacted:secret-file]"},
        {"jq . <~/.aws/credentials", "[redacted:secret-file]"},
        {"cat .env.example nowhere", "A=plain"},
        {"grep -r A .; false", "A=plain"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *root = NULL;
        char record[128];

        snprintf(record, sizeof(record), "status=1\ncommand=%s",
                 rows[i].command);
        put_file("agentsh/last-12-ab", record, 0600);
        put_file("agentsh/stderr-12-ab", "A=plain", 0600);
        root = gather();
        assert_string_equal(
            json_get_str(json_get(root, "context"), "last_stderr"),
            rows[i].shown);
    }
}

static void
a_record_that_others_may_write_is_not_believed(void **state)
{
    CLEANUP(json_free_p) struct json *root = NULL;

    (void)state;
    put_file("agentsh/last-12-ab", "status=2\ncommand=rm x", 0622);
    root = gather();
    assert_null(json_get(json_get(root, "context"), "last_command"));
}

static void
a_session_cannot_name_another_file(void **state)
{
    static const char *const names[] = {"../x", "a/b", "", "a b"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(last_command_done) struct last_command last;

        setenv("AGENTSH_SESSION", names[i], 1);
        last_command_read(unit_seat(), &last);
        assert_false(last.known);
    }
}

static void
a_record_is_read_whole_or_not_at_all(void **state)
{
    static const struct {
        const char *text;
        bool known;
        const char *command;
    } rows[] = {
        {"status=0\ncommand=ls", true, "ls"},
        {"status=0\nfuture=1\ncommand=a\nb\n", true, "a\nb\n"},
        {"command=ls", false, ""},
        {"status=0\ncommand=", false, ""},
        {"status=0\n", false, ""},
        {"", false, ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(last_command_done) struct last_command last;

        put_file("agentsh/last-12-ab", rows[i].text, 0600);
        last_command_read(unit_seat(), &last);
        assert_int_equal(last.known, rows[i].known);
        assert_string_equal(last.command.p, rows[i].command);
    }
}

/* What a command showed may look like the line before it. */
static void
a_second_run_is_read_as_it_was_written(void **state)
{
    static const struct {
        const char *why, *text, *why_read, *text_read;
    } rows[] = {
        {NULL, "gone\n", "", "gone\n"},
        {NULL, "why=no reason\nwhy=\n", "", "why=no reason\nwhy=\n"},
        {NULL, "", "", ""},
        {"no sandbox: no rights\nmore", NULL, "no sandbox: no rights", ""},
    };

    (void)state;
    put_file("agentsh/last-12-ab", "status=1\ncommand=ls", 0600);
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(last_command_done) struct last_command last;
        CLEANUP(last_rerun_done) struct last_rerun r;

        last_command_read(unit_seat(), &last);
        assert_int_equal(last_rerun_write(unit_seat(), &last, rows[i].why,
                                          rows[i].text, NULL),
                         0);
        last_rerun_read(unit_seat(), &last, &r);
        assert_true(r.known);
        assert_string_equal(r.why.p ? r.why.p : "", rows[i].why_read);
        assert_string_equal(r.text.p ? r.text.p : "", rows[i].text_read);
    }
}

static void
it_takes_under_two_milliseconds(void **state)
{
    int64_t best = INT64_MAX;

    (void)state;
    for (int i = 0; i < 20; i++) {
        int64_t from = clock_us();

        json_free(gather());
        best = clock_us() - from < best ? clock_us() - from : best;
    }
    assert_true(best < 2000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_machine_and_the_directory_are_described),
        TEST(rights_packages_and_init_are_told),
        TEST(a_repository_is_seen_from_below),
        TEST(the_last_command_is_described_without_its_secrets),
        TEST(the_last_command_keeps_what_it_read),
        TEST(a_record_that_others_may_write_is_not_believed),
        TEST(a_session_cannot_name_another_file),
        TEST(a_record_is_read_whole_or_not_at_all),
        TEST(a_second_run_is_read_as_it_was_written),
        TEST(it_takes_under_two_milliseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
