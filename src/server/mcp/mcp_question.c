/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_question.c - a question of the rules, as a client puts it to its user. */
#include "server/mcp/mcp_question.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "term/escape.h"

/* Of the message: a command of 16 KiB and the arguments, every byte escaped. */
#define TEXT_MAX     (1u << 20)
#define ARG_TEXT_MAX (64u << 10) /* of one argument, as it is prepared */
#define ARG_SHOWN    4000        /* bytes of it */
#define NAME_SHOWN   100
#define ARGS_SHOWN   32
#define PATHS_SHOWN  12
#define KEY_SIZE     32 /* of a question among others */

/* Each argument has room of its own, so that a long one hides no other. */
static void
put_argument(struct buf *out, const struct json *arg)
{
    CLEANUP_BUF struct buf value = buf_of(ARG_TEXT_MAX);
    struct json_writer w;
    size_t n, shown;
    const char *name = json_name(arg, &n);

    json_write_init(&w, &value);
    json_put_value(&w, arg);
    shown = value.len < ARG_SHOWN ? value.len : ARG_SHOWN;
    buf_str(out, "    ");
    escape_text(out, NULL, name, n < NAME_SHOWN ? n : NAME_SHOWN, ESCAPE_LINES);
    buf_str(out, ": ");
    if (json_type(arg) == JSON_STRING && value.bad)
        buf_str(out, "a text that is too long to be shown");
    else
        escape_text(out, NULL, value.p, shown, ESCAPE_LINES);
    buf_str(out, value.bad || value.len > shown ? " ... (cut)\n" : "\n");
}

/* The command of cmd.run as it is, and what else it gets; of other tools all
 * arguments. */
static void
put_what_runs(struct buf *out, const struct tool *t,
              const struct errand_request *rq)
{
    const char *command = json_get_str(rq->args, "command");
    size_t n = 0;

    if (t->manifest->step && command) {
        buf_str(out, "\n    ");
        escape_str(out, NULL, command, 0);
        buf_str(out, "\n\n");
    }
    for (const struct json *m = json_first(rq->args); m; m = json_next(m)) {
        if (t->manifest->step && json_text(m) == command && command)
            continue;
        if (++n <= ARGS_SHOWN)
            put_argument(out, m);
    }
    if (n > ARGS_SHOWN)
        buf_printf(out, "    and %zu more\n", n - ARGS_SHOWN);
}

/* What is lost by a destructive command. */
static void
put_touched(struct buf *out, const struct permit *p)
{
    const struct effects *x = p->found ? &p->found->effects : NULL;

    if (!x || (x->n_paths == 0 && x->n_processes == 0 && !x->unknown))
        return;
    buf_str(out, "It touches:\n");
    for (size_t i = 0; i < x->n_paths && i < PATHS_SHOWN; i++) {
        buf_str(out, "    ");
        escape_str(out, NULL, x->paths[i].path, ESCAPE_LINES);
        buf_str(out, x->paths[i].outside ? " (outside the workspace)\n" : "\n");
    }
    for (size_t i = 0; i < x->n_processes && i < PATHS_SHOWN; i++) {
        buf_printf(out, "    process %d, ", x->processes[i].pid);
        escape_str(out, NULL, x->processes[i].name, ESCAPE_LINES);
        buf_ch(out, '\n');
    }
    buf_printf(out, "    in all %" PRIu64 " files of %" PRIu64 " bytes%s%s\n",
               x->files, x->bytes, x->more ? ", or more" : "",
               x->unknown ? ", and what cannot be told before" : "");
}

void
mcp_question_put_rule(struct buf *out, const struct permit *p)
{
    if (p->reason[0])
        escape_str(out, NULL, p->reason, ESCAPE_LINES | ESCAPE_PROSE);
    if (p->reason[0] && p->rule[0])
        buf_str(out, " ");
    if (p->rule[0]) {
        buf_ch(out, '(');
        escape_str(out, NULL, p->rule, ESCAPE_LINES);
        buf_ch(out, ')');
    }
}

static void
put_question_text(struct json_writer *w, const struct seat *seat,
                  const struct tool *t, const struct errand_request *rq,
                  const struct permit *p)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    buf_printf(&text, "May %s %s run?\n", t->name, rq->action);
    put_what_runs(&text, t, rq);
    buf_str(&text, "\nDirectory: ");
    escape_str(&text, NULL, seat_dir(seat) ? seat_dir(seat) : "?",
               ESCAPE_LINES);
    buf_str(&text, "\nWhy it is asked: ");
    mcp_question_put_rule(&text, p);
    buf_ch(&text, '\n');
    if (p->destructive)
        buf_str(&text, "It is destructive.\n");
    put_touched(&text, p);
    json_key(w, "message");
    /* what does not fit is not asked about: w's buffer is bad then, too */
    if (text.bad)
        w->out->bad = true;
    json_put_strn(w, text.p, text.len);
}

void
mcp_question_put(struct json_writer *w, enum mcp_era era,
                 const struct seat *seat, const struct tool *t,
                 const struct errand_request *rq, const struct permit *p)
{
    json_open_object(w);
    if (era == MCP_ERA_REQUEST)
        json_member_str(w, "mode", "form");
    put_question_text(w, seat, t, rq, p);
    json_key(w, "requestedSchema");
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    json_close_object(w);
    json_close_object(w);
    json_close_object(w);
}

static void
write_input_key(char key[KEY_SIZE], unsigned number)
{
    snprintf(key, KEY_SIZE, "approval-%u", number);
}

void
mcp_question_put_input(struct json_writer *w, unsigned number,
                       const char *params, size_t n)
{
    char key[KEY_SIZE];

    write_input_key(key, number);
    json_key(w, "inputRequests");
    json_open_object(w);
    json_key(w, key);
    json_open_object(w);
    json_member_str(w, "method", "elicitation/create");
    json_key(w, "params");
    json_put_raw(w, params, n);
    json_close_object(w);
    json_close_object(w);
}

const struct json *
mcp_question_find(const struct json *answers, unsigned number)
{
    char key[KEY_SIZE];

    write_input_key(key, number);
    return json_get(answers, key);
}

int
mcp_question_read(const struct json *answer, bool *yes, struct err *e)
{
    const char *action = json_get_str(answer, "action");

    if (!action ||
        (strcmp(action, "accept") != 0 && strcmp(action, "decline") != 0 &&
         strcmp(action, "cancel") != 0))
        return err_set(e, ERR_INVALID,
                       "the answer's action must be accept, decline or cancel");
    *yes = strcmp(action, "accept") == 0;
    return 0;
}
