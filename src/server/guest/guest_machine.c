/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_machine.c - the methods info and clock.set. */
#include "server/guest/guest_machine.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "server/guest/guest_params.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_start.h"
#include "json/write.h"

void
guest_machine_info(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct guest_connection *c = arg;
    const struct guest_shared *sh = c->shared;
    CLEANUP_BUF struct buf result = buf_of(64u << 10);
    struct utsname name;
    struct json_writer w;

    (void)params;
    if (uname(&name) < 0)
        name = (struct utsname){0};
    json_write_init(&w, &result);
    json_open_object(&w);
    json_member_str(&w, "agent", "agentsh");
    json_member_str(&w, "version", PACKAGE_VERSION);
    json_member_str(&w, "hostname", name.nodename);
    json_member_str(&w, "system", name.sysname);
    json_member_str(&w, "release", name.release);
    json_member_str(&w, "machine", name.machine);
    json_member_int(&w, "pid", getpid());
    json_member_int(&w, "uid", geteuid());
    json_member_str(&w, "directory", sh->root ? sh->root : seat_dir(sh->seat));
    json_member_str(&w, "root", sh->root);
    json_member_str(&w, "profile", profile_row(sh->profile)->name);
    json_member_int(&w, "unix_ms", guest_start_now_ms());
    json_member_int(&w, "processes", (int64_t)sh->n_processes);
    json_close_object(&w);
    rpc_answer(rq, &result);
}

void
guest_machine_set_clock(void *arg, struct rpc_request *rq,
                        const struct json *params)
{
    static const struct guest_param list[] = {{"unix_ms", JSON_NUMBER, false},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    CLEANUP_BUF struct buf result = buf_of(8);
    struct timespec to;
    struct err e = {0};
    int64_t ms = 0;

    guest_record_request(arg, "clock.set", params);
    if (guest_params_read(list, params, v, &e) == 0 &&
        guest_params_int(v[0], "unix_ms", 0, INT64_MAX / 1000000, &ms, &e) ==
            0) {
        to = (struct timespec){.tv_sec = (time_t)(ms / 1000),
                               .tv_nsec = (long)(ms % 1000) * 1000000};
        if (clock_settime(CLOCK_REALTIME, &to) < 0)
            err_sys(&e, "the clock");
    }
    if (e.code != ERR_NONE) {
        guest_refuse(rq, &e);
        return;
    }
    buf_str(&result, "{}");
    rpc_answer(rq, &result);
}
