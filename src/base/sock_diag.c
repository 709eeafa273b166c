/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sock_diag.c - asks the kernel for TCP sockets, by sock_diag(7). */
#include "base/sock_diag.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"

#define REPLY_BYTES 16384

struct sock_diag_reply {
    void (*found)(void *arg, const struct inet_diag_msg *m);
    void *arg;
    bool ended;
    enum sock_diag_answer answer; /* once it has ended */
};

static bool
send_diag_query(int netlink, const struct sock_diag_query *q)
{
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } m = {
        .head = {.nlmsg_len = sizeof(m),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = (unsigned short)(NLM_F_REQUEST |
                                                 (q->all ? NLM_F_DUMP : 0))},
        .body = {.sdiag_family = (unsigned char)q->family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = q->states,
                 .id = q->id},
    };

    return send(netlink, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m);
}

static void
end_diag_reply(struct sock_diag_reply *r, enum sock_diag_answer answer)
{
    r->ended = true;
    r->answer = answer;
}

static void
take_diag_message(struct sock_diag_reply *r, const struct nlmsghdr *h)
{
    const char *body = (const char *)h + NLMSG_HDRLEN;
    struct nlmsgerr failed = {.error = 0};
    struct inet_diag_msg m;

    if (h->nlmsg_type == NLMSG_DONE) {
        end_diag_reply(r, SOCK_DIAG_DONE);
    } else if (h->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
               h->nlmsg_len >= NLMSG_LENGTH(sizeof(m))) {
        memcpy(&m, body, sizeof(m));
        r->found(r->arg, &m);
    } else {
        if (h->nlmsg_type == NLMSG_ERROR &&
            h->nlmsg_len >= NLMSG_LENGTH(sizeof(failed)))
            memcpy(&failed, body, sizeof(failed));
        end_diag_reply(r, failed.error == -ENOENT ? SOCK_DIAG_NONE
                                                  : SOCK_DIAG_FAILED);
    }
}

static void
take_diag_datagram(struct sock_diag_reply *r, const char *bytes, size_t got)
{
    size_t at = 0;

    while (!r->ended && at + sizeof(struct nlmsghdr) <= got) {
        const struct nlmsghdr *h = (const void *)(bytes + at);

        if (h->nlmsg_len < sizeof(*h) || h->nlmsg_len > got - at) {
            end_diag_reply(r, SOCK_DIAG_FAILED);
            return;
        }
        at += NLMSG_ALIGN(h->nlmsg_len);
        take_diag_message(r, h);
    }
}

enum sock_diag_answer
sock_diag_ask(const struct sock_diag_query *q,
              void (*found)(void *arg, const struct inet_diag_msg *m),
              void *arg)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct sock_diag_reply r = {.found = found, .arg = arg};

    if (fd < 0 || !send_diag_query(fd, q))
        return SOCK_DIAG_FAILED;
    while (!r.ended) {
        _Alignas(struct nlmsghdr) char bytes[REPLY_BYTES];
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, q->wait_ms);
        ssize_t got = ready == 1 ? recv(fd, bytes, sizeof(bytes), 0) : -1;

        if (ready < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return SOCK_DIAG_FAILED;
        take_diag_datagram(&r, bytes, (size_t)got);
        if (!q->all && !r.ended) /* one socket is one message */
            end_diag_reply(&r, SOCK_DIAG_DONE);
    }
    return r.answer;
}
