/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guard.c - a whole line: decision, effects, profile, reason. */
#include "unit.h"

#include "base/clock.h"
#include "guard/effects/effects_text.h"
#include "guard/guard.h"
#include "tree_git.h"

struct judge_row {
    const char *line;
    enum guard_decision decision;
    enum profile profile;
    const char *reason;  /* a part of it */
    const char *effects; /* a part of the summary */
};

#define ALLOW GUARD_ALLOW
#define ASK   GUARD_ASK
#define DENY  GUARD_DENY
#define WRITE PROFILE_WORKSPACE_WRITE

/* In @/home/proj, no git: a.log (10), b.log (20), sub/x.o (100), out/; in
 * @/home: data/z (7). Also out/a.log (3) and a repo/ with repo/.git/x (1). */
static const struct judge_row rows[] = {
    {"ls -a", ALLOW, WRITE, "", ""},
    {"ls -la", ALLOW, PROFILE_OBSERVE, "", ""},
    {"echo hi | tr a-z A-Z", ALLOW, WRITE, "", ""},
    {"ps aux | head", ALLOW, PROFILE_OBSERVE, "", ""},
    {"du -sh ~", ALLOW, PROFILE_OBSERVE, "", ""},
    {"who", ALLOW, PROFILE_OBSERVE, "", ""},
    {"du -sh /var", ALLOW, PROFILE_OBSERVE, "", ""},
    {"du -sh .", ALLOW, WRITE, "", ""},
    {"systemctl status cron", ASK, PROFILE_FULL, "", ""},
    {"ssh host.example ls", ASK, PROFILE_FULL, "ssh", ""},
    {"rm a.log", ASK, WRITE, "rm deletes files", "deletes a.log - 10 bytes"},
    {"rm -f *.log", ASK, WRITE, "rm deletes",
     "deletes a.log, b.log - 2 files, 30 bytes"},
    {"rm -f \"*.log\"", ASK, WRITE, "rm", ""},
    {"d=sub; rm -rf \"$d\"", ASK, WRITE, "rm",
     "deletes sub/ - 1 file, 100 bytes"},
    {"for f in *.log; do rm \"$f\"; done", ASK, WRITE, "rm",
     "deletes a.log, b.log - 2 files, 30 bytes"},
    {"rm -rf {a,b}.log sub", ASK, WRITE, "rm",
     "b.log, sub/ - 3 files, 130 bytes"},
    {"cd sub && rm x.o", ASK, WRITE, "rm", "deletes sub/x.o - 100 bytes"},
    {"sh -c 'rm -f *.log'", ASK, WRITE, "rm",
     "deletes a.log, b.log - 2 files, 30 bytes"},
    {"find . -name '*.o' -delete", ASK, WRITE, "find",
     "deletes sub/x.o - 100 bytes"},
    {"find . -name '*.o' -exec rm {} +", ASK, WRITE, "rm",
     "deletes sub/x.o - 100 bytes"},
    {"find . -name '*.o' | xargs rm -f", ASK, WRITE, "rm",
     "deletes sub/x.o - 100 bytes"},
    {"find -name '*.o' -delete", ASK, WRITE, "find",
     "deletes sub/x.o - 100 bytes"},
    {"cd sub && find -name '*.o' -exec rm -f {} +", ASK, WRITE, "rm",
     "deletes sub/x.o - 100 bytes"},
    {"find sub -type f -exec sed -i s/a/b/ {} +", ASK, WRITE, "sed",
     "changes sub/x.o - 100 bytes"},
    {"find sub -name x.o | xargs sed -i s/a/b/ 2>/dev/null", ASK, WRITE, "sed",
     "changes sub/x.o - 100 bytes"},
    {"rm ~/data/z", ASK, PROFILE_FULL, "rm",
     "deletes ~/data/z - 7 bytes, 1 outside ~/proj"},
    {"mv *.log out/", ASK, WRITE, "mv", "changes out/a.log - 3 bytes"},
    {"cp sub/*.o .", ASK, WRITE, "cp", ""},
    {"rm -rf repo", ASK, WRITE, "rm",
     "repo/ - 1 file, 1 byte, a git repository"},
    {"rm -rf repo/.git", ASK, WRITE, "rm", "a git repository with its"},
    {"rm \"$(cat list)\"", ASK, WRITE, "rm", "cannot tell what this"},
    {"echo hi > a.log", ASK, WRITE, "", "changes a.log - 10 bytes"},
    {"cat \"$x\"", ASK, WRITE,
     "cannot tell the arguments of cat until it runs: $x", ""},
    {"echo $(date)", ASK, WRITE, "command substitution", ""},
    {"timeout 9 sh -c 'ls -a'", ASK, WRITE, "started by another program", ""},
    {"touch ~/new", ASK, PROFILE_FULL, "outside of this directory: ", ""},
    {"touch \"$x\"", ASK, WRITE, "which file", ""},
    {"echo a >> .bashrc", ASK, WRITE, "programs trust or run later", ""},
    {"kill 999999999", ASK, PROFILE_FULL, "kill terminates processes", ""},
    {"sudo rm a.log", ASK, PROFILE_FULL, "sudo", "deletes a.log"},
    {"eval \"$x\"", ASK, WRITE, "", "cannot tell what this"},
    {"echo 'unclosed", ASK, WRITE, "", "cannot tell what this"},
    {"ls # \342\200\256gpj.exe", ASK, WRITE, "invisible characters", ""},
    {"ls \033[8m/", ASK, WRITE, "invisible characters", ""},
    /* protected paths */
    {"rm -rf /", DENY, PROFILE_FULL, "/, the root of all files", ""},
    {"rm -rf /*", DENY, PROFILE_FULL, "everything in /", ""},
    {"sudo rm -rf --no-preserve-root /", DENY, PROFILE_FULL, "root", ""},
    {"rm -rf ~", DENY, PROFILE_FULL, "~, your home directory", ""},
    {"rm -rf ~/", DENY, PROFILE_FULL, "~, your home directory", ""},
    {"rm -rf ~/*", DENY, PROFILE_FULL, "everything in ~", ""},
    {"rm -rf $HOME/.*", DENY, PROFILE_FULL, "everything in ~", ""},
    {"rm -rf \"$HOME\"", DENY, PROFILE_FULL, "~, your home directory", ""},
    {"rm -rf \"$UNSET\"/*", DENY, WRITE, "${x:?}", ""},
    {"cd / && rm -rf *", DENY, PROFILE_FULL, "everything in /", ""},
    {"cd && rm -rf *", DENY, PROFILE_FULL, "everything in ~", ""},
    {"cd .. && rm -rf ./*", DENY, PROFILE_FULL, "everything in ~", ""},
    {"find ~ -delete", DENY, PROFILE_FULL, "~, your home", ""},
    {"cd && find -delete", DENY, PROFILE_OBSERVE, "~, your home", ""},
    {"cd ~; find -type f -delete", DENY, PROFILE_OBSERVE, "~, your home", ""},
    {"find ~ -type f -exec rm {} +", DENY, PROFILE_OBSERVE, "home", ""},
    {"chmod -R 777 ~", DENY, PROFILE_FULL, "~, your home directory", ""},
    {"chown -R nobody /", DENY, PROFILE_FULL, "/, the root", ""},
    {"dd if=/dev/zero of=/dev/sdz", DENY, PROFILE_FULL, "a raw disk", ""},
    {"cat x > /dev/nvme7n1", DENY, PROFILE_FULL, "a raw disk", ""},
    {"mkfs.ext4 /dev/sdz1", DENY, PROFILE_FULL, "a raw disk", ""},
    {"sh -c 'rm -rf ~'", DENY, PROFILE_FULL, "home", ""},
    {"echo x; (true && rm -rf /)", DENY, PROFILE_FULL, "root", ""},
};

