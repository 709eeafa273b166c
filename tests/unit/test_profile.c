/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_profile.c - which profile is chosen for a line. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/profile/profile.h"
#include "guard/profile/profile_keys.h"

struct call_row {
    const char *argv[7];
    unsigned facts;
    const char *path;
};

struct choose_row {
    const char *line,
        *rest; /* a line in which the position of the calls matters */
    unsigned facts;
    struct risk_path paths[3];
    struct call_row calls[3];
    enum profile profile;
    bool net;
    const char *writable; /* "@/x" is $HOME/x */
    const char *why;
    bool no_workspace, elsewhere; /* in a directory that is not known */
    bool owners; /* the profile is one in which owners are shown */
};

#define P(u, t)                                                                \
    {                                                                          \
        .use = (u), .known = true, .text = (t)                                 \
    }
#define READ(t)   P(RISK_READS, t)
#define CHANGE(t) P(RISK_CHANGES, t)
#define DELETE(t) P(RISK_DELETES, t)
#define MAKE(t)   P(RISK_MAKES, t)
#define HOLDER                                                                 \
    {                                                                          \
        .argv = {"lsof", "-i"}, .facts = RISK_HOLDERS | RISK_LOOKS,            \
        .path = "/usr/bin/lsof"                                                \
    }
#define LSOF_FACTS (RISK_HOLDERS | RISK_LOOKS)

