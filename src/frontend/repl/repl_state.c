/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl_state.c - the state machine of the REPL: its modes and its callbacks. */
#include "frontend/repl/repl_state.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/message_put.h"
#include "frontend/repl/ai_line.h"
#include "frontend/repl/bindings.h"
#include "frontend/repl/complete.h"
#include "frontend/repl/line_editor.h"
#include "frontend/repl/line_keys.h"
#include "frontend/repl/pipe_target.h"
#include "ui/prompt_insert.h"
#include "ui/shell_change.h"

#define ENVIRON_MS  1000 /* bash is idle: it answers at once */
#define NOTE_SIZE   512
#define PATIENCE_MS 150 /* a completion that is slower may want keys */

/* Ends the loop; the REPL's status. */
static void
end_repl(struct repl_state *f, int status)
{
    f->status = status;
    f->over = true;
    loop_stop(f->loop);
}

/* One line of ours, between the command's. */
static void
print_note(struct repl_state *f, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(4 * NOTE_SIZE); /* in any language */

    buf_str(&line, "agentsh: ");
    (void)message_put(&line, text);
    buf_str(&line, "\r\n");
    screen_put(f->screen, line.p, line.len);
}

static void
type_to_bash(struct repl_state *f, const char *p, size_t n)
{
    if (n > 0 && !bash_type(f->bash, p, n))
        watch_events(f->keys, 0);
}

void
repl_on_typed(void *arg)
{
    struct repl_state *f = arg;

    if (f->mode != REPL_ASSISTING)
        watch_events(f->keys, LOOP_READ);
}

/* Keys that came behind a line's end are for its command. */
static void
type_remaining_keys(struct repl_state *f)
{
    size_t n;
    const char *rest;

    if (f->mode != REPL_RUNNING)
        return;
    rest = line_editor_take_rest(&n);
    type_to_bash(f, rest, n);
}

/* Sets the terminal's modes for the line editor. */
static void
set_edit_modes(struct repl_state *f)
{
    struct termios modes;

    if (tcgetattr(bash_pty(f->bash)->slave, &modes) == 0)
        screen_edit(f->screen, &modes);
}

/* The keys that no command has read are the editor's. Their echo, which a
 * terminal shows before the prompt, is ended: Readline counts columns from a
 * line's start. */
static void
take_unread_keys(struct repl_state *f)
{
    CLEANUP_BUF struct buf ahead = buf_of(BASH_MSG_LINE_MAX);

    bash_take_unread_keys(f->bash, &ahead);
    if (ahead.len > 0 && f->midline)
        screen_put(f->screen, "\r\n", 2);
    f->midline = false;
    for (size_t i = 0; i < ahead.len; i++) {
        if (ahead.p[i] == '\n')
            ahead.p[i] = '\r'; /* the pty made it of the Enter key */
    }
    line_editor_add_keys(ahead.p, ahead.len);
}

static void
show_prompt(struct repl_state *f)
{
    if (f->mode == REPL_QUERYING)
        line_keys_cancel(f);
    line_editor_hide();
    take_unread_keys(f);
    if (screen_is_busy(f->screen))
        return; /* it is due as before, once that is drained */
    f->due = false;
    f->mode = REPL_EDITING;
    background_output_flush(&f->background);
    set_edit_modes(f);
    if (f->binds != f->binds_taken) {
        bindings_update();
        line_keys_bind();
    }
    f->binds_taken = f->binds;
    line_editor_show(f->prompt.p, f->vi);
    type_remaining_keys(f);
    if (f->insert.len > 0 && f->mode == REPL_EDITING &&
        line_editor_insert(f->insert.p))
        buf_clear(&f->insert);
}

static void
edit_keys(struct repl_state *f, const char *p, size_t n)
{
    line_editor_add_keys(p, n);
    if (f->due && f->mode == REPL_EDITING)
        show_prompt(f); /* the shell gave up in the middle of a completion */
    type_remaining_keys(f);
}

