/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial_tool.c - what holds for a plugin, whatever its actions are. */
#include <string.h>

#include "tool/trial/trial_in.h"
#include "json/write.h"

#define LINE_MAX_BYTES 65536
#define END_MS         3000 /* after the end of its input */

static const struct stray_row {
    const char *name;
    const char *line; /* NULL: a request with what follows */
    const char *tool, *action;
    const char *code, *also; /* either will do */
} strays[] = {
    {"it rejects a line that is not JSON", "{\"tool\":", NULL, NULL,
     "PARSE_ERROR", "INVALID_ARGS"},
    {"it rejects a line that is not an object", "[]", NULL, NULL,
     "INVALID_ARGS", "PARSE_ERROR"},
    {"it rejects a request for another tool", NULL, "another.tool", NULL,
     "INVALID_ARGS", "NOT_FOUND"},
    {"it rejects an unknown action", NULL, NULL, NULL, "INVALID_ARGS",
     "UNSUPPORTED"},
};

/* What is no request carries no id, so the answer needs none. */
static int
ask_stray(struct trial *t, const struct stray_row *row, struct trial_reply *r,
          struct err *e)
{
    const struct trial_request rq = {
        .tool = row->tool, .action = row->action, .args = "{}"};
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);

    if (!row->line) {
        trial_write(t, &rq, &line);
        return trial_ask(t, &line, false, NULL, r, e);
    }
    buf_str(&line, row->line);
    return trial_ask_stray(t, &line, r, e);
}

static void
try_stray(struct trial *t, const struct stray_row *row)
{
    CLEANUP(trial_reply_done) struct trial_reply r = {0};
    struct err why = {0};
    const char *code;
    char wanted[64];

    snprintf(wanted, sizeof(wanted), "ok: false with %s", row->code);
    if (ask_stray(t, row, &r, &why) < 0) {
        trial_fault(t, row->name, wanted, why.text,
                    "answer every line, valid or not");
        return;
    }
    code = r.response.result.error_code;
    if (!r.response.result.ok &&
        (strcmp(code, row->code) == 0 || strcmp(code, row->also) == 0))
        trial_pass(t, row->name);
    else
        trial_fault(t, row->name, wanted, r.came,
                    "check tool and action first");
}

static void
two_at_once(struct trial *t)
{
    static const char name[] = "it answers two requests at once";
    const struct trial_request rq = {.args = "{}"};
    CLEANUP_BUF struct buf lines = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf second = buf_of(LINE_MAX_BYTES);
    CLEANUP(trial_reply_done) struct trial_reply a = {0}, b = {0};
    struct err why = {0};

    trial_write(t, &rq, &lines);
    trial_write(t, &rq, &second);
    buf_ch(&lines, '\n');
    buf_add(&lines, second.p, second.len);
    if (trial_begin(t, &why) < 0 ||
        chat_send(t->chat, lines.p, lines.len, false, &why) < 0 ||
        trial_await(t, t->id - 1, &a, &why) < 0 ||
        trial_await(t, t->id, &b, &why) < 0) {
        trial_fault(t, name, "an answer to each, in their order", why.text,
                    "read line by line, and keep the rest of the buffer");
        trial_end(t);
        return;
    }
    trial_pass(t, name);
}

static void
at_its_end(struct trial *t)
{
    static const char name[] = "it ends when its input ends";
    struct err why = {0};

    if (trial_begin(t, &why) < 0) {
        trial_fault(t, name, "a process", why.text, "");
        return;
    }
    chat_end_input(t->chat);
    if (chat_ends(t->chat, END_MS, t->wish->stop))
        trial_pass(t, name);
    else
        trial_fault(t, name, "that it ends within 3 s", "it keeps running",
                    "exit at the end of standard input");
    trial_end(t);
}

void
trial_tool(struct trial *t)
{
    for (size_t i = 0; i < sizeof(strays) / sizeof(*strays); i++) {
        if (!trial_is_over(t))
            try_stray(t, &strays[i]);
    }
    if (t->manifest->persistent && !trial_is_over(t))
        two_at_once(t);
    if (!trial_is_over(t))
        at_its_end(t);
}
