/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_probe.c - one agent of the gateway, for the tests.
 *
 *     agent_probe [--start MS] [--silent MS] [--cancel MS] [--session ID]
 *                 [--variable NAME=VALUE] [--agentctl PROGRAM] TYPE DIRECTORY
 *
 * Commands are lines of its standard input: "prompt TEXT", "cancel", "stop",
 * "answer REQUEST OPTION" (OPTION "-": none), "free". What the agent does is a
 * line of JSON each on standard output. At the end of the input the agent is
 * freed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "server/gateway/gateway_agent.h"
#include "wire/line_reader.h"
#include "json/write.h"

#define LINE_MAX_BYTES (1u << 20)
#define VARIABLES      8

struct probe {
    struct loop *loop;
    struct gateway_agent *agent;
    int64_t began;
};

static void
begin_line(struct probe *p, struct json_writer *w, struct buf *out,
           const char *event)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "event", event);
    json_member_int(w, "ms", clock_ms() - p->began);
}

static void
end_line(struct json_writer *w, struct buf *out)
{
    json_close_object(w);
    (void)puts(out->p);
    (void)fflush(stdout);
}

static void
put_raw(struct json_writer *w, const char *name, const struct buf *data)
{
    json_key(w, name);
    json_put_raw(w, data->p, data->len);
}

static void
on_ready(void *arg, const char *command, const char *session_id)
{
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX_BYTES);
    struct json_writer w;

    begin_line(arg, &w, &out, "ready");
    json_member_str(&w, "command", command);
    json_member_str(&w, "session", session_id);
    end_line(&w, &out);
}

static void
on_event(void *arg, const char *kind, const struct buf *data)
{
    CLEANUP_BUF struct buf out = buf_of(2 * GATEWAY_AGENT_EVENT_MAX);
    struct json_writer w;

    begin_line(arg, &w, &out, "event");
    json_member_str(&w, "kind", kind);
    put_raw(&w, "data", data);
    end_line(&w, &out);
}

static void
on_asks(void *arg, const char *request_id, const struct buf *data)
{
    CLEANUP_BUF struct buf out = buf_of(2 * GATEWAY_AGENT_EVENT_MAX);
    struct json_writer w;

    begin_line(arg, &w, &out, "asks");
    json_member_str(&w, "request", request_id);
    put_raw(&w, "data", data);
    end_line(&w, &out);
}

static void
on_withdrawn(void *arg, const char *request_id)
{
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX_BYTES);
    struct json_writer w;

    begin_line(arg, &w, &out, "withdrawn");
    json_member_str(&w, "request", request_id);
    end_line(&w, &out);
}

static void
on_turn_ended(void *arg, const struct gateway_turn_end *end)
{
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX_BYTES);
    struct json_writer w;

    begin_line(arg, &w, &out, "turn_ended");
    json_member_bool(&w, "success", end->success);
    json_member_str(&w, "stop_reason", end->stop_reason);
    json_member_str(&w, "summary", end->summary);
    json_member_int(&w, "tokens_in", end->tokens_in);
    json_member_int(&w, "tokens_out", end->tokens_out);
    json_key(&w, "cost");
    json_put_num(&w, end->cost);
    end_line(&w, &out);
}

static void
on_ended(void *arg, const struct err *why, bool safe_to_retry)
{
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX_BYTES);
    struct probe *p = arg;
    struct json_writer w;

    begin_line(p, &w, &out, "ended");
    json_member_str(&w, "why", why ? why->text : NULL);
    json_member_bool(&w, "safe", safe_to_retry);
    end_line(&w, &out);
    gateway_agent_free(p->agent);
    p->agent = NULL;
    loop_stop(p->loop);
}

static const struct gateway_agent_events events = {.ready = on_ready,
                                                   .event = on_event,
                                                   .asks = on_asks,
                                                   .withdrawn = on_withdrawn,
                                                   .turn_ended = on_turn_ended,
                                                   .ended = on_ended};

