/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_denial.c - what the sandbox denied, and what would help. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard/denial.h"

#define PATH(u, t)                                                             \
    {                                                                          \
        .use = (u), .known = true, .text = (t), .dir = "/home/u/proj"          \
    }
#define FULL "); run it in the profile full, after checking what it does"

static const char *const extra[] = {"/tmp/x"};

static const struct {
    unsigned facts;
    struct risk_path path;
    enum profile profile;
    bool net;
    const char *host, *refused;
    size_t n_writable;
    const char *line; /* NULL: the sandbox denied nothing */
} rows[] = {
    {.path = PATH(RISK_CHANGES, "/etc/hosts"),
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: write /etc/hosts (profile workspace-write: only ~/proj "
             "is writable" FULL},
    {.path = PATH(RISK_MAKES, "~/x"),
     .profile = PROFILE_WORKSPACE_WRITE,
     .n_writable = 1,
     .line = "blocked: write ~/x (profile workspace-write: only ~/proj, "
             "/tmp/x are writable" FULL},
    {.path = PATH(RISK_MAKES, "x"),
     .profile = PROFILE_OBSERVE,
     .line = "blocked: write ~/proj/x (profile observe: nothing is "
             "writable); run it in the profile workspace-write"},
    {.path = PATH(RISK_MAKES, "/tmp/x/y"),
     .profile = PROFILE_OBSERVE,
     .n_writable = 1},
    {.path = PATH(RISK_MAKES, "x"), .profile = PROFILE_WORKSPACE_WRITE},
    {.path = PATH(RISK_MAKES, "/dev/null"), .profile = PROFILE_READ_ONLY},
    {.path = PATH(RISK_CHANGES, ".git/config"),
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: write ~/proj/.git/config (profile workspace-write: "
             "files that are run or trusted later are read-only" FULL},
    {.path = PATH(RISK_READS, "~/data"),
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: read ~/data (profile workspace-write: home "
             "directories are hidden" FULL},
    {.path = PATH(RISK_READS, "~/data"), .profile = PROFILE_OBSERVE},
    {.path = PATH(RISK_READS, "~/.ssh/id_rsa"),
     .profile = PROFILE_OBSERVE,
     .line = "blocked: read ~/.ssh/id_rsa (profile observe: keys are "
             "hidden" FULL},
    {.facts = RISK_NETWORK,
     .host = "example.org",
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: contact example.org (profile workspace-write: the "
             "network is off); run it with the network on (--net)"},
    {.facts = RISK_NETWORK,
     .host = "example.org",
     .net = true,
     .profile = PROFILE_WORKSPACE_WRITE},
    {.refused = "socket",
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: open a connection (profile workspace-write: the "
             "network is off); run it with the network on (--net)"},
    {.refused = "socket",
     .net = true,
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: open a connection (profile workspace-write: only "
             "internet connections are open" FULL},
    {.refused = "ptrace",
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: inspect another process (profile workspace-write: "
             "ptrace is refused" FULL},
    {.refused = "utimensat",
     .profile = PROFILE_READ_ONLY,
     .line = "blocked: change the times of a file (profile read-only: nothing "
             "is writable); run it in the profile workspace-write"},
    {.refused = "frob\033",
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: the system call frob\\x1b (profile workspace-write: it "
             "is refused" FULL},
    {.facts = RISK_SUDO,
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: become another user (profile workspace-write: sudo "
             "does not work in the sandbox" FULL},
    {.facts = RISK_SUDO, .profile = PROFILE_FULL},
    {.profile = PROFILE_WORKSPACE_WRITE},
};

static void
check_row(size_t i)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct path_context where = {.cwd = "/home/u/proj", .home = "/home/u"};
    struct risk_path path = rows[i].path;
    struct risk_host host = {.name = rows[i].host};
    struct guard_finding f = {.risk = {.facts = rows[i].facts,
                                       .paths = &path,
                                       .hosts = &host,
                                       .n_paths = path.text ? 1 : 0,
                                       .n_hosts = host.name ? 1 : 0}};
    struct denial_run ran = {.profile = rows[i].profile,
                             .net = rows[i].net,
                             .workspace = "/home/u/proj",
                             .writable = extra,
                             .n_writable = rows[i].n_writable,
                             .calls = &rows[i].refused,
                             .n_calls = rows[i].refused ? 1 : 0};
    bool line = denial_explain(&f, &ran, &where, NULL, &b);

    assert_int_equal(line, rows[i].line != NULL);
    assert_string_equal(b.p, rows[i].line ? rows[i].line : "");
}

static void
a_wall_says_what_it_refused_and_what_to_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(i);
}

/* What a step reported, and the remedy for it. The paths are created below a
 * directory of the test. */
struct output {
    const char *output;
    enum profile profile;
    bool net, auto_approved;
    enum denial_remedy_kind kind;
    const char *path; /* below the directory */
};

static const struct output output[] = {
    {"cp: cannot create regular file '@/out/a': Read-only file system\n",
     PROFILE_WORKSPACE_WRITE, false, false, DENIAL_REMEDY_WRITE, "/out"},
    {"[Errno 30] Read-only file system: '@/out/deep/a'\nbye\n", PROFILE_OBSERVE,
     false, false, DENIAL_REMEDY_WRITE, "/out"},
    {"open @/out/a: permission denied", PROFILE_OBSERVE, false, false,
     DENIAL_REMEDY_NONE, ""},
    {"open @/out/a: read-only file system", PROFILE_WORKSPACE_WRITE, true,
     false, DENIAL_REMEDY_WRITE, "/out"},
    {"bash: line 1: ../out/a: Read-only file system", PROFILE_WORKSPACE_WRITE,
     false, false, DENIAL_REMEDY_WRITE, "/out"},
    {"touch: cannot touch 'a': Read-only file system", PROFILE_READ_ONLY, false,
     true, DENIAL_REMEDY_APPROVAL, ""},
    /* no approval would make these writable */
    {"find: '/root': Permission denied", PROFILE_OBSERVE, false, true,
     DENIAL_REMEDY_NONE, ""},
    {"touch: cannot touch '.git/config': Read-only file system",
     PROFILE_READ_ONLY, false, true, DENIAL_REMEDY_NONE, ""},
    /* the hidden path was to be read */
    {"ls: cannot open directory '@/out': Permission denied",
     PROFILE_WORKSPACE_WRITE, false, false, DENIAL_REMEDY_READ, ""},
    {"cp: can't stat '@/out/note': No such file or directory",
     PROFILE_WORKSPACE_WRITE, false, false, DENIAL_REMEDY_READ, ""},
    {"cat: @/out/note: No such file or directory", PROFILE_WORKSPACE_WRITE,
     false, false, DENIAL_REMEDY_READ, ""},
    /* observe can read it already; with the network it cannot have more */
    {"cat: @/out/note: No such file or directory", PROFILE_OBSERVE, false,
     false, DENIAL_REMEDY_NONE, ""},
    {"cat: @/out/note: No such file or directory", PROFILE_WORKSPACE_WRITE,
     true, false, DENIAL_REMEDY_NONE, ""},
    {"x: @/out/new: No such file or directory", PROFILE_WORKSPACE_WRITE, false,
     false, DENIAL_REMEDY_WRITE, "/out"},
    {"x: @/out/new: No such file or directory", PROFILE_OBSERVE, false, false,
     DENIAL_REMEDY_NONE, ""},
    {"cat: @/none/none: No such file or directory", PROFILE_WORKSPACE_WRITE,
     false, false, DENIAL_REMEDY_NONE, ""},
    /* a report alone does not make these readable */
    {"x: @/a: Read-only file system", PROFILE_WORKSPACE_WRITE, false, false,
     DENIAL_REMEDY_NONE, ""},
    {"x: @/.config/a: Read-only file system", PROFILE_WORKSPACE_WRITE, false,
     false, DENIAL_REMEDY_NONE, ""},
    {"x: @/link/a: Read-only file system", PROFILE_WORKSPACE_WRITE, false,
     false, DENIAL_REMEDY_NONE, ""},
    {"x: /etc/hosts: Read-only file system", PROFILE_WORKSPACE_WRITE, false,
     false, DENIAL_REMEDY_NONE, ""},
    {"cat: @/.ssh/id_rsa: No such file or directory", PROFILE_WORKSPACE_WRITE,
     false, false, DENIAL_REMEDY_NONE, ""},
    {"x: @/proj/a: Permission denied", PROFILE_WORKSPACE_WRITE, false, false,
     DENIAL_REMEDY_NONE, ""},
    {"x: @/out/new: Permission denied", PROFILE_WORKSPACE_WRITE, false, false,
     DENIAL_REMEDY_READ, ""},
    {"nothing of the kind\n\n", PROFILE_WORKSPACE_WRITE, false, false,
     DENIAL_REMEDY_NONE, ""},
};

/* Without mounts, a path that is missing or may be read was to be written. */
static const struct output output_reduced[] = {
    {"x: @/out/new: Permission denied", PROFILE_REDUCED, false, false,
     DENIAL_REMEDY_WRITE, "/out"},
    {"touch: cannot touch 'a': Permission denied", PROFILE_READ_ONLY, false,
     true, DENIAL_REMEDY_APPROVAL, ""},
    {"x: @/out/note: Permission denied", PROFILE_OBSERVE, false, false,
     DENIAL_REMEDY_WRITE, "/out"},
    {"cat: @/out/note: Permission denied", PROFILE_REDUCED, false, false,
     DENIAL_REMEDY_READ, ""},
    {"cat: @/out/note: Permission denied", PROFILE_REDUCED, true, false,
     DENIAL_REMEDY_NONE, ""},
    {"x: /tmp/agentsh-none: Permission denied", PROFILE_REDUCED, false, false,
     DENIAL_REMEDY_NONE, ""},
    {"x: @/.config/a: Permission denied", PROFILE_REDUCED, false, false,
     DENIAL_REMEDY_NONE, ""},
};

static void
check_output(const char *top, const struct output *row, bool reduced)
{
    CLEANUP_BUF struct buf text = buf_of(4096), out = buf_of(4096);
    CLEANUP_BUF struct buf proj = buf_of(4096), path = buf_of(4096);
    const char *at = strchr(row->output, '@');
    struct guard_finding f = {0};
    struct denial_remedy gain;

    buf_printf(&proj, "%s/proj", top);
    buf_printf(&path, "%s%s", row->path[0] ? top : "", row->path);
    buf_printf(&text, "%.*s%s%s", at ? (int)(at - row->output) : 0, row->output,
               at ? top : "", at ? at + 1 : row->output);
    {
        const struct path_context where = {
            .cwd = proj.p, .home = top, .path = "/usr/bin"};
        const struct denial_run ran = {.profile = row->profile,
                                       .reduced = reduced,
                                       .net = row->net,
                                       .workspace = proj.p,
                                       .auto_approved = row->auto_approved,
                                       .asks_next = true,
                                       .stderr_text = text.p,
                                       .stderr_len = text.len};

        assert_int_equal(denial_explain(&f, &ran, &where, &gain, &out),
                         row->kind != DENIAL_REMEDY_NONE);
    }
    if (gain.kind != row->kind)
        fail_msg("%s: %d, not %d", text.p, (int)gain.kind, (int)row->kind);
    assert_string_equal(gain.path, path.p);
    assert_null(strstr(out.p, "run it"));
}

static void
what_a_step_says_it_was_denied_is_offered(void **state)
{
    static const char *const dirs[] = {"proj", "out", ".config", ".ssh"};
    static const char *const made[] = {
        "out/note", ".ssh/id_rsa", "link", "proj",
        "out",      ".config",     ".ssh", ""};
    char top[] = "/var/tmp/agentsh-block-XXXXXX", path[128], to[128];

    (void)state;
    assert_non_null(mkdtemp(top));
    for (size_t i = 0; i < N_OF(dirs); i++) {
        snprintf(path, sizeof(path), "%s/%s", top, dirs[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof(path), "%s/out/note", top);
    close(creat(path, 0600));
    snprintf(path, sizeof(path), "%s/.ssh/id_rsa", top);
    close(creat(path, 0600));
    snprintf(path, sizeof(path), "%s/link", top);
    snprintf(to, sizeof(to), "%s/.config", top);
    assert_int_equal(symlink(to, path), 0);
    for (size_t i = 0; i < N_OF(output); i++)
        check_output(top, &output[i], false);
    for (size_t i = 0; i < N_OF(output_reduced); i++)
        check_output(top, &output_reduced[i], true);
    for (size_t i = 0; i < N_OF(made); i++) {
        snprintf(path, sizeof(path), "%s/%s", top, made[i]);
        assert_int_equal(remove(path), 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_step_says_it_was_denied_is_offered),
        cmocka_unit_test(a_wall_says_what_it_refused_and_what_to_do),
    };

    return cmocka_run_group_tests_name("guard block", tests, NULL, NULL);
}
