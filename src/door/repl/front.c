/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - the REPL: its states, and what passes from one to another. */
#include "door/repl/front.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "door/repl/ailine.h"
#include "door/repl/bindings.h"
#include "door/repl/complete.h"
#include "door/repl/lend.h"
#include "door/repl/line.h"
#include "door/repl/pipe_target.h"
#include "door/repl/sign.h"
#include "person/insert.h"

#define ENVIRON_MS 1000 /* bash is idle: it answers at once */
#define NOTE_SIZE  512

/* Ends the loop; the REPL's status. */
static void
end(struct front *f, int status)
{
    f->status = status;
    f->over = true;
    loop_stop(f->loop);
}

/* One line of ours, between the command's. */
static void
note(struct front *f, const char *text)
{
    char line[NOTE_SIZE];
    int n = snprintf(line, sizeof(line), "agentsh: %s\r\n", text);

    screen_put(f->screen, line,
               (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

static void
type(struct front *f, const char *p, size_t n)
{
    if (n > 0 && !shell_type(f->shell, p, n))
        watch_events(f->keys, 0);
}

void
front_on_typed(void *arg)
{
    struct front *f = arg;

    if (f->state != FRONT_ASSISTING)
        watch_events(f->keys, LOOP_READ);
}

/* Keys that came behind a line's end are for its command. */
static void
type_rest(struct front *f)
{
    size_t n;
    const char *rest;

    if (f->state != FRONT_RUNNING)
        return;
    rest = line_rest(&n);
    type(f, rest, n);
}

void
front_edit(struct front *f)
{
    struct termios modes;

    if (tcgetattr(shell_pty(f->shell)->slave, &modes) == 0)
        screen_edit(f->screen, &modes);
}

static void
show_prompt(struct front *f)
{
    CLEANUP_BUF struct buf ahead = buf_of(TALK_LINE_MAX);

    line_hide();
    f->due = false;
    f->state = FRONT_PROMPTED;
    aside_flush(&f->aside);
    front_edit(f);
    shell_untype(f->shell, &ahead);
    for (size_t i = 0; i < ahead.len; i++) {
        if (ahead.p[i] == '\n')
            ahead.p[i] = '\r'; /* the pty made it of the Enter key */
    }
    line_keys(ahead.p, ahead.len);
    if (f->binds != f->binds_taken)
        bindings_take();
    f->binds_taken = f->binds;
    line_show(f->prompt.p, f->vi);
    type_rest(f);
    if (f->insert.len > 0 && f->state == FRONT_PROMPTED &&
        line_insert(f->insert.p))
        buf_clear(&f->insert);
}

static void
edit(struct front *f, const char *p, size_t n)
{
    line_keys(p, n);
    if (f->due && f->state == FRONT_PROMPTED)
        show_prompt(f); /* the shell gave up in the middle of a completion */
    type_rest(f);
}

void
front_on_keys(void *arg, unsigned events)
{
    struct front *f = arg;
    char bytes[4096];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        end(f, 128 + SIGHUP); /* the terminal is gone */
    else if (f->state == FRONT_PROMPTED)
        edit(f, bytes, (size_t)n);
    else
        type(f, bytes, (size_t)n);
}

void
front_on_drained(void *arg)
{
    struct front *f = arg;

    if (f->state != FRONT_ASSISTING)
        shell_pause(f->shell, false);
    if (f->due)
        show_prompt(f);
}

static void
follow_cwd(struct front *f, const char *cwd)
{
    if (f->cwd && strcmp(f->cwd, cwd) == 0)
        return;
    free(f->cwd);
    f->cwd = strdup(cwd);
    (void)!chdir(cwd); /* for the completion of files */
}

void
front_on_prompt(void *arg, const struct talk_prompt *p)
{
    struct front *f = arg;
    struct err e;

    if (!p->more) {
        deed_end(&f->deed, p->status);
        if (history_keep(f->history, &e) < 0)
            note(f, e.text);
    }
    follow_cwd(f, p->cwd);
    f->more = p->more;
    f->vi = p->vi;
    f->binds = p->binds;
    complete_begin(p->breaks, p->more);
    buf_clear(&f->prompt);
    if (p->more)
        buf_str(&f->prompt, p->prompt);
    else
        sign_prompt(&f->prompt, p->prompt,
                    p->sign_set ? p->sign : SIGN_DEFAULT);
    f->due = true;
    if (f->state != FRONT_COMPLETING && !screen_is_busy(f->screen))
        show_prompt(f);
}

static void
send_line(struct front *f, const char *line)
{
    struct err e;

    f->state = FRONT_RUNNING;
    if (dialog_line(shell_dialog(f->shell), line, &e) < 0) {
        note(f, e.text);
        dialog_say(shell_dialog(f->shell), TALK_ABANDON);
    }
    screen_raw(f->screen); /* behind the line: bash is at work already */
}

static void
refuse_pipe(struct front *f, const char *program)
{
    char text[NOTE_SIZE];

    snprintf(text, sizeof(text),
             "%.60s would run what " AI_NAME " writes, unseen: write it to a "
             "file and read that first",
             program);
    note(f, text);
    f->state = FRONT_RUNNING;
    screen_raw(f->screen);
    dialog_status(shell_dialog(f->shell), err_exit_status(ERR_DENIED));
}

/* An operator of the shell is in the line: bash calls the assistant. The last
 * command is still the one before, and is left for it. */
static void
run_assistant(struct front *f, const char *line)
{
    CLEANUP_BUF struct buf program = buf_of(TALK_LINE_MAX);
    struct err e;

    if (pipe_target_runs(line, &program)) {
        refuse_pipe(f, program.p);
        return;
    }
    if (deed_record(&f->deed, f->session, f->cwd, &e) < 0)
        note(f, e.text);
    send_line(f, line);
}

static void
on_assistant_done(void *arg, int status)
{
    struct front *f = arg;

    assistant_free(f->assistant);
    f->assistant = NULL;
    buf_clear(&f->insert);
    insert_take(f->session, &f->insert);
    f->state = FRONT_RUNNING;
    screen_raw(f->screen);
    watch_events(f->keys, LOOP_READ);
    shell_pause(f->shell, false);
    dialog_status(shell_dialog(f->shell), status);
}

static void
run_command(struct front *f, const char *line)
{
    deed_begin(&f->deed, line, f->more);
    send_line(f, line);
}

static void
ask_assistant(struct front *f, const char *line)
{
    struct assistant_start start = {
        .line = line, .cwd = f->cwd, .session = f->session};
    struct err e;

    if (deed_record(&f->deed, f->session, f->cwd, &e) < 0 ||
        insert_offer(f->session, &e) < 0)
        note(f, e.text);
    start.environ = dialog_query(shell_dialog(f->shell), TALK_ENVIRON, NULL,
                                 ENVIRON_MS);
    f->state = FRONT_ASSISTING;
    watch_events(f->keys, 0);
    shell_pause(f->shell, true);
    screen_lent(f->screen);
    f->assistant = assistant_new(f->loop, &start, on_assistant_done, f, &e);
    if (f->assistant)
        return;
    note(f, e.text);
    on_assistant_done(f, err_exit_status(e.code));
}

void
front_on_entered(void *arg, char *text)
{
    CLEANUP(free_p) char *line = text;
    CLEANUP_BUF struct buf shell = buf_of(TALK_LINE_MAX);
    struct front *f = arg;

    aside_flush(&f->aside);
    if (f->insert.len > 0)
        note(f, "another line was typed first: nothing was put on your prompt");
    buf_clear(&f->insert);
    if (!line) {
        f->state = FRONT_RUNNING;
        screen_raw(f->screen);
        dialog_say(shell_dialog(f->shell), TALK_END);
        return;
    }
    history_enter(f->history, line, f->more);
    if (f->more || !ailine_is(line, AI_NAME))
        run_command(f, line);
    else if (ailine_for_shell(line, &shell))
        run_assistant(f, shell.p);
    else
        ask_assistant(f, line);
}

void
front_show_aside(void *arg, const char *p, size_t n)
{
    struct front *f = arg;

    if (f->state == FRONT_PROMPTED)
        line_above(p, n);
    else
        screen_put(f->screen, p, n);
}

void
front_on_output(void *arg, const char *p, size_t n)
{
    struct front *f = arg;

    if (f->state == FRONT_PROMPTED) {
        aside_put(&f->aside, p, n);
        return;
    }
    if (f->state == FRONT_COMPLETING)
        lend_terminal(f);
    else if (!f->due && f->deed.under_way)
        transcript_feed(f->deed.transcript, p, n);
    screen_put(f->screen, p, n);
    if (screen_is_busy(f->screen))
        shell_pause(f->shell, true);
}

void
front_on_ended(void *arg, int status)
{
    struct front *f = arg;
    char text[NOTE_SIZE];
    int signo = shell_killed_by(f->shell);

    if (f->state == FRONT_PROMPTED)
        screen_put(f->screen, "\r\n", 2);
    if (signo) {
        snprintf(text, sizeof(text),
                 "bash was killed (%s); its session is over", strsignal(signo));
        note(f, text);
    }
    end(f, status);
}

static void
interrupt(struct front *f)
{
    struct termios modes;

    if (f->state == FRONT_PROMPTED) {
        line_interrupt();
        f->state = FRONT_RUNNING;
        screen_raw(f->screen);
        dialog_say(shell_dialog(f->shell), TALK_ABANDON);
    } else if (f->state != FRONT_ASSISTING) {
        (void)tcgetattr(shell_pty(f->shell)->slave,
                        &modes); /* it came before the modes changed */
        type(f, (const char *)&modes.c_cc[VINTR], 1);
    }
}

static void
resize(struct front *f)
{
    struct winsize size;

    screen_size(f->screen, &size);
    (void)ioctl(shell_pty(f->shell)->master, TIOCSWINSZ, &size);
    if (f->state == FRONT_PROMPTED)
        line_resized();
}

/* Somebody stopped us, and the shell outside set the terminal its own way. */
static void
resume(struct front *f)
{
    if (f->state == FRONT_RUNNING) {
        screen_raw(f->screen);
    } else if (f->state == FRONT_PROMPTED) {
        front_edit(f);
        line_regain();
    }
}

/* The shell stopped itself: so do we, in favour of the shell outside. Where
 * there is none, nobody could continue us. */
static void
suspend(struct front *f)
{
    if (getsid(0) == getpid()) {
        note(f, "no parent shell to go back to");
    } else {
        screen_lent(f->screen);
        (void)raise(SIGSTOP);
    }
    screen_raw(f->screen);
    shell_continue(f->shell);
}

void
front_signal(struct front *f, int signo)
{
    if (signo == SIGINT)
        interrupt(f);
    else if (signo == SIGWINCH)
        resize(f);
    else if (signo == SIGCONT)
        resume(f);
    else if (signo == SIGCHLD && shell_was_stopped(f->shell))
        suspend(f);
    else if (signo == SIGHUP || signo == SIGTERM)
        end(f, 128 + signo);
}
