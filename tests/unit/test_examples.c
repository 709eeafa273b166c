/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_examples.c - tests every example in the tables of programs. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard/risk/risk.h"

struct example {
    const char *place; /* file:line */
    bool holds;        /* all of the facts, else none of them */
    unsigned facts;
    const char *uses; /* "changes deletes": a path of each */
    const char *line;
};

#include "src/guard/risk/examples.inc"

static const struct {
    const char *name;
    enum risk_use use;
} uses[] = {
    {"reads", RISK_READS},
    {"makes", RISK_MAKES},
    {"changes", RISK_CHANGES},
    {"deletes", RISK_DELETES},
};

static char scratch[] = "/tmp/examples.XXXXXX";

static bool
has_use(const struct risk *r, enum risk_use use)
{
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use == use)
            return true;
    return false;
}

/* Facts that nobody has to be asked about. */
static bool
is_plain(const struct risk *r)
{
    return !(r->facts & ~(RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS));
}

/* How many of the uses that an example names there are; all: in *wanted. */
static size_t
count_uses(const struct example *x, const struct risk *r, size_t *wanted)
{
    size_t found = 0;

    *wanted = 0;
    for (size_t i = 0; i < N_OF(uses); i++)
        if (strstr(x->uses, uses[i].name)) {
            ++*wanted;
            found += has_use(r, uses[i].use);
        }
    if (strstr(x->uses, "plain")) {
        ++*wanted;
        found += is_plain(r);
    }
    return found;
}

static bool
example_holds(const struct example *x)
{
    struct path_context where = {
        .cwd = scratch, .home = "/home/nobody", .path = getenv("PATH")};
    struct syntax s;
    struct risk r;
    struct err e;
    size_t wanted, found;
    bool good;

    assert_int_equal(syntax_read(x->line, strlen(x->line), &s, &e), 0);
    assert_int_equal(risk_read(&s, &where, &r, &e), 0);
    found = count_uses(x, &r, &wanted);
    good = x->holds ? (r.facts & x->facts) == x->facts && found == wanted
                    : !(r.facts & x->facts) && found == 0;
    if (!good) {
        fprintf(stderr, "%s: %s %s\n  has the facts %#x of risk.h", x->place,
                x->holds ? "+" : "-", x->line, r.facts);
        for (size_t i = 0; i < r.n_reasons; i++)
            fprintf(stderr, "\n  %s", r.reasons[i].text);
        fprintf(stderr, "\n");
    }
    risk_done(&r);
    syntax_done(&s);
    return good;
}

static void
every_example_holds(void **state)
{
    size_t bad = 0;

    (void)state;
    for (size_t i = 0; i < N_OF(examples); i++)
        bad += !example_holds(&examples[i]);
    assert_true(N_OF(examples) > 100);
    assert_int_equal(bad, 0);
}

static void
plant(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "old\n", 4), 4);
    close(fd);
}

static int
make_scratch(void **state)
{
    (void)state;
    if (!mkdtemp(scratch) || chdir(scratch) < 0 || mkdir("dir", 0700) < 0)
        return -1;
    plant("old.txt");
    plant("old.conf");
    plant("dir/old.txt");
    return 0;
}

static int
remove_scratch(void **state)
{
    (void)state;
    unlink("dir/old.txt");
    unlink("old.conf");
    unlink("old.txt");
    rmdir("dir");
    return chdir("/") < 0 || rmdir(scratch) < 0 ? -1 : 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_holds),
    };

    return cmocka_run_group_tests_name("examples", tests, make_scratch,
                                       remove_scratch);
}
