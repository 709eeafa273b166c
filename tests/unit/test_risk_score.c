/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_risk_score.c - measures how often the analysis of a line is right.
 *
 * Reads the .jsonl files of tests/data/risk (README there), or the file that
 * RISK_CORPUS names; each line in an empty directory with the files that it
 * asks for. Prints what was missed, and the median time of a line. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "guard/risk/risk.h"
#include "json/json.h"

#define CORPUS_MAX (16 * 1024 * 1024)
#define TIMED      9 /* rounds, of which the best counts */
#define LINES_MAX  20000

struct count {
    unsigned hit, missed, wrong, right; /* of what is, of what is not */
};

static struct {
    struct count destructive, obfuscated, lookalike, sudo, network;
    unsigned soft_wrong, soft;
    int64_t times[LINES_MAX]; /* nanoseconds */
    size_t n;
} score;

static char scratch[] = "/tmp/score.XXXXXX";

static void
count(struct count *c, bool is, bool found)
{
    if (is)
        ++*(found ? &c->hit : &c->missed);
    else
        ++*(found ? &c->wrong : &c->right);
}

static int
remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s;
    (void)kind;
    return at->level == 0 ? 0 : remove(path);
}

static void
empty_scratch(void)
{
    nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Makes a file below the scratch directory, and its directories. */
static void
plant(const char *name)
{
    char path[PATH_MAX];
    size_t n = strlen(scratch);
    int fd;

    if (name[0] == '/' || name[0] == '~' || strstr(name, ".."))
        return;
    snprintf(path, sizeof(path), "%s/%s", scratch, name);
    for (char *p = path + n + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(path, 0700);
    }
    if (path[strlen(path) - 1] == '/')
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) {
        assert_int_equal(write(fd, "x\n", 2), 2);
        close(fd);
    }
}

static unsigned
read_facts(const char *cmd, char *why, size_t size)
{
    struct path_context where = {
        .cwd = scratch, .home = scratch, .path = "/usr/bin:/bin"};
    struct syntax s;
    struct risk r;
    struct err e;
    unsigned facts;

    assert_int_equal(syntax_read(cmd, strlen(cmd), &s, &e), 0);
    assert_int_equal(risk_read(&s, &where, &r, &e), 0);
    facts = r.facts;
    why[0] = '\0';
    for (size_t i = 0; i < r.n_reasons; i++) {
        size_t n = strlen(why);

        snprintf(why + n, size - n, "; %s", r.reasons[i].text);
    }
    risk_done(&r);
    syntax_done(&s);
    return facts;
}