/* None of these lines is denied. */
static const char *const not_denied[] = {
    "touch ~/x",
    "rm ~/x",
    "mkdir /opt/x",
    "ls /",
    "ls ~/*",
    "du -sh /*",
    "cp a.log ~",
    "cp -r sub ~",
    "mv a.log ~/",
    "tar czf x.tgz ~",
    "find ~ -name x",
    "find / -name core -delete",
    "rm -rf ./*",
    "rm -rf sub/*",
    "rm -rf ~/data/*",
    "chmod 700 ~",
    "rm -rf /tmp/x/*",
    "rsync -a ~/ sub/",
    "chmod -R u+w .",
    "dd if=/dev/sdz of=disk.img",
    "git clean -fdx",
    "rm -rf \"${x:?}\"/*",
    "cat a.log > /dev/null",
};

struct world {
    struct tree t;
    char home[PATH_MAX], proj[PATH_MAX];
    struct policy *policy;
};

static int
world_make(void **state)
{
    static struct world w;
    struct tree *t = &w.t;
    struct err e;

    if (tree_make(t) < 0 || tree_dir(t, "home") < 0 ||
        tree_dir(t, "home/data") < 0 || tree_dir(t, "home/proj") < 0 ||
        tree_dir(t, "home/proj/sub") < 0 || tree_dir(t, "home/proj/out") < 0 ||
        tree_dir(t, "home/proj/repo") < 0 ||
        tree_dir(t, "home/proj/repo/.git") < 0 ||
        tree_file(t, "home/proj/repo/.git/x", 1) < 0 ||
        tree_file(t, "home/proj/out/a.log", 3) < 0 ||
        tree_file(t, "home/data/z", 7) < 0 ||
        tree_file(t, "home/proj/a.log", 10) < 0 ||
        tree_file(t, "home/proj/b.log", 20) < 0 ||
        tree_file(t, "home/proj/sub/x.o", 100) < 0)
        return -1;
    tree_path(t, "home", w.home);
    tree_path(t, "home/proj", w.proj);
    w.policy = policy_load_files(NULL, NULL, "standard", NULL, &e);
    *state = &w;
    return w.policy ? 0 : -1;
}

