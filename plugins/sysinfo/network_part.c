/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network_part.c - asking the kernel for its network, and telling it. */
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/size.h"
#include "plugins/lib/netlink.h"
#include "plugins/sysinfo/network.h"
#include "plugins/sysinfo/part.h"

/* Default routes come first; a router's hundred thousands are not read. */
#define ROUTES_LOOKED_AT 512
#define LINES_MAX        4 /* for a model */

static void
ask(struct network *net)
{
    struct ifinfomsg links = {.ifi_family = AF_UNSPEC};
    struct ifaddrmsg addresses = {.ifa_family = AF_UNSPEC};
    struct rtmsg ipv4 = {.rtm_family = AF_INET};
    struct rtmsg ipv6 = {.rtm_family = AF_INET6};

    (void)netlink_dump(NETLINK_ROUTE, RTM_GETLINK, &links, sizeof(links),
                       NETWORK_INTERFACES_MAX, network_take, net, NULL);
    (void)netlink_dump(NETLINK_ROUTE, RTM_GETADDR, &addresses,
                       sizeof(addresses), NETWORK_ADDRESSES_MAX, network_take,
                       net, NULL);
    (void)netlink_dump(NETLINK_ROUTE, RTM_GETROUTE, &ipv4, sizeof(ipv4),
                       ROUTES_LOOKED_AT, network_take, net, NULL);
    (void)netlink_dump(NETLINK_ROUTE, RTM_GETROUTE, &ipv6, sizeof(ipv6),
                       ROUTES_LOOKED_AT, network_take, net, NULL);
}

static void
put_addresses(const struct network *net, const struct interface *i,
              struct json_writer *w)
{
    json_key(w, "addresses");
    json_open_array(w);
    for (size_t k = 0; k < net->n_addresses; k++) {
        const struct address *a = &net->addresses[k];

        if (a->index != i->index)
            continue;
        json_open_object(w);
        json_member_str(w, "family", a->ipv6 ? "ipv6" : "ipv4");
        json_member_str(w, "address", a->text);
        json_member_int(w, "prefix", a->prefix);
        json_close_object(w);
    }
    json_close_array(w);
}

static void
put_interface(const struct network *net, const struct interface *i,
              struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", i->name);
    json_member_str(w, "kind", i->kind);
    json_member_str(w, "state", i->state);
    part_member(w, "mac", i->mac);
    json_member_int(w, "mtu", i->mtu);
    put_addresses(net, i, w);
    json_member_int(w, "rx_bytes", (int64_t)i->rx_bytes);
    json_member_int(w, "tx_bytes", (int64_t)i->tx_bytes);
    json_close_object(w);
}

static void
put_route(const struct network *net, const struct route *r,
          struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "family", r->ipv6 ? "ipv6" : "ipv4");
    part_member(w, "gateway", r->gateway);
    part_member(w, "interface", network_name(net, r->index));
    json_member_int(w, "metric", r->metric);
    json_close_object(w);
}

static bool
has_address(const struct network *net, const struct interface *i)
{
    for (size_t k = 0; k < net->n_addresses; k++) {
        if (net->addresses[k].index == i->index)
            return true;
    }
    return false;
}

static void
tell_interface(const struct network *net, const struct interface *i,
               struct buf *text)
{
    char rx[SIZE_TEXT], tx[SIZE_TEXT];

    buf_printf(text, "network %s: %s", i->name, i->state);
    for (size_t k = 0; k < net->n_addresses; k++) {
        const struct address *a = &net->addresses[k];

        if (a->index == i->index)
            buf_printf(text, ", %s/%u", a->text, a->prefix);
    }
    buf_printf(text, ", received %s, sent %s\n", size_text(i->rx_bytes, rx),
               size_text(i->tx_bytes, tx));
}

/* What leads out of the machine: not itself, not what has no address. */
static void
tell(const struct network *net, struct buf *text)
{
    size_t told = 0, all = 0;

    for (size_t k = 0; k < net->n_interfaces; k++) {
        const struct interface *i = &net->interfaces[k];

        if (strcmp(i->kind, "loopback") == 0 || !has_address(net, i))
            continue;
        all++;
        if (told < LINES_MAX) {
            tell_interface(net, i, text);
            told++;
        }
    }
    if (all > told)
        buf_printf(text, "network: %zu more interfaces\n", all - told);
    if (net->n_routes == 0)
        buf_str(text, "no default route\n");
    for (size_t k = 0; k < net->n_routes && k < 2; k++) {
        const struct route *r = &net->routes[k];

        buf_printf(text, "default route: %s%s%s\n", r->gateway,
                   r->gateway[0] ? " by " : "by ", network_name(net, r->index));
    }
}

void
part_network(int root, struct buf *text, struct json_writer *w)
{
    /* some 90 KiB: not for a stack */
    CLEANUP(free_p) struct network *net = calloc(1, sizeof(*net));

    (void)root;
    if (!net) {
        json_put_null(w);
        return;
    }
    ask(net);
    tell(net, text);
    json_open_object(w);
    json_key(w, "interfaces");
    json_open_array(w);
    for (size_t k = 0; k < net->n_interfaces; k++)
        put_interface(net, &net->interfaces[k], w);
    json_close_array(w);
    json_key(w, "default_routes");
    json_open_array(w);
    for (size_t k = 0; k < net->n_routes; k++)
        put_route(net, &net->routes[k], w);
    json_close_array(w);
    json_close_object(w);
}