/* In $HOME/proj, which holds sub/; $HOME/data lies beside it. */
static const struct choose_row rows[] = {
    {.why = "", .profile = PROFILE_WORKSPACE_WRITE},
    {.paths = {READ("x"), CHANGE("sub/y"), READ("/usr/include/stdio.h")},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.facts = RISK_WRITES,
     .paths = {CHANGE("/dev/null"), MAKE("/dev/tty")},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.facts = RISK_UNKNOWN, .profile = PROFILE_WORKSPACE_WRITE},
    {.facts = RISK_OPAQUE | RISK_DESTRUCTIVE,
     .profile = PROFILE_WORKSPACE_WRITE},
    {.facts = RISK_NETWORK, .profile = PROFILE_WORKSPACE_WRITE, .net = true},
    {.facts = RISK_LOOKS, .profile = PROFILE_OBSERVE, .why = "the machine"},
    {.paths = {READ("~/data")},
     .profile = PROFILE_OBSERVE,
     .why = "reads ~/data"},
    {.calls = {{{"ls", "-l"}, RISK_OWNERS, NULL}, {{"head"}, 0, NULL}},
     .paths = {READ("~/data")},
     .profile = PROFILE_OBSERVE,
     .owners = true,
     .why = "shows who owns what"},
    {.calls = {{{"ls", "-l"}, RISK_OWNERS, NULL},
               {{"./x"}, RISK_UNKNOWN, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"ls", "-l"}, RISK_OWNERS, NULL}},
     .paths = {CHANGE("x")},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"stat"}, RISK_OWNERS, NULL}},
     .facts = RISK_NETWORK,
     .net = true,
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"stat"}, RISK_OWNERS, NULL}},
     .paths = {READ("~/.ssh/id_rsa")},
     .profile = PROFILE_FULL,
     .why = "reads ~/.ssh/id_rsa, which other profiles hide"},
    {.paths = {READ("$HOME/data/*.csv")}, .profile = PROFILE_OBSERVE},
    {.paths = {READ("../data")}, .profile = PROFILE_OBSERVE},
    {.paths = {READ("/var/log/syslog")}, .profile = PROFILE_OBSERVE},
    {.paths = {READ("/proc/meminfo")}, .profile = PROFILE_OBSERVE},
    {.paths = {READ("/var/run/x.pid")}, .profile = PROFILE_OBSERVE},
    {.paths = {READ("~/.ssh/id_rsa")}, .profile = PROFILE_FULL, .why = "hide"},
    {.paths = {READ("~/proj/.env")}, .profile = PROFILE_WORKSPACE_WRITE},
    {.facts = RISK_LOOKS | RISK_WRITES,
     .paths = {MAKE("out.txt")},
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj"},
    {.facts = RISK_LOOKS,
     .paths = {MAKE("/dev/null")},
     .profile = PROFILE_OBSERVE},
    {.facts = RISK_LOOKS | RISK_UNKNOWN,
     .calls = {{{"ps"}, RISK_LOOKS, NULL}, {{"./x"}, RISK_UNKNOWN, NULL}},
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj"},
    {.facts = RISK_LOOKS | RISK_NETWORK,
     .profile = PROFILE_FULL,
     .net = true,
     .why = "contacts hosts, and inspects"},
    {.facts = RISK_NETWORK,
     .paths = {READ("~/data")},
     .profile = PROFILE_FULL,
     .net = true,
     .why = "contacts hosts, and reads ~/data"},
    {.line = "lsof -i",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_OBSERVE_PROC},
    {.line = " lsof -i 2> /dev/null ",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_OBSERVE_PROC},
    {.line = "lsof -i | grep node",
     .facts = LSOF_FACTS,
     .calls = {HOLDER, {{"grep", "node"}, 0, NULL}},
     .rest = "grep node",
     .profile = PROFILE_OBSERVE},
    {.line = "lsof -i 2>/dev/null| grep node; ls",
     .facts = LSOF_FACTS,
     .calls = {HOLDER, {{"grep", "node"}, 0, NULL}},
     .rest = "grep node; ls",
     .profile = PROFILE_OBSERVE},
    {.line = "lsof -i || ls",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_FULL},
    {.line = "lsof -i |& cat",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_FULL},
    {.line = "lsof -i; ls",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_FULL},
    {.line = "x=1 lsof -i",
     .facts = LSOF_FACTS,
     .calls = {HOLDER},
     .profile = PROFILE_FULL},
    {.line = "lsof -i",
     .facts = LSOF_FACTS,
     .calls = {HOLDER, HOLDER},
     .profile = PROFILE_FULL},
    {.line = "lsof -i > ports.txt",
     .facts = LSOF_FACTS | RISK_WRITES,
     .paths = {MAKE("ports.txt")},
     .calls = {HOLDER},
     .profile = PROFILE_FULL,
     .why = "and does more"},
    {.line = "lsof -i | mystery",
     .facts = LSOF_FACTS | RISK_UNKNOWN,
     .calls = {HOLDER, {{"mystery"}, RISK_UNKNOWN, NULL}},
     .rest = "mystery",
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj"},
    {.facts = RISK_SUDO, .profile = PROFILE_FULL, .why = "uses sudo"},
    {.facts = RISK_PRIVILEGED, .profile = PROFILE_FULL, .why = "needs root"},
    {.facts = RISK_ACTS, .profile = PROFILE_FULL, .why = "changes the machine"},
    {.paths = {CHANGE("/etc/hosts")},
     .profile = PROFILE_FULL,
     .why = "writes /etc/hosts, outside the workspace"},
    {.paths = {DELETE("~/data/x")}, .profile = PROFILE_FULL},
    {.paths = {MAKE(".git/hooks/pre-commit")},
     .profile = PROFILE_FULL,
     .why = "run or trusted later"},
    {.paths = {MAKE(".agentsh-old/.agentsh/policy")},
     .profile = PROFILE_FULL,
     .why = "run or trusted later"},
    {.paths = {MAKE(".github/x"), MAKE("a.git/configure")},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.paths = {MAKE("/tmp/agentsh-none")},
     .profile = PROFILE_WORKSPACE_WRITE,
     .writable = "/tmp"},
    {.paths = {{.use = RISK_CHANGES, .text = "$x"}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"systemctl", "status"}, RISK_LOOKS, NULL}},
     .profile = PROFILE_FULL,
     .why = "systemctl uses a service"},
    {.facts = RISK_NETWORK,
     .calls = {{{"git", "-q", "push"}, RISK_NETWORK, NULL}},
     .profile = PROFILE_FULL,
     .net = true,
     .why = "uses your keys"},
    {.facts = RISK_NETWORK,
     .calls = {{{"git", "pull"}, RISK_NETWORK, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE,
     .net = true},
    {.facts = RISK_UNKNOWN,
     .calls = {{{"sum-up", "~/data"}, RISK_UNKNOWN, NULL}},
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj"},
    {.facts = RISK_UNKNOWN,
     .calls = {{{"sum-up", "~/not-there"}, RISK_UNKNOWN, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.paths = {READ("../data")},
     .profile = PROFILE_WORKSPACE_WRITE,
     .elsewhere = true},
    {.calls = {{{"cd", "../data"}, 0, NULL}},
     .profile = PROFILE_OBSERVE,
     .why = "reads ~/data"},
    {.calls = {{{"cd"}, 0, NULL}}, .profile = PROFILE_OBSERVE},
    {.calls = {{{"cd", "sub"}, 0, NULL}}, .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"git", "-C", "../data", "log"}, 0, NULL}},
     .profile = PROFILE_OBSERVE},
    {.calls = {{{"configure", "--with=/proc/self"}, 0, NULL}},
     .profile = PROFILE_OBSERVE},
    {.calls = {{{"[", "-d", "~/data", "]"}, 0, NULL}},
     .profile = PROFILE_OBSERVE},
    {.calls = {{{"test", "-e", "~/none"}, 0, NULL}},
     .profile = PROFILE_OBSERVE,
     .why = "reads ~/none"},
    {.calls = {{{"[", "-e", "~/.ssh/none", "]"}, 0, NULL}},
     .profile = PROFILE_FULL,
     .why = "reads ~/.ssh/none, which other profiles hide"},
    {.calls = {{{"test", "-e", "sub/none"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"crontab", "-l"}, 0, NULL}},
     .profile = PROFILE_FULL,
     .why = "crontab reads files that only root may read"},
    {.calls = {{{"chgrp", "-R", "g", "x"}, 0, NULL}},
     .profile = PROFILE_FULL,
     .why = "changes the owner of files"},
    {.calls = {{{"chmod", "-R", "g+s", "x"}, 0, NULL}},
     .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "2755", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "-x,u+s", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "-x", "s1.sh"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "--", "u+s", "x"}, 0, NULL}},
     .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "-R", "--", "-w,+2000", "x"}, 0, NULL}},
     .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "x", "-x,u+s"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "u+x", "g+s"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "-s,u+x", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "0755", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "u=rws", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "u=rw,g+xs", "x"}, 0, NULL}},
     .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "ug=s,o=", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "a=rwx+s", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "=6755", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "+4000", "x"}, 0, NULL}}, .profile = PROFILE_FULL},
    {.calls = {{{"chmod", "u=rwx,g-s", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "u-s,g=x", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "g=u", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "=755", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "-2000", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"chmod", "g-s", "x"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    {.calls = {{{"echo", "~/*"}, 0, NULL}},
     .profile = PROFILE_OBSERVE,
     .why = "reads ~/*"},
    {.calls = {{{"echo", "/usr", "a=b", "", "=", "~/none"}, 0, NULL}},
     .profile = PROFILE_WORKSPACE_WRITE},
    /* where there is no workspace: in $HOME */
    {.profile = PROFILE_OBSERVE,
     .why = "there is no workspace",
     .no_workspace = true},
    {.facts = RISK_LOOKS, .profile = PROFILE_OBSERVE, .no_workspace = true},
    {.paths = {READ("data"), MAKE("proj/sum.txt")},
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj",
     .no_workspace = true},
    {.paths = {DELETE("proj/sub")},
     .profile = PROFILE_OBSERVE,
     .writable = "@/proj",
     .no_workspace = true},
    {.paths = {MAKE("notes.txt")},
     .profile = PROFILE_FULL,
     .why = "writes ~/notes.txt",
     .no_workspace = true},
    {.paths = {DELETE("proj")}, .profile = PROFILE_FULL, .no_workspace = true},
    {.paths = {MAKE(".config/x/y")},
     .profile = PROFILE_FULL,
     .no_workspace = true},
    {.facts = RISK_NETWORK,
     .profile = PROFILE_WORKSPACE_WRITE,
     .net = true,
     .no_workspace = true},
    {.facts = RISK_NETWORK,
     .paths = {MAKE("proj/x.tar")},
     .profile = PROFILE_WORKSPACE_WRITE,
     .net = true,
     .writable = "@/proj",
     .no_workspace = true},
};

struct world {
    char *home, *proj;
};

static int
world_make(void **state)
{
    static struct world w;
    char template[] = "/var/tmp/profile-XXXXXX";
    char path[PATH_MAX];

    if (!mkdtemp(template))
        return -1;
    w.home = strdup(template);
    w.proj = path_join(w.home, "proj");
    snprintf(path, sizeof(path), "%s/sub", w.proj);
    if (mkdir(w.proj, 0700) < 0 || mkdir(path, 0700) < 0)
        return -1;
    snprintf(path, sizeof(path), "%s/data", w.home);
    *state = &w;
    return mkdir(path, 0700);
}

static int
world_drop(void **state)
{
    static const char *const names[] = {"proj/sub", "proj", "data", ""};
    struct world *w = *state;
    char path[PATH_MAX];

    for (size_t i = 0; i < N_OF(names); i++) {
        snprintf(path, sizeof(path), "%s/%s", w->home, names[i]);
        rmdir(path);
    }
    free(w->home);
    free(w->proj);
    return 0;
}

/* No word of the calls above is an expansion. */
static const unsigned plain[PROFILE_ARGS_MAX];

static void
fill_calls(const struct choose_row *row, struct risk *r, struct risk_call *c)
{
    for (size_t i = 0; i < N_OF(row->calls) && row->calls[i].argv[0]; i++) {
        const struct call_row *from = &row->calls[i];

        c[i] = (struct risk_call){.name = from->argv[0],
                                  .argv = from->argv,
                                  .facts = from->facts,
                                  .path = from->path,
                                  .wrapper = ""};
        while (from->argv[c[i].n])
            c[i].n++;
        c[i].expands = plain;
        c[i].from = row->line && from->path
                        ? (size_t)(strstr(row->line, "lsof") - row->line)
                        : 0;
        c[i].to = c[i].from + strlen("lsof -i");
        r->n_calls++;
    }
    r->calls = c;
}

static void
check_row(const struct world *w, const struct choose_row *row, size_t i)
{
    struct path_context where = {.home = w->home};
    struct risk_path paths[N_OF(row->paths)];
    struct risk_call calls[N_OF(row->calls)];
    struct risk r = {.facts = row->facts, .paths = paths};
    struct profile_choice c;
    char writable[PATH_MAX] = "";
    struct err e;

    memcpy(paths, row->paths, sizeof(paths));
    while (r.n_paths < N_OF(paths) && paths[r.n_paths].text)
        r.n_paths++;
    fill_calls(row, &r, calls);
    where.cwd = row->no_workspace ? w->home : w->proj;
    for (size_t k = 0; k < r.n_paths; k++)
        paths[k].dir = row->elsewhere ? NULL : where.cwd;
    assert_int_equal(profile_choose(&r, row->line ? row->line : "", &where,
                                    row->no_workspace ? NULL : w->proj, &c, &e),
                     0);
    if (c.profile != row->profile || c.net != row->net)
        fail_msg("row %zu: %s%s, not %s: %s", i, profile_row(c.profile)->name,
                 c.net ? " + net" : "", profile_row(row->profile)->name, c.why);
    if (row->why && !strstr(c.why, row->why))
        fail_msg("row %zu: why is '%s', not '%s'", i, c.why, row->why);
    if (row->writable && row->writable[0] == '@')
        snprintf(writable, sizeof(writable), "%s%s", w->home,
                 row->writable + 1);
    else if (row->writable)
        snprintf(writable, sizeof(writable), "%s", row->writable);
    assert_string_equal(c.n_writable ? c.writable[0] : "", writable);
    assert_true(c.n_writable <= 1);
    assert_int_equal(c.owners, row->owners && geteuid() != 0);
    assert_string_equal(c.rest ? c.rest : "", row->rest ? row->rest : "");
    profile_choice_done(&c);
}

static void
a_line_gets_the_strictest_profile_that_can_do_its_work(void **state)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(*state, &rows[i], i);
}

static const struct {
    const char *config; /* of the repository; NULL: there is none */
    const char *argv[6];
    unsigned facts;
    bool keys;
} gits[] = {
    {NULL, {"git", "pull"}, RISK_NETWORK, false},
    {NULL, {"git", "-C", "sub", "push"}, RISK_NETWORK, true},
    {NULL, {"git", "clone", "git@h.org:a/b"}, RISK_NETWORK, true},
    {NULL, {"git", "clone", "ssh://h.org/a"}, RISK_NETWORK, true},
    {NULL, {"git", "clone", "https://h.org/a"}, RISK_NETWORK, false},
    {NULL, {"git", "archive", "--remote=h:a", "HEAD"}, RISK_NETWORK, true},
    {"[remote \"o\"]\nurl = h.org:a/b\n", {"git", "log"}, 0, false},
    {"[remote \"o\"]\nurl = h.org:a/b\n", {"git", "pull"}, RISK_NETWORK, true},
    {"[remote \"o\"]\nurl = https://h.org/a\n",
     {"git", "pull"},
     RISK_NETWORK,
     false},
    {"[remote \"o\"]\nurl = h.org:a/b\n",
     {"git", "fetch", "https://h.org/a"},
     RISK_NETWORK,
     false},
    {"[remote \"o\"]\nurl = https://h.org/a\n[credential]\nhelper = store\n",
     {"git", "fetch"},
     RISK_NETWORK,
     true},
    {"[remote \"o\"]\nurl = https://h/a\n"
     "[url \"git@h:\"]\ninsteadOf = https://h/\n",
     {"git", "remote", "update"},
     RISK_NETWORK,
     true},
    {"[submodule \"o\"]\nurl = ssh://h.org/a\n",
     {"git", "submodule", "update"},
     RISK_NETWORK,
     true},
    {"[remote \"o\"]\nurl = ../b\n", {"git", "fetch"}, RISK_NETWORK, false},
    {"[url \"git@h:\"]\ninsteadOf = https://h/\n",
     {"git", "fetch", "https://h/a"},
     RISK_NETWORK,
     true},
    {NULL, {"git", "-c", "core.sshCommand=./x", "fetch"}, RISK_NETWORK, true},
    {NULL, {"git", "-c", "color.ui=false", "fetch"}, RISK_NETWORK, false},
    {NULL,
     {"git", "-c", "url.ssh://h/.insteadOf=https://h/", "fetch"},
     RISK_NETWORK,
     true},
    {NULL, {"git", "-c", "include.path=~/more", "fetch"}, RISK_NETWORK, true},
    {NULL,
     {"git", "clone", "--config=core.sshCommand=./x", "https://h/a"},
     RISK_NETWORK,
     true},
    {NULL,
     {"git", "clone", "--conf", "core.sshCommand=./x", "https://h/a"},
     RISK_NETWORK,
     true},
    {NULL,
     {"git", "clone", "-ccore.sshCommand=./x", "https://h/a"},
     RISK_NETWORK,
     true},
    {NULL,
     {"git", "clone", "-qc", "core.sshCommand=./x", "https://h/a"},
     RISK_NETWORK,
     true},
    {NULL,
     {"git", "clone", "--config=color.ui=false", "https://h/a"},
     RISK_NETWORK,
     false},
    {NULL,
     {"git", "clone", "-qccolor.ui=false", "https://h/a"},
     RISK_NETWORK,
     false},
    {NULL, {"git", "--config-env=a.b=C", "fetch"}, RISK_NETWORK, true},
    {NULL, {"git", "--exec-path=bin", "fetch"}, RISK_NETWORK, true},
    {"[remote \"o\"]\nurl = h.org:a/b\n",
     {"git", "--git-dir", "/nowhere", "fetch"},
     RISK_NETWORK,
     false},
    {"[remote \"o\"]\nurl = h.org:a/b\n",
     {"git", "-C", "sub", "--git-dir=../.git", "fetch"},
     RISK_NETWORK,
     true},
    {"[remote \"o\"]\nurl = h.org:a/b\n",
     {"git", "-C", "/", "fetch"},
     RISK_NETWORK,
     false},
    {"[remote \"o\"]\nurl = h.org:a/b\n",
     {"git", "fetch", "-C", "/"},
     RISK_NETWORK,
     true},
    {"[include]\npath = ../../more\n", {"git", "fetch"}, RISK_NETWORK, true},
    {"[includeIf \"gitdir:~/other/\"]\npath = ~/more\n",
     {"git", "fetch"},
     RISK_NETWORK,
     true},
    {"[include]\npath = config\n", {"git", "fetch"}, RISK_NETWORK, true},
    {"[include]\npath = ../nothing\n", {"git", "fetch"}, RISK_NETWORK, false},
    {NULL, {"rsync", "-a", ".", "h:x"}, RISK_NETWORK, true},
    {NULL, {"rsync", "-a", "a", "b"}, 0, false},
    {NULL, {"rsync", "-a", "h::x", "b"}, RISK_NETWORK, false},
    {NULL, {"rsync", "-a", "rsync://h/x", "b"}, RISK_NETWORK, false},
    {NULL, {"borg", "list", "ssh://h/r"}, RISK_NETWORK, true},
    {NULL, {"npm", "publish"}, RISK_NETWORK, true},
    {NULL, {"npm", "view", "x"}, RISK_NETWORK, false},
};

static void
write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* git looks for it in the directory, or in one above. */
static void
write_config(const char *git, const char *text)
{
    char path[PATH_MAX + 16];

    snprintf(path, sizeof(path), "%s/config", git);
    (void)unlink(path);
    (void)rmdir(git);
    if (!text)
        return;
    assert_int_equal(mkdir(git, 0700), 0);
    write_file(path, text);
}

static void
what_logs_in_with_keys_gets_no_walls(void **state)
{
    const struct world *w = *state;
    char git[PATH_MAX], more[PATH_MAX];

    snprintf(more, sizeof(more), "%s/more", w->home);
    write_file(more, "[remote \"m\"]\nurl = h.org:a/b\n");
    snprintf(git, sizeof(git), "%s/.git", w->proj);
    for (size_t i = 0; i < N_OF(gits); i++) {
        struct choose_row row = {
            .facts = gits[i].facts,
            .profile = gits[i].keys ? PROFILE_FULL : PROFILE_WORKSPACE_WRITE,
            .why = gits[i].keys ? "uses your keys" : "",
            .net = gits[i].facts & RISK_NETWORK};

        memcpy(row.calls[0].argv, gits[i].argv, sizeof(gits[i].argv));
        row.calls[0].facts = gits[i].facts;
        write_config(git, gits[i].config);
        check_row(w, &row, i);
    }
    write_config(git, NULL);
    assert_int_equal(unlink(more), 0);
}

/* Whether `git fetch` in the project uses keys. The alarm ends a reading that
 * does not end. */
static bool
fetch_uses_keys(const struct world *w)
{
    static const char line[] = "git fetch";
    const struct path_context where = {.cwd = w->proj, .home = w->home};
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    bool keys;

    assert_int_equal(syntax_read(line, strlen(line), &s, NULL), 0);
    assert_int_equal(risk_read(&s, &where, &r, NULL), 0);
    assert_int_equal(r.n_calls, 1);
    alarm(20);
    keys = profile_call_uses_keys(&r.calls[0], &r, &where);
    alarm(0);
    return keys;
}

#define INCLUDES 100 /* of one file */
#define FILES    6   /* each is included by the one before */

/* The file includes another file so many times. */
static void
write_includes(const char *dir, const char *name, const char *other)
{
    char text[INCLUDES * 32] = "", path[PATH_MAX + 32];
    size_t n = 0;

    for (int i = 0; i < INCLUDES; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n,
                              "[include]\npath = %s\n", other);
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    write_file(path, text);
}

static void
a_repository_that_includes_without_end_uses_keys(void **state)
{
    const struct world *w = *state;
    char git[PATH_MAX], path[PATH_MAX + 32], name[16] = "config", other[16];

    snprintf(git, sizeof(git), "%s/.git", w->proj);
    write_config(git, "");
    assert_false(fetch_uses_keys(w));
    write_includes(git, "config", "config");
    assert_true(fetch_uses_keys(w));
    write_includes(git, "config", "nothing");
    assert_true(fetch_uses_keys(w));
    for (int i = 0; i < FILES; i++) {
        snprintf(other, sizeof(other), "f%d", i);
        write_includes(git, name, other);
        memcpy(name, other, sizeof(name));
    }
    snprintf(path, sizeof(path), "%s/%s", git, name);
    write_file(path, "");
    assert_true(fetch_uses_keys(w));
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof(path), "%s/f%d", git, i);
        assert_int_equal(unlink(path), 0);
    }
    write_config(git, NULL);
}

