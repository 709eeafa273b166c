/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guard_plain.c - commands that only look, and those that pretend to. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "guard/plain.h"
#include "term/escape.h"

struct ask_row {
    const char *command, *reason; /* a part of it */
};

/* In a directory with old.txt, twin (a hard link), .env, sub/, .vim/ and the
 * links out -> /tmp, down -> sub, key -> .env, gone -> nowhere, copy ->
 * old.txt. */
static const char *const allowed[] = {
    "ls",
    "ls -la /tmp",
    "echo hello world",
    "printf '%s\\n' 'a b' \"c\"",
    "printf '%d%%n' 5",
    "cat old.txt | grep -n a | sort -u | uniq -c | head -n 3",
    "pwd && date +%F; whoami || id",
    "date -d '2 days ago' '+%Y'",
    "uniq -f 1 old.txt",
    "/bin/ls && /usr/bin/wc -l old.txt",
    "'ls' -l",
    "\\ls",
    "ls # rm -rf",
    "echo rm -rf / sudo",
    "echo 'sudo rm' \"$\"",
    "grep sudo old.txt",
    "echo hi > new.txt",
    "echo hi >> old.txt",
    "echo hi >>new2.txt 2>&1",
    "ls nowhere 2>/dev/null >/dev/null",
    "echo a > new.txt && echo b > sub/new.txt",
    "cat <<'E' > new.txt\n$HOME `id`\nE\n",
    "cat <<E\nplain\nE",
    "wc -c < old.txt",
    "cat <<< text",
    "echo hi > down/new.txt",
    "echo hi > ./sub/../new.txt",
    "echo hi > a.b",
    "ls \\\n -l",
    "ls\npwd\n",
    "test -f old.txt && echo yes",
    "[ -d sub ]",
    "env | sort",
    "hostname -f",
    "ps aux",
    "ps -ef | grep ssh",
    "type -a ls",
    "tr a-z A-Z < old.txt",
    "echo {} a{b}",
    "echo \303\244\303\266",
    "diff old.txt twin",
    "sort -t: -k2 old.txt",
    "",
};

