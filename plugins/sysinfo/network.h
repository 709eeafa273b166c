/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - interfaces, addresses and the way out, by rtnetlink(7). */
#ifndef PLUGINS_SYSINFO_NETWORK_H
#define PLUGINS_SYSINFO_NETWORK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETWORK_INTERFACES_MAX 512 /* a host of containers has hundreds */
#define NETWORK_ADDRESSES_MAX  1024
#define NETWORK_ROUTES_MAX     8 /* default routes */
#define NETWORK_MAC_SIZE       64

struct interface {
    int index;
    char name[16], kind[16], state[20];
    char mac[NETWORK_MAC_SIZE]; /* "" where it has none */
    unsigned mtu;
    uint64_t rx_bytes, tx_bytes;
};

struct address {
    int index; /* of its interface */
    unsigned prefix;
    char text[INET6_ADDRSTRLEN];
    bool ipv6;
};

struct route {
    int index;
    unsigned metric;
    char gateway[INET6_ADDRSTRLEN]; /* "" where the interface is the way */
    bool ipv6;
};

struct network {
    struct interface interfaces[NETWORK_INTERFACES_MAX];
    struct address addresses[NETWORK_ADDRESSES_MAX];
    struct route routes[NETWORK_ROUTES_MAX];
    size_t n_interfaces, n_addresses, n_routes;
};

/* Takes one message in, a netlink_cb: RTM_NEWLINK, RTM_NEWADDR, RTM_NEWROUTE;
 * others, and what does not fit, are passed over. arg: struct network. */
bool network_take(void *arg, unsigned type, const void *payload, size_t n);

/* The name of an interface, "" where there is none of that number. */
const char *network_name(const struct network *net, int index);

#endif
