/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlink.c - tables of the kernel by netlink(7). */
#include "plugins/lib/netlink.h"

#include <linux/rtnetlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define ANSWER_MS   1000  /* the kernel answers at once, or never */
#define ANSWER_SIZE 65536 /* it fills what it is given, up to 32 KiB */
#define PAYLOAD_MAX 256

struct question {
    struct nlmsghdr head;
    char payload[PAYLOAD_MAX];
};

static int
ask(int fd, unsigned type, const void *payload, size_t n, struct err *e)
{
    struct question q = {.head = {.nlmsg_len = (unsigned)NLMSG_LENGTH(n),
                                  .nlmsg_type = (unsigned short)type,
                                  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                                  .nlmsg_seq = 1}};
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};

    if (n > PAYLOAD_MAX)
        return err_set(e, ERR_INVALID, "netlink: a question of %zu bytes", n);
    memcpy(q.payload, payload, n);
    if (sendto(fd, &q, q.head.nlmsg_len, 0, (struct sockaddr *)&kernel,
               sizeof(kernel)) < 0)
        return err_sys(e, "netlink");
    return 0;
}

static int
refusal(const void *payload, size_t n, struct err *e)
{
    struct nlmsgerr why;

    if (n < sizeof(why))
        return err_set(e, ERR_PEER, "netlink: a short refusal");
    memcpy(&why, payload, sizeof(why));
    if (why.error == 0)
        return 0;
    errno = -why.error;
    if (errno == ENOENT || errno == EOPNOTSUPP)
        return err_set(e, ERR_UNSUPPORTED, "netlink: %s", strerror(errno));
    return err_sys(e, "netlink");
}

int
netlink_parse(const void *bytes, size_t n, size_t *left, netlink_cb *cb,
              void *arg, struct err *e)
{
    const char *p = bytes;

    while (n >= sizeof(struct nlmsghdr)) {
        struct nlmsghdr h;
        size_t whole;

        memcpy(&h, p, sizeof(h));
        if (h.nlmsg_len < sizeof(h) || h.nlmsg_len > n)
            return err_set(e, ERR_PEER, "netlink: a message that is cut");
        if (h.nlmsg_type == NLMSG_DONE)
            return 0;
        if (h.nlmsg_type == NLMSG_ERROR)
            return refusal(p + sizeof(h), h.nlmsg_len - sizeof(h), e);
        if (h.nlmsg_type >= NLMSG_MIN_TYPE &&
            ((*left)-- == 0 ||
             !cb(arg, h.nlmsg_type, p + sizeof(h), h.nlmsg_len - sizeof(h))))
            return 0;
        whole = NLMSG_ALIGN(h.nlmsg_len);
        if (whole >= n)
            break;
        p += whole;
        n -= whole;
    }
    return 1;
}

/* What the kernel has to say is mostly there by the time it was asked. */
static ssize_t
receive(int fd, char *bytes, struct err *e)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t until = clock_ms() + ANSWER_MS, left;
    ssize_t n;

    while ((n = recv(fd, bytes, ANSWER_SIZE, MSG_DONTWAIT)) < 0 &&
           (errno == EAGAIN || errno == EINTR)) {
        left = until - clock_ms();
        if (left <= 0)
            return err_set(e, ERR_TIMEOUT, "netlink: no answer");
        (void)poll(&p, 1, (int)left);
    }
    return n > 0 ? n : err_sys(e, "netlink");
}

static int
hear(int fd, size_t most, netlink_cb *cb, void *arg, struct err *e)
{
    CLEANUP(free_p) char *bytes = malloc(ANSWER_SIZE);
    int more = 1;

    if (!bytes)
        return err_sys(e, "netlink");
    while (more > 0) {
        ssize_t n = receive(fd, bytes, e);

        if (n < 0)
            return -1;
        more = netlink_parse(bytes, (size_t)n, &most, cb, arg, e);
    }
    return more;
}

int
netlink_dump(int protocol, unsigned type, const void *payload, size_t n,
             size_t most, netlink_cb *cb, void *arg, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

    if (fd < 0)
        return err_sys(e, "netlink");
    if (ask(fd, type, payload, n, e) < 0)
        return -1;
    return hear(fd, most, cb, arg, e);
}

struct netlink_attrs
netlink_attrs_of(const void *payload, size_t n, size_t header)
{
    header = NLMSG_ALIGN(header);
    if (n < header)
        return (struct netlink_attrs){payload, 0};
    return (struct netlink_attrs){(const char *)payload + header, n - header};
}

bool
netlink_attr(struct netlink_attrs *rest, struct netlink_attr *out)
{
    struct rtattr a;
    size_t whole;

    if (rest->n < sizeof(a))
        return false;
    memcpy(&a, rest->p, sizeof(a));
    if (a.rta_len < sizeof(a) || a.rta_len > rest->n)
        return false;
    *out = (struct netlink_attr){a.rta_type & NLA_TYPE_MASK,
                                 rest->p + sizeof(a), a.rta_len - sizeof(a)};
    whole = RTA_ALIGN(a.rta_len);
    whole = whole < rest->n ? whole : rest->n;
    rest->p += whole;
    rest->n -= whole;
    return true;
}
