/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unconfined.c - agentsh-model without its filter, which refuses the process by
 * which LeakSanitizer looks for leaks. */
#include <curl/curl.h>
#include <signal.h>

#include "base/err.h"
#include "model/process/session.h"

int
main(void)
{
    struct err e = {0};

    signal(SIGPIPE, SIG_IGN);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || session_run(&e) < 0)
        return 1;
    curl_global_cleanup();
    return 0;
}
