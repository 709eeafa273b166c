/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c - the loadable's end of the talk with the REPL. */
#include "door/repl/loadable/internals.h"

#include "door/repl/loadable/link.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A prompt longer than this is cut; the other fields are short. */
#define PROMPT_MAX 32768

void
link_send_raw(const struct link *l, const char *p, size_t n)
{
    while (send(l->sock, p, n, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

void
link_send(const struct link *l, char kind, const char *text)
{
    char p[512];
    int n = snprintf(p, sizeof(p), "%c%s", kind, text);

    link_send_raw(l, p, (size_t)n < sizeof(p) ? (size_t)n + 1 : sizeof(p));
}

void
link_send_fields(struct link *l, char kind, char *const *fields)
{
    buf_clear(&l->reply);
    for (; fields && *fields; fields++) {
        size_t n = strlen(*fields) + 1;

        if (n >= TALK_MAX) /* no use to anyone; a command could not get it */
            continue;
        if (l->reply.len + n > TALK_MAX) {
            link_send_raw(l, l->reply.p, l->reply.len);
            buf_clear(&l->reply);
        }
        if (l->reply.len == 0)
            buf_ch(&l->reply, kind);
        buf_add(&l->reply, *fields, n);
    }
    if (l->reply.len > 0)
        link_send_raw(l, l->reply.p, l->reply.len);
    link_send(l, TALK_DONE, "");
}

/* The logical name of the directory while it is true, as `pwd` says it. */
static const char *
current_dir(char *space, size_t size)
{
    const char *pwd = get_string_value("PWD");
    struct stat named, here;

    if (pwd && pwd[0] == '/' && stat(pwd, &named) == 0 &&
        stat(".", &here) == 0 && named.st_dev == here.st_dev &&
        named.st_ino == here.st_ino)
        return pwd;
    return getcwd(space, size) ? space : "";
}

static void
add_field(struct buf *b, const char *text)
{
    buf_add(b, text ? text : "", text ? strnlen(text, PROMPT_MAX) : 0);
    buf_ch(b, '\0');
}

/* While a completion runs the pty is as in bash's own line editor: keys are
 * not echoed, and come one by one. */
static void
be_quiet(struct link *l)
{
    struct termios now;

    if (tcgetattr(l->pty, &l->modes) < 0)
        return;
    now = l->modes;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    l->quiet = tcsetattr(l->pty, TCSANOW, &now) == 0;
}

static void
be_loud(struct link *l)
{
    if (l->quiet)
        (void)tcsetattr(l->pty, TCSANOW, &l->modes);
    l->quiet = false;
}

/* Says that bash wants a line. The message goes first and the mark behind all
 * output: who has read the mark has the message too. */
static void
ask(struct link *l)
{
    bool more = current_prompt_string && current_prompt_string == ps2_prompt;
    const char *sign = get_string_value("AGENTSH_MARK");
    char cwd[4096], mark[TALK_MARK_SIZE];
    int n;

    if (job_control)
        give_terminal_to(shell_pgrp, 0);
    be_loud(l); /* a completion was interrupted */
    fflush(stdout);
    fflush(stderr);
    buf_clear(&l->reply);
    buf_printf(&l->reply, "%c%lu%c%d%c%s%c", more ? TALK_MORE : TALK_PROMPT,
               ++l->seq, 0, last_command_exit_value, 0,
               rl_editing_mode == 0 ? "vi" : "emacs", 0);
    add_field(&l->reply, current_dir(cwd, sizeof(cwd)));
    add_field(&l->reply, current_readline_prompt);
    buf_str(&l->reply, sign ? "=" : "");
    add_field(&l->reply, sign);
    add_field(&l->reply, rl_completer_word_break_characters);
    buf_printf(&l->reply, "%ld%c", l->binds, 0);
    link_send_raw(l, l->reply.p, l->reply.len);
    n = snprintf(mark, sizeof(mark), TALK_MARK_FMT, l->nonce, l->seq);
    while (write(l->pty, mark, (size_t)n) < 0 && errno == EINTR)
        ;
}

ssize_t
link_receive(struct link *l)
{
    struct pollfd pfd = {.fd = l->sock, .events = POLLIN};
    ssize_t n;

    for (;;) {
        /* poll, because a signal ends it even where recv would go on */
        if (poll(&pfd, 1, -1) < 0 && errno != EINTR)
            return -1;
        check_signals_and_traps();
        n = recv(l->sock, l->packet, TALK_MAX, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n >= 0)
            l->packet[n] = '\0';
        return n;
    }
}

/* As Ctrl-C in bash's own line editor: its handler, then back to the top, on
 * the way there the trap. Ignored, it only begins a new line. */
static void
abandon(struct link *l)
{
    if (!signal_is_ignored(SIGINT))
        sigint_sighandler(SIGINT);
    check_signals();
    putchar('\n');
    ask(l);
}

static void
answer_environ(struct link *l)
{
    maybe_make_export_env();
    link_send_fields(l, TALK_ENTRIES, export_env);
}

static void
take_status(struct link *l)
{
    long status;

    if (talk_number(l->packet + 1, 0, 255, &status) == 0)
        last_command_exit_value = (int)status;
    buf_ch(&l->line, '\n');
}

/* Does what a packet says. True when bash has something to read now. */
static bool
obey(struct link *l, size_t n)
{
    switch (l->packet[0]) {
    case TALK_LINE_PART:
        buf_add(&l->line, l->packet + 1, n - 1);
        return false;
    case TALK_LINE:
        buf_add(&l->line, l->packet + 1, n - 1);
        buf_ch(&l->line, '\n');
        return true;
    case TALK_STATUS:
        take_status(l);
        return true;
    case TALK_ABANDON:
        abandon(l);
        return false;
    case TALK_COMPLETE:
        be_quiet(l);
        answer_complete(l, n);
        be_loud(l);
        return false;
    case TALK_QUOTE:
        answer_quote(l, n);
        return false;
    case TALK_KEY:
        be_quiet(l);
        answer_key(l, n);
        be_loud(l);
        return false;
    case TALK_BINDINGS:
        answer_bindings(l);
        return false;
    case TALK_ENVIRON:
        answer_environ(l);
        return false;
    default:
        return false;
    }
}

int
link_get(struct link *l)
{
    ssize_t n;

    if (l->at == l->line.len) {
        buf_clear(&l->line);
        l->at = 0;
        ask(l);
        do {
            n = link_receive(l);
            if (n <= 0 || l->packet[0] == TALK_END)
                return EOF;
            get_new_window_size(0, NULL, NULL);
        } while (!obey(l, (size_t)n));
    }
    return (unsigned char)l->line.p[l->at++];
}

int
link_unget(struct link *l, int c)
{
    if (l->at > 0)
        l->line.p[--l->at] = (char)c;
    return c;
}