void
repl_on_keys(void *arg, unsigned events)
{
    struct repl_state *f = arg;
    char bytes[4096];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        end_repl(f, 128 + SIGHUP); /* the terminal is gone */
    else if (f->mode == REPL_EDITING)
        edit_keys(f, bytes, (size_t)n);
    else if (f->mode == REPL_QUERYING && memchr(bytes, 0x03, (size_t)n))
        line_keys_cancel(f);
    else if (f->mode == REPL_QUERYING)
        return; /* an Enter among them would run what nobody has seen */
    else
        type_to_bash(f, bytes, (size_t)n);
}

void
repl_on_drained(void *arg)
{
    struct repl_state *f = arg;

    if (f->mode != REPL_ASSISTING)
        bash_pause(f->bash, false);
    if (f->due)
        show_prompt(f);
}

static void
follow_cwd(struct repl_state *f, const char *cwd)
{
    if (f->cwd && strcmp(f->cwd, cwd) == 0)
        return;
    free(f->cwd);
    f->cwd = strdup(cwd);
    (void)!chdir(cwd); /* for the completion of files */
}

static void
put_signed_prompt(struct repl_state *f, const struct bash_prompt *p)
{
    CLEANUP_BUF struct buf sign = buf_of(PROMPT_SIGN_MAX);

    if (!p->prefix_set)
        prompt_sign_write(f->sign, p->cwd, p->status, &sign);
    line_editor_prefix_prompt(&f->prompt, p->prompt,
                              p->prefix_set  ? p->prefix
                              : sign.len > 0 ? sign.p
                                             : "");
}

