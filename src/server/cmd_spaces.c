/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_spaces.c - agentsh spaces: runs the operations of an agent. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/duration.h"
#include "server/spaces/spaces_check.h"
#include "server/spaces_command.h"

static bool
is_regular_input(void)
{
    struct stat st;

    return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode);
}

/* Opens the file that the arguments name, else standard input. */
static int
open_input(struct spaces_command *r, const struct command_args *c,
           struct err *e)
{
    if (c->n == 0)
        return STDIN_FILENO;
    if (c->n > 1)
        return err_set(e, ERR_USAGE, "spaces takes one file, or resume");
    r->in = open(c->words[0], O_RDONLY | O_CLOEXEC);
    return r->in < 0 ? err_sys(e, "%.100s", c->words[0]) : r->in;
}

static int
serve_spaces(struct spaces_command *r, struct command_args *c, struct err *e)
{
    struct spaces_setup set;
    const char *expiry = c->options.approval_expiry;
    int in, status;

    if ((in = open_input(r, c, e)) < 0 ||
        spaces_command_open(r, c, "agentsh spaces", false, e) < 0)
        return -1;
    set = spaces_command_setup(r, c);
    set.in = in;
    set.once = c->n > 0 || is_regular_input();
    if (expiry && duration_read(expiry, &set.expiry_ms, e) < 0) {
        if (e->code == ERR_INVALID)
            e->code = ERR_USAGE;
        return err_wrap(e, "--approval-expiry");
    }
    if (!(r->spaces = spaces_new(&set, e)) ||
        (status = spaces_command_run(r, e)) < 0)
        return -1;
    return set.once || status > 128 ? status : 0;
}

static int
check_lines(struct spaces_command *r, struct command_args *c, struct err *e)
{
    CLEANUP(spaces_check_free_p) struct spaces_check *check = NULL;
    int in, status;

    if ((in = open_input(r, c, e)) < 0 ||
        service_open(&r->service, c->app, "agentsh spaces", service_over,
                     &r->service, e) < 0 ||
        !(check = spaces_check_new(c->app->loop, in, STDOUT_FILENO,
                                   service_over, &r->service, e)) ||
        (status = service_run(&r->service, e)) < 0)
        return -1;
    return status != 0 || spaces_check_passed(check) ? status : 1;
}

static int
resume_run(struct spaces_command *r, struct command_args *c, struct err *e)
{
    bool yes = c->n > 2 && strcmp(c->words[2], "approved") == 0;
    const struct spaces_answer answer = {
        .yes = yes, .by = r->by, .via = "agentsh spaces resume"};
    const char *op = c->n > 3 ? c->words[3] : NULL;
    const struct spaces_resume resume = {.run = c->words[1],
                                         .op = op,
                                         .op_n = op ? strlen(op) : 0,
                                         .answer = &answer};

    if (c->n < 3 || c->n > 4 || (!yes && strcmp(c->words[2], "denied") != 0))
        return err_set(e, ERR_USAGE,
                       "spaces resume takes RUN, approved or denied, and at "
                       "most one operation");
    if (spaces_command_open(r, c, "agentsh spaces", true, e) < 0)
        return -1;
    return spaces_command_go_on(r, c, &resume, e);
}

int
cmd_run_spaces(struct command_args *c)
{
    CLEANUP(spaces_command_done) struct spaces_command r = {.in = -1};
    bool resumes = c->n > 0 && strcmp(c->words[0], "resume") == 0;
    struct err e = {0};
    int status;

    if (c->options.check)
        status = check_lines(&r, c, &e);
    else if (resumes)
        status = resume_run(&r, c, &e);
    else
        status = serve_spaces(&r, c, &e);
    return status < 0 ? app_fail(c->app, &e) : status;
}
