/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bans.c - build tool: the system calls that filters refuse. */
#include "sandbox/bans.h"

#include <stddef.h>

/* What no command needs and every escape uses. */
static const struct ban everywhere[] = {
    {"ptrace", BAN_DENY},
    {"process_vm_readv", BAN_DENY},
    {"process_vm_writev", BAN_DENY},
    {"process_madvise", BAN_DENY},
    {"kcmp", BAN_DENY},
    {"pidfd_getfd", BAN_DENY},
    {"io_uring_setup", BAN_ABSENT},
    {"io_uring_enter", BAN_ABSENT},
    {"io_uring_register", BAN_ABSENT},
    {"bpf", BAN_DENY},
    {"perf_event_open", BAN_DENY},
    {"userfaultfd", BAN_DENY},
    {"keyctl", BAN_DENY},
    {"add_key", BAN_DENY},
    {"request_key", BAN_DENY},
    {"mount", BAN_DENY},
    {"umount2", BAN_DENY},
    {"umount", BAN_DENY},
    {"mount_setattr", BAN_DENY},
    {"move_mount", BAN_DENY},
    {"open_tree", BAN_DENY},
    {"fsopen", BAN_DENY},
    {"fsconfig", BAN_DENY},
    {"fsmount", BAN_DENY},
    {"fspick", BAN_DENY},
    {"pivot_root", BAN_DENY},
    {"chroot", BAN_DENY},
    {"setns", BAN_DENY},
    {"unshare", BAN_DENY},
    {"clone3",
     BAN_ABSENT}, /* its flags lie in memory, out of a filter's sight */
    {"kexec_load", BAN_DENY},
    {"kexec_file_load", BAN_DENY},
    {"init_module", BAN_DENY},
    {"finit_module", BAN_DENY},
    {"delete_module", BAN_DENY},
    {"reboot", BAN_DENY},
    {"swapon", BAN_DENY},
    {"swapoff", BAN_DENY},
    {"acct", BAN_DENY},
    {"quotactl", BAN_DENY},
    {"quotactl_fd", BAN_DENY},
    {"syslog", BAN_DENY},
    {"settimeofday", BAN_DENY},
    {"stime", BAN_DENY},
    {"clock_settime", BAN_DENY},
    {"clock_settime64", BAN_DENY},
    {"clock_adjtime", BAN_DENY},
    {"clock_adjtime64", BAN_DENY},
    {"adjtimex", BAN_DENY},
    {"sethostname", BAN_DENY},
    {"setdomainname", BAN_DENY},
    {"open_by_handle_at", BAN_DENY},
    {"iopl", BAN_DENY},
    {"ioperm", BAN_DENY},
    {"modify_ldt", BAN_DENY},
    {"vm86", BAN_DENY},
    {"vm86old", BAN_DENY},
    {"vhangup", BAN_DENY},
    {"fanotify_init", BAN_DENY},
    {"uselib", BAN_DENY},
    {"ustat", BAN_DENY},
    {"sysfs", BAN_DENY},
    {"vmsplice", BAN_DENY},
    {"lookup_dcookie", BAN_DENY},
    {"nfsservctl", BAN_DENY},
    {0},
};

/* What the process with the key never does beside changing a file and
 * signalling somebody. */
static const struct ban model[] = {
    {"execve", BAN_DENY},       {"execveat", BAN_DENY},
    {"fork", BAN_DENY},         {"vfork", BAN_DENY},
    {"memfd_create", BAN_DENY}, {"bind", BAN_ABSENT},
    {"listen", BAN_DENY},       {"accept", BAN_DENY},
    {"accept4", BAN_DENY},      {0},
};

/* Where other processes of the same person are in sight: what reaches them
 * beside signals. */