static int
world_drop(void **state)
{
    struct world *w = *state;

    policy_free(w->policy);
    tree_drop(&w->t);
    return 0;
}

static void
judge(const struct world *w, const char *line, struct guard_finding *f,
      struct buf *summary)
{
    struct path_context where = {.cwd = w->proj,
                                 .home = w->home,
                                 .workspace = w->proj,
                                 .path = "/usr/bin:/bin:/usr/sbin:/sbin"};
    struct err e;

    assert_int_equal(guard_judge(w->policy, line, &where, f, &e), 0);
    effects_summary(&f->effects, &where, " - ", summary);
}

/* What a shell is given beside its line, and the same in the line itself. */
static const struct given_row {
    const char *line;
    const char *variables[3];
    const char *input;
    enum guard_decision decision;
    const char *reason; /* a part of it */
    const char *like;   /* a line with the same decision and facts */
} given[] = {
    {"ls", {"LANG=C"}, NULL, ALLOW, "", "LANG=C ls"},
    {"ls",
     {"LD_PRELOAD=x.so"},
     NULL,
     ASK,
     "unchecked code",
     "LD_PRELOAD=x.so ls"},
    {"ls",
     {"LANG=C", "LD_PRELOAD=x.so"},
     NULL,
     ASK,
     "unchecked code",
     "LD_PRELOAD=x.so ls"},
    {"ls", {"LD_PRELOAD="}, NULL, ALLOW, "", "LD_PRELOAD= ls"},
    {"ls",
     {"LD_LIBRARY_PATH=/tmp/x"},
     NULL,
     ASK,
     "from a directory",
     "LD_LIBRARY_PATH=/tmp/x ls"},
    {"ls",
     {"PATH=.:/usr/bin"},
     NULL,
     ASK,
     "from a directory",
     "PATH=.:/usr/bin ls"},
    {"ls",
     {"AGENTSH_PLUGIN_PATH=/tmp/x"},
     NULL,
     ASK,
     "from a directory",
     "AGENTSH_PLUGIN_PATH=/tmp/x ls"},
    {"ls",
     {"AGENTSH_MODEL=x"},
     NULL,
     ASK,
     "a variable may change",
     "AGENTSH_MODEL=x ls"},
    {"ls", {"BASH_ENV=x"}, NULL, ASK, "unchecked code", "BASH_ENV=x ls"},
    {"ls",
     {"SHELLOPTS=xtrace"},
     NULL,
     ASK,
     "unchecked code",
     "SHELLOPTS=xtrace ls"},
    {"ls",
     {"BASHOPTS=dotglob"},
     NULL,
     ASK,
     "means to bash",
     "BASHOPTS=dotglob ls"},
    {"rm *.log", {"GLOBIGNORE=a*"}, NULL, ASK, "means to bash", NULL},
    {"cd sub && rm x.o",
     {"CDPATH=/etc"},
     NULL,
     ASK,
     "means to bash",
     "CDPATH=/etc; cd sub && rm x.o"},
    {"ls", {"FOO=x"}, NULL, ASK, "a variable may change", "FOO=x ls"},
    {"git log",
     {"GIT_PAGER=rm a.log"},
     NULL,
     ASK,
     "rm deletes files",
     "GIT_PAGER='rm a.log' git log"},
    {"rm -rf $A",
     {"A=/etc"},
     NULL,
     DENY,
     "/etc, right below /",
     "export A=/etc; rm -rf $A"},
    {"rm -rf \"$A/$B\"",
     {"A=/", "B=etc"},
     NULL,
     DENY,
     "/etc, right below /",
     "export A=/ B=etc; rm -rf \"$A/$B\""},
    {"rm -rf ~/x", {"HOME=/"}, NULL, ASK, "rm deletes", NULL},
    {"rm -rf $PWD", {"PWD=/etc"}, NULL, ASK, "rm deletes", NULL},
    {"rm -rf /$UID", {"UID=none"}, NULL, ASK, "rm deletes", NULL},
    {"ls $x", {"IFS=,"}, NULL, ASK, "", NULL},
    {"ls", {"A=\033[2J"}, NULL, ASK, "invisible", NULL},
    {"cat", {NULL}, "rm -rf ~", ALLOW, "", "cat <<'E'\nrm -rf ~\nE"},
    {"sh", {NULL}, "rm -rf ~", DENY, "your home", "sh <<'E'\nrm -rf ~\nE"},
    {"{ ls; (bash -s); }",
     {NULL},
     "rm -rf ~",
     DENY,
     "your home",
     "{ ls; (bash -s); } <<'E'\nrm -rf ~\nE"},
    {"sh",
     {"A=/etc"},
     "rm -rf $A",
     ASK,
     "rm deletes",
     "export A=/etc; sh <<'E'\nrm -rf $A\nE"},
    {"cat | sh",
     {NULL},
     "ls",
     ASK,
     "runs what it reads",
     "cat <<'E' | cat | sh\nls\nE"},
    {"sh </dev/null", {NULL}, "rm -rf ~", ASK, "", "sh </dev/null"},
    {"python3",
     {NULL},
     "import os; os.system('rm -rf ~')",
     DENY,
     "your home",
     "python3 <<'E'\nimport os; os.system('rm -rf ~')\nE"},
    {"xargs rm", {NULL}, "a.log", ASK, "rm deletes", "xargs rm <<<a.log"},
    {"sh", {NULL}, "", ASK, "", "sh <<<''"},
    {"lsof", {"LANG=C"}, NULL, ASK, "and does more", "LANG=C lsof"},
};

