/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_file.c - reads a plan that was saved. */
#include "ui/plan_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/file.h"
#include "guard/path/path_table.h"
#include "model/prompt/origin.h"
#include "ui/stdin_input.h"
#include "ui/tool_lookup.h"

struct plan_file {
    struct app *app;
    const char *path;
    const char *outside; /* NULL: nobody else could have written it */
    struct buf text;
    struct tool_lookup *tools;
    plan_file_cb *cb;
    void *arg;
};

void
plan_file_close(struct plan_file *f)
{
    if (!f)
        return;
    tool_lookup_free(f->tools);
    buf_done(&f->text);
    free(f);
}

static int
read_plan(struct plan_file *f, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct err why = {0};
    struct stat st;

    fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        err_sys(&why, "%s", f->path);
        return err_set(e, ERR_USAGE, "--plan: %.240s", why.text);
    }
    if (file_read_fd(fd, &f->text, &why) < 0)
        return err_set(e, ERR_USAGE, "--plan: %.100s: %.130s", f->path,
                       why.text);
    if (!S_ISREG(st.st_mode) || origin_is_others(fd, f->path))
        f->outside = "the plan itself";
    return 0;
}

/* Goes on when a server has said which tools it has. */
static void
load_plan(void *arg)
{
    struct plan_file *f = arg;
    struct aiaction_tools tools = tool_lookup_checker(f->tools);
    struct err e = {0};
    struct aiaction *a = aiaction_load(f->text.p, f->text.len, &tools, &e);

    if (!a && tool_lookup_waits(f->tools) &&
        tool_lookup_ask(f->tools, load_plan, f, &e) == 0)
        return;
    if (!a)
        err_wrap(&e, "%s is not a plan", f->path);
    f->cb(f->arg, a, f->outside, &e);
}

int
plan_file_open(struct app *a, const char *path, plan_file_cb *cb, void *arg,
               struct plan_file **out, struct err *e)
{
    CLEANUP(plan_file_close_p) struct plan_file *f = calloc(1, sizeof(*f));

    if (!f)
        return err_nomem(e);
    *f = (struct plan_file){.app = a, .path = path, .cb = cb, .arg = arg};
    buf_init(&f->text, AIACTION_JSON_MAX);
    if (read_plan(f, e) < 0 || app_registry(a, e) < 0 ||
        !(f->tools = tool_lookup_new(a, e)))
        return -1;
    if (stdin_input_is_waiting() && !path_is(path, PATH_IS_DEVICE))
        app_note(a, "standard input is ignored: the plan is %s", path);
    *out = f;
    load_plan(TAKE_PTR(f));
    return 0;
}
