/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dialog.c - our end of the socket to the loadable in bash. */
#include "door/repl/dialog.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define SEND_S 2 /* for a bash that waits for us: it reads at once */

static int
send_packet(struct dialog *d, const char *p, size_t n, struct err *e)
{
    if (send(d->sock, p, n, MSG_NOSIGNAL) < 0)
        return err_sys(e, "the shell does not respond");
    return 0;
}

int
dialog_open(struct dialog *d, const char *nonce, int *theirs, struct err *e)
{
    struct timeval patience = {.tv_sec = SEND_S};
    char hello[TALK_NONCE_SIZE + 1];
    int pair[2];

    *d = (struct dialog){.sock = -1};
    buf_init(&d->prompt, TALK_MAX);
    said_init(&d->said);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(e, "socket pair");
    d->sock = pair[0];
    *theirs = pair[1];
    (void)setsockopt(d->sock, SOL_SOCKET, SO_SNDTIMEO, &patience,
                     sizeof(patience));
    snprintf(hello, sizeof(hello), "%c%s", TALK_NONCE, nonce);
    return send_packet(d, hello, sizeof(hello), e);
}

void
dialog_close(struct dialog *d)
{
    if (!d)
        return;
    fd_close_p(&d->sock);
    d->sock = -1;
    buf_done(&d->prompt);
    said_done(&d->said);
}

static void
take_prompt(struct dialog *d, const char *msg, size_t n)
{
    struct talk_prompt p;

    if (talk_read_prompt(msg, n, &p) < 0)
        return;
    buf_clear(&d->prompt);
    d->prompted = buf_add(&d->prompt, msg, n) == 0;
}

static void
take_packet(struct dialog *d, const char *msg, size_t n)
{
    switch (msg[0]) {
    case TALK_HELLO:
        d->attached = true;
        break;
    case TALK_REFUSE:
        snprintf(d->refusal, sizeof(d->refusal), "%.*s", (int)n - 1, msg + 1);
        break;
    case TALK_PROMPT:
    case TALK_MORE:
        take_prompt(d, msg, n);
        break;
    default:
        said_take(&d->said, msg, n);
        break;
    }
}

bool
dialog_read(struct dialog *d)
{
    char msg[TALK_MAX];
    ssize_t n;

    while ((n = recv(d->sock, msg, sizeof(msg), MSG_DONTWAIT)) > 0)
        take_packet(d, msg, (size_t)n);
    if (n == 0)
        said_end(&d->said);
    return n < 0;
}

int
dialog_line(struct dialog *d, const char *line, struct err *e)
{
    size_t left = strlen(line);
    char msg[TALK_MAX];

    if (left > TALK_LINE_MAX)
        return err_set(e, ERR_INVALID, "a line of more than %d bytes",
                       TALK_LINE_MAX);
    do {
        size_t n = left < sizeof(msg) - 1 ? left : sizeof(msg) - 1;

        msg[0] = n < left ? TALK_LINE_PART : TALK_LINE;
        memcpy(msg + 1, line, n);
        if (send_packet(d, msg, n + 1, e) < 0)
            return -1;
        line += n;
        left -= n;
    } while (left > 0);
    return 0;
}

void
dialog_say(struct dialog *d, char kind)
{
    (void)send_packet(d, &kind, 1, NULL);
}

void
dialog_status(struct dialog *d, int status)
{
    char msg[16];
    int n = snprintf(msg, sizeof(msg), "%c%d", TALK_STATUS, status & 255);

    (void)send_packet(d, msg, (size_t)n + 1, NULL);
}

int
dialog_ask(struct dialog *d, char kind, const char *const *fields,
           struct err *e)
{
    CLEANUP_BUF struct buf msg = buf_of(TALK_MAX);

    buf_ch(&msg, kind);
    for (; fields && *fields; fields++)
        buf_add(&msg, *fields, strlen(*fields) + 1);
    if (buf_ok(&msg, "a request to the shell", e) < 0)
        return -1;
    said_begin(&d->said);
    return send_packet(d, msg.p, msg.len, e);
}

const struct buf *
dialog_query(struct dialog *d, char kind, const char *const *fields,
             int timeout_ms)
{
    struct pollfd pfd = {.fd = d->sock, .events = POLLIN};
    int64_t until = clock_ms() + timeout_ms;
    int64_t left;

    if (dialog_ask(d, kind, fields, NULL) < 0)
        return NULL;
    while (!d->said.whole && (left = until - clock_ms()) > 0) {
        (void)poll(&pfd, 1, (int)left);
        if (!dialog_read(d))
            break;
    }
    return said_fields(&d->said);
}