static const struct {
    const char *text;
    bool keys;
} modules[] = {
    {"[submodule \"a\"]\nurl = h.org:a/b\n", true},
    {"[submodule \"a\"]\nurl = https://h.org/a\n", false},
    {"[include]\npath = .git/more\n", false},
    {"[credential]\nhelper = store\n", false},
    {"[url \"git@h:\"]\ninsteadOf = https://h/\n", false},
};

static void
of_gitmodules_only_the_addresses_count(void **state)
{
    const struct world *w = *state;
    char git[PATH_MAX], more[PATH_MAX + 32], path[PATH_MAX + 32];

    snprintf(git, sizeof(git), "%s/.git", w->proj);
    snprintf(more, sizeof(more), "%s/more", git);
    snprintf(path, sizeof(path), "%s/.gitmodules", w->proj);
    write_config(git, "");
    write_file(more, "[remote \"o\"]\nurl = h.org:a/b\n");
    for (size_t i = 0; i < N_OF(modules); i++) {
        write_file(path, modules[i].text);
        if (fetch_uses_keys(w) != modules[i].keys)
            fail_msg("%s", modules[i].text);
    }
    write_includes(w->proj, ".gitmodules", ".gitmodules");
    assert_false(fetch_uses_keys(w));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(more), 0);
    write_config(git, NULL);
}

