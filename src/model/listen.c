/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c - whether somebody listens on a port of this machine. */
#include "model/listen.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define STATE_LISTEN 0x0A /* TCP_LISTEN of the kernel's tcp_states.h */

/* "  0: 0100007F:1F90 00000000:0000 0A …": number, local address, remote
 * address, state; addresses and states in hexadecimal. */
bool
listen_line_has(const char *line, int port)
{
    const char *local = strchr(line, ':');
    const char *at = local ? strchr(local + 1, ':') : NULL;
    const char *remote = at ? strchr(at + 1, ' ') : NULL;
    const char *state = remote ? strchr(remote + 1, ' ') : NULL;

    return state && strtol(at + 1, NULL, 16) == port &&
           strtol(state, NULL, 16) == STATE_LISTEN;
}

static int
table_has(const char *path, int port)
{
    CLEANUP(file_close_p) FILE *f = fopen(path, "re");
    char line[512];

    if (!f)
        return -1;
    while (fgets(line, sizeof(line), f)) {
        if (listen_line_has(line, port))
            return 1;
    }
    return 0;
}

bool
listen_has(int port)
{
    int v4 = table_has("/proc/net/tcp", port);

    return v4 != 0 || table_has("/proc/net/tcp6", port) > 0;
}
