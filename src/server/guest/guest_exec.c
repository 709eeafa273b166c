/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_exec.c - exec and exec_code: run a command, answer with its output. */
#include "server/guest/guest_exec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "server/guest/guest_command.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_spool.h"
#include "json/write.h"

#define OUTPUT_MAX (1u << 20)              /* bytes of text of a stream */
#define KEPT_MAX   (OUTPUT_MAX + UTF8_MAX) /* tells that there is more */
/* Read at once: six times as many, where each byte is escaped. */
#define PART_BYTES     (16u << 10)
#define NOTE_MAX       128
#define EXIT_TIMED_OUT 124 /* as of timeout(1) */

static const char truncated_note[] = "\n... [output truncated]";

struct guest_exec {
    struct guest_task task;
    struct rpc_request *rq; /* NULL: it is being answered */
    struct guest_shared *shared;
    struct guest_command *command;
    struct guest_spool streams[GUEST_STREAMS];
    int64_t began_ms;
    int status;
    char note[NOTE_MAX]; /* at the end of stderr */
    /* the answer: what is written next */
    size_t stream;
    bool opened; /* its string is */
    uint64_t from;
    size_t text_left; /* bytes that it may still have */
};

static void
guest_exec_free(struct guest_exec *x)
{
    if (!x)
        return;
    guest_command_free(x->command);
    if (x->rq) /* of a connection that is gone: it is freed by that */
        rpc_refuse(x->rq, JSONRPC_INTERNAL, "ended", NULL);
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        guest_spool_done(&x->streams[i]);
    free(x);
}
DEFINE_CLEANUP(struct guest_exec, guest_exec_free)

void
guest_exec_answer_failed(struct guest_connection *c, struct rpc_request *rq,
                         const char *why)
{
    CLEANUP_BUF struct buf result = buf_of(4096);
    struct json_writer w;

    json_write_init(&w, &result);
    json_open_object(&w);
    json_member_int(&w, "exit_code", -1);
    json_member_str(&w, "stdout", "");
    json_member_str(&w, "stderr", why);
    json_close_object(&w);
    guest_record_failed(c, why);
    rpc_answer(rq, &result);
}

static void
on_exec_output(void *arg, enum guest_stream which, const char *bytes, size_t n)
{
    struct guest_exec *x = arg;
    const struct guest_shared *sh = x->shared;
    struct err e = {0};

    if (guest_spool_add(&x->streams[which], bytes, n, &e) < 0)
        sh->log(sh->arg, e.text);
}

/* The text of the next bytes of a stream. False: it has ended. */
static bool
put_text(struct guest_exec *x, struct buf *out)
{
    const struct guest_spool *s = &x->streams[x->stream];
    CLEANUP_BUF struct buf raw = buf_of(PART_BYTES);
    CLEANUP_BUF struct buf text = buf_of(3 * PART_BYTES);
    size_t cut;
    ssize_t n;

    if (buf_room(&raw, PART_BYTES) < 0 ||
        (n = guest_spool_read(s, x->from, raw.p, PART_BYTES, NULL)) <= 0)
        return false;
    cut = x->from + (uint64_t)n < guest_spool_end(s)
              ? utf8_incomplete_tail(raw.p, (size_t)n)
              : 0;
    x->from += (size_t)n - cut;
    utf8_repair(&text, raw.p, (size_t)n - cut);
    if (text.len <= x->text_left) {
        x->text_left -= text.len;
        json_escape(out, text.p, text.len);
        return true;
    }
    json_escape(out, text.p, utf8_boundary(text.p, text.len, x->text_left));
    json_escape(out, truncated_note, strlen(truncated_note));
    return false;
}

/* A part of the result. */
static bool
next_part(void *arg, struct buf *out)
{
    static const char *const names[] = {"stdout", "stderr"};
    struct guest_exec *x = arg;

    if (!x->opened) {
        if (x->stream == 0)
            buf_printf(out, "{\"exit_code\":%d", x->status);
        buf_printf(out, ",\"%s\":\"", names[x->stream]);
        x->opened = true;
        x->from = 0;
        x->text_left = OUTPUT_MAX;
    }
    if (put_text(x, out))
        return true;
    if (x->stream == GUEST_STDERR)
        json_escape(out, x->note, strlen(x->note));
    buf_ch(out, '"');
    x->opened = false;
    if (++x->stream < GUEST_STREAMS)
        return true;
    buf_ch(out, '}');
    return false;
}

static void
on_answered(void *arg)
{
    struct guest_exec *x = arg;

    guest_task_end(&x->task);
    guest_exec_free(x);
}

static void
answer_exec(struct guest_exec *x)
{
    guest_record_end(x->task.connection, x->status, clock_ms() - x->began_ms,
                     x->streams);
    rpc_answer_parts(TAKE_PTR(x->rq), next_part, on_answered, x);
}

static void
on_exec_ended(void *arg)
{
    struct guest_exec *x = arg;
    struct guest_command *done = TAKE_PTR(x->command);

    x->status = guest_command_status(done);
    if (guest_command_timed_out(done)) {
        x->status = EXIT_TIMED_OUT;
        snprintf(x->note, sizeof(x->note),
                 "\nagentsh: ended after %" PRId64 " ms (--exec-timeout)\n",
                 x->shared->exec_timeout_ms);
    }
    guest_command_free(done);
    if (x->streams[GUEST_STDOUT].lost || x->streams[GUEST_STDERR].lost)
        snprintf(x->note, sizeof(x->note),
                 "\nagentsh: there was no space for more output\n");
    answer_exec(x);
}