static void
time_line(const char *cmd)
{
    char why[4096];
    int64_t best = INT64_MAX;

    for (int i = 0; i < TIMED; i++) {
        struct timespec a, b;
        int64_t took;

        clock_gettime(CLOCK_MONOTONIC, &a);
        read_facts(cmd, why, sizeof(why));
        clock_gettime(CLOCK_MONOTONIC, &b);
        took = (b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec;
        best = took < best ? took : best;
    }
    score.times[score.n++] = best;
}

static bool
flag(const struct json *row, const char *name)
{
    bool value = false;

    json_bool(json_get(row, name), &value);
    return value;
}

static bool
tell(const char *what, bool is, bool found, const char *cmd, const char *why)
{
    if (is != found)
        fprintf(stderr, "# %s %s: %s  [%s]\n", is ? "missed" : "false", what,
                cmd, why);
    return is != found;
}

static void
judge(const struct json *row)
{
    const char *cmd = json_get_str(row, "cmd");
    const char *cat = json_get_str(row, "cat");
    const struct json *exists = json_get(row, "exists");
    char why[4096];
    unsigned facts;
    bool destructive, root, network, wrong;

    assert_non_null(cmd);
    assert_non_null(cat);
    empty_scratch();
    for (const struct json *f = json_first(exists); f; f = json_next(f))
        plant(json_str(f, NULL));
    facts = read_facts(cmd, why, sizeof(why));
    destructive = facts & RISK_DESTRUCTIVE;
    root = facts & (RISK_SUDO | RISK_PRIVILEGED);
    network = facts & RISK_NETWORK;
    wrong = tell("destructive", flag(row, "destructive"), destructive, cmd,
                 why);
    wrong |= tell("sudo", flag(row, "sudo"), root, cmd, why);
    wrong |= tell("network", flag(row, "network"), network, cmd, why);
    if (score.n < LINES_MAX)
        time_line(cmd);
    if (flag(row, "soft")) {
        score.soft++;
        score.soft_wrong += wrong;
        return;
    }
    count(&score.destructive, flag(row, "destructive"), destructive);
    if (strcmp(cat, "obfuscated") == 0)
        count(&score.obfuscated, flag(row, "destructive"), destructive);
    if (strcmp(cat, "benign-lookalike") == 0)
        count(&score.lookalike, flag(row, "destructive"), destructive);
    count(&score.sudo, flag(row, "sudo"), root);
    count(&score.network, flag(row, "network"), network);
}

static void
read_corpus(const char *path)
{
    CLEANUP_BUF struct buf b = buf_of(CORPUS_MAX);
    struct err e;

    assert_int_equal(file_read(path, &b, &e), 0);
    for (char *line = b.p, *end; *line; line = end + 1) {
        CLEANUP(json_free_p) struct json *row = NULL;

        end = strchr(line, '\n');
        if (!end)
            break;
        row = json_parse(line, (size_t)(end - line), 0, &e);
        if (!row)
            fail_msg("%s: %s", path, e.text);
        judge(row);
    }
}

static double
share(unsigned part, unsigned other)
{
    return part + other ? (double)part / (part + other) : 1.0;
}

static int
compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void
lines_are_read_right(void **state)
{
    const char *named = getenv("RISK_CORPUS"), *top = getenv("top_srcdir");
    char pattern[PATH_MAX];
    glob_t found;

    (void)state;
    snprintf(pattern, sizeof(pattern), "%s/tests/data/risk/*.jsonl",
             top ? top : "..");
    assert_int_equal(glob(named ? named : pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_corpus(found.gl_pathv[i]);
    globfree(&found);
    qsort(score.times, score.n, sizeof(score.times[0]), compare);
    fprintf(stderr,
            "# %zu lines, %.1f us each (median)\n"
            "# destructive: recall %.3f, false %.3f\n"
            "# obfuscated recall %.3f, look-alikes false %.3f\n"
            "# sudo: precision %.3f, recall %.3f\n"
            "# network: precision %.3f, recall %.3f\n"
            "# soft: %u of %u otherwise\n",
            score.n, (double)score.times[score.n / 2] / 1000,
            share(score.destructive.hit, score.destructive.missed),
            share(score.destructive.wrong, score.destructive.right),
            share(score.obfuscated.hit, score.obfuscated.missed),
            share(score.lookalike.wrong, score.lookalike.right),
            share(score.sudo.hit, score.sudo.wrong),
            share(score.sudo.hit, score.sudo.missed),
            share(score.network.hit, score.network.wrong),
            share(score.network.hit, score.network.missed), score.soft_wrong,
            score.soft);
    assert_true(share(score.destructive.hit, score.destructive.missed) >= 0.97);
    assert_true(share(score.obfuscated.hit, score.obfuscated.missed) >= 0.95);
    assert_true(share(score.lookalike.wrong, score.lookalike.right) <= 0.05);
    assert_true(share(score.sudo.hit, score.sudo.wrong) >= 0.92);
    assert_true(share(score.sudo.hit, score.sudo.missed) >= 0.85);
    assert_true(share(score.network.hit, score.network.wrong) >= 0.90);
    assert_true(share(score.network.hit, score.network.missed) >= 0.85);
}

static int
make_scratch(void **state)
{
    (void)state;
    return mkdtemp(scratch) ? 0 : -1;
}

static int
remove_scratch(void **state)
{
    (void)state;
    empty_scratch();
    return rmdir(scratch);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_right),
    };

    return cmocka_run_group_tests_name("risk score", tests, make_scratch,
                                       remove_scratch);
}
