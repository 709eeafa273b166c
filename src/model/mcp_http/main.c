/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh-mcp-http: the program that talks to one MCP server over
 * HTTP. It can neither execute a program nor write a file, and reaches that
 * server alone. */
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "base/err.h"
#include "base/fd.h"
#include "model/mcp_http/bridge.h"
#include "sandbox/confine.h"

int
main(void)
{
    struct err e = {0};

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    signal(SIGPIPE, SIG_IGN);
    /* no other process may read what the headers say */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (confine_model(&e) < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != 0 ||
        bridge_run(&e) < 0) {
        if (e.code == ERR_NONE)
            err_set(&e, ERR_NOMEM, "libcurl cannot start");
        fprintf(stderr, "error: %s\n", e.text);
        return err_exit_status(e.code);
    }
    curl_global_cleanup();
    return 0;
}
