/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlink.h - tables of the kernel by netlink(7): asked for whole, read in
 * pieces.
 *
 * A table that never ends, or a kernel that never answers, is given up after
 * a bound. */
#ifndef PLUGINS_LIB_NETLINK_H
#define PLUGINS_LIB_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* One message: its payload of n bytes behind the netlink header. Return false
 * to hear no more. */
typedef bool netlink_cb(void *arg, unsigned type, const void *payload,
                        size_t n);

/* Sends payload (NLM_F_DUMP) on a socket of its own and calls cb for each
 * message of the answer, at most `most` of them. ERR_IO, ERR_UNSUPPORTED: the
 * kernel has no such table; ERR_TIMEOUT. */
int netlink_dump(int protocol, unsigned type, const void *payload, size_t n,
                 size_t most, netlink_cb *cb, void *arg, struct err *e);

/* Reads what one recv gave, n bytes: 1 there is more to come, 0 that was the
 * end, -1 the kernel refused. *left counts down with each message. */
int netlink_parse(const void *bytes, size_t n, size_t *left, netlink_cb *cb,
                  void *arg, struct err *e);

/* The attributes behind a fixed header, in order: takes the next off the
 * front. False at the end, or where they are cut. */
struct netlink_attr {
    unsigned type;
    const void *p;
    size_t n;
};
struct netlink_attrs {
    const char *p;
    size_t n;
};
struct netlink_attrs netlink_attrs_of(const void *payload, size_t n,
                                      size_t header);
bool netlink_attr(struct netlink_attrs *rest, struct netlink_attr *out);

#endif