static const struct {
    const char *line;
    bool keys;
} lines[] = {
    {"git fetch https://h/a", false},
    {"GIT_DIR=/x/.git git fetch https://h/a", true},
    {"export GIT_CONFIG_GLOBAL=x; git fetch https://h/a", true},
    {"GIT_AUTHOR_NAME=x git fetch https://h/a", false},
    {"git -C \"$d\" fetch https://h/a", true},
    {"cd \"$d\" && git fetch", true},
};

static void
what_cannot_be_known_of_git_may_log_in(void **state)
{
    const struct world *w = *state;
    const struct path_context where = {.cwd = w->proj, .home = w->home};

    for (size_t i = 0; i < N_OF(lines); i++) {
        CLEANUP(syntax_done) struct syntax s = {0};
        CLEANUP(risk_done) struct risk r = {0};
        const char *line = lines[i].line;
        bool keys = false;

        assert_int_equal(syntax_read(line, strlen(line), &s, NULL), 0);
        assert_int_equal(risk_read(&s, &where, &r, NULL), 0);
        for (size_t k = 0; k < r.n_calls; k++)
            keys |= profile_call_uses_keys(&r.calls[k], &r, &where);
        if (keys != lines[i].keys)
            fail_msg("%s", line);
    }
}

static void
every_profile_is_found_by_its_name(void **state)
{
    enum profile p = PROFILE_FULL;

    (void)state;
    for (int i = 0; i < PROFILE_N; i++) {
        assert_true(profile_find(profile_row((enum profile)i)->name, &p));
        assert_int_equal(p, i);
        assert_true(strlen(profile_row(p)->help) > 10);
    }
    p = PROFILE_PLUGIN;
    assert_false(profile_find("Full", &p));
    assert_false(profile_find("", &p));
    assert_int_equal(p, PROFILE_PLUGIN);
}

