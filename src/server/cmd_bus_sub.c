/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_bus_sub.c - agentsh bus sub: print the messages of a bus, or hand each of
 * them to a command. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "server/bus/bus_client.h"
#include "server/server_commands.h"
#include "server/server_token.h"
#include "wire/sender.h"

/* Exit statuses from here on: the command was not run, or was killed. */
#define NOT_RUN   126
#define NOT_FOUND 127
/* So many failures in a row are printed: a command that is not there fails for
 * each message. */
#define FAILURES_SHOWN 10
/* Messages that wait for the command: reading stops at so many, and resumes at
 * so few. */
#define WAITING_HIGH 64
#define WAITING_LOW  16
/* Before it connects anew; twice that the next time, up to the maximum. */
#define AGAIN_MS     200
#define AGAIN_MAX_MS 30000
#define NOT_KEPT     (-32005) /* an error of the bus */
#define AFTER_DIGITS 18       /* of --after, as an int64_t has them */

/* A message that waits for the command. */
struct sub_message {
    struct sub_message *next;
    struct buf line;
    char *id;
    unsigned connection; /* that it came by */
};

struct bus_sub {
    struct app *app;
    struct bus_client *client;
    const char *command; /* NULL: messages are printed */
    struct sender *out;
    struct sub_message *first, **end;
    size_t waiting;
    bool paused;
    struct proc *proc;       /* the command, for the first message */
    struct sender *in;       /* to its standard input */
    struct watch *proc_ends; /* it has ended */
    unsigned failures;       /* of the command, in a row */
    struct buf params;
    struct err why;
    struct bus_client_setup set;
    const char *pattern;
    bool is_topic;    /* the pattern, which has numbers of its own then */
    int64_t last;     /* the number to begin behind; -1: there is none */
    char numbers[64]; /* of which it is one; "": that is not known */
    bool reconnects, subscribed;
    unsigned connections; /* that there were */
    int64_t again_ms;     /* what was waited; 0: it is connected */
    struct watch *again;  /* then it connects anew */
};

static void run_next(struct bus_sub *s);

static void
free_sub_message(struct sub_message *m)
{
    buf_done(&m->line);
    free(m->id);
    free(m);
}

static void
end_sub_command(struct bus_sub *s)
{
    watch_free(TAKE_PTR(s->proc_ends));
    sender_free(TAKE_PTR(s->in));
    proc_free(TAKE_PTR(s->proc));
}

static void
bus_sub_done(struct bus_sub *s)
{
    end_sub_command(s);
    bus_client_free(s->client);
    sender_free(s->out);
    watch_free(s->again);
    while (s->first) {
        struct sub_message *m = s->first;

        s->first = m->next;
        free_sub_message(m);
    }
    buf_done(&s->params);
}

static void
end_sub(struct bus_sub *s, const struct err *why)
{
    if (why && s->why.code == ERR_NONE)
        s->why = *why;
    loop_stop(s->app->loop);
}

/* The connection is lost; what was sent by it goes on to be handled. */
static void
on_sub_ended(void *arg, const struct err *why)
{
    struct bus_sub *s = arg;

    if (!s->reconnects || !s->subscribed || !why) {
        end_sub(s, why);
        return;
    }
    if (s->again_ms == 0)
        app_note(s->app, "%s; it connects again", why->text);
    s->again_ms = s->again_ms == 0 ? AGAIN_MS : 2 * s->again_ms;
    if (s->again_ms > AGAIN_MAX_MS)
        s->again_ms = AGAIN_MAX_MS;
    watch_again(s->again, s->again_ms);
}

static void
pause_sub(struct bus_sub *s, bool paused)
{
    if (s->paused == paused)
        return;
    s->paused = paused;
    if (s->client)
        bus_client_pause(s->client, paused);
}

static void
on_sub_output(void *arg, enum sender_state state)
{
    struct bus_sub *s = arg;

    if (state == SENDER_GONE)
        end_sub(s, sender_error(s->out));
    else
        pause_sub(s, state == SENDER_FULL);
}

/* Answers the first message by the exit status of its command. */
static void
answer_first(struct bus_sub *s, int status)
{
    struct sub_message *m = s->first;
    char why[64];

    snprintf(why, sizeof(why), "the command failed with the status %d", status);
    if (m->connection == s->connections && s->client)
        bus_client_answer(s->client, m->id,
                          status == 0        ? RELAY_GOES_ON
                          : status < NOT_RUN ? RELAY_STOPS
                                             : RELAY_FAILED,
                          why);
    if (!(s->first = m->next))
        s->end = &s->first;
    free_sub_message(m);
    if (--s->waiting <= WAITING_LOW)
        pause_sub(s, false);
}

/* signo: what killed it, or 0. */
static void
note_failed_command(struct bus_sub *s, int status, int signo)
{
    if (status < NOT_RUN) {
        s->failures = 0;
        return;
    }
    if (++s->failures > FAILURES_SHOWN)
        return;
    if (signo > 0)
        app_note(s->app, "--exec: the command was killed by signal %d", signo);
    else if (status <= NOT_FOUND)
        app_note(s->app, "--exec: the command could not be run (status %d)",
                 status);
    else
        app_note(s->app, "--exec: the command failed with the status %d",
                 status);
    if (s->failures == FAILURES_SHOWN)
        app_note(s->app, "--exec: more failures in a row are not printed");
}

