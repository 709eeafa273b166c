/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_action_check.c - agentsh action check: validate a model's raw answer. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/linebuf.h"
#include "frontend/cli/command.h"
#include "model/client.h"
#include "ui/app.h"
#include "ui/tool_lookup.h"

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
        err_set(e, ERR_INVALID, "a line is {\"text\":...,\"mode\":...}");
        return NULL;
    }
    if (mode_value && mode_of(json_str(mode_value, NULL), &mode, e) < 0)
        return NULL;
    return aiaction_parse(text, len, mode, tools, e);
}

/* A check under way: of one answer, or of one after the other. */
struct action_check {
    struct app *app;
    enum aiaction_mode mode;
    struct tool_lookup *tools; /* NULL: there are none */
    struct buf text;           /* of the answer, or of the line with it */
    struct linebuf *lines;     /* NULL: there is one answer */
    bool ended;                /* no more lines come */
    struct watch *soon;        /* goes on with the next line */
};

static void
free_action_check(struct action_check *k)
{
    if (!k)
        return;
    tool_lookup_free(k->tools);
    buf_done(&k->text);
    linebuf_free(k->lines);
    watch_free(k->soon);
    free(k);
}
DEFINE_CLEANUP(struct action_check, free_action_check)

static void
end_check(struct action_check *k, const struct err *why)
{
    struct app *a = k->app;
    int status = why ? app_fail(a, why) : 0;

    free_action_check(k);
    app_over(a, status);
}

/* Prints the result of a line; the next one follows. */
static int
print_line_result(const struct action_check *k, const struct aiaction *a,
                  const struct err *bad, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);
    struct err why = *bad;

    if (!a || put_checked_action(a, &out, &why) < 0)
        put_error(&why, &out);
    if (app_write_result(&out, e) < 0)
        return -1;
    watch_again(k->soon, 0);
    return 0;
}

static int
print_whole(const struct aiaction *a, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);

    if (put_checked_action(a, &out, e) < 0)
        return -1;
    return app_write_result(&out, e);
}

/* Goes on when a server has said which tools it has. */
static void
check_action_text(void *arg)
{
    struct action_check *k = arg;
    struct aiaction_tools tools = {0};
    const struct aiaction_tools *known = NULL;
    CLEANUP(aiaction_free_p) struct aiaction *a = NULL;
    struct err e = {0}, why = {0};

    if (k->tools) {
        tools = tool_lookup_checker(k->tools);
        known = &tools;
    }
    a = k->lines ? parse_input_line(k->text.p, k->text.len, known, &e)
                 : aiaction_parse(k->text.p, k->text.len, k->mode, known, &e);
    if (!a && k->tools && tool_lookup_waits(k->tools) &&
        tool_lookup_ask(k->tools, check_action_text, k, &e) == 0)
        return;
    if (!k->lines)
        end_check(k, a && print_whole(a, &e) == 0 ? NULL : &e);
    else if (print_line_result(k, a, &e, &why) < 0)
        end_check(k, &why);
}

/* The next line, without its newline; NULL: there is none, and *got is what
 * linebuf_read says. */
static const char *
next_check_line(struct action_check *k, size_t *n, long *got, struct err *e)
{
    const char *line = linebuf_next(k->lines, n);

    while (!line && !k->ended) {
        *got = linebuf_read(k->lines, STDIN_FILENO, e);
        k->ended = *got <= 0;
        line = *got == 0 ? linebuf_rest(k->lines, n)
                         : linebuf_next(k->lines, n);
    }
    return line;
}

static void
check_next_line(void *arg, unsigned events)
{
    struct action_check *k = arg;
    struct err e = {0};
    const char *line;
    long got = 0;
    size_t n;

    (void)events;
    do
        line = next_check_line(k, &n, &got, &e);
    while (line && n == 0);
    if (!line) {
        end_check(k, got < 0 ? &e : NULL);
        return;
    }
    if (k->tools)
        tool_lookup_again(k->tools);
    buf_clear(&k->text);
    buf_add(&k->text, line, n);
    if (buf_ok(&k->text, "the line", &e) < 0)
        end_check(k, &e);
    else
        check_action_text(k);
}

static int
begin_check(struct action_check *k, const struct command_args *c, struct err *e)
{
    const char *path = c->n == 1 ? c->words[0] : NULL;
    int rc;

    if (app_registry(k->app, NULL) == 0 &&
        !(k->tools = tool_lookup_new(k->app, e)))
        return -1;
    if (c->n > 1)
        return err_set(e, ERR_USAGE, "at most one file");
    if (c->options.mode && mode_of(c->options.mode, &k->mode, e) < 0)
        return -1;
    if (c->options.lines) {
        buf_init(&k->text, CHECK_LINE_MAX);
        k->soon = loop_soon(k->app->loop, check_next_line, k, e);
        k->lines = linebuf_new(CHECK_LINE_MAX, e);
        return k->soon && k->lines ? 0 : -1;
    }
    buf_init(&k->text, MODEL_ANSWER_MAX);
    rc = path && strcmp(path, "-") != 0
             ? file_read(path, &k->text, e)
             : file_read_fd(STDIN_FILENO, &k->text, e);
    if (rc == 0)
        check_action_text(k);
    return rc;
}

static int
run_action_check(struct command_args *c)
{
    CLEANUP(free_action_check_p)
    struct action_check *k = calloc(1, sizeof(*k));
    struct err e = {0};

    if (!k) {
        err_nomem(&e);
        return app_fail(c->app, &e);
    }
    k->app = c->app;
    k->mode = AIACTION_RUN;
    if (begin_check(k, c, &e) < 0)
        return app_fail(c->app, &e);
    TAKE_PTR(k);
    return APP_GOES_ON;
}

const struct command cmd_action_check = {
    .name = "action check",
    .args = "[FILE]",
    .help = N_("read a model's raw answer and print the AiAction"),
    .options = FOR_CHECK,
    .run = run_action_check,
};
