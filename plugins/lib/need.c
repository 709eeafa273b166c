/* SPDX-License-Identifier: GPL-3.0-or-later */
/* need.c - the need event, and what the front says to it. */
#include "plugins/lib/need.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/linebuf.h"
#include "plugins/lib/reply.h"
#include "json/write.h"

void
need_answer_init(struct need_answer *a, size_t max)
{
    *a = (struct need_answer){.exit_code = -1};
    buf_init(&a->out, max);
    buf_init(&a->err, max);
}

void
need_answer_done(struct need_answer *a)
{
    if (!a)
        return;
    buf_done(&a->out);
    buf_done(&a->err);
}

static int
take_text(const struct json *root, const char *name, struct buf *out,
          struct err *e)
{
    size_t n;
    const char *s = json_str(json_get(root, name), &n);

    if (!s)
        return err_set(e, ERR_PEER, "%s must be a string", name);
    buf_clear(out);
    buf_add(out, s, n < out->max ? n : out->max);
    return buf_ok(out, name, e);
}

static int
take_code(const struct json *root, char code[NEED_CODE_MAX], struct err *e)
{
    const char *s = json_get_str(root, "error_code");

    if (!json_get(root, "error_code"))
        return 0;
    if (!s || !*s || strlen(s) >= NEED_CODE_MAX)
        return err_set(e, ERR_PEER, "error_code must be a code");
    snprintf(code, NEED_CODE_MAX, "%s", s);
    return 0;
}

int
need_parse(const char *line, size_t n, struct need_answer *out, struct err *e)
{
    CLEANUP(json_free_p)
    struct json *root = json_parse(line, n, JSON_UNIQUE, e);
    int64_t status;

    if (!root)
        return -1;
    if (!json_int(json_get(root, "exit_code"), &status) || status < -1 ||
        status > INT_MAX)
        return err_set(e, ERR_PEER, "exit_code must be an integer from -1");
    if (take_text(root, "stdout", &out->out, e) < 0 ||
        take_text(root, "stderr", &out->err, e) < 0 ||
        take_code(root, out->error_code, e) < 0)
        return -1;
    out->exit_code = (int)status;
    return 0;
}

static int
ask(const char *const *argv, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    json_write_init(&w, &line);
    json_open_object(&w);
    json_member_str(&w, "event", "need");
    json_key(&w, "argv");
    json_open_array(&w);
    for (; *argv; argv++)
        json_put_str(&w, *argv);
    json_close_array(&w);
    json_member_bool(&w, "privileged", true);
    json_close_object(&w);
    buf_ch(&line, '\n');
    if (buf_ok(&line, "the need", e) < 0)
        return -1;
    return fd_write_all(STDOUT_FILENO, line.p, line.len, -1, e);
}

static bool
is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,./-";

    return *word && word[strspn(word, plain)] == '\0';
}

void
need_line(const char *const *argv, struct buf *out)
{
    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            buf_ch(out, ' ');
        if (is_plain(argv[i])) {
            buf_str(out, argv[i]);
            continue;
        }
        buf_ch(out, '\'');
        for (const char *p = argv[i]; *p; p++)
            *p == '\'' ? buf_str(out, "'\\''") : buf_ch(out, *p);
        buf_ch(out, '\'');
    }
}

/* Nobody is there who could run it. */
static int
unanswered(const char *const *argv, struct need_answer *out, struct err *e)
{
    buf_clear(&out->out);
    buf_clear(&out->err);
    out->exit_code = -1;
    snprintf(out->error_code, sizeof(out->error_code), "%s",
             err_tool_code(ERR_PERMISSION));
    buf_str(&out->err,
            "this needs root, and agentsh cannot run it here. To do: sudo ");
    need_line(argv, &out->err);
    return buf_ok(&out->err, "the answer", e);
}

int
reply_need(const struct request *r, const char *const *argv,
           struct need_answer *out, struct err *e)
{
    CLEANUP(linebuf_free_p)
    struct linebuf *lb = linebuf_new(REPLY_LINE_MAX, e);
    const char *line = NULL;
    long got = 1;
    size_t n;

    (void)r; /* at most one call at a time: the front knows whose need it is */
    if (!lb || ask(argv, e) < 0)
        return -1;
    while (got > 0 && !line) {
        got = linebuf_read(lb, STDIN_FILENO, e);
        line = got > 0 ? linebuf_next(lb, &n) : NULL;
    }
    if (got < 0)
        return err_wrap(e, "the answer to a need");
    if (!line)
        return unanswered(argv, out, e);
    if (need_parse(line, n, out, e) == 0)
        return 0;
    if (e)
        e->code = ERR_PEER; /* what the front wrote is no fault of a request */
    return err_wrap(e, "the answer to a need");
}
