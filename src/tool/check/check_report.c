/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_report.c - reports what a check found; makes its scratch directory. */
#include "tool/check/check_report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

#define DEPTH_MAX 32 /* of directories that a plugin leaves there */

void
check_report_pass(struct check *t, const char *name)
{
    check_report(t, CHECK_OK, name, "");
}

void
check_report(struct check *t, enum check_verdict v, const char *name,
             const char *came)
{
    const struct check_finding f = {
        .verdict = v, .name = name, .expected = "", .came = came, .advice = ""};

    t->params->report(t->params->arg, &f);
}

void
check_report_failure(struct check *t, const char *name, const char *expected,
                     const char *came, const char *advice)
{
    const struct check_finding f = {.verdict = CHECK_FAILED,
                                    .name = name,
                                    .expected = expected,
                                    .came = came,
                                    .advice = advice};

    if (*t->params->stop)
        return; /* after an interrupt a failure means nothing */
    t->failed++;
    t->params->report(t->params->arg, &f);
}

bool
check_is_over(const struct check *t)
{
    return t->hopeless || *t->params->stop;
}

static const char sample[] = "one line of text\nand another, of 2\n";

/* Removes the contents of a directory, following no link. */
static void
empty_dir(int at, const char *name, int depth)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    CLEANUP(dir_close_p) DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *d;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (d = readdir(dir)) != NULL) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, d->d_name, 0) == 0 || depth == 0)
            continue;
        empty_dir(fd, d->d_name, depth - 1);
        (void)unlinkat(fd, d->d_name, AT_REMOVEDIR);
    }
}

void
check_drop_scratch(struct check *t)
{
    char *end = strrchr(t->scratch, '/');

    if (!end)
        return;
    *end = '\0'; /* the directory above holds the state */
    seat_free(t->seat);
    t->seat = NULL;
    empty_dir(AT_FDCWD, t->scratch, DEPTH_MAX);
    (void)rmdir(t->scratch);
    t->scratch[0] = '\0';
}

static int
make_files(struct check *t, const char *top, struct err *e)
{
    CLEANUP(free_p) char *file = NULL;
    CLEANUP(free_p) char *state = path_join(top, "state"), *variable = NULL;

    snprintf(t->scratch, sizeof(t->scratch), "%s/work", top);
    file = path_join(t->scratch, CHECK_SAMPLE);
    if (!file || !state)
        return err_nomem(e);
    if (mkdir(t->scratch, 0700) < 0 || mkdir(state, 0700) < 0)
        return err_sys(e, "%s", t->scratch);
    if (file_write(file, sample, sizeof(sample) - 1, 0600, e) < 0)
        return -1;
    if (asprintf(&variable, "%s=%s", path_variable(PATH_STATE), state) < 0) {
        variable = NULL;
        return err_nomem(e);
    }
    t->seat = seat_move(t->params->seat, t->scratch, variable, e);
    return t->seat ? 0 : -1;
}

int
check_make_scratch(struct check *t, struct err *e)
{
    const char *tmp = seat_variable(t->params->seat, "TMPDIR");
    CLEANUP(free_p)
    char *top = path_join(tmp && tmp[0] == '/' ? tmp : "/tmp",
                          "agentsh-trial-XXXXXX");
    CLEANUP(free_p) char *real = NULL;

    if (!top)
        return err_nomem(e);
    if (!mkdtemp(top) || !(real = realpath(top, NULL)))
        return err_sys(e, "%s", top);
    if (strlen(real) + sizeof("/work") > sizeof(t->scratch))
        return err_set(e, ERR_USAGE, "%s: too long a path", top);
    return make_files(t, real, e);
}