static void
judge_given(const struct world *w, const struct given_row *row,
            struct guard_finding *f)
{
    struct path_context where = {.cwd = w->proj,
                                 .home = w->home,
                                 .workspace = w->proj,
                                 .path = "/usr/bin:/bin:/usr/sbin:/sbin"};
    struct risk_start start = {.variables = row->variables,
                               .input = row->input,
                               .input_n = row->input ? strlen(row->input) : 0};
    struct err e;

    assert_int_equal(
        guard_judge_from(w->policy, row->line, &start, &where, f, &e), 0);
}

static void
what_a_shell_begins_with_counts_as_if_the_line_said_it(void **state)
{
    for (size_t i = 0; i < N_OF(given); i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0}, g = {0};
        CLEANUP_BUF struct buf b = buf_of(65536);
        const struct given_row *r = &given[i];

        judge_given(*state, r, &f);
        if (f.decision != r->decision || !strstr(f.reason, r->reason))
            fail_msg("%s, %s: %s, '%s'", r->line,
                     r->variables[0] ? r->variables[0] : r->input,
                     guard_decision_name(f.decision), f.reason);
        if (!r->like)
            continue;
        judge(*state, r->like, &g, &b);
        if (f.decision != g.decision || f.risk.facts != g.risk.facts ||
            f.profile.profile != g.profile.profile)
            fail_msg("%s: %x %s, and %s: %x %s", r->line, f.risk.facts,
                     f.reason, r->like, g.risk.facts, g.reason);
    }
}