static const struct {
    const char *text, *path;
    bool cut;
} places[] = {
    {"x", "/w/d/x", false},
    {"../../..", "/", false},
    {"~", "/h", false},
    {"~/a//b/./c/..", "/h/a/b", false},
    {"${HOME}/x", "/h/x", false},
    {"$PWD/x", "/w/d/x", false},
    {"$HOMES/x", NULL, false},
    {"~bob/x", NULL, false},
    {"$(pwd)/x", "/w/d/x", false},
    {"$(hostname)", NULL, false},
    {"/a/b/*.c", "/a/b", true},
    {"*.c", "/w/d", true},
    {"a/{b,c}", "/w/d/a", true},
    {"", "/w/d", false},
    {"///", "/", false},
};

static void
a_path_is_made_absolute_by_its_spelling(void **state)
{
    struct path_context where = {.cwd = "/w", .home = "/h"};
    char out[PATH_MAX];
    bool cut;

    (void)state;
    for (size_t i = 0; i < N_OF(places); i++) {
        bool ok = path_absolute(places[i].text, "/w/d", &where, out, &cut);

        assert_int_equal(ok, places[i].path != NULL);
        if (!ok)
            continue;
        assert_string_equal(out, places[i].path);
        assert_int_equal(cut, places[i].cut);
    }
    assert_string_equal(path_short("/h/x", "/h", out), "~/x");
    assert_string_equal(path_short("/hh", "/h", out), "/hh");
    assert_string_equal(path_short("/", "/", out), "/");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_cannot_be_known_of_git_may_log_in,
                                        world_make, world_drop),
        cmocka_unit_test_setup_teardown(what_logs_in_with_keys_gets_no_walls,
                                        world_make, world_drop),
        cmocka_unit_test_setup_teardown(
            a_repository_that_includes_without_end_uses_keys, world_make,
            world_drop),
        cmocka_unit_test_setup_teardown(of_gitmodules_only_the_addresses_count,
                                        world_make, world_drop),
        cmocka_unit_test(every_profile_is_found_by_its_name),
        cmocka_unit_test(a_path_is_made_absolute_by_its_spelling),
        cmocka_unit_test_setup_teardown(
            a_line_gets_the_strictest_profile_that_can_do_its_work, world_make,
            world_drop),
    };

    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