static void
cut_exec(struct guest_task *t, const char *note)
{
    struct guest_exec *x = (struct guest_exec *)(void *)t;

    if (!x->command) /* it is being answered */
        return;
    guest_command_free(TAKE_PTR(x->command));
    x->status = -1;
    snprintf(x->note, sizeof(x->note), "\nagentsh: %s\n", note);
    answer_exec(x);
}

/* An answer that is under way is ended by its connection (on_answered). */
static void
leave_exec(struct guest_task *t)
{
    guest_exec_free((struct guest_exec *)(void *)t);
}

/* Runs argv, whose program is at this path. */
static void
start_exec(struct guest_connection *c, struct rpc_request *rq,
           const char *const *argv, const char *program)
{
    static const struct guest_command_events events = {.output = on_exec_output,
                                                       .ended = on_exec_ended};
    CLEANUP(guest_exec_free_p) struct guest_exec *x = calloc(1, sizeof(*x));
    struct guest_command_spec spec = {.settings = c->settings,
                                      .argv = argv,
                                      .program = program,
                                      .timeout_ms = c->shared->exec_timeout_ms};
    CLEANUP_BUF struct buf why = buf_of(1024);
    struct err e = {0};

    if (!x) {
        err_nomem(&e);
        guest_refuse(rq, &e);
        return;
    }
    x->shared = c->shared;
    x->task.holds = true;
    x->task.cut = cut_exec;
    x->task.leave = leave_exec;
    x->began_ms = clock_ms();
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        guest_spool_init(&x->streams[i], c->shared->temp_dir, KEPT_MAX, false);
    x->command = guest_command_start(c->shared, c->number, &spec, &events, x,
                                     &e);
    if (!x->command) {
        buf_printf(&why, "failed to execute %s: %s", argv[0],
                   e.sys ? err_system(e.sys) : e.text);
        guest_exec_answer_failed(c, rq, why.p);
        return;
    }
    x->rq = rq;
    guest_task_begin(&TAKE_PTR(x)->task, c);
}

void
guest_exec_run(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct guest_connection *c = arg;
    static const struct guest_param list[] = {{"cmd", JSON_STRING, false}, {0}};
    const char *argv[] = {"sh", "-c", NULL, NULL};
    const struct json *v[GUEST_PARAMS_MAX];
    struct err e = {0};

    if (guest_params_read(list, params, v, &e) < 0) {
        guest_refuse(rq, &e);
        return;
    }
    guest_record_request(c, "exec", params);
    argv[2] = json_text(v[0]);
    if (!argv[2])
        guest_exec_answer_failed(c, rq, "nul byte found in command");
    else
        start_exec(c, rq, argv, "/bin/sh");
}

/* The languages of exec_code; names ignore case. */
static const struct language {
    const char *name, *program, *option;
} languages[] = {
    {"python", "python3", "-c"}, {"python3", "python3", "-c"},
    {"node", "node", "-e"},      {"javascript", "node", "-e"},
    {"js", "node", "-e"},        {"bash", "bash", "-c"},
    {"sh", "sh", "-c"},
};

static const struct language *
find_language(const char *name)
{
    for (size_t i = 0; name && i < ARRAY_SIZE(languages); i++) {
        if (strcasecmp(languages[i].name, name) == 0)
            return &languages[i];
    }
    return NULL;
}

void
guest_exec_put_line(const char *lang, const char *code, struct buf *out)
{
    const struct language *row = find_language(lang);

    if (!row || !code)
        return;
    buf_printf(out, "%s %s ", row->program, row->option);
    shell_quote_word(out, code);
}

static void
answer_unsupported(struct rpc_request *rq, const struct json *lang)
{
    static const char what[] = "unsupported language: ";
    CLEANUP_BUF struct buf result = buf_of(16u << 20);
    size_t n;
    const char *name = json_str(lang, &n);

    buf_str(&result, "{\"exit_code\":-1,\"stdout\":\"\",\"stderr\":\"");
    buf_str(&result, what);
    json_escape(&result, name, n);
    buf_str(&result, "\"}");
    rpc_answer(rq, &result);
}

void
guest_exec_run_code(void *arg, struct rpc_request *rq,
                    const struct json *params)
{
    struct guest_connection *c = arg;
    static const struct guest_param list[] = {
        {"lang", JSON_STRING, false}, {"code", JSON_STRING, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const char *argv[] = {NULL, NULL, NULL, NULL};
    const struct language *lang;
    CLEANUP(free_p) char *program = NULL;
    CLEANUP_BUF struct buf why = buf_of(256);
    struct err e = {0};

    if (guest_params_read(list, params, v, &e) < 0) {
        guest_refuse(rq, &e);
        return;
    }
    guest_record_request(c, "exec_code", params);
    lang = find_language(json_text(v[0]));
    argv[2] = json_text(v[1]);
    if (!lang) {
        answer_unsupported(rq, v[0]);
        return;
    }
    if (!argv[2]) {
        guest_exec_answer_failed(c, rq, "nul byte found in command");
        return;
    }
    program = seat_find_program(c->shared->seat, lang->program);
    if (!program) {
        buf_printf(&why, "failed to execute %s: %s", lang->program,
                   err_system(ENOENT));
        guest_exec_answer_failed(c, rq, why.p);
        return;
    }
    argv[0] = lang->program;
    argv[1] = lang->option;
    start_exec(c, rq, argv, program);
}