/* A text that no shell here can read, and one that is too long to be read. */
static void
an_input_that_cannot_be_read_is_opaque_where_it_is_run(void **state)
{
    static const char zero[] = "ls\0rm -rf ~";
    char *many = malloc(SYNTAX_LINE_MAX + 2);
    const struct {
        const char *line, *input;
        size_t n;
        bool opaque;
    } inputs[] = {
        {"sh", zero, sizeof(zero) - 1, true},
        {"cat", zero, sizeof(zero) - 1, false},
        {"sh", many, SYNTAX_LINE_MAX + 1, true},
        {"cat", many, SYNTAX_LINE_MAX + 1, false},
    };
    const struct world *w = *state;
    struct path_context where = {
        .cwd = w->proj, .home = w->home, .path = "/usr/bin:/bin"};

    assert_non_null(many);
    memset(many, '\n', SYNTAX_LINE_MAX + 1);
    many[SYNTAX_LINE_MAX + 1] = '\0';
    for (size_t i = 0; i < N_OF(inputs); i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0};
        struct risk_start start = {.input = inputs[i].input,
                                   .input_n = inputs[i].n};

        assert_int_equal(guard_judge_from(w->policy, inputs[i].line, &start,
                                          &where, &f, NULL),
                         0);
        assert_int_equal(!!(f.risk.facts & RISK_OPAQUE), inputs[i].opaque);
    }
    free(many);
}

static void
check_row(const struct world *w, const struct judge_row *row)
{
    CLEANUP_BUF struct buf b = buf_of(65536);
    struct guard_finding f;

    judge(w, row->line, &f, &b);
    if (f.decision != row->decision || f.profile.profile != row->profile ||
        !strstr(f.reason, row->reason) || !strstr(b.p, row->effects))
        fail_msg("%s\n%s, %s: %s, reason '%s', effects '%s'", row->line,
                 guard_decision_name(f.decision),
                 profile_row(f.profile.profile)->name, f.profile.why, f.reason,
                 b.p);
    if (f.decision == GUARD_ALLOW)
        assert_string_equal(f.reason, "");
    else
        assert_true(f.reason[0] && f.rule[0]);
    guard_finding_done(&f);
}

static void
a_line_is_judged_by_all_that_is_known_of_it(void **state)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(*state, &rows[i]);
}

