/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denylist.c - tables of the system calls that the filters refuse. */
#include "sandbox/build/denylist.h"

/* Calls that no command needs and that escapes use. */
static const struct denylist_entry everywhere[] = {
    {"ptrace", DENYLIST_EPERM},
    {"process_vm_readv", DENYLIST_EPERM},
    {"process_vm_writev", DENYLIST_EPERM},
    {"process_madvise", DENYLIST_EPERM},
    {"kcmp", DENYLIST_EPERM},
    {"pidfd_getfd", DENYLIST_EPERM},
    {"io_uring_setup", DENYLIST_ENOSYS},
    {"io_uring_enter", DENYLIST_ENOSYS},
    {"io_uring_register", DENYLIST_ENOSYS},
    {"bpf", DENYLIST_EPERM},
    {"perf_event_open", DENYLIST_EPERM},
    {"userfaultfd", DENYLIST_EPERM},
    {"keyctl", DENYLIST_EPERM},
    {"add_key", DENYLIST_EPERM},
    {"request_key", DENYLIST_EPERM},
    {"mount", DENYLIST_EPERM},
    {"umount2", DENYLIST_EPERM},
    {"umount", DENYLIST_EPERM},
    {"mount_setattr", DENYLIST_EPERM},
    {"move_mount", DENYLIST_EPERM},
    {"open_tree", DENYLIST_EPERM},
    {"fsopen", DENYLIST_EPERM},
    {"fsconfig", DENYLIST_EPERM},
    {"fsmount", DENYLIST_EPERM},
    {"fspick", DENYLIST_EPERM},
    {"pivot_root", DENYLIST_EPERM},
    {"chroot", DENYLIST_EPERM},
    {"setns", DENYLIST_EPERM},
    {"unshare", DENYLIST_EPERM},
    {"clone3", DENYLIST_ENOSYS}, /* its flags lie in memory, where a filter
                                    cannot see them */
    {"kexec_load", DENYLIST_EPERM},
    {"kexec_file_load", DENYLIST_EPERM},
    {"init_module", DENYLIST_EPERM},
    {"finit_module", DENYLIST_EPERM},
    {"delete_module", DENYLIST_EPERM},
    {"reboot", DENYLIST_EPERM},
    {"swapon", DENYLIST_EPERM},
    {"swapoff", DENYLIST_EPERM},
    {"acct", DENYLIST_EPERM},
    {"quotactl", DENYLIST_EPERM},
    {"quotactl_fd", DENYLIST_EPERM},
    {"syslog", DENYLIST_EPERM},
    {"settimeofday", DENYLIST_EPERM},
    {"stime", DENYLIST_EPERM},
    {"clock_settime", DENYLIST_EPERM},
    {"clock_settime64", DENYLIST_EPERM},
    {"clock_adjtime", DENYLIST_EPERM},
    {"clock_adjtime64", DENYLIST_EPERM},
    {"adjtimex", DENYLIST_EPERM},
    {"sethostname", DENYLIST_EPERM},
    {"setdomainname", DENYLIST_EPERM},
    {"open_by_handle_at", DENYLIST_EPERM},
    {"iopl", DENYLIST_EPERM},
    {"ioperm", DENYLIST_EPERM},
    {"modify_ldt", DENYLIST_EPERM},
    {"vm86", DENYLIST_EPERM},
    {"vm86old", DENYLIST_EPERM},
    {"vhangup", DENYLIST_EPERM},
    {"fanotify_init", DENYLIST_EPERM},
    {"uselib", DENYLIST_EPERM},
    {"ustat", DENYLIST_EPERM},
    {"sysfs", DENYLIST_EPERM},
    {"vmsplice", DENYLIST_EPERM},
    {"lookup_dcookie", DENYLIST_EPERM},
    {"nfsservctl", DENYLIST_EPERM},
    {0},
};

/* Calls that the process with the API key never makes; those that change a file
 * or send a signal are in other sets. */
static const struct denylist_entry model[] = {
    {"execve", DENYLIST_EPERM},       {"execveat", DENYLIST_EPERM},
    {"fork", DENYLIST_EPERM},         {"vfork", DENYLIST_EPERM},
    {"memfd_create", DENYLIST_EPERM}, {"bind", DENYLIST_ENOSYS},
    {"listen", DENYLIST_EPERM},       {"accept", DENYLIST_EPERM},
    {"accept4", DENYLIST_EPERM},      {0},
};

/* For a child that sees other processes of the same person: calls other than
 * signals that reach them. */
