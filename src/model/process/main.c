/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh-model: the process that holds the key and talks to the
 * provider. It can neither execute anything nor write a file. */
#include <curl/curl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "base/fd.h"
#include "model/process/emit.h"
#include "model/process/session.h"
#include "sandbox/confine.h"

int
main(void)
{
    struct err e = {0};

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    signal(SIGPIPE, SIG_IGN);
    /* the key in its memory is nobody's but its own */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (confine_model(&e) < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != 0 ||
        session_run(&e) < 0) {
        if (e.code == ERR_NONE)
            err_set(&e, ERR_MODEL, "libcurl cannot start");
        emit_failed(0, &e, NULL); /* to whoever asks; not about a question */
        return err_exit_status(e.code);
    }
    curl_global_cleanup();
    return 0;
}
