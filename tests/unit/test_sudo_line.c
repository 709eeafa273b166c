/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sudo_line.c - which lines with sudo run as steps. */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/sudo_line.h"

/* A place without sudo: what is read before the file is looked for decides. */
#define NOWHERE "/nonexistent"

static void
check(const char *line, char why[SUDO_LINE_WHY])
{
    struct path_context where = {.cwd = "/", .home = "/root", .path = "/bin"};
    struct syntax s;
    struct risk r;

    why[0] = '\0';
    assert_int_equal(syntax_read(line, strlen(line), &s, NULL), 0);
    assert_int_equal(risk_read(&s, &where, &r, NULL), 0);
    assert_false(sudo_line_check(&s, &r, NOWHERE, why));
    risk_done(&r);
    syntax_done(&s);
}

/* These fail for the file alone. */
static void
sudo_in_the_open_is_read(void **state)
{
    static const char *const lines[] = {
        "sudo id",
        "/usr/local/none/sudo id",
        "sudo -n -u root -- id",
        "sudo -uroot id",
        "sudo --user=root --chdir / ls",
        "sudo A=b id",
        "echo x | sudo tee /etc/y >/dev/null",
        "cd / && sudo ls; sudo -k",
        "(sudo id)",
        "sudo sh -c 'sudo id'",
        "sudo rm /var/log/*.gz",
        "sudo cat $FILE",
    };
    char why[SUDO_LINE_WHY];

    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++) {
        check(lines[i], why);
        if (!strstr(why, "not this machine's own sudo"))
            fail_msg("%s: %s", lines[i], why);
    }
}

static const struct row {
    const char *line, *why;
} rows[] = {
    {"sh -c 'sudo id'", "sh hides"},
    {"env X=1 sudo id", "env hides"},
    {"nohup sudo id", "nohup hides"},
    {"su -c id", "su hides"},
    {"doas id", "doas hides"},
    {"sudo -S id", "-S"},
    {"sudo -nkS id", "-S"},
    {"sudo --std id", "--std"},
    {"sudo -A id", "-A"},
    {"sudo -i", "-i"},
    {"sudo -ns", "-ns"},
    {"sudo -e /etc/hosts", "-e"},
    {"sudo -p x id", "-p"},
    {"sudo -u", "lacks a word"},
    {"sudo $X", ""},
    {"sudo -u $X id", "who sudo is"},
    {"sudo LD_PRELOAD=x id", ""},
    {"sudo -- PATH=x id", ""},
    {"A=b sudo id", "variable A"},
    {"A=b; sudo id", "variable A"},
    {"echo ${PATH:=x}; sudo id", ""},
    {": ${BASH_CMDS[sudo]:=/x}; sudo id", ""},
    {": >${BASH_CMDS[sudo]:=/x}; sudo id", ""},
    {": <<<${BASH_CMDS[sudo]:=/x}; sudo id", ""},
    {": <<E\n${BASH_CMDS[sudo]:=/x}\nE\nsudo id", ""},
    {"{ :; } >$((PATH=1)); sudo id", ""},
    {"printf -v PATH x; sudo id", ""},
    {"enable -f x sudo; sudo id", ""},
    {"alias sudo=x; sudo id", "alias"},
    {"f() { :; }; sudo id", "function"},
    {"if sudo id; then :; fi", "condition"},
    {"sudo id; $X", ""},
    {"sudo id '", "read"},
};

static void
all_else_is_for_the_persons_shell(void **state)
{
    char why[SUDO_LINE_WHY];

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        check(rows[i].line, why);
        if (!why[0] || !strstr(why, rows[i].why) ||
            strstr(why, "machine's own"))
            fail_msg("%s: %s", rows[i].line, why);
    }
}

static void
only_with_an_n_nobody_is_asked(void **state)
{
    static const struct {
        const char *line;
        bool never;
    } lines[] = {
        {"sudo -n id", true},
        {"sudo -kn id | cat", true},
        {"sudo -u root --non-interactive -- id", true},
        {"sudo -n id && sudo -n ls", true},
        {"sudo id -n", false},
        {"sudo -u n id", false},
        {"sudo -un id", false},
        {"sudo -- -n", false},
        {"sudo -n id && sudo ls", false},
        {"sudo -u", false},
        {"id -n", false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++)
        if (sudo_line_never_asks(lines[i].line) != lines[i].never)
            fail_msg("%s", lines[i].line);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sudo_in_the_open_is_read),
        cmocka_unit_test(all_else_is_for_the_persons_shell),
        cmocka_unit_test(only_with_an_n_nobody_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
