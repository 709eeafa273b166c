/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh-model: the program that has the API key and talks to the
 * provider. It reads the front's lines from standard input until the front
 * ends. It can neither execute a program nor write a file. */
#include <curl/curl.h>
#include <signal.h>
#include <sys/prctl.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "base/err.h"
#include "base/fd.h"
#include "model/process/events.h"
#include "model/process/session.h"
#include "sandbox/confine.h"

/* The leak check starts a process that traces this one, which the filter
 * refuses: each end would be a failure. tests/model/unconfined is checked. */
#ifdef __SANITIZE_ADDRESS__
int
__lsan_is_turned_off(void)
{
    return 1;
}
#endif

int
main(void)
{
    struct err e = {0};

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    signal(SIGPIPE, SIG_IGN);
    /* no other process may read the key in our memory */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (confine_model(&e) < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != 0 ||
        session_run(&e) < 0) {
        if (e.code == ERR_NONE)
            err_set(&e, ERR_MODEL, "libcurl cannot start");
        events_write_last(&e);
        return err_exit_status(e.code);
    }
    curl_global_cleanup();
    return 0;
}
