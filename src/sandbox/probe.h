/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - which layers of the sandbox this machine gives us, and why not.
 *
 * For `agentsh doctor`: each layer is tried here and now, in a process that
 * ends; nothing is left behind. */
#ifndef SANDBOX_PROBE_H
#define SANDBOX_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum probe_layer {
    PROBE_SECCOMP,
    PROBE_NOTICES,
    PROBE_LANDLOCK,
    PROBE_USER,
    PROBE_MOUNT,
    PROBE_PID,
    PROBE_PROC,
    PROBE_NET,
    PROBE_OVERLAY,
    PROBE_PROCESSES,
    PROBE_MEMORY,
    PROBE_N
};

/* One layer: whether it is enforced, what that means here, and, where it is
 * missing, what to do. */
struct probe_finding {
    bool good;
    char text[600];
};

const char *probe_name(enum probe_layer layer); /* "user namespace", … */

/* Tries all layers. -1 when not even a process can be had. */
int probe_all(struct probe_finding out[PROBE_N], struct err *e);

/* How a command can be confined here. Tried each time, which takes a process
 * and less than a millisecond. made: a user namespace was made just now. */
enum probe_machine {
    PROBE_WHOLE,   /* namespaces, as every profile wants them */
    PROBE_REDUCED, /* none: Landlock keeps the files, alone */
    PROBE_OPEN,    /* neither: nothing keeps them */
};
enum probe_machine probe_machine(bool made);

/* Tries in a process that ends whether the workspace can be seen through a
 * copy-on-write view that is kept in the directory `preview` (overlay.h).
 * ERR_SANDBOX: it cannot, and what is in the way. */
int probe_overlay(const char *workspace, const char *preview, struct err *e);

/* What kind of machine this is, in a sentence, and what to do for more. */
void probe_say_machine(enum probe_machine m, struct probe_finding *out);

/* Whether a process with no capability, as each tool is, may execute this
 * absolute path; a user who is not root has none anyway. ERR_PERMISSION names
 * the part of the way that is closed to it, and what to do. */
int probe_program(const char *path, struct err *e);

#endif