static const struct ask_row asked[] = {
    /* not on the list */
    {"rm x", "rm is not on the list of programs that only look"},
    {"touch x", "touch is not"},
    {"ls; rm x", "rm is not"},
    {"ls | xargs rm", "xargs is not"},
    {"ls && curl example.org", "curl is not"},
    {"find . -exec rm {} ;", "find is not"},
    {"find . -delete", "find is not"},
    {"git diff --output=F", "git is not"},
    {"rg --pre ./x y", "rg is not"},
    {"eval ls", "eval is not"},
    {"sh -c ls", "sh is not"},
    {"less old.txt", "less is not"},
    {"time ls", "time is not"},
    {"alias ls=rm", "alias is not"},
    {"cd /", "cd is not"},
    {". ./x", ". is not"},
    {"if true; then ls; fi", "if is not"},
    {"[[ -f x ]]", "[[ is not"},
    {"/tmp/cat old.txt", "/tmp/cat is not"},
    {"./ls", "./ls is not"},
    {"/usr/local/bin/ls", "/usr/local/bin/ls is not"},
    {"/bin/../tmp/ls", "/bin/../tmp/ls is not"},
    {"'' x", "is not on the list"},
    /* newline tricks */
    {"ls\nrm x", "rm is not"},
    {"ls #\nrm x", "rm is not"},
    {"echo 'a\n'b\nrm x", "rm is not"},
    {"ls \\\\\nrm x", "rm is not"},
    /* expansions */
    {"echo $(rm x)", "uses $(…): $(rm x)"},
    {"echo \"$(rm x)\"", "uses $(…)"},
    {"echo `rm x`", "uses $(…)"},
    {"cat <(rm x)", "uses <(…)"},
    {"ls >(rm x)", "uses <(…) or >(…)"},
    {"echo $HOME", "uses a variable: $HOME"},
    {"echo ${x:=y}", "uses a variable"},
    {"echo $((x=1))", "uses $((…))"},
    {"$x", "uses a variable"},
    {"l{s,s}", "uses {…}"},
    {"ls *", "uses a pattern"},
    {"/bin/l?", "uses a pattern"},
    {"cat ~/x", "uses ~"},
    {"$'\\x72m' x", "uses $'…'"},
    {"echo $'a'", "uses $'…'"},
    {"echo $\"a\"", "uses a variable"},
    {"cat <<E\n$(rm x)\nE", "uses $(…)"},
    {"cat <<< $(id)", "uses $(…)"},
    /* grouping, background, assignments */
    {"ls & rm x", "uses &"},
    {"ls &", "uses &"},
    {"(ls)", "uses ("},
    {"{ ls; }", "uses {"},
    {"! ls", "uses !"},
    {"ls |& cat", "uses |&"},
    {"PATH=/tmp ls", "sets a variable: PATH=/tmp"},
    {"x=1", "sets a variable"},
    {"LD_PRELOAD=/tmp/x.so; ls", "sets a variable"},
    {"ls() { rm x; }", "uses ("},
    /* not readable */
    {"echo 'a", "a single quote that is not closed"},
    {"echo $(a", "a bracket that is not closed"},
    /* flags that do more */
    {"sort -o old.txt old.txt", "sort -o can do more than look"},
    {"sort -uoold.txt old.txt", "can do more"},
    {"sort --out=old.txt", "can do more"},
    {"sort --compress-program=/tmp/x a", "can do more"},
    {"sort old.txt -o x", "can do more"},
    {"uniq old.txt new", "can do more than look with the argument new"},
    {"uniq -c old.txt new", "can do more"},
    {"uniq -fc old.txt new", "can do more"},
    {"date -s 12:00", "can do more"},
    {"date --se=12:00", "can do more"},
    {"date 010112002030", "can set it"},
    {"hostname evil", "can do more"},
    {"hostname -F old.txt", "can do more"},
    {"env rm x", "can do more"},
    {"env -S 'rm x'", "can do more"},
    {"env -i", "can do more"},
    {"file -C -m x", "can do more"},
    {"printf -v PATH x", "can do more"},
    {"printf %n PATH", "sets a variable"},
    {"printf '%-5n' PATH", "sets a variable"},
    {"test -v 'a[$(id)]'", "can do more"},
    {"[ -R x ]", "can do more"},
    {"grep -r x .", "can do more"},
    {"grep --rec x .", "can do more"},
    {"diff -l old.txt twin", "can do more"},
    {"diff -N . /tmp/empty", "diff shows what lies in ."},
    {"diff old.txt down", "diff shows what lies in down"},
    {"diff --from-file=sub old.txt", "diff shows what lies in sub"},
    {"wc --files0-from=old.txt", "can do more"},
    {"sort --files0-from old.txt", "can do more"},
    {"sort --files=old.txt", "can do more"},
    {"du --files0-from=old.txt", "can do more"},
    /* secrets and devices */
    {"cat .env", "reads what may be a secret: .env"},
    {"cat key", "reads what may be a secret: key"},
    {"cat /home/me/.ssh/id_rsa", "a secret"},
    {"head server.pem", "a secret"},
    {"grep -f.env x", "a secret"},
    {"grep -if.env x", "a secret"},
    {"grep --file=.env x", "a secret"},
    {"wc -l --files0-from=.env", "a secret"},
    {"cat < .env", "a secret"},
    {"cat /proc/1/environ", "a secret"},
    {"cat /etc/shadow", "a secret"},
    {"cat /dev/zero", "reads a device"},
    {"cat < /dev/tty", "reads a device"},
    {"cat /proc/self/root/dev/zero", "reads a device"},
    /* writing */
    {"echo x > old.txt", "overwrites old.txt"},
    {"echo x >| old.txt", "overwrites old.txt"},
    {"echo x > /etc/x", "writes outside the working directory: /etc/x"},
    {"echo x >> /etc/passwd", "outside the working directory"},
    {"echo x > ../x", "outside the working directory"},
    {"echo x > sub/../../x", "outside the working directory"},
    {"echo x > out/x", "outside the working directory"},
    {"echo x >> copy", "no plain file"},
    {"echo x >> gone", "no plain file"},
    {"echo x > gone", "overwrites gone"},
    {"echo x >> twin", "no plain file"},
    {"echo x > none/x", "there is no directory for none/x"},
    {"echo x > sub/", "there is no directory for sub/"},
    {"echo x > ..", "there is no directory for .."},
    {"echo x >> .env", "writes what others trust or run"},
    {"echo x >> .bashrc", "writes what others trust or run"},
    {"echo x > sub/.git", "writes what others trust or run"},
    {"echo x >> .xsessionrc", "writes what others trust or run"},
    {"echo x > .gdbinit", "writes what others trust or run"},
    {"echo x > .vim/x.vim", "writes what others trust or run"},
    {"echo x > sub/../.vim/x.vim", "writes what others trust or run"},
    {"echo x > .../x", "there is no directory"},
    {"echo x > ...", "writes what others trust or run"},
    {"echo x > authorized_keys", "writes what others trust or run"},
    {"echo x > a > b", "writes to more than one file"},
    {"echo x > $y", "uses a variable"},
    {"echo x &> old.txt", "overwrites"},
    {"echo x >& old.txt", "overwrites"},
    {"echo x >&5", "uses the redirection >&5"},
    {"echo x 5> new", "opens another descriptor"},
    {"echo x {f}> new", "opens another descriptor"},
    {"cat <> old.txt", "uses the redirection <>"},
    {"> new.txt", "only makes a file"},
    {"cat < /dev/tcp/127.0.0.1/80", "a device"},
    {"echo x > /dev/tcp/127.0.0.1/80", "no directory"},
    /* what the eye does not see */
    {"echo a\rb", "holds what the eye does not see: \\x0d"},
    {"echo \033[2K", "does not see: \\x1b"},
    {"echo \302\233x", "does not see: \\x9b"},
    {"echo a\342\200\256b", "does not see: \\u202e"},
    {"ls \342\200\213-l", "does not see: \\u200b"},
    {"ls\302\240-l", "does not see: \\xa0"},
    {"echo \363\240\201\201", "does not see: \\U000e0041"},
    {"echo \377", "does not see: \\xff"},
};