void
repl_on_prompt(void *arg, const struct bash_prompt *p)
{
    struct repl_state *f = arg;
    struct err e;

    if (!p->more) {
        command_capture_end(&f->capture, p->status);
        if (history_keep(f->history, &e) < 0)
            print_note(f, e.text);
        if (f->mode == REPL_RUNNING)
            history_follow(f->history);
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
        put_signed_prompt(f, p);
    f->due = true;
    if (f->mode != REPL_COMPLETING && !screen_is_busy(f->screen))
        show_prompt(f);
}

static void
pass_window_size(struct repl_state *f)
{
    struct winsize size;

    screen_size(f->screen, &size);
    (void)ioctl(bash_pty(f->bash)->master, TIOCSWINSZ, &size);
}

static void
send_line(struct repl_state *f, const char *line)
{
    struct err e;

    f->mode = REPL_RUNNING;
    /* keys may be read before the signal of a new size that came first */
    pass_window_size(f);
    if (bash_channel_send_line(bash_get_channel(f->bash), line, &e) < 0) {
        print_note(f, e.text);
        bash_channel_send(bash_get_channel(f->bash), BASH_MSG_ABANDON);
    }
    screen_raw(f->screen); /* behind the line: bash is at work already */
}

static void
refuse_pipe(struct repl_state *f, const char *program)
{
    char text[NOTE_SIZE];

    snprintf(text, sizeof(text),
             _("%.60s would run what %s writes, unseen: write it to a file and "
               "read that first"),
             program, AI_NAME);
    print_note(f, text);
    f->mode = REPL_RUNNING;
    screen_raw(f->screen);
    bash_channel_send_status(bash_get_channel(f->bash),
                             err_exit_status(ERR_DENIED));
}

/* An operator of the shell is in the line: bash calls the assistant. The last
 * command is still the one before, and is left for it. */
static void
run_ai_in_bash(struct repl_state *f, const char *line)
{
    CLEANUP_BUF struct buf program = buf_of(BASH_MSG_LINE_MAX);
    struct err e;

    if (pipe_target_runs(line, &program)) {
        refuse_pipe(f, program.p);
        return;
    }
    if (command_capture_record(&f->capture, f->seat, f->session, f->cwd, &e) <
        0)
        print_note(f, e.text);
    send_line(f, line);
}

/* bash does the change before it reads on: the message is ahead of the status.
 */
static void
change_shell(void *arg, enum shell_change_kind kind, const char *text)
{
    struct repl_state *f = arg;
    struct err e;

    if (kind == SHELL_CHANGE_LINE) {
        history_enter(f->history, text, false);
        if (history_keep(f->history, &e) < 0)
            print_note(f, e.text);
    }
    bash_channel_send_change(bash_get_channel(f->bash), (char)kind, text);
}

static void
on_ai_done(void *arg, int status)
{
    struct repl_state *f = arg;

    ai_child_free(f->ai);
    f->ai = NULL;
    buf_clear(&f->insert);
    prompt_insert_read(f->seat, f->session, &f->insert);
    f->mode = REPL_RUNNING;
    screen_raw(f->screen);
    watch_events(f->keys, LOOP_READ);
    bash_pause(f->bash, false);
    shell_change_read(f->seat, f->session, change_shell, f);
    bash_channel_send_status(bash_get_channel(f->bash), status);
}

static void
run_in_bash(struct repl_state *f, const char *line)
{
    command_capture_begin(&f->capture, line, f->more);
    send_line(f, line);
}

static void
run_ai(struct repl_state *f, const char *line)
{
    struct ai_child_start start = {
        .line = line, .cwd = f->cwd, .session = f->session, .warm = f->warm};
    struct err e;

    if (command_capture_record(&f->capture, f->seat, f->session, f->cwd, &e) <
            0 ||
        prompt_insert_open(f->seat, f->session, &e) < 0 ||
        shell_change_open(f->seat, f->session, &e) < 0)
        print_note(f, e.text);
    start.environ = bash_channel_query(bash_get_channel(f->bash),
                                       BASH_MSG_ENVIRON, NULL, ENVIRON_MS);
    f->mode = REPL_ASSISTING;
    watch_events(f->keys, 0);
    bash_pause(f->bash, true);
    screen_lent(f->screen);
    f->ai = ai_child_new(f->loop, &start, on_ai_done, f, &e);
    if (f->ai)
        return;
    print_note(f, e.text);
    on_ai_done(f, err_exit_status(e.code));
}

/* The variables that an option's value may name; NULL: it names none. */
static const struct buf *
shell_variables(struct repl_state *f, const char *line)
{
    return strchr(line, '$')
               ? bash_channel_query(bash_get_channel(f->bash), BASH_MSG_ENVIRON,
                                    NULL, ENVIRON_MS)
               : NULL;
}

void
repl_on_line(void *arg, char *text)
{
    CLEANUP(free_p) char *line = text;
    CLEANUP_BUF struct buf shell = buf_of(BASH_MSG_LINE_MAX);
    struct repl_state *f = arg;

    background_output_flush(&f->background);
    if (f->insert.len > 0)
        print_note(
            f,
            _("another line was typed first: nothing was put on your prompt"));
    buf_clear(&f->insert);
    if (!line) {
        f->mode = REPL_RUNNING;
        screen_raw(f->screen);
        bash_channel_send(bash_get_channel(f->bash), BASH_MSG_END);
        return;
    }
    history_enter(f->history, line, f->more);
    if (f->more || !ai_line_is(line, AI_NAME))
        run_in_bash(f, line);
    else if (ai_line_for_shell(line, shell_variables(f, line), &shell))
        run_ai_in_bash(f, shell.p);
    else
        run_ai(f, line);
}

void
repl_show_background(void *arg, const char *p, size_t n)
{
    struct repl_state *f = arg;

    if (f->mode == REPL_EDITING)
        line_editor_print_above(p, n);
    else
        screen_put(f->screen, p, n);
}

/* Gives the terminal to what bash runs for the editor. */
static void
hand_over_terminal(struct repl_state *f)
{
    if (f->lent)
        return;
    f->lent = true;
    line_editor_hand_over(f->clears);
    screen_raw(f->screen);
    watch_events(f->keys, LOOP_READ);
}

void
repl_on_output(void *arg, const char *p, size_t n)
{
    struct repl_state *f = arg;

    if (f->mode == REPL_EDITING || f->mode == REPL_QUERYING) {
        background_output_add(&f->background, p, n);
        return;
    }
    if (f->mode == REPL_COMPLETING)
        hand_over_terminal(f);
    else if (!f->due)
        command_capture_feed(&f->capture, p, n);
    screen_put(f->screen, p, n);
    f->midline = p[n - 1] != '\n';
    if (screen_is_busy(f->screen))
        bash_pause(f->bash, true);
}

void
repl_on_bash_end(void *arg, int status)
{
    struct repl_state *f = arg;
    char text[NOTE_SIZE];
    int signo = bash_killed_by(f->bash);

    if (f->mode == REPL_EDITING)
        screen_put(f->screen, "\r\n", 2);
    if (signo) {
        snprintf(text, sizeof(text),
                 _("bash was killed (%s); its session is over"),
                 strsignal(signo));
        print_note(f, text);
    }
    end_repl(f, status);
}

static void
on_interrupt(struct repl_state *f)
{
    struct termios modes;

    if (f->mode == REPL_QUERYING) {
        line_keys_cancel(f);
    } else if (f->mode == REPL_EDITING) {
        line_editor_interrupt();
        f->mode = REPL_RUNNING;
        screen_raw(f->screen);
        bash_channel_send(bash_get_channel(f->bash), BASH_MSG_ABANDON);
    } else if (f->mode != REPL_ASSISTING) {
        /* it came before the modes changed */
        if (tcgetattr(bash_pty(f->bash)->slave, &modes) < 0)
            modes.c_cc[VINTR] = 0x03; /* Ctrl-C */
        type_to_bash(f, (const char *)&modes.c_cc[VINTR], 1);
    }
}

static void
on_resize(struct repl_state *f)
{
    pass_window_size(f);
    if (f->mode == REPL_EDITING || f->mode == REPL_QUERYING)
        line_editor_resize();
}

/* Somebody stopped us, and the shell outside set the terminal its own way. */
static void
on_continue(struct repl_state *f)
{
    if (f->mode == REPL_RUNNING) {
        screen_raw(f->screen);
    } else if (f->mode == REPL_EDITING || f->mode == REPL_QUERYING) {
        set_edit_modes(f);
        line_editor_regain();
    }
}

/* The shell stopped itself: so do we, in favour of the shell outside. Where
 * there is none, nobody could continue us. */
static void
on_suspend(struct repl_state *f)
{
    if (getsid(0) == getpid()) {
        print_note(f, _("no parent shell to go back to"));
    } else {
        screen_lent(f->screen);
        (void)raise(SIGSTOP);
    }
    screen_raw(f->screen);
    bash_continue(f->bash);
}

void
repl_on_signal(struct repl_state *f, int signo)
{
    if (signo == SIGINT)
        on_interrupt(f);
    else if (signo == SIGWINCH)
        on_resize(f);
    else if (signo == SIGCONT)
        on_continue(f);
    else if (signo == SIGCHLD && bash_was_stopped(f->bash))
        on_suspend(f);
    else if (signo == SIGHUP || signo == SIGTERM)
        end_repl(f, 128 + signo);
}

/* Keys that came meanwhile and that nobody took are the editor's. */
static void
take_terminal_back(struct repl_state *f)
{
    CLEANUP_BUF struct buf ahead = buf_of(BASH_MSG_LINE_MAX);

    watch_events(f->keys, LOOP_READ);
    if (!f->lent)
        return;
    f->lent = false;
    bash_take_unread_keys(f->bash, &ahead);
    line_editor_add_keys(ahead.p, ahead.len);
    set_edit_modes(f);
    line_editor_regain();
}

bool
repl_wait_reply(void *arg, bool clears)
{
    struct repl_state *f = arg;
    int64_t until = clock_ms() + PATIENCE_MS;

    f->mode = REPL_COMPLETING;
    f->clears = clears;
    watch_events(f->keys, 0);
    bash_watch_channel(f->bash, true);
    while (!bash_get_channel(f->bash)->reply.whole && !f->due && !f->over) {
        if (loop_turn(f->loop, PATIENCE_MS, NULL) < 0)
            break;
        if (clock_ms() > until)
            hand_over_terminal(f);
    }
    bash_watch_channel(f->bash, false);
    f->mode = REPL_EDITING;
    take_terminal_back(f);
    return !f->due && !f->over;
}
