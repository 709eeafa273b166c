/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - takes rights from the calling process, for good.
 *
 * Privileges, capabilities and system calls are given up here; files are the
 * business of launch/. libseccomp compiles the filters when agentsh is built
 * (build/mkfilter.c), and they are embedded. The process cannot undo any of
 * this, and every program that it starts inherits it. A layer that cannot be
 * set up is ERR_SANDBOX with its name: the caller stops and never goes on
 * without. */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include "base/err.h"
#include "sandbox/spec.h"

/* Confines a tool that is started without a profile: no new privileges, only
 * the usual families of sockets, and no system call that reaches the kernel
 * itself, the memory of other processes, other namespaces or the input queue
 * of the terminal. */
int confine_step(struct err *e);

/* The steps by which the child of a profile confines itself (launch/child.c).
 *
 * confine_no_new_privs: executing a program gives no privileges any more.
 * confine_capabilities: drops all capabilities, also root's, but those in keep
 * (a bit for each). confine_profile: installs the profile's filter, which
 * refuses a system call with EPERM. Unless listener is NULL, *listener becomes
 * a descriptor that is notified of each refused call and has to answer it
 * (launch/seccomp_notify.h). */
int confine_no_new_privs(struct err *e);
int confine_capabilities(uint64_t keep, struct err *e);
/* Limits the capabilities that a program can gain when it is executed later
 * (the bounding set) to those in keep. Comes before confine_capabilities, and
 * takes a system call for each of the others. */
int confine_bounds(uint64_t keep, struct err *e);
int confine_profile(const struct sandbox_spec *s, int *listener, struct err *e);

/* Returns the name of a system call that some filter refuses; NULL: none
 * refuses it. */
const char *confine_call_name(int nr);

/* Confines the process that holds the API key: all of the above, and it can
 * neither execute a program, start or signal another process, change a file,
 * nor reach a Unix socket (by seccomp, and by Landlock where the kernel has
 * it). Open descriptors stay usable, and files can still be read. */
int confine_model(struct err *e);

/* After confine_model: TCP connects to these ports alone, and accepts nothing,
 * where the kernel can restrict that (Landlock of Linux 6.7). Datagrams stay,
 * for names. */
int confine_tcp_ports(const uint16_t *ports, size_t n, struct err *e);

/* Returns the version of Landlock's ABI on this kernel; 0: it has none. */
int confine_landlock_abi(void);

#endif