static const struct denylist_entry host[] = {
    {"sched_setaffinity", DENYLIST_EPERM},
    {"sched_setattr", DENYLIST_EPERM},
    {"sched_setparam", DENYLIST_EPERM},
    {"sched_setscheduler", DENYLIST_EPERM},
    {"ioprio_set", DENYLIST_EPERM},
    {"migrate_pages", DENYLIST_EPERM},
    {"move_pages", DENYLIST_EPERM},
    {"process_mrelease", DENYLIST_EPERM},
    {"shmget", DENYLIST_EPERM},
    {"shmat", DENYLIST_EPERM},
    {"semget", DENYLIST_EPERM},
    {"semop", DENYLIST_EPERM},
    {"semtimedop", DENYLIST_EPERM},
    {"semtimedop_time64", DENYLIST_EPERM},
    {"msgget", DENYLIST_EPERM},
    {"msgsnd", DENYLIST_EPERM},
    {"msgrcv", DENYLIST_EPERM},
    {"mq_open", DENYLIST_EPERM},
    {"mq_unlink", DENYLIST_EPERM},
    {0},
};

/* Signals, for kernels whose Landlock cannot keep them inside. */
static const struct denylist_entry signals[] = {
    {"kill", DENYLIST_EPERM},
    {"tgkill", DENYLIST_EPERM},
    {"tkill", DENYLIST_EPERM},
    {"pidfd_send_signal", DENYLIST_EPERM},
    {"rt_sigqueueinfo", DENYLIST_EPERM},
    {"rt_tgsigqueueinfo", DENYLIST_EPERM},
    {0},
};

/* Calls that give a socket another peer; connect(2) to AF_UNSPEC removes its
 * peer. */
static const struct denylist_entry connects[] = {
    {"connect", DENYLIST_EPERM},
    {"listen", DENYLIST_EPERM},
    {"accept", DENYLIST_EPERM},
    {"accept4", DENYLIST_EPERM},
    {0},
};

/* Calls whose file mode lies in memory, where a filter cannot see it. */
static const struct denylist_entry modes[] = {
    {"openat2", DENYLIST_ENOSYS},
    {0},
};

/* Locks: with a descriptor for reading a file can be locked against those that
 * write it. */
static const struct denylist_entry locks[] = {
    {"flock", DENYLIST_ENOSYS},
    {0},
};

/* Calls that change files other than by open(2). */
static const struct denylist_entry writes[] = {
    {"creat", DENYLIST_EPERM},       {"openat2", DENYLIST_ENOSYS},
    {"unlink", DENYLIST_EPERM},      {"unlinkat", DENYLIST_EPERM},
    {"rename", DENYLIST_EPERM},      {"renameat", DENYLIST_EPERM},
    {"renameat2", DENYLIST_EPERM},   {"mkdir", DENYLIST_EPERM},
    {"mkdirat", DENYLIST_EPERM},     {"rmdir", DENYLIST_EPERM},
    {"link", DENYLIST_EPERM},        {"linkat", DENYLIST_EPERM},
    {"symlink", DENYLIST_EPERM},     {"symlinkat", DENYLIST_EPERM},
    {"mknod", DENYLIST_EPERM},       {"mknodat", DENYLIST_EPERM},
    {"truncate", DENYLIST_EPERM},    {"ftruncate", DENYLIST_EPERM},
    {"fallocate", DENYLIST_EPERM},   {"truncate64", DENYLIST_EPERM},
    {"ftruncate64", DENYLIST_EPERM}, {0},
};

/* Calls that change attributes of a file that need not be open for writing:
 * Landlock has no right for them. */
static const struct denylist_entry attributes[] = {
    {"chmod", DENYLIST_EPERM},
    {"fchmod", DENYLIST_EPERM},
    {"fchmodat", DENYLIST_EPERM},
    {"chown", DENYLIST_EPERM},
    {"fchown", DENYLIST_EPERM},
    {"lchown", DENYLIST_EPERM},
    {"fchownat", DENYLIST_EPERM},
    {"setxattr", DENYLIST_EPERM},
    {"lsetxattr", DENYLIST_EPERM},
    {"fsetxattr", DENYLIST_EPERM},
    {"removexattr", DENYLIST_EPERM},
    {"lremovexattr", DENYLIST_EPERM},
    {"fremovexattr", DENYLIST_EPERM},
    {"utimensat", DENYLIST_EPERM},
    {"utime", DENYLIST_EPERM},
    {"utimes", DENYLIST_EPERM},
    {"futimesat", DENYLIST_EPERM},
    {"chown32", DENYLIST_EPERM},
    {"fchown32", DENYLIST_EPERM},
    {"lchown32", DENYLIST_EPERM},
    {"utimensat_time64", DENYLIST_EPERM},
    {0},
};

static const struct denylist_entry *const sets[DENYLIST_N] = {
    [DENYLIST_EVERYWHERE] = everywhere,
    [DENYLIST_MODEL] = model,
    [DENYLIST_HOST] = host,
    [DENYLIST_SIGNAL] = signals,
    [DENYLIST_WRITE] = writes,
    [DENYLIST_ATTRIBUTES] = attributes,
    [DENYLIST_CONNECT] = connects,
    [DENYLIST_MODE] = modes,
    [DENYLIST_LOCK] = locks,
};

const struct denylist_entry *
denylist_of(enum denylist_set set)
{
    return sets[set];
}
