/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal_step.c - runs the command of a step that has the person's terminal.
 */
#include "action/terminal_step.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "action/sudo_line.h"
#include "base/message.h"
#include "base/path.h"
#include "tool/captured.h"
#include "tool/protocol.h"

struct terminal_step {
    struct captured *run;
    const struct terminal_step_events *ev;
    void *arg;
    bool asks; /* its sudo may ask for the password */
};

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct terminal_step *t = arg;

    t->ev->output(t->arg, stream, bytes, n);
}

static bool
ends_with_words_of_sudo(const struct captured_end *end, const char *words)
{
    char says[256];
    size_t n = (size_t)snprintf(says, sizeof(says), "sudo: %s\n", words);

    return n < sizeof(says) && end->len[1] >= n &&
           memcmp(end->text[1] + end->len[1] - n, says, n) == 0;
}

/* Whether its last words are that sudo got no password: Ctrl-C or an end of
 * input was typed where it asked for one. It says so in the person's language,
 * if its catalogue is here. */
static bool
got_no_password(const struct captured_end *end)
{
    static const char words[] = "a password is required";

    return end->status == 1 &&
           (ends_with_words_of_sudo(end, words) ||
            ends_with_words_of_sudo(end, message_of_other("sudoers", words)));
}

/* By the person's Ctrl-C: of a program, which its shell tells as well. */
static bool
was_interrupted(const struct terminal_step *t, const struct captured_end *end)
{
    return end->killed_by == SIGINT || end->status == 128 + SIGINT ||
           (t->asks && got_no_password(end));
}

static void
on_done(void *arg, const struct captured_end *end)
{
    static const struct denials none;
    struct terminal_step *t = arg;
    const struct tool_result r = {.ok = true,
                                  .out = end->text[0],
                                  .out_len = end->len[0],
                                  .err = end->text[1],
                                  .err_len = end->len[1],
                                  .truncated = end->truncated,
                                  .has_exit_code = true,
                                  .exit_code = end->status,
                                  .refused = &none,
                                  .duration_ms = end->ms};

    t->ev->done(t->arg, &r, was_interrupted(t, end));
}

struct terminal_step *
terminal_step_start(struct loop *l, const struct terminal_step_params *p,
                    const struct terminal_step_events *ev, void *arg,
                    struct err *e)
{
    static const struct captured_events events = {.output = on_output,
                                                  .done = on_done};
    CLEANUP(terminal_step_free_p)
    struct terminal_step *t = calloc(1, sizeof(*t));
    const char *bash = path_bash();
    const char *const argv[] = {bash, "--noprofile", "--norc",
                                "-c", p->command,    NULL};
    struct sandbox_spec spec = p->setup->spec;
    const struct tool_setting setting = {.sandbox = &spec,
                                         .seat = p->seat,
                                         .config = p->config,
                                         .colour = p->colour};
    const struct captured_params params = {
        .argv = argv,
        .setting = &setting,
        .cwd = p->directory,
        .terminal = p->verdict->tty == STEP_TTY_INPUT ? CAPTURED_INPUT
                                                      : CAPTURED_WHOLE,
        .stream = true,
        .kept_max = PROTOCOL_TEXT_MAX};

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    *t = (struct terminal_step){
        .ev = ev, .arg = arg, .asks = !sudo_line_never_asks(p->command)};
    if (!bash) {
        err_set(e, ERR_NOT_FOUND, "there is no bash here");
        return NULL;
    }
    spec.keep_terminal = spec.alike = true;
    spec.report = false;
    spec.leave = p->verdict->calls_sudo; /* daemons that root starts go on */
    t->run = captured_start(l, &params, &events, t, e);
    return t->run ? TAKE_PTR(t) : NULL;
}

void
terminal_step_free(struct terminal_step *t)
{
    if (!t)
        return;
    captured_free(t->run);
    free(t);
}

void
terminal_step_signal(struct terminal_step *t, int signo)
{
    captured_signal(t->run, signo);
}

void
terminal_step_pause(struct terminal_step *t, bool paused)
{
    captured_pause(t->run, paused);
}
