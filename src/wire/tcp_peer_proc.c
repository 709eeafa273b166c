/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer_proc.c - finds a socket in /proc/net/tcp. */
#include "wire/tcp_peer_proc.h"

#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"

/* ADDRESS:PORT in hexadecimal: each 32 bits of the address as a number of this
 * machine, the port as a number. */
static bool
read_hex_end(const char *text, struct tcp_end *out)
{
    size_t digits = strcspn(text, ":"), words = digits / 8;
    uint32_t v[4];
    unsigned port;

    if ((words != 1 && words != 4) || digits % 8 != 0 ||
        sscanf(text + digits, ":%x", &port) != 1)
        return false;
    for (size_t i = 0; i < words; i++)
        if (sscanf(text + 8 * i, "%8" SCNx32, &v[i]) != 1)
            return false;
    *out = tcp_end_make(words == 1 ? AF_INET : AF_INET6, v,
                        htons((uint16_t)port));
    return true;
}

static bool
read_proc_row(const char *row, const struct tcp_ends *w, struct tcp_peer *out)
{
    struct tcp_ends found;
    char a[64], b[64];
    unsigned state, uid;

    if (sscanf(row, " %*d: %63s %63s %x %*s %*s %*s %u %*s %" SCNu64, a, b,
               &state, &uid, &out->inode) != 5 ||
        !read_hex_end(a, &found.own) || !read_hex_end(b, &found.other))
        return false;
    out->uid = uid;
    return tcp_ends_are_equal(w, &found) && state != TCP_LISTEN &&
           out->inode != 0;
}

static bool
find_in_proc(const char *path, const struct tcp_ends *w, struct tcp_peer *out)
{
    CLEANUP(file_close_p) FILE *f = fopen(path, "re");
    char row[512];
    bool found = false;

    while (f && !found && fgets(row, sizeof(row), f))
        found = read_proc_row(row, w, out);
    return found;
}

bool
tcp_peer_proc_find(const struct tcp_ends *wanted, struct tcp_peer *out)
{
    return find_in_proc("/proc/net/tcp", wanted, out) ||
           find_in_proc("/proc/net/tcp6", wanted, out);
}
