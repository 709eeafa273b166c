/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - messages of rtnetlink as interfaces, addresses and routes. */
#include "plugins/sysinfo/network.h"

#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>

#include "plugins/lib/netlink.h"
#include "plugins/lib/span.h"

static void
copy_name(char *out, size_t size, const struct netlink_attr *a)
{
    span_copy((struct span){a->p, strnlen(a->p, a->n)}, out, size);
}

static void
copy_mac(char out[NETWORK_MAC_SIZE], const struct netlink_attr *a)
{
    const unsigned char *p = a->p;
    size_t at = 0;
    bool any = false;

    for (size_t i = 0; i < a->n && at + 4 < NETWORK_MAC_SIZE; i++) {
        at += (size_t)snprintf(out + at, NETWORK_MAC_SIZE - at,
                               i ? ":%02x" : "%02x", p[i]);
        any = any || p[i];
    }
    if (!any)
        out[0] = '\0';
}

static void
copy_unsigned(unsigned *out, const struct netlink_attr *a)
{
    if (a->n >= sizeof(*out))
        memcpy(out, a->p, sizeof(*out));
}

static void
copy_bytes(struct interface *i, const struct netlink_attr *a)
{
    struct rtnl_link_stats64 s = {0};

    memcpy(&s, a->p, a->n < sizeof(s) ? a->n : sizeof(s));
    i->rx_bytes = s.rx_bytes;
    i->tx_bytes = s.tx_bytes;
}

static void
copy_kind(struct interface *i, const struct netlink_attr *info)
{
    struct netlink_attrs inner = {info->p, info->n};
    struct netlink_attr a;

    while (netlink_attr(&inner, &a)) {
        if (a.type == IFLA_INFO_KIND)
            copy_name(i->kind, sizeof(i->kind), &a);
    }
}

/* RFC 2863's words; a driver that keeps no such state runs when it is up. */
static void
set_state(struct interface *i, unsigned operstate, unsigned flags)
{
    static const char *const states[] = {
        "unknown", "not present", "down", "lower layer down",
        "testing", "dormant",     "up"};

    if (operstate == 0 || operstate >= sizeof(states) / sizeof(*states))
        operstate = !(flags & IFF_UP) ? 2 : flags & IFF_RUNNING ? 6 : 0;
    snprintf(i->state, sizeof(i->state), "%s", states[operstate]);
}

static void
take_link(struct network *net, const void *payload, size_t n)
{
    struct netlink_attrs rest = netlink_attrs_of(payload, n,
                                                 sizeof(struct ifinfomsg));
    struct netlink_attr a;
    struct ifinfomsg head;
    struct interface i = {0};
    unsigned char operstate = 0;

    if (n < sizeof(head) || net->n_interfaces == NETWORK_INTERFACES_MAX)
        return;
    memcpy(&head, payload, sizeof(head));
    i.index = head.ifi_index;
    snprintf(i.kind, sizeof(i.kind), "%s",
             head.ifi_type == ARPHRD_LOOPBACK ? "loopback"
             : head.ifi_type == ARPHRD_ETHER  ? "ethernet"
                                              : "other");
    while (netlink_attr(&rest, &a)) {
        if (a.type == IFLA_IFNAME)
            copy_name(i.name, sizeof(i.name), &a);
        else if (a.type == IFLA_ADDRESS)
            copy_mac(i.mac, &a);
        else if (a.type == IFLA_MTU)
            copy_unsigned(&i.mtu, &a);
        else if (a.type == IFLA_OPERSTATE && a.n > 0)
            operstate = *(const unsigned char *)a.p;
        else if (a.type == IFLA_STATS64)
            copy_bytes(&i, &a);
        else if (a.type == IFLA_LINKINFO)
            copy_kind(&i, &a);
    }
    set_state(&i, operstate, head.ifi_flags);
    net->interfaces[net->n_interfaces++] = i;
}

static bool
address_text(unsigned family, const struct netlink_attr *a,
             char text[INET6_ADDRSTRLEN])
{
    size_t want = family == AF_INET    ? sizeof(struct in_addr)
                  : family == AF_INET6 ? sizeof(struct in6_addr)
                                       : 0;

    return want > 0 && a->n == want &&
           inet_ntop((int)family, a->p, text, INET6_ADDRSTRLEN);
}

static void
take_address(struct network *net, const void *payload, size_t n)
{
    struct netlink_attrs rest = netlink_attrs_of(payload, n,
                                                 sizeof(struct ifaddrmsg));
    struct netlink_attr a;
    struct ifaddrmsg head;
    struct address one = {0};

    if (n < sizeof(head) || net->n_addresses == NETWORK_ADDRESSES_MAX)
        return;
    memcpy(&head, payload, sizeof(head));
    one.index = (int)head.ifa_index;
    one.prefix = head.ifa_prefixlen;
    one.ipv6 = head.ifa_family == AF_INET6;
    while (netlink_attr(&rest, &a)) {
        /* where both are there, ADDRESS is the other end of the line */
        if (a.type == IFA_LOCAL ||
            (a.type == IFA_ADDRESS && one.text[0] == '\0'))
            (void)address_text(head.ifa_family, &a, one.text);
    }
    if (one.text[0])
        net->addresses[net->n_addresses++] = one;
}

static void
take_route(struct network *net, const void *payload, size_t n)
{
    struct netlink_attrs rest = netlink_attrs_of(payload, n,
                                                 sizeof(struct rtmsg));
    struct netlink_attr a;
    struct rtmsg head;
    struct route one = {0};
    unsigned table, out = 0;

    if (n < sizeof(head) || net->n_routes == NETWORK_ROUTES_MAX)
        return;
    memcpy(&head, payload, sizeof(head));
    table = head.rtm_table;
    one.ipv6 = head.rtm_family == AF_INET6;
    while (netlink_attr(&rest, &a)) {
        if (a.type == RTA_TABLE)
            copy_unsigned(&table, &a);
        else if (a.type == RTA_OIF)
            copy_unsigned(&out, &a);
        else if (a.type == RTA_PRIORITY)
            copy_unsigned(&one.metric, &a);
        else if (a.type == RTA_GATEWAY)
            (void)address_text(head.rtm_family, &a, one.gateway);
    }
    one.index = (int)out;
    if (head.rtm_dst_len == 0 && head.rtm_type == RTN_UNICAST &&
        table == RT_TABLE_MAIN && out > 0)
        net->routes[net->n_routes++] = one;
}

bool
network_take(void *arg, unsigned type, const void *payload, size_t n)
{
    struct network *net = arg;

    if (type == RTM_NEWLINK)
        take_link(net, payload, n);
    else if (type == RTM_NEWADDR)
        take_address(net, payload, n);
    else if (type == RTM_NEWROUTE)
        take_route(net, payload, n);
    return true;
}

const char *
network_name(const struct network *net, int index)
{
    for (size_t i = 0; i < net->n_interfaces; i++) {
        if (net->interfaces[i].index == index)
            return net->interfaces[i].name;
    }
    return "";
}
