/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool cmd.run: a shell command, its output and its status.
 *
 * `cmd.run --wait` is a launcher that waits for what it shall launch
 * (sandbox/launch/zygote.h), and contains the tool that is launched most: no
 * step has to execute it. */
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/utf8.h"
#include "plugins/cmd.run/alone.h"
#include "plugins/cmd.run/command.h"
#include "plugins/lib/args.h"
#include "plugins/lib/reply.h"
#include "sandbox/launch/zygote.h"

#define COMMAND_MAX    (16u << 10) /* as an AiAction's shell_command */
#define TIMEOUT_MAX_MS (24LL * 3600 * 1000)
#define STDIN_MAX      (1u << 20) /* as much as an answer holds */
#define NOTE_MAX       64         /* bytes: that the time is over */

/* timeout_ms: absent is a tool call's 30 s, null is none (a plan's step). */
static int
read_timeout(const struct json *v, int64_t *ms, struct err *e)
{
    *ms = REPLY_TIMEOUT_MS;
    if (!v)
        return 0;
    if (json_type(v) == JSON_NULL) {
        *ms = -1;
        return 0;
    }
    if (!json_int(v, ms) || *ms < 1 || *ms > TIMEOUT_MAX_MS)
        return err_set(e, ERR_INVALID,
                       "timeout_ms must be an integer from 1 to %lld",
                       TIMEOUT_MAX_MS);
    return 0;
}

static int
read_directory(const struct json *v, const char **out, struct err *e)
{
    struct stat st;
    size_t n;
    const char *dir = json_str(v, &n);

    *out = NULL;
    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!dir || strlen(dir) != n)
        return err_set(e, ERR_INVALID, "working_directory must be a path");
    if (stat(dir, &st) < 0)
        return err_sys(e, "working_directory %s", dir);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "working_directory %s: not a directory",
                       dir);
    *out = dir;
    return 0;
}

static int
read_env(const struct json *v, struct environ_given *out, struct err *e)
{
    if (v && json_type(v) != JSON_NULL && json_type(v) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args.env must be an object");
    for (v = json_first(v); v; v = json_next(v)) {
        size_t name_n, n;
        const char *name = json_name(v, &name_n), *value = json_str(v, &n);

        if (!value)
            return err_set(e, ERR_INVALID, "args.env must hold strings");
        if (environ_given_add(out, name, name_n, value, n, e) < 0)
            return err_wrap(e, "args.env");
    }
    return 0;
}

/* The front's input of a part of a plan's step comes first: such a step has no
 * stdin of its own. */
static int
read_input(const struct request *r, const struct json **out, struct err *e)
{
    const struct json *v = json_get(r->args, "stdin");
    size_t n;

    *out = r->input;
    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!json_str(v, &n))
        return err_set(e, ERR_INVALID, "args.stdin must be a string");
    if (n > STDIN_MAX)
        return err_set(e, ERR_INVALID, "args.stdin is over %u bytes",
                       STDIN_MAX);
    if (!*out)
        *out = v;
    return 0;
}

static int
read_command(const struct request *r, struct command *c, struct err *e)
{
    size_t n;

    if (strcmp(r->action, "execute") != 0)
        return err_set(e, ERR_INVALID, "cmd.run has one action, execute");
    c->text = json_str(json_get(r->args, "command"), &n);
    if (!c->text)
        return err_set(e, ERR_INVALID, "args.command must be a string");
    if (strlen(c->text) != n)
        return err_set(e, ERR_INVALID, "args.command contains a NUL character");
    if (n > COMMAND_MAX)
        return err_set(e, ERR_INVALID, "args.command is over %u bytes",
                       COMMAND_MAX);
    c->argv = r->argv;
    if (args_bool(r, "tty", &c->tty, e) < 0 ||
        read_input(r, &c->input, e) < 0 ||
        read_env(json_get(r->args, "env"), &c->env, e) < 0)
        return -1;
    if (read_directory(json_get(r->args, "working_directory"), &c->directory,
                       e) < 0)
        return -1;
    if (read_timeout(json_get(r->args, "timeout_ms"), &c->timeout_ms, e) < 0)
        return -1;
    /* the call ends by itself, with what was written so far */
    if (r->timeout_ms >= 0 &&
        (c->timeout_ms < 0 || r->timeout_ms < c->timeout_ms))
        c->timeout_ms = r->timeout_ms;
    return 0;
}

/* Valid text first, then the cut, at a character's boundary. Returns whether
 * something of the stream is not in it. */
static bool
text_of(const struct stream_out *s, bool tail, struct buf *out)
{
    size_t max = tail ? REPLY_TAIL_MAX : REPLY_TEXT_MAX;

    utf8_repair(out, s->kept.p, s->kept.len);
    if (out->len <= max)
        return s->truncated;
    if (tail)
        buf_drop(out, utf8_boundary(out->p, out->len, out->len - max));
    else
        buf_cut(out, utf8_boundary(out->p, out->len, max));
    return true;
}

static void
answer(const struct command *c, const struct request *r,
       const struct command_end *end)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(
        3 * REPLY_TEXT_MAX); /* a bad byte becomes three */
    CLEANUP_BUF struct buf err = buf_of(3 * REPLY_TEXT_MAX);
    struct json_writer w;
    bool cut_out, cut_err;

    cut_out = text_of(&end->out, r->stream, &out);
    cut_err = text_of(&end->err, r->stream, &err);
    if (end->timed_out && err.len > REPLY_TEXT_MAX - NOTE_MAX) {
        buf_cut(&err, utf8_boundary(err.p, err.len, REPLY_TEXT_MAX - NOTE_MAX));
        cut_err = true;
    }
    if (end->timed_out)
        buf_printf(&err, "%stimed out after %lld ms",
                   err.len && err.p[err.len - 1] != '\n' ? "\n" : "",
                   (long long)c->timeout_ms);
    reply_begin(r, &w, &line, !end->timed_out, out.p, out.len, err.p, err.len);
    json_member_int(&w, "exit_code", end->exit_code);
    if (end->timed_out)
        json_member_str(&w, "error_code", err_tool_code(ERR_TIMEOUT));
    json_member_int(&w, "stdout_bytes", (int64_t)end->out.total);
    json_member_int(&w, "stderr_bytes", (int64_t)end->err.total);
    json_member_bool(&w, "truncated", cut_out || cut_err);
    (void)reply_send(&w, NULL);
}

static void
handle(const struct request *r)
{
    struct command c = {0};
    struct command_end end = {0};
    struct err e = {0};
    int rc = read_command(r, &c, &e);

    if (rc == 0) {
        rc = command_run(&c, r, &end, &e);
        alone_clear();
    }
    if (rc < 0)
        reply_error(r, &e);
    else
        answer(&c, r, &end);
    command_end_done(&end);
    environ_given_done(&c.env);
}

static int
serve(void)
{
    alone_hide();
    return plugin_serve("cmd.run", handle);
}

int
main(int argc, char **argv)
{
    const struct child_builtin own = {argv[0], serve};

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (argc == 2 && strcmp(argv[1], "--wait") == 0)
        return zygote_serve(&own);
    return serve();
}
