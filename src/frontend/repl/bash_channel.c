/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash_channel.c - the REPL's end of the socket to the loadable in bash. */
#include "frontend/repl/bash_channel.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define SEND_S 2 /* for a bash that waits for us: it reads at once */

static int
send_packet(struct bash_channel *ch, const char *p, size_t n, struct err *e)
{
    if (send(ch->sock, p, n, MSG_NOSIGNAL) < 0)
        return err_sys(e, "the shell does not respond");
    return 0;
}

int
bash_channel_open(struct bash_channel *ch, const char *nonce, int *theirs,
                  struct err *e)
{
    struct timeval patience = {.tv_sec = SEND_S};
    char hello[BASH_NONCE_SIZE + 1];
    int pair[2];

    *ch = (struct bash_channel){.sock = -1};
    buf_init(&ch->prompt, BASH_MSG_MAX);
    bash_reply_init(&ch->reply);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(e, "socket pair");
    ch->sock = pair[0];
    *theirs = pair[1];
    (void)setsockopt(ch->sock, SOL_SOCKET, SO_SNDTIMEO, &patience,
                     sizeof(patience));
    snprintf(hello, sizeof(hello), "%c%s", BASH_MSG_NONCE, nonce);
    return send_packet(ch, hello, sizeof(hello), e);
}

void
bash_channel_close(struct bash_channel *ch)
{
    if (!ch)
        return;
    fd_close_p(&ch->sock);
    ch->sock = -1;
    buf_done(&ch->prompt);
    bash_reply_done(&ch->reply);
}

static void
keep_prompt(struct bash_channel *ch, const char *msg, size_t n)
{
    struct bash_prompt p;

    if (bash_protocol_read_prompt(msg, n, &p) < 0)
        return;
    buf_clear(&ch->prompt);
    ch->prompted = buf_add(&ch->prompt, msg, n) == 0;
}

static void
read_packet(struct bash_channel *ch, const char *msg, size_t n)
{
    switch (msg[0]) {
    case BASH_MSG_HELLO:
        ch->attached = true;
        break;
    case BASH_MSG_REFUSE:
        snprintf(ch->refusal, sizeof(ch->refusal), "%.*s", (int)n - 1, msg + 1);
        break;
    case BASH_MSG_PROMPT:
    case BASH_MSG_MORE:
        keep_prompt(ch, msg, n);
        break;
    default:
        bash_reply_add(&ch->reply, msg, n);
        break;
    }
}

bool
bash_channel_read(struct bash_channel *ch)
{
    char msg[BASH_MSG_MAX];
    ssize_t n;

    while ((n = recv(ch->sock, msg, sizeof(msg), MSG_DONTWAIT)) > 0)
        read_packet(ch, msg, (size_t)n);
    if (n == 0)
        bash_reply_end(&ch->reply);
    return n < 0;
}

int
bash_channel_send_line(struct bash_channel *ch, const char *line, struct err *e)
{
    size_t left = strlen(line);
    char msg[BASH_MSG_MAX];

    if (left > BASH_MSG_LINE_MAX)
        return err_set(e, ERR_INVALID, "a line of more than %d bytes",
                       BASH_MSG_LINE_MAX);
    do {
        size_t n = left < sizeof(msg) - 1 ? left : sizeof(msg) - 1;

        msg[0] = n < left ? BASH_MSG_LINE_PART : BASH_MSG_LINE;
        memcpy(msg + 1, line, n);
        if (send_packet(ch, msg, n + 1, e) < 0)
            return -1;
        line += n;
        left -= n;
    } while (left > 0);
    return 0;
}

void
bash_channel_send(struct bash_channel *ch, char kind)
{
    (void)send_packet(ch, &kind, 1, NULL);
}

void
bash_channel_send_status(struct bash_channel *ch, int status)
{
    char msg[16];
    int n = snprintf(msg, sizeof(msg), "%c%d", BASH_MSG_STATUS, status & 255);

    (void)send_packet(ch, msg, (size_t)n + 1, NULL);
}

void
bash_channel_send_change(struct bash_channel *ch, char kind, const char *text)
{
    CLEANUP_BUF struct buf msg = buf_of(BASH_MSG_MAX);

    buf_printf(&msg, "%c%c%s", BASH_MSG_CHANGE, kind, text);
    if (!msg.bad) /* longer than the records of a plan can be */
        (void)send_packet(ch, msg.p, msg.len + 1, NULL);
}

int
bash_channel_ask(struct bash_channel *ch, char kind, const char *const *fields,
                 struct err *e)
{
    CLEANUP_BUF struct buf msg = buf_of(BASH_MSG_MAX);

    buf_ch(&msg, kind);
    for (; fields && *fields; fields++)
        buf_add(&msg, *fields, strlen(*fields) + 1);
    if (buf_ok(&msg, "a request to the shell", e) < 0)
        return -1;
    bash_reply_begin(&ch->reply);
    return send_packet(ch, msg.p, msg.len, e);
}

const struct buf *
bash_channel_query(struct bash_channel *ch, char kind,
                   const char *const *fields, int timeout_ms)
{
    struct pollfd pfd = {.fd = ch->sock, .events = POLLIN};
    int64_t until = clock_ms() + timeout_ms;
    int64_t left;

    if (bash_channel_ask(ch, kind, fields, NULL) < 0)
        return NULL;
    while (!ch->reply.whole && (left = until - clock_ms()) > 0) {
        (void)poll(&pfd, 1, (int)left);
        if (!bash_channel_read(ch))
            break;
    }
    return bash_reply_fields(&ch->reply);
}
