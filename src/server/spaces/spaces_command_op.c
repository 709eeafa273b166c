/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_command_op.c - one operation that is a command. */
#include "server/spaces/spaces_command_op.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "server/spaces/spaces_files.h"
#include "server/spaces/spaces_permissive.h"

#define ARGS_MAX    (1u << 20) /* of a command: its variables, escaped */
#define ESCAPED_MAX 6          /* a character of a command's output in JSON */

void
spaces_command_op_done(struct spaces_command_op *c)
{
    errand_free(TAKE_PTR(c->errand));
    json_free(TAKE_PTR(c->args));
}

static void
on_ask(void *arg, uint64_t token, const struct tool *t, const struct permit *p)
{
    struct spaces_command_op *c = arg;
    struct spaces_shared *sh = c->shared;
    char digest[SHA256_HEX_SIZE];

    (void)t;
    snprintf(digest, sizeof(digest), "%s", errand_digest(c->errand));
    if (spaces_permissive_waives(sh, p,
                                 json_get_str(c->args, "working_directory"))) {
        snprintf(sh->yes, sizeof(sh->yes), "--policy permissive");
        (void)errand_answer(c->errand, token, true, NULL);
        return;
    }
    if (c->approved && strcmp(digest, c->approved) == 0) {
        (void)errand_answer(c->errand, token, true, NULL);
        return;
    }
    c->on->asks(c->arg, p, digest);
    spaces_command_op_done(c);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct spaces_command_op *c = arg;
    bool sudo = p->found && p->found->risk.facts & RISK_SUDO;
    CLEANUP_BUF struct buf reason = buf_of(sizeof(p->reason));

    (void)ms;
    buf_str(&reason, p->reason[0] ? p->reason : p->rule);
    spaces_command_op_done(c);
    c->on->denied(c->arg, reason.p,
                  sudo ? "Run it without the rights of another user" : NULL);
}

static bool
has_timed_out(const struct tool_result *r)
{
    return r->error_code &&
           strcmp(r->error_code, err_tool_code(ERR_TIMEOUT)) == 0;
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct spaces_command_op *c = arg;
    bool success = r->ok && r->has_exit_code && r->exit_code == 0;

    if (!r->has_exit_code && !r->ok && r->err_len > 0 && !has_timed_out(r)) {
        CLEANUP_BUF struct buf why = buf_of(r->err_len);

        buf_add(&why, r->err, r->err_len);
        spaces_event_failed(c->events, c->op, why.p, r->duration_ms);
    } else {
        spaces_event_shell(c->events, c->op, r, c->room / ESCAPED_MAX);
    }
    spaces_command_op_done(c);
    c->on->ended(c->arg, success);
}

static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    struct spaces_command_op *c = arg;
    struct err e = *why;

    spaces_command_op_done(c);
    if (e.code == ERR_DENIED) {
        c->on->denied(c->arg, e.text, NULL);
        return;
    }
    if (e.code == ERR_TIMEOUT)
        spaces_event_shell(c->events, c->op,
                           &(const struct tool_result){
                               .out = "",
                               .err = e.text,
                               .err_len = strlen(e.text),
                               .error_code = err_tool_code(ERR_TIMEOUT),
                               .duration_ms = ms},
                           c->room / ESCAPED_MAX);
    else
        spaces_event_failed(c->events, c->op, e.text, ms);
    c->on->ended(c->arg, false);
}

/* The directory that a command starts in, without links. */
static int
find_command_directory(const struct spaces_command_op *c, char real[PATH_MAX],
                       struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if ((fd = spaces_files_find(c->shared->root, c->op->path, real, e)) < 0)
        return e->code == ERR_NOT_FOUND
                   ? err_set(e, ERR_NOT_FOUND, "Directory not found")
                   : -1;
    if (fstat(fd, &st) < 0)
        return err_sys(e, "cwd");
    return S_ISDIR(st.st_mode) ? 0 : err_set(e, ERR_INVALID, "Not a directory");
}

static struct json *
command_args(const struct spaces_command_op *c, const char *directory,
             struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_MAX);
    const struct json *env = json_get(c->op->v, "env");
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "command", c->op->command);
    if (directory) /* else the workspace, whose name may be no UTF-8 */
        json_member_str(&w, "working_directory", directory);
    json_member_int(&w, "timeout_ms", c->op->timeout_ms);
    if (env) {
        json_key(&w, "env");
        json_put_value(&w, env);
    }
    json_close_object(&w);
    if (buf_ok(&text, "the command", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, 0, e);
}

int
spaces_command_op_start(struct spaces_command_op *c, struct err *e)
{
    static const struct errand_events events = {.ask = on_ask,
                                                .done = on_done,
                                                .denied = on_denied,
                                                .failed = on_failed};
    char directory[PATH_MAX];

    if ((c->op->path && find_command_directory(c, directory, e) < 0) ||
        !(c->args = command_args(c, c->op->path ? directory : NULL, e)))
        return -1;
    c->rq = (struct errand_request){.tool = "cmd.run",
                                    .action = "execute",
                                    .args = c->args,
                                    .timeout_ms = c->op->timeout_ms};
    c->errand = errand_start(c->shared->errands, &c->rq, &events, c, e);
    if (c->errand)
        return 0;
    json_free(TAKE_PTR(c->args));
    return -1;
}
