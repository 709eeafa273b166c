/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stub_agent.c - an agent within the gateway, which does what its prompt says.
 *
 * Linked in place of gateway_agent.c, for tests of what the gateway makes of
 * agents. The first word of a prompt: ask, hang, crash, leave (crash when it is
 * done), fail, flood N, use IN OUT COST, write (a file); another one is done at
 * once. A description that begins with "nostart" starts no agent. One that has
 * the word "stay" in its prompt ends, or ends its turn, as it is told to when
 * there is a file "leave" in its directory. STUB_LOG names a file that gets a
 * line when a prompt begins and one when it is done.
 */
#include "server/gateway/gateway_agent.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORK_MS 3

struct gateway_agent {
    struct gateway_agent_setup set;
    struct watch *timer;
    void (*next)(struct gateway_agent *a);
    void (*last)(struct gateway_agent *a); /* when it may leave */
    char id[32], session[64], directory[4000];
    char *prompt;
    bool asking, fails, stopped;
};

static void
log_line(const struct gateway_agent *a, const char *word, const char *text)
{
    const char *path = seat_variable(a->set.seat, "STUB_LOG");
    char line[512];
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
                  : -1;

    if (fd < 0)
        return;
    snprintf(line, sizeof(line), "%s %s %s\n", word, a->set.task_id, text);
    (void)!write(fd, line, strlen(line));
    close(fd);
}

static void
say_event(struct gateway_agent *a, const char *kind, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_AGENT_EVENT_MAX);

    buf_printf(&b, "{\"text\":\"%.300s\"}", text);
    a->set.events->event(a->set.arg, kind, &b);
}

static void
on_fake_due(void *arg, unsigned events)
{
    struct gateway_agent *a = arg;

    (void)events;
    a->next(a);
}

static void
go_on(struct gateway_agent *a, void (*next)(struct gateway_agent *a))
{
    a->next = next;
    watch_again(a->timer, WORK_MS);
}

static void
leave_when_let(struct gateway_agent *a)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/leave", a->directory);
    if (a->prompt && strstr(a->prompt, "stay") && access(path, F_OK) < 0)
        go_on(a, leave_when_let);
    else
        a->last(a);
}

static void
obey(struct gateway_agent *a, void (*last)(struct gateway_agent *a))
{
    a->last = last;
    go_on(a, leave_when_let);
}

static void
end_as_asked(struct gateway_agent *a)
{
    a->set.events->ended(a->set.arg, NULL, false);
}

static void
end_start(struct gateway_agent *a)
{
    struct err e;

    err_set(&e, ERR_TOOL, "the agent does not start");
    say_event(a, "error", e.text);
    a->set.events->ended(a->set.arg, &e, true);
}

static void
get_ready(struct gateway_agent *a)
{
    a->set.events->ready(a->set.arg, "fake agent", a->session);
}

static void
end_turn(struct gateway_agent *a, bool success, const char *reason)
{
    struct gateway_turn_end end = {.success = success,
                                   .stop_reason = reason,
                                   .summary = success ? "done" : "",
                                   .tokens_in = -1,
                                   .tokens_out = -1,
                                   .cost = -1};

    if (strncmp(a->prompt, "use ", 4) == 0) {
        char *at = a->prompt + 4;

        end.tokens_in = strtol(at, &at, 10);
        end.tokens_out = strtol(at, &at, 10);
        end.cost = strtod(at, NULL);
    }
    log_line(a, success ? "done" : "ended", a->prompt);
    a->set.events->turn_ended(a->set.arg, &end);
}

static void
finish_turn(struct gateway_agent *a)
{
    end_turn(a, true, "end_turn");
}

static void
crash(struct gateway_agent *a)
{
    struct err e;

    err_set(&e, ERR_TOOL, "the agent crashed");
    say_event(a, "error", e.text);
    a->set.events->ended(a->set.arg, &e, false);
}

static void
finish_and_crash(struct gateway_agent *a)
{
    finish_turn(a);
    a->stopped = true;
    obey(a, crash);
}

static void
cancel_turn(struct gateway_agent *a)
{
    end_turn(a, false, "cancelled");
}

static void
ask_permission(struct gateway_agent *a)
{
    CLEANUP_BUF struct buf b = buf_of(1024);

    buf_str(&b, "{\"request_id\":\"p1\",\"title\":\"May I?\",\"options\":["
                "{\"option_id\":\"yes\",\"name\":\"Yes\"},"
                "{\"option_id\":\"no\",\"name\":\"No\"}]}");
    a->asking = true;
    a->set.events->asks(a->set.arg, "p1", &b);
}

static void
write_file(const struct gateway_agent *a)
{
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/written", a->directory);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)!write(fd, "new\n", 4);
    if (fd >= 0)
        close(fd);
}

static void
do_prompt(struct gateway_agent *a)
{
    const char *p = a->prompt;

    if (strncmp(p, "crash", 5) == 0) {
        crash(a);
    } else if (strncmp(p, "leave", 5) == 0) {
        go_on(a, finish_and_crash);
    } else if (strncmp(p, "ask", 3) == 0) {
        ask_permission(a);
    } else if (strncmp(p, "fail", 4) == 0) {
        end_turn(a, false, "refusal");
    } else if (strncmp(p, "write", 5) == 0) {
        write_file(a);
        go_on(a, finish_turn);
    } else if (strncmp(p, "hang", 4) != 0) {
        long n = strncmp(p, "flood ", 6) == 0 ? strtol(p + 6, NULL, 10) : 0;

        say_event(a, "content", "at work");
        for (long i = 0; i < n && !a->stopped; i++)
            say_event(a, "content", "word");
        if (!a->stopped)
            go_on(a, finish_turn);
    }
}

struct gateway_agent *
gateway_agent_start(const struct gateway_agent_setup *set, struct err *e)
{
    struct gateway_agent *a = calloc(1, sizeof(*a));

    if (!a || !(a->timer = loop_timer(set->loop, WORK_MS, on_fake_due, a, e))) {
        free(a);
        return NULL;
    }
    a->set = *set;
    a->fails = set->description && strncmp(set->description, "nostart", 7) == 0;
    a->next = a->fails ? end_start : get_ready;
    snprintf(a->directory, sizeof(a->directory), "%s", set->directory);
    snprintf(a->id, sizeof(a->id), "fake-%.20s", set->task_id);
    snprintf(a->session, sizeof(a->session), "%s",
             set->session_id ? set->session_id : "session-of-fake");
    return a;
}

bool
gateway_agent_prompt(struct gateway_agent *a, const char *text)
{
    if (a->stopped)
        return false;
    free(a->prompt);
    a->prompt = strdup(text);
    log_line(a, "begin", text);
    go_on(a, do_prompt);
    return true;
}

void
gateway_agent_cancel(struct gateway_agent *a)
{
    obey(a, cancel_turn);
}

void
gateway_agent_answer(struct gateway_agent *a, const char *request_id,
                     const char *option_id)
{
    if (!a->asking || strcmp(request_id, "p1") != 0)
        return;
    a->asking = false;
    log_line(a, "answer", option_id ? option_id : "nothing");
    go_on(a, finish_turn);
}

void
gateway_agent_stop(struct gateway_agent *a)
{
    a->stopped = true;
    obey(a, end_as_asked);
}

void
gateway_agent_free(struct gateway_agent *a)
{
    if (!a)
        return;
    watch_free(a->timer);
    free(a->prompt);
    free(a);
}

const char *
gateway_agent_instance(const struct gateway_agent *a)
{
    return a->id;
}
