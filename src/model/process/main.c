/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh-model: the process that holds the key and talks to the
 * provider. It can neither execute anything nor write a file. */
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "model/process/session.h"
#include "sandbox/confine.h"

int
main(void)
{
    struct err e = {0};

    signal(SIGPIPE, SIG_IGN);
    /* the key in its memory is nobody's but its own */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (confine_model(&e) < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != 0 ||
        session_run(&e) < 0) {
        fprintf(stderr, "agentsh-model: %s\n",
                e.code ? e.text : "libcurl cannot start");
        return e.code ? err_exit_status(e.code) : 1;
    }
    curl_global_cleanup();
    return 0;
}
