/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_methods.c - the methods that a peer can call. */
#include "server/guest/guest_methods.h"

#include "server/guest/guest_attachment.h"
#include "server/guest/guest_exec.h"
#include "server/guest/guest_files.h"
#include "server/guest/guest_fs.h"
#include "server/guest/guest_machine.h"
#include "server/guest/guest_process.h"
#include "server/guest/guest_rules.h"
#include "server/guest/guest_watch.h"

static void
on_ping(void *arg, struct rpc_request *rq, const struct json *params)
{
    CLEANUP_BUF struct buf result = buf_of(32);

    (void)arg;
    (void)params;
    buf_str(&result, "{\"pong\":true}");
    rpc_answer(rq, &result);
}

/* The methods that rules may deny: what they are judged by, and whether the
 * refusal is a result. */
#define JUDGED_METHODS(ROW)                                                    \
    ROW("exec", guest_exec_run, GUEST_SUBJECT_EXEC, true)                      \
    ROW("exec_code", guest_exec_run_code, GUEST_SUBJECT_CODE, true)            \
    ROW("read_file", guest_files_read, GUEST_SUBJECT_READ, false)              \
    ROW("write_file", guest_files_write, GUEST_SUBJECT_WRITE, false)           \
    ROW("list_dir", guest_files_list, GUEST_SUBJECT_READ, false)               \
    ROW("process.start", guest_process_start, GUEST_SUBJECT_START, false)      \
    ROW("fs.stat", guest_fs_stat, GUEST_SUBJECT_READ, false)                   \
    ROW("fs.mkdir", guest_fs_mkdir, GUEST_SUBJECT_WRITE, false)                \
    ROW("fs.move", guest_fs_move, GUEST_SUBJECT_MOVE, false)                   \
    ROW("fs.remove", guest_fs_remove, GUEST_SUBJECT_REMOVE, false)             \
    ROW("fs.watch", guest_watch_begin, GUEST_SUBJECT_READ, false)              \
    ROW("fs.read", guest_fs_read, GUEST_SUBJECT_READ, false)                   \
    ROW("fs.write", guest_fs_write, GUEST_SUBJECT_WRITE, false)

#define JUDGED_METHOD(name, method, subject, answers_result)                   \
    static void judged_##method(void *arg, struct rpc_request *rq,             \
                                const struct json *params)                     \
    {                                                                          \
        guest_rules_judge(arg, rq, params,                                     \
                          &(const struct guest_judged){name, subject, method,  \
                                                       answers_result});       \
    }
#define JUDGED_ROW(name_, method, subject, answers_result)                     \
    {.name = name_, .request = judged_##method},

JUDGED_METHODS(JUDGED_METHOD)

const struct rpc_method *
guest_methods(void)
{
    static const struct rpc_method all[] = {
        {.name = "ping", .request = on_ping, .any_params = true},
        JUDGED_METHODS(JUDGED_ROW){.name = "process.attach",
                                   .request = guest_attachment_begin},
        {.name = "process.input", .request = guest_process_input},
        {.name = "process.close_input", .request = guest_process_close_input},
        {.name = "process.resize", .request = guest_process_resize},
        {.name = "process.signal", .request = guest_process_signal},
        {.name = "process.wait", .request = guest_process_wait},
        {.name = "process.list", .request = guest_process_list},
        {.name = "fs.unwatch", .request = guest_watch_end},
        {.name = "clock.set", .request = guest_machine_set_clock},
        {.name = "info", .request = guest_machine_info},
        {0},
    };

    return all;
}