static void
on_command_ended(void *arg, unsigned events)
{
    struct bus_sub *s = arg;
    int status = NOT_RUN;

    (void)events;
    if (proc_wait(s->proc, 0, &status, NULL) == 1)
        return;
    note_failed_command(s, status, proc_killed_by(s->proc));
    end_sub_command(s);
    answer_first(s, status);
    run_next(s);
}

/* A command that does not read its input is no error. */
static void
on_command_input(void *arg, enum sender_state state)
{
    (void)arg;
    (void)state;
}

static void
on_input_written(void *arg)
{
    struct bus_sub *s = arg;

    sender_free(TAKE_PTR(s->in));
    proc_close_fd(s->proc, 0);
}

/* A file that cannot be written, such as one on a full disk: the message is not
 * counted as taken, and the bus gets that answer before the end. */
static void
fail_sub_output(struct bus_sub *s, const char *id)
{
    if (s->why.code == ERR_NONE) {
        s->why = *sender_error(s->out);
        err_wrap(&s->why, "standard output");
    }
    bus_client_answer(s->client, id, RELAY_FAILED,
                      "the output cannot be written");
    bus_client_close(s->client);
}

static int
start_sub_command(struct bus_sub *s, struct err *e)
{
    const char *const argv[] = {"/bin/sh", "-c", s->command, NULL};
    const struct proc_spec spec = {
        .argv = argv,
        .seat = s->app->seat,
        .fds = {PROC_PIPE, PROC_INHERIT, PROC_INHERIT},
        .pass_fd = -1};

    if (!(s->proc = proc_start(&spec, e)) ||
        !(s->proc_ends = loop_fd(s->app->loop, proc_pidfd(s->proc), LOOP_READ,
                                 on_command_ended, s, e)) ||
        !(s->in = sender_new(s->app->loop, proc_fd(s->proc, 0),
                             2 * BUS_CLIENT_BYTES, on_command_input, s, e)))
        return -1;
    sender_take(s->in, &s->first->line);
    sender_on_empty(s->in, on_input_written, s);
    return 0;
}

static void
run_next(struct bus_sub *s)
{
    struct err e = {0};

    if (!s->proc && s->first && start_sub_command(s, &e) < 0)
        end_sub(s, &e);
}

static void
queue_for_command(struct bus_sub *s, const char *id, struct buf *line)
{
    struct sub_message *m = calloc(1, sizeof(*m));
    struct err e = {0};

    if (!m || !(m->id = strdup(id))) {
        free(m);
        err_nomem(&e);
        end_sub(s, &e);
        return;
    }
    m->connection = s->connections;
    m->line = *line;
    buf_init(line, line->max);
    *s->end = m;
    s->end = &m->next;
    if (++s->waiting >= WAITING_HIGH)
        pause_sub(s, true);
    run_next(s);
}

static void
on_sub_message(void *arg, const char *id, const struct json *params)
{
    struct bus_sub *s = arg;
    CLEANUP_BUF struct buf line = buf_of(2 * BUS_CLIENT_BYTES);
    struct json_writer w;

    /* with a pattern the numbers are of several topics */
    if (s->is_topic)
        (void)json_int(json_get(params, "seq"), &s->last);
    json_write_init(&w, &line);
    json_put_value(&w, params);
    buf_ch(&line, '\n');
    if (s->command) {
        queue_for_command(s, id, &line);
        return;
    }
    sender_add(s->out, line.p, line.len);
    if (sender_error(s->out))
        fail_sub_output(s, id);
    else
        bus_client_answer(s->client, id, RELAY_GOES_ON, NULL);
}

static int
ask_to_subscribe(struct bus_sub *s, struct err *e)
{
    struct json_writer w;

    buf_clear(&s->params);
    json_write_init(&w, &s->params);
    json_open_object(&w);
    json_member_str(&w, "topic", s->pattern);
    if (s->last >= 0)
        json_member_int(&w, "after", s->last);
    json_member_str(&w, "numbers", s->numbers);
    json_close_object(&w);
    return bus_client_ask(s->client, "subscribe", &s->params, e);
}

/* What came while there was no connection is not kept, or the bus began anew:
 * it goes on with the first that there is. */
static bool
goes_on_behind_gap(struct bus_sub *s, const struct jsonrpc *m, struct err *e)
{
    const struct json *data = json_get(json_get(m->root, "error"), "data");
    int64_t first;

    if (s->connections < 2 || m->code != NOT_KEPT || s->last < 0 ||
        !json_int(json_get(data, "first"), &first) || first < 1)
        return false;
    app_note(s->app,
             "what follows %" PRId64 " is not kept: it begins with %" PRId64,
             s->last, first);
    s->last = first - 1;
    s->numbers[0] = '\0';
    return ask_to_subscribe(s, e) == 0;
}

