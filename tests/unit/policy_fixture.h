/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_fixture.h - a directory with files, and rules applied in it. */
#ifndef TESTS_POLICY_FIXTURE_H
#define TESTS_POLICY_FIXTURE_H

#include "unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "guard/policy/policy_rule.h"

/* The directory has old.txt, pair and a hard link twin to it, .env, sub/, and
 * the links out -> /tmp, down -> sub, key -> .env, gone -> nowhere. */
static char dir[] = "/tmp/agentsh-policy-XXXXXX";

static void
put(const char *name, const char *text, mode_t mode)
{
    char path[PATH_MAX];
    struct err e = {0};

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (file_write(path, text, strlen(text), mode, &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(chmod(path, mode), 0);
}

static int
make_directory(void **state)
{
    static const char *const links[][2] = {
        {"/tmp", "out"}, {"sub", "down"}, {".env", "key"}, {"nowhere", "gone"}};

    (void)state;
    if (!mkdtemp(dir) || chdir(dir) < 0 || mkdir("sub", 0700) < 0)
        return -1;
    put("old.txt", "old\n", 0644);
    put("pair", "", 0644);
    put(".env", "", 0644);
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
    static const char *const files[] = {
        "old.txt", "pair", "twin",   ".env", "out",         "down",
        "key",     "gone", "system", "user", "home/policy",
    };

    (void)state;
    if (chdir(dir) < 0)
        return -1;
    for (size_t i = 0; i < N_OF(files); i++)
        unlink(files[i]);
    unlink("config/agentsh/policy");
    rmdir("config/agentsh");
    rmdir("config");
    rmdir("sub");
    return chdir("/") < 0 ? -1 : rmdir(dir);
}

static struct policy *
load(const char *rules, struct err *e)
{
    char path[PATH_MAX];

    put("user", rules, 0600);
    snprintf(path, sizeof(path), "%s/user", dir);
    return policy_load_files(NULL, path, NULL, NULL, e);
}

static inline void
judge(const struct policy *p, const char *line, struct policy_verdict *v)
{
    const struct path_context where = {
        .cwd = dir, .home = "/home/me", .path = "/usr/bin:/bin"};
    struct syntax s = {0};
    struct risk r = {0};
    struct err e;

    if (syntax_read(line, strlen(line), &s, &e) < 0 ||
        risk_read(&s, &where, &r, &e) < 0)
        fail_msg("%s: %s", line, e.text);
    policy_judge(p, &r, &where, v);
    risk_done(&r);
    syntax_done(&s);
}

static inline void
check(const struct policy *p, const char *line, enum guard_decision want,
      const char *rule)
{
    struct policy_verdict v;

    judge(p, line, &v);
    if (v.decision != want || (rule && !strstr(v.rule, rule)))
        fail_msg("%s: %s: %s (%s)", line, guard_decision_name(v.decision),
                 v.rule, v.part);
}

#endif
