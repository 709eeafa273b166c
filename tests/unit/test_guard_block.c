/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guard_block.c - a wall's no, said so that a person can go on. */
#include "unit.h"

#include <string.h>

#include "guard/guard_block.h"

#define PATH(u, t)                                                             \
    {                                                                          \
        .use = (u), .known = true, .text = (t), .dir = "/home/u/proj"          \
    }
#define FULL "); run it in the profile full, after a look at what it does"

static const char *const extra[] = {"/tmp/x"};

static const struct {
    unsigned facts;
    struct risk_path path;
    enum profile profile;
    bool net;
    const char *host, *refused;
    size_t n_writable;
    const char *line; /* NULL: no wall stands there */
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
             "what is run or believed later stays as it is" FULL},
    {.path = PATH(RISK_READS, "~/data"),
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: read ~/data (profile workspace-write: your home "
             "directory and the machine's are hidden" FULL},
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
     .line = "blocked: look into another process (profile workspace-write: "
             "ptrace is refused" FULL},
    {.refused = "frob\033",
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: the system call frob\\x1b (profile workspace-write: it "
             "is refused" FULL},
    {.facts = RISK_SUDO,
     .profile = PROFILE_WORKSPACE_WRITE,
     .line = "blocked: become another user (profile workspace-write: sudo "
             "gains nothing behind walls" FULL},
    {.facts = RISK_SUDO, .profile = PROFILE_FULL},
    {.profile = PROFILE_WORKSPACE_WRITE},
};

static void
check_row(size_t i)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct risk_place where = {.cwd = "/home/u/proj", .home = "/home/u"};
    struct risk_path path = rows[i].path;
    struct risk_host host = {.name = rows[i].host};
    struct guard_finding f = {.risk = {.facts = rows[i].facts,
                                       .paths = &path,
                                       .hosts = &host,
                                       .n_paths = path.text ? 1 : 0,
                                       .n_hosts = host.name ? 1 : 0}};
    struct guard_block ran = {.profile = rows[i].profile,
                              .net = rows[i].net,
                              .workspace = "/home/u/proj",
                              .writable = extra,
                              .n_writable = rows[i].n_writable,
                              .refused = &rows[i].refused,
                              .n_refused = rows[i].refused ? 1 : 0};
    bool line = guard_explain_block(&f, &ran, &where, &b);

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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_says_what_it_refused_and_what_to_do),
    };

    return cmocka_run_group_tests_name("guard block", tests, NULL, NULL);
}