static void
answer(struct probe *p, char *words)
{
    char *option = strchr(words, ' ');

    if (!option)
        return;
    *option++ = '\0';
    gateway_agent_answer(p->agent, words,
                         strcmp(option, "-") == 0 ? NULL : option);
}

static void
on_line(void *arg, char *line, size_t n)
{
    struct probe *p = arg;

    (void)n;
    if (!p->agent)
        return;
    if (strncmp(line, "prompt ", 7) == 0)
        gateway_agent_prompt(p->agent, line + 7);
    else if (strcmp(line, "cancel") == 0)
        gateway_agent_cancel(p->agent);
    else if (strcmp(line, "stop") == 0)
        gateway_agent_stop(p->agent);
    else if (strncmp(line, "answer ", 7) == 0)
        answer(p, line + 7);
    else if (strcmp(line, "free") == 0)
        loop_stop(p->loop);
}

static void
on_too_long(void *arg)
{
    (void)arg;
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct probe *p = arg;

    (void)rest;
    (void)n;
    (void)why;
    loop_stop(p->loop);
}

static const struct line_reader_events input = {
    .line = on_line, .too_long = on_too_long, .end = on_end};

static void
log_line(void *arg, const char *line)
{
    (void)arg;
    fprintf(stderr, "%s\n", line);
}

/* Reads the options; returns where the words begin. */
static int
read_options(int argc, char **argv, struct gateway_agent_setup *set,
             const char **variables)
{
    size_t n = 0;
    int i = 1;

    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *value = argv[i + 1];

        if (strcmp(argv[i], "--start") == 0)
            set->limits.start_ms = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--silent") == 0)
            set->limits.silent_ms = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--cancel") == 0)
            set->limits.cancel_ms = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--session") == 0)
            set->session_id = value;
        else if (strcmp(argv[i], "--agentctl") == 0)
            set->agentctl = value;
        else if (strcmp(argv[i], "--variable") == 0 && n < VARIABLES)
            variables[n++] = value;
    }
    set->variables = variables;
    return i;
}

static int
run_probe(struct probe *p, int argc, char **argv, struct err *e)
{
    CLEANUP(seat_free_p) struct seat *seat = seat_of_process(e);
    CLEANUP(config_free_p) struct config *config = config_load(e);
    CLEANUP(agent_types_free_p)
    struct agent_types *types = seat ? agent_types_load(seat, e) : NULL;
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(e);
    CLEANUP(line_reader_free_p) struct line_reader *r = NULL;
    const char *variables[VARIABLES + 1] = {NULL};
    struct gateway_agent_setup set = {.loop = p->loop,
                                      .seat = seat,
                                      .config = config,
                                      .log = log_line,
                                      .task_id = "t1",
                                      .description = "Do it.",
                                      .events = &events,
                                      .arg = p};
    int at = read_options(argc, argv, &set, variables);

    if (!types || !config || !b)
        return -1;
    if (at + 2 != argc || !(set.type = agent_types_find(types, argv[at])))
        return err_set(e, ERR_USAGE, "TYPE DIRECTORY");
    set.directory = argv[at + 1];
    p->began = clock_ms();
    if (!(p->agent = gateway_agent_start(&set, e)) ||
        !(r = line_reader_new(p->loop, STDIN_FILENO, b, LINE_MAX_BYTES, &input,
                              p, e)) ||
        loop_run(p->loop, e) < 0)
        return -1;
    gateway_agent_free(p->agent);
    return 0;
}

int
main(int argc, char **argv)
{
    struct err e = {0};
    struct probe p = {.loop = loop_new(&e)};

    int rc = p.loop ? run_probe(&p, argc, argv, &e) : -1;

    loop_free(p.loop); /* waits for what ends */
    if (rc == 0)
        return 0;
    fprintf(stderr, "agent_probe: %s\n", e.text);
    return 1;
}
