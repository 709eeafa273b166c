/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - finds which layers of the sandbox this machine has.
 *
 * `agentsh doctor` shows what is found, and why a layer is missing. Each layer
 * is tried at once, in a process that ends; nothing is left behind. */
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

/* One layer: whether it is enforced; what that means on this machine; and,
 * where it is missing, what the person can do. */
struct probe_finding {
    bool good;
    char text[600];
};

const char *probe_name(enum probe_layer layer); /* "user namespace", ... */

/* Tries all layers. -1 when no process can be started. */
int probe_all(struct probe_finding out[PROBE_N], struct err *e);

/* How a command can be confined on this machine. It is tried at each call,
 * which takes a process and less than a millisecond. made: the caller has just
 * created a user namespace. */
enum probe_machine {
    PROBE_WHOLE,   /* with namespaces, as every profile wants */
    PROBE_REDUCED, /* without namespaces: Landlock alone protects the files */
    PROBE_OPEN,    /* with neither: nothing protects the files */
};
enum probe_machine probe_machine(bool made);

/* Tries in a process that ends whether the workspace can be seen through a
 * copy-on-write view that is stored in the directory `preview`
 * (preview/overlay.h). ERR_SANDBOX: it cannot, and why. */
int probe_overlay(const char *workspace, const char *preview, struct err *e);

/* Describes in a sentence what kind of machine this is, and what the person
 * can do to get more layers. */
void probe_describe_machine(enum probe_machine m, struct probe_finding *out);

/* Checks that a process without capabilities, as every tool is, may execute
 * the program at this absolute path; a user other than root has none anyway.
 * ERR_PERMISSION names the part of the path that is closed to it, and what the
 * person can do. */
int probe_program(const char *path, struct err *e);

#endif