static const struct ban host[] = {
    {"sched_setaffinity", BAN_DENY},
    {"sched_setattr", BAN_DENY},
    {"sched_setparam", BAN_DENY},
    {"sched_setscheduler", BAN_DENY},
    {"ioprio_set", BAN_DENY},
    {"migrate_pages", BAN_DENY},
    {"move_pages", BAN_DENY},
    {"process_mrelease", BAN_DENY},
    {"shmget", BAN_DENY},
    {"shmat", BAN_DENY},
    {"semget", BAN_DENY},
    {"semop", BAN_DENY},
    {"semtimedop", BAN_DENY},
    {"semtimedop_time64", BAN_DENY},
    {"msgget", BAN_DENY},
    {"msgsnd", BAN_DENY},
    {"msgrcv", BAN_DENY},
    {"mq_open", BAN_DENY},
    {"mq_unlink", BAN_DENY},
    {0},
};

/* Signals, where Landlock cannot keep them inside. */
static const struct ban signals[] = {
    {"kill", BAN_DENY},
    {"tgkill", BAN_DENY},
    {"tkill", BAN_DENY},
    {"pidfd_send_signal", BAN_DENY},
    {"rt_sigqueueinfo", BAN_DENY},
    {"rt_tgsigqueueinfo", BAN_DENY},
    {0},
};

/* What gives a stream another end than the one that it has; connect(2) to
 * AF_UNSPEC takes the one that it has away. */
static const struct ban connects[] = {
    {"connect", BAN_DENY},
    {"listen", BAN_DENY},
    {"accept", BAN_DENY},
    {"accept4", BAN_DENY},
    {0},
};

/* Whose mode lies in memory, out of a filter's sight. */
static const struct ban modes[] = {
    {"openat2", BAN_ABSENT},
    {0},
};

/* Who only looks makes nobody wait: a descriptor that reads can lock a file
 * against those that write it. */
static const struct ban locks[] = {
    {"flock", BAN_ABSENT},
    {0},
};

/* Changes of files other than by opening them. */
static const struct ban writes[] = {
    {"creat", BAN_DENY},       {"openat2", BAN_ABSENT},
    {"unlink", BAN_DENY},      {"unlinkat", BAN_DENY},
    {"rename", BAN_DENY},      {"renameat", BAN_DENY},
    {"renameat2", BAN_DENY},   {"mkdir", BAN_DENY},
    {"mkdirat", BAN_DENY},     {"rmdir", BAN_DENY},
    {"link", BAN_DENY},        {"linkat", BAN_DENY},
    {"symlink", BAN_DENY},     {"symlinkat", BAN_DENY},
    {"mknod", BAN_DENY},       {"mknodat", BAN_DENY},
    {"truncate", BAN_DENY},    {"ftruncate", BAN_DENY},
    {"fallocate", BAN_DENY},   {"truncate64", BAN_DENY},
    {"ftruncate64", BAN_DENY}, {0},
};

/* Of a file that is not opened for it: Landlock has no right for these. */
static const struct ban attributes[] = {
    {"chmod", BAN_DENY},
    {"fchmod", BAN_DENY},
    {"fchmodat", BAN_DENY},
    {"chown", BAN_DENY},
    {"fchown", BAN_DENY},
    {"lchown", BAN_DENY},
    {"fchownat", BAN_DENY},
    {"setxattr", BAN_DENY},
    {"lsetxattr", BAN_DENY},
    {"fsetxattr", BAN_DENY},
    {"removexattr", BAN_DENY},
    {"lremovexattr", BAN_DENY},
    {"fremovexattr", BAN_DENY},
    {"utimensat", BAN_DENY},
    {"utime", BAN_DENY},
    {"utimes", BAN_DENY},
    {"futimesat", BAN_DENY},
    {"chown32", BAN_DENY},
    {"fchown32", BAN_DENY},
    {"lchown32", BAN_DENY},
    {"utimensat_time64", BAN_DENY},
    {0},
};

static const struct ban *const sets[BANS_N] = {
    [BANS_EVERYWHERE] = everywhere,
    [BANS_MODEL] = model,
    [BANS_HOST] = host,
    [BANS_SIGNAL] = signals,
    [BANS_WRITE] = writes,
    [BANS_ATTRIBUTES] = attributes,
    [BANS_CONNECT] = connects,
    [BANS_MODE] = modes,
    [BANS_LOCK] = locks,
};

const struct ban *
bans_of(enum ban_set set)
{
    return sets[set];
}
