/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_list.h - the hosts that a plan runs on, as --on names them. */
#ifndef ACTION_HOST_LIST_H
#define ACTION_HOST_LIST_H

#include "base/buf.h"
#include "base/cleanup.h"

#define HOST_LIST_MAX      64  /* each is an ssh process */
#define HOST_LIST_NAME_MAX 255 /* bytes, as a name in the DNS has */

struct host_list {
    char *names[HOST_LIST_MAX + 1]; /* owned; NULL at the end */
    size_t n;
};

/* Reads "HOST,HOST…", each as ssh takes it: a name, an alias of ssh's settings,
 * user@host, ssh://user@host:port. ERR_USAGE: a name is empty, begins with a
 * hyphen, holds another character, comes twice, or there are too many. */
int host_list_read(struct host_list *h, const char *text, struct err *e);
void host_list_done(struct host_list *h); /* accepts NULL */

/* The number, from 0, of a host that is in the list. */
size_t host_list_index(const struct host_list *h, const char *name);

/* Appends "a, b, c". */
void host_list_put(const struct host_list *h, struct buf *out);

#endif
