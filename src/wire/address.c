/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.c - reads the address of a socket. */
#include "wire/address.h"

#include <arpa/inet.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/array.h"
#include "base/str.h"

#define HOST_MAX 64 /* of an address of IPv6 with its zone */

/* Parses the whole text as a number from 0 to max; -1: it is no such number. */
static int64_t
read_port_number(const char *text, int64_t max)
{
    size_t digits = strspn(text, "0123456789");
    int64_t v;

    if (digits == 0 || digits > 10 || text[digits])
        return -1;
    v = strtoll(text, NULL, 10);
    return v <= max ? v : -1;
}

static int
read_unix(const char *path, struct address *a, struct err *e)
{
    struct sockaddr_un *un = (struct sockaddr_un *)(void *)&a->at;
    size_t n = strlen(path);

    if (n == 0 || n >= sizeof(un->sun_path))
        return err_set(e, ERR_USAGE, "unix:PATH: a path of 1 to %zu bytes",
                       sizeof(un->sun_path) - 1);
    un->sun_family = AF_UNIX;
    memcpy(un->sun_path, path, n + 1);
    a->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
    return 0;
}

static void
set_tcp4(struct address *a, const struct in_addr *host, int64_t port)
{
    struct sockaddr_in *in = (struct sockaddr_in *)(void *)&a->at;

    *in = (struct sockaddr_in){.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr = *host};
    a->len = sizeof(*in);
}

static void
set_tcp6(struct address *a, const struct in6_addr *host, int64_t port)
{
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)(void *)&a->at;

    *in = (struct sockaddr_in6){.sin6_family = AF_INET6,
                                .sin6_port = htons((uint16_t)port),
                                .sin6_addr = *host};
    a->len = sizeof(*in);
}

/* HOST is without the brackets of an address of IPv6. */
static int
read_tcp(const char *text, struct address *a, struct err *e)
{
    const char *colon = strrchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : 0;
    int64_t port = colon ? read_port_number(colon + 1, UINT16_MAX) : -1;
    char host[HOST_MAX];
    struct in_addr four;
    struct in6_addr six;

    if (n > 2 && text[0] == '[' && text[n - 1] == ']') {
        text++;
        n -= 2;
    }
    if (port < 0 || n == 0 || n >= sizeof(host))
        return err_set(e, ERR_USAGE,
                       "tcp:HOST:PORT, such as "
                       "tcp:127.0.0.1:7891");
    memcpy(host, text, n);
    host[n] = '\0';
    if (inet_pton(AF_INET, strcmp(host, "localhost") ? host : "127.0.0.1",
                  &four) == 1)
        set_tcp4(a, &four, port);
    else if (inet_pton(AF_INET6, host, &six) == 1)
        set_tcp6(a, &six, port);
    else
        return err_set(e, ERR_USAGE, "%.60s: HOST is an address, or localhost",
                       host);
    return 0;
}

/* PORT, or CID:PORT. */
static int
read_vsock(const char *text, struct address *a, struct err *e)
{
    struct sockaddr_vm *vm = (struct sockaddr_vm *)(void *)&a->at;
    const char *colon = strchr(text, ':');
    char cid[16] = "";
    int64_t id = VMADDR_CID_ANY, port;

    if (colon && (size_t)(colon - text) < sizeof(cid)) {
        memcpy(cid, text, (size_t)(colon - text));
        id = read_port_number(cid, UINT32_MAX);
    }
    port = read_port_number(colon ? colon + 1 : text, UINT32_MAX - 1);
    if (id < 0 || port < 0)
        return err_set(e, ERR_USAGE, "vsock:PORT, such as vsock:52");
    *vm = (struct sockaddr_vm){.svm_family = AF_VSOCK,
                               .svm_port = (unsigned)port,
                               .svm_cid = (unsigned)id};
    a->len = sizeof(*vm);
    return 0;
}

static int
read_passed(const char *text, struct address *a, struct err *e)
{
    int64_t fd = read_port_number(text, INT32_MAX);

    if (fd < 0)
        return err_set(e, ERR_USAGE, "fd:N: the number of a descriptor");
    a->fd = (int)fd;
    a->len = sizeof(a->at);
    if (getsockname(a->fd, (struct sockaddr *)&a->at, &a->len) < 0)
        return err_sys(e, "fd:%d", a->fd);
    return 0;
}

static const struct {
    const char *word;
    int (*read)(const char *rest, struct address *a, struct err *e);
} address_kinds[] = {{"unix:", read_unix},
                     {"tcp:", read_tcp},
                     {"vsock:", read_vsock},
                     {"fd:", read_passed}};

bool
address_has_kind(const char *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(address_kinds); i++) {
        if (str_begins(text, address_kinds[i].word))
            return true;
    }
    return false;
}

int
address_read(const char *text, struct address *a, struct err *e)
{
    *a = (struct address){.fd = -1};
    for (size_t i = 0; i < ARRAY_SIZE(address_kinds); i++) {
        const char *word = address_kinds[i].word;

        if (str_begins(text, word))
            return address_kinds[i].read(text + strlen(word), a, e);
    }
    return err_set(e, ERR_USAGE,
                   "%.80s: an address is unix:PATH, tcp:HOST:PORT or "
                   "vsock:PORT",
                   text);
}

void
address_put(struct buf *out, const struct address *a)
{
    const struct sockaddr_un *un = (const void *)&a->at;
    const struct sockaddr_in *in = (const void *)&a->at;
    const struct sockaddr_in6 *in6 = (const void *)&a->at;
    const struct sockaddr_vm *vm = (const void *)&a->at;
    char host[INET6_ADDRSTRLEN] = "";

    switch (a->at.ss_family) {
    case AF_UNIX:
        buf_printf(out, "unix:%s", un->sun_path);
        break;
    case AF_INET:
        (void)inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
        buf_printf(out, "tcp:%s:%u", host, ntohs(in->sin_port));
        break;
    case AF_INET6:
        (void)inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
        buf_printf(out, "tcp:[%s]:%u", host, ntohs(in6->sin6_port));
        break;
    case AF_VSOCK:
        buf_printf(out, "vsock:%u", vm->svm_port);
        break;
    default:
        buf_printf(out, "fd:%d", a->fd);
    }
}

bool
address_is_open(const struct address *a)
{
    const struct sockaddr_in *in = (const void *)&a->at;
    const struct sockaddr_in6 *in6 = (const void *)&a->at;

    if (a->at.ss_family == AF_INET)
        return ntohl(in->sin_addr.s_addr) >> 24 != 127;
    return a->at.ss_family == AF_INET6 &&
           !IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}