/* The bus does not begin behind --after: what would do instead. */
static void
explain_not_kept(const struct bus_sub *s, const struct jsonrpc *m,
                 struct err *e)
{
    const struct json *data = json_get(json_get(m->root, "error"), "data");
    int64_t first, last;

    if (m->code != NOT_KEPT || s->last < 0 ||
        !json_int(json_get(data, "first"), &first))
        err_set(e, ERR_TOOL, "%.200s (%lld)", m->message, (long long)m->code);
    else if (json_int(json_get(data, "last"), &last))
        err_set(e, ERR_TOOL,
                "--after %" PRId64 ": the newest number is %" PRId64
                ", so the bus may have begun anew. To do: --after %" PRId64
                " begins with what is kept, no --after with what comes next",
                s->last, last, first - 1);
    else
        err_set(e, ERR_TOOL,
                "--after %" PRId64 ": the first number that is kept is %" PRId64
                ". To do: --after %" PRId64
                " begins with what is kept, no --after with what comes next",
                s->last, first, first - 1);
}

static void
on_sub_answered(void *arg, const struct jsonrpc *m)
{
    struct bus_sub *s = arg;
    const char *numbers = json_get_str(json_get(m->root, "result"), "numbers");
    struct err e = {0};

    if (m->kind != JSONRPC_ERROR) {
        snprintf(s->numbers, sizeof(s->numbers), "%s", numbers ? numbers : "");
        s->subscribed = true;
        if (!s->is_topic) /* it would send all of that again */
            s->last = -1;
        if (s->again_ms > 0)
            app_note(s->app, "it is connected again");
        s->again_ms = 0;
        if (s->paused)
            bus_client_pause(s->client, true);
    } else if (!goes_on_behind_gap(s, m, &e)) {
        if (e.code == ERR_NONE)
            explain_not_kept(s, m, &e);
        end_sub(s, &e);
    }
}

static int
connect_sub(struct bus_sub *s, struct err *e)
{
    bus_client_free(TAKE_PTR(s->client));
    s->connections++;
    if (!(s->client = bus_client_new(&s->set, e)))
        return -1;
    return ask_to_subscribe(s, e);
}

static void
on_sub_again(void *arg, unsigned events)
{
    struct err e = {0};

    (void)events;
    if (connect_sub(arg, &e) < 0)
        end_sub(arg, &e);
}

static int
read_sub_words(struct bus_sub *s, const struct command_args *c, struct err *e)
{
    const char *after = c->options.after;
    size_t n = c->n == 1 ? strlen(c->words[0]) : 0;

    if (n == 0)
        return err_set(e, ERR_USAGE, "agentsh bus sub PATTERN");
    s->pattern = c->words[0];
    s->is_topic = !strpbrk(s->pattern, "*?[") && s->pattern[n - 1] != ':' &&
                  s->pattern[n - 1] != '-';
    s->command = c->options.exec;
    s->reconnects = c->options.reconnect;
    s->last = -1;
    if (after) {
        size_t digits = strspn(after, "0123456789");

        if (digits == 0 || after[digits])
            return err_set(e, ERR_USAGE, "--after is a number from 0 on");
        if (digits > AFTER_DIGITS)
            return err_set(e, ERR_USAGE,
                           "--after is too large: a number has at most "
                           "%d digits",
                           AFTER_DIGITS);
        s->last = strtoll(after, NULL, 10);
    }
    return 0;
}

static int
subscribe_until_end(struct bus_sub *s, struct err *e)
{
    struct loop *l = s->app->loop;

    if (!(s->again = loop_timer(l, AGAIN_MS, on_sub_again, s, e)) ||
        !(s->out = sender_new(l, STDOUT_FILENO, SENDER_MAX, on_sub_output, s,
                              e)))
        return -1;
    watch_stop(s->again);
    sender_notice_leaving(s->out);
    if (connect_sub(s, e) < 0 || loop_run(l, e) < 0)
        return -1;
    if (s->why.code == ERR_NONE)
        return 0;
    *e = s->why;
    return -1;
}

int
cmd_run_bus_sub(struct command_args *c)
{
    CLEANUP(bus_sub_done) struct bus_sub sub = {.app = c->app};
    CLEANUP_BUF struct buf token = buf_of_secret(SERVER_TOKEN_MAX);
    struct err e = {0};
    char name[32];

    snprintf(name, sizeof(name), "sub-%ld", (long)getpid());
    buf_init(&sub.params, 64u << 10);
    sub.end = &sub.first;
    if (read_sub_words(&sub, c, &e) < 0 ||
        server_token_read(c->options.token_file, &token, NULL, &e) < 0)
        return app_fail(c->app, &e);
    server_token_show_process(&token);
    sub.set = (struct bus_client_setup){.loop = c->app->loop,
                                        .url = c->options.url ? c->options.url
                                                              : BUS_CLIENT_URL,
                                        .token = token.len > 0 ? token.p : NULL,
                                        .name = name,
                                        .answered = on_sub_answered,
                                        .message = on_sub_message,
                                        .ended = on_sub_ended,
                                        .arg = &sub};
    return subscribe_until_end(&sub, &e) < 0 ? app_fail(c->app, &e) : 0;
}