static char dir[] = "/tmp/agentsh-plain-XXXXXX";

static int
make_directory(void **state)
{
    static const char *const links[][2] = {
        {"/tmp", "out"},     {"sub", "down"},     {".env", "key"},
        {"nowhere", "gone"}, {"old.txt", "copy"},
    };

    (void)state;
    if (!mkdtemp(dir) || chdir(dir) < 0 || mkdir("sub", 0700) < 0 ||
        mkdir(".vim", 0700) < 0)
        return -1;
    close(open("lone.txt", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    close(open("old.txt", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    close(open("pair", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    close(open(".env", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (link("pair", "twin") < 0)
        return -1;
    for (size_t i = 0; i < N_OF(links); i++)
        if (symlink(links[i][0], links[i][1]) < 0)
            return -1;
    return chdir("/");
}

static int
remove_directory(void **state)
{
    static const char *const files[] = {"lone.txt", "old.txt", "pair", "twin",
                                        ".env",     "out",     "down", "key",
                                        "gone",     "copy"};

    (void)state;
    if (chdir(dir) < 0)
        return -1;
    for (size_t i = 0; i < N_OF(files); i++)
        unlink(files[i]);
    rmdir("sub");
    rmdir(".vim");
    return chdir("/") < 0 ? -1 : rmdir(dir);
}

static void
plain_calls_are_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(allowed); i++) {
        struct guard_finding f;

        plain_judge(allowed[i], dir, &f);
        if (f.decision != GUARD_ALLOW || f.needs_sudo || f.reason[0])
            fail_msg("%s: %s", allowed[i], f.reason);
    }
}

static void
all_else_is_asked_with_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(asked); i++) {
        struct guard_finding f;

        plain_judge(asked[i].command, dir, &f);
        if (f.decision != GUARD_ASK || !strstr(f.reason, asked[i].reason))
            fail_msg("%s: %s: %s", asked[i].command,
                     guard_decision_name(f.decision), f.reason);
    }
}

static void
system_directories_are_not_written_to(void **state)
{
    static const char *const dirs[] = {"/", "/etc", "/usr/bin"};
    struct guard_finding f;

    (void)state;
    for (size_t i = 0; i < N_OF(dirs); i++) {
        plain_judge("echo x > new-file-of-ours", dirs[i], &f);
        assert_int_equal(f.decision, GUARD_ASK);
    }
    plain_judge("echo x > new", "/nowhere/at/all", &f);
    assert_int_equal(f.decision, GUARD_ASK);
    plain_judge("ls", NULL, &f);
    assert_int_equal(f.decision, GUARD_ASK);
}

static void
a_reason_is_never_half_a_character(void **state)
{
    char command[600] = "";
    struct guard_finding f;

    (void)state;
    for (size_t i = 0; i < 200; i++)
        memcpy(command + 2 * i, "\303\244", 3);
    plain_judge(command, dir, &f);
    assert_int_equal(f.decision, GUARD_ASK);
    assert_true(escape_is_clean(f.reason, strlen(f.reason)));
}

static void
a_line_nobody_reads_is_asked(void **state)
{
    size_t n = 100 * 1000;
    char *line = malloc(n + 1);
    struct guard_finding f;

    (void)state;
    assert_non_null(line);
    memset(line, 'a', n);
    memcpy(line, "echo ", 5);
    line[n] = '\0';
    plain_judge(line, dir, &f);
    assert_int_equal(f.decision, GUARD_ASK);
    assert_true(f.needs_sudo);
    free(line);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_calls_are_allowed),
        cmocka_unit_test(all_else_is_asked_with_its_reason),
        cmocka_unit_test(system_directories_are_not_written_to),
        cmocka_unit_test(a_reason_is_never_half_a_character),
        cmocka_unit_test(a_line_nobody_reads_is_asked),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