static void
what_is_harmless_or_only_asked_is_never_refused(void **state)
{
    for (size_t i = 0; i < N_OF(not_denied); i++) {
        CLEANUP_BUF struct buf b = buf_of(65536);
        struct guard_finding f;

        judge(*state, not_denied[i], &f, &b);
        if (f.effects.protected_path || f.decision == GUARD_DENY)
            fail_msg("%s: %s", not_denied[i], f.reason);
        guard_finding_done(&f);
    }
}

static void
a_line_that_is_too_long_is_asked_about(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(65536);
    char *line = calloc(1, SYNTAX_LINE_MAX + 2);
    struct guard_finding f;

    assert_non_null(line);
    memset(line, 'a', SYNTAX_LINE_MAX + 1);
    judge(*state, line, &f, &b);
    assert_int_equal(f.decision, GUARD_ASK);
    assert_non_null(strstr(f.reason, "too long"));
    assert_true(f.risk.facts & RISK_OPAQUE);
    guard_finding_done(&f);
    free(line);
}

/* Lines whose analysis could be quadratic, or that name many files. */
static const struct {
    const char *head, *piece;
    size_t times;
    const char *then, *rest;
    size_t rest_times;
} slow[] = {
    {"find", " a", 2000, " -exec rm", " {}", 2000},
    {"rm", " /usr/*/*/zz*", 3000, "", "", 0},
    {"sh -c 'rm ", "{", 7000,
     "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'", "", 0},
    {"tee", " /usr/bin/zz$x", 4000, "; tee", " /usr/bin/zz$x", 4000},
    {"x='", "a b.c(d) ", 13000, "'", "; python3 -c \"$x\"", 7000},
};

static void
a_line_that_costs_much_is_judged_in_time(void **state)
{
    const int64_t enough_us = 10 * 1000 * 1000;

    for (size_t i = 0; i < N_OF(slow); i++) {
        CLEANUP_BUF struct buf line = buf_of(SYNTAX_LINE_MAX);
        CLEANUP_BUF struct buf b = buf_of(65536);
        int64_t start = clock_us();
        struct guard_finding f;

        buf_str(&line, slow[i].head);
        for (size_t n = 0; n < slow[i].times; n++)
            buf_str(&line, slow[i].piece);
        buf_str(&line, slow[i].then);
        for (size_t n = 0; n < slow[i].rest_times; n++)
            buf_str(&line, slow[i].rest);
        judge(*state, line.p, &f, &b);
        if (clock_us() - start > enough_us)
            fail_msg("%.40s…: %d ms", line.p,
                     (int)((clock_us() - start) / 1000));
        guard_finding_done(&f);
    }
}

static const struct {
    const char *workspace, *cwd, *want;
} places[] = {
    {NULL, "/home/u/p/", "/home/u/p"},
    {NULL, "/home/u", NULL},
    {NULL, "/home", NULL},
    {NULL, "/", NULL},
    {"/srv//x", "/", "/srv/x"},
    {"/home/u/.", "/srv", NULL},
    {NULL, NULL, NULL},
};

static void
home_and_what_is_above_it_are_no_workspace(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(places); i++) {
        struct path_context where = {.cwd = places[i].cwd,
                                     .workspace = places[i].workspace,
                                     .home = "/home/u"};
        char out[PATH_MAX];
        const char *got = guard_workspace(&where, out);

        if (!places[i].want)
            assert_null(got);
        else
            assert_string_equal(got, places[i].want);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_judged_by_all_that_is_known_of_it),
        cmocka_unit_test(what_is_harmless_or_only_asked_is_never_refused),
        cmocka_unit_test(
            what_a_shell_begins_with_counts_as_if_the_line_said_it),
        cmocka_unit_test(
            an_input_that_cannot_be_read_is_opaque_where_it_is_run),
        cmocka_unit_test(a_line_that_is_too_long_is_asked_about),
        cmocka_unit_test(a_line_that_costs_much_is_judged_in_time),
        cmocka_unit_test(home_and_what_is_above_it_are_no_workspace),
    };

    return cmocka_run_group_tests_name("guard", tests, world_make, world_drop);
}
