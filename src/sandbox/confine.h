/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - a process gives up what it will not need.
 *
 * sandbox/ runs one child, confined. It must not know what the child is for:
 * it gets a profile and an argv. The filters are made by libseccomp when the
 * project is built (mkfilter.c) and embedded; nothing here can be undone by
 * the process, and what it starts inherits it. A layer that cannot be set up
 * is ERR_SANDBOX with its name: callers stop, they never go on without. */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include "sandbox/spec.h"

/* For tools that are started without a profile: no new privileges; no calls
 * that reach the kernel itself, other processes' memory, other name spaces or
 * the terminal's input queue; sockets of the usual families only. */
int confine_step(struct err *e);

/* What a profile's child does one by one (inside.c): no privileges by
 * executing something; no capabilities but those of keep (a bit each), for
 * good, root or not; the filter, with which a refused call is EPERM. listener,
 * unless NULL, becomes a descriptor that is told of each and has to answer
 * (notify.h). */
int confine_no_new_privs(struct err *e);
int confine_capabilities(uint64_t keep, struct err *e);
/* Before that, or before all else: no more than these can be brought along by
 * what is executed later. A call for each of the others. */
int confine_bounds(uint64_t keep, struct err *e);
int confine_profile(const struct sandbox_spec *s, int *listener, struct err *e);

/* The name of a call that a filter refuses; NULL: it refuses none such. */
const char *confine_call_name(int nr);

/* For the process that holds the API key: all of the above, and it can
 * neither execute a program, nor start another process or signal one, nor
 * change a file, nor reach a Unix socket (seccomp; Landlock too where the
 * kernel has it). Descriptors that are open
 * stay usable, reading files stays possible. */
int confine_model(struct err *e);

/* Landlock's ABI version on this kernel; 0: none. For `doctor`. */
int confine_landlock_abi(void);

#endif
