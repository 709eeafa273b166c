/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_user_shell.c - a command for the user's shell: sudo, and the prompt. */
#include "tests/unit/unit_seat.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/own_dir.h"
#include "ui/prompt_insert.h"
#include "ui/user_shell.h"

struct row {
    const char *command, *text;
};

static const struct row rows[] = {
    {"rm -rf '/srv/a b'", "sudo rm -rf '/srv/a b'"},
    {"echo x", "sudo echo x"},
    {"cd /srv/x; rm -rf *", "sudo -- bash -c 'cd /srv/x; rm -rf *'"},
    {"cd /srv/x", "sudo -- bash -c 'cd /srv/x'"},
    {"echo x >/etc/y", "sudo -- bash -c 'echo x >/etc/y'"},
    {"a | b", "sudo -- bash -c 'a | b'"},
    {"a &", "sudo -- bash -c 'a &'"},
    {"a && b", "sudo -- bash -c 'a && b'"},
    {"a\nb", "sudo -- bash -c 'a\nb'"},
    {"X=1 a", "sudo -- bash -c 'X=1 a'"},
    {"x\"=\"1 a", "sudo -- bash -c 'x\"=\"1 a'"},
    {"-u bob a", "sudo -- bash -c '-u bob a'"},
    {"a $(b)", "sudo -- bash -c 'a $(b)'"},
    {"! a", "sudo -- bash -c '! a'"},
    {"time a", "sudo -- bash -c 'time a'"},
    {"(a)", "sudo -- bash -c '(a)'"},
    {"a # b", "sudo -- bash -c 'a # b'"},
    {"$a b", "sudo -- bash -c '$a b'"},
    {"eval a", "sudo -- bash -c 'eval a'"},
    {"echo 'a' >b", "sudo -- bash -c 'echo '\\''a'\\'' >b'"},
    {"ls ~ >b", "sudo -- env HOME=/home/me bash -c 'ls ~ >b'"},
    {"ls 'a", "sudo -- bash -c 'ls '\\''a'"},
};

static void
sudo_is_for_all_of_the_command(void **state)
{
    (void)state;
    setenv("HOME", "/home/me", 1);
    for (size_t i = 0; i < N_OF(rows); i++) {
        const char *command = rows[i].command;
        CLEANUP_BUF struct buf b = buf_of(4096);
        struct syntax s;

        assert_int_equal(syntax_read(command, strlen(command), &s, NULL), 0);
        user_shell_sudo(&b, unit_seat(), command, &s);
        assert_string_equal(b.p, rows[i].text);
        syntax_done(&s);
    }
}

/* What is put, or "" where it is refused. */
static void
put_and_take(const char *text, struct buf *out)
{
    const char *session = getenv("AGENTSH_SESSION");
    struct err e = {0};

    assert_int_equal(prompt_insert_open(unit_seat(), session, NULL), 0);
    if (prompt_insert_put(unit_seat(), text, strlen(text), &e) < 0)
        assert_int_equal(e.code, ERR_INVALID);
    prompt_insert_read(unit_seat(), session, out);
    prompt_insert_remove(unit_seat(), session);
}

static void
what_the_history_changes_is_not_put(void **state)
{
    static const char *const kept[] = {
        "touch x",   "a '!b'", "a \\!b",  "! a",    "a !=b", "[ 1 != 2 ]", "a!",
        "a 'b!c' d", "a b^c",  "kill $!", "a !\tb", "a ! b", "echo '^a'",
    };
    static const char *const refused[] = {
        "a !b",       "!!",           "a \"!b\"", "a \"b!\"",    "a \"'!b'\"",
        "a $'\\'!b'", "# '\na !b #'", "a '\n!b'", "^a^b",        "a\n^b^c",
        "a !(b)",     "a # '!b'",     "a !'b'",   "cat <<'a'!b", "a '' !b",
        "a '!b",      "${!a}",        "a [!b]",   "a \"\\!b\"",
    };
    char session[64];

    (void)state;
    snprintf(session, sizeof(session), "%d-1", (int)getppid());
    setenv("AGENTSH_SESSION", session, 1);
    setenv("XDG_RUNTIME_DIR", in_dir(""), 1);
    for (size_t i = 0; i < N_OF(kept); i++) {
        CLEANUP_BUF struct buf b = buf_of(4096);

        put_and_take(kept[i], &b);
        assert_string_equal(b.p, kept[i]);
    }
    for (size_t i = 0; i < N_OF(refused); i++) {
        CLEANUP_BUF struct buf b = buf_of(4096);

        put_and_take(refused[i], &b);
        assert_string_equal(b.p, "");
    }
    assert_int_equal(remove_dir(NULL, 0), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sudo_is_for_all_of_the_command),
        cmocka_unit_test(what_the_history_changes_is_not_put),
    };

    return cmocka_run_group_tests_name("user_shell", tests, NULL, NULL);
}
