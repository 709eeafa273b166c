/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refusing.c - a machine that refuses what containers refuse.
 *
 *     refusing KIND... -- PROGRAM [ARG...]
 *
 * The program and what it starts get EPERM for what makes or enters
 * namespaces and mounts (namespaces) and for what else a container's engine
 * refuses (privileges), ENOSYS for clone3 (clone3) or for Landlock (landlock),
 * as from a kernel that does not know it. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define CODE_MAX    128
#define NEW_ONES                                                               \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |             \
     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

struct refusal {
    const char *kind;
    int nr;
    int error;
    unsigned
        flags; /* only with one of these in the first argument; 0: always */
};

static const struct refusal refusals[] = {
    {"namespaces", SYS_unshare, EPERM, 0},
    {"namespaces", SYS_setns, EPERM, 0},
    {"namespaces", SYS_mount, EPERM, 0},
    {"namespaces", SYS_umount2, EPERM, 0},
    {"namespaces", SYS_pivot_root, EPERM, 0},
    {"namespaces", SYS_open_tree, EPERM, 0},
    {"namespaces", SYS_move_mount, EPERM, 0},
    {"namespaces", SYS_fsopen, EPERM, 0},
    {"namespaces", SYS_mount_setattr, EPERM, 0},
    {"namespaces", SYS_clone, EPERM, NEW_ONES},
    {"privileges", SYS_open_by_handle_at, EPERM, 0},
    {"privileges", SYS_bpf, EPERM, 0},
    {"privileges", SYS_perf_event_open, EPERM, 0},
    {"privileges", SYS_keyctl, EPERM, 0},
    {"privileges", SYS_add_key, EPERM, 0},
    {"privileges", SYS_request_key, EPERM, 0},
    {"privileges", SYS_userfaultfd, EPERM, 0},
    {"privileges", SYS_io_uring_setup, EPERM, 0},
    {"clone3", SYS_clone3, ENOSYS, 0},
    {"landlock", SYS_landlock_create_ruleset, ENOSYS, 0},
};

struct program {
    struct sock_filter code[CODE_MAX];
    unsigned short n;
};

static void
put(struct program *p, unsigned short code, unsigned k, unsigned char jt,
    unsigned char jf)
{
    p->code[p->n++] = (struct sock_filter){code, jt, jf, k};
}

static void
put_load(struct program *p, size_t at)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (unsigned)at, 0, 0);
}

static void
put_refusal(struct program *p, const struct refusal *r)
{
    put_load(p, offsetof(struct seccomp_data, nr));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)r->nr, 0, r->flags ? 3 : 1);
    if (r->flags) {
        put_load(p, offsetof(struct seccomp_data, args[0]));
        put(p, BPF_JMP | BPF_JSET | BPF_K, r->flags, 0, 1);
    }
    put(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)r->error, 0, 0);
}

static int
refuse(char **kinds, int n)
{
    struct program p = {.n = 0};
    struct sock_fprog prog = {.filter = p.code};

    for (size_t i = 0; i < N_OF(refusals); i++)
        for (int k = 0; k < n; k++)
            if (strcmp(kinds[k], refusals[i].kind) == 0)
                put_refusal(&p, &refusals[i]);
    put(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    prog.len = p.n;
    /* root leaves setuid programs what they are, as a container does */
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) == 0)
        return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
}

int
main(int argc, char **argv)
{
    int kinds = 0;

    while (1 + kinds < argc && strcmp(argv[1 + kinds], "--") != 0)
        kinds++;
    if (kinds + 2 >= argc) {
        fprintf(stderr, "usage: refusing KIND... -- PROGRAM [ARG...]\n");
        return 2;
    }
    if (refuse(argv + 1, kinds) < 0) {
        perror("refusing: seccomp");
        return 1;
    }
    execvp(argv[kinds + 2], argv + kinds + 2);
    perror(argv[kinds + 2]);
    return 127;
}
