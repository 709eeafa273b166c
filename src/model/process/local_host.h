/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_host.h - whether a server is on this machine, so that no proxy is
 * asked for it. */
#ifndef MODEL_PROCESS_LOCAL_HOST_H
#define MODEL_PROCESS_LOCAL_HOST_H

#include <stdbool.h>
#include <sys/socket.h>

enum local_host {
    LOCAL_HOST_NO,     /* an address of another machine, or a provider's host */
    LOCAL_HOST_YES,    /* localhost, *.localhost, or an address of this
                          machine */
    LOCAL_HOST_UNKNOWN /* a name: only its addresses tell */
};

/* Judges the host of a URL by its text; looks no name up. */
enum local_host local_host_find(const char *url);

/* Whether an address is one of this machine: loopback, the unspecified address
 * (which Linux connects to loopback), or that of an interface. */
bool local_host_is_address(const struct sockaddr *a);

/* Whether the environment names a proxy for anything at all. */
bool local_host_may_use_proxy(void);
/* Whether it names one that resolves names itself (socks4a, socks5h): the
 * person may not want any name to be looked up from here. */
bool local_host_proxy_resolves(void);

/* The variable whose proxy serves URLs of this scheme, by libcurl's rules
 * (http_proxy only in lower case); NULL: none. no_proxy is not considered. */
const char *local_host_proxy_variable(const char *url);

#endif
