/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_action_check.c - agentsh action check: validate a model's raw answer. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/linebuf.h"
#include "frontend/cli/command.h"
#include "model/client.h"
#include "ui/app.h"
#include "ui/tool_listing.h"

/* The text of a line is escaped at worst; what is around it is short. */
#define CHECK_LINE_MAX (6u * MODEL_ANSWER_MAX + 4096u)

static const char *const mode_names[] = {
    [AIACTION_DO] = "do",
    [AIACTION_RUN] = "run",
    [AIACTION_EXPLAIN] = "explain",
};

static int
mode_of(const char *name, enum aiaction_mode *mode, struct err *e)
{
    for (int i = AIACTION_DO; name && i <= AIACTION_EXPLAIN; i++) {
        if (strcmp(name, mode_names[i]) == 0) {
            *mode = (enum aiaction_mode)i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID, "mode must be do, run or explain");
}

static int
put_checked_action(const struct aiaction *a, struct buf *out, struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    aiaction_put(&w, a);
    buf_ch(out, '\n');
    return buf_ok(out, "the action", e);
}

static void
put_error(const struct err *why, struct buf *out)
{
    struct json_writer w;

    buf_clear(out);
    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_str(&w, "code", err_tool_code(ERR_ANSWER));
    json_member_str(&w, "message", why->text);
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

/* {"text":…,"mode":…}; the mode is run unless it says. */
static struct aiaction *
parse_input_line(const char *line, size_t n, const struct aiaction_tools *tools,
                 struct err *e)
{
    CLEANUP(json_free_p) struct json *root = json_parse(line, n, 0, e);
    const struct json *mode_value = json_get(root, "mode");
    enum aiaction_mode mode = AIACTION_RUN;
    const char *text;
    size_t len;

    if (!root)
        return NULL;
    text = json_str(json_get(root, "text"), &len);
    if (!text) {
        err_set(e, ERR_INVALID, "a line is {\"text\":…,\"mode\":…}");
        return NULL;
    }
    if (mode_value && mode_of(json_str(mode_value, NULL), &mode, e) < 0)
        return NULL;
    return aiaction_parse(text, len, mode, tools, e);
}

static int
check_input_line(const char *line, size_t n, const struct aiaction_tools *tools,
                 struct err *e)
{
    struct err why = {0};
    CLEANUP(aiaction_free_p)
    struct aiaction *a = parse_input_line(line, n, tools, &why);
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);

    if (!a || put_checked_action(a, &out, &why) < 0)
        put_error(&why, &out);
    return app_write_result(&out, e);
}

static int
check_lines(const struct aiaction_tools *tools, struct err *e)
{
    CLEANUP(linebuf_free_p)
    struct linebuf *lb = linebuf_new(CHECK_LINE_MAX, e);
    const char *line;
    long got = 1;
    size_t n;

    while (lb && got > 0) {
        got = linebuf_read(lb, STDIN_FILENO, e);
        while ((line = linebuf_next(lb, &n)) != NULL) {
            if (n > 0 && check_input_line(line, n, tools, e) < 0)
                return -1;
        }
    }
    if (lb && got == 0 && (line = linebuf_rest(lb, &n)) != NULL)
        return check_input_line(line, n, tools, e);
    return lb && got == 0 ? 0 : -1;
}

static int
check_whole(const char *path, enum aiaction_mode mode,
            const struct aiaction_tools *tools, struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = NULL;
    CLEANUP_BUF struct buf text = buf_of(MODEL_ANSWER_MAX);
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);
    int rc;

    rc = path && strcmp(path, "-") != 0 ? file_read(path, &text, e)
                                        : file_read_fd(STDIN_FILENO, &text, e);
    if (rc < 0)
        return -1;
    a = aiaction_parse(text.p, text.len, mode, tools, e);
    if (!a || put_checked_action(a, &out, e) < 0)
        return -1;
    return app_write_result(&out, e);
}

static int
run_action_check(struct command_args *c)
{
    enum aiaction_mode mode = AIACTION_RUN;
    struct aiaction_tools tools = {0};
    const struct aiaction_tools *known = NULL;
    struct err e = {0};
    int rc;

    if (app_registry(c->app, NULL) == 0) {
        tools = tool_listing_checker(c->app);
        known = &tools;
    }
    if (c->n > 1)
        rc = err_set(&e, ERR_USAGE, "at most one file");
    else if (c->options.mode && mode_of(c->options.mode, &mode, &e) < 0)
        rc = -1;
    else
        rc = c->options.lines
                 ? check_lines(known, &e)
                 : check_whole(c->n == 1 ? c->words[0] : NULL, mode, known, &e);
    return rc < 0 ? app_fail(c->app, &e) : 0;
}

const struct command cmd_action_check = {
    .name = "action check",
    .args = "[FILE]",
    .help = N_("read a model's raw answer and print the AiAction"),
    .options = FOR_CHECK,
    .run = run_action_check,
};
