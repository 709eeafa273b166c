/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state.h - how a service is, from what its manager says to programs. */
#ifndef PLUGINS_SVC_MANAGE_STATE_H
#define PLUGINS_SVC_MANAGE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STATE_DETAIL_MAX 64

enum state_word {
    STATE_UNKNOWN,
    STATE_RUNNING,
    STATE_STOPPED,
    STATE_FAILED,
};

struct state {
    enum state_word word;
    bool boot_known, boot;         /* whether it is started at boot */
    bool no_reload;                /* it is known that it cannot */
    int64_t pid;                   /* of its main process; 0: not known */
    char detail[STATE_DETAIL_MAX]; /* in its manager's words, or "" */
};

const char *state_name(enum state_word word); /* "running" */

/* `systemctl show`, name=value a line. ERR_NOT_FOUND: no such unit;
 * ERR_PARSE: no state in it. */
int state_of_systemd(const char *text, struct state *out, struct err *e);

/* A unit file's state as `systemctl is-enabled` has it: enabled at boot,
 * disabled, or neither (a static unit, which others pull in). */
void state_boot_of_systemd(const char *word, size_t n, struct state *out);

/* `launchctl print system/NAME`. ERR_PARSE: no state in it. */
int state_of_launchd(const char *text, struct state *out, struct err *e);

/* `launchctl print-disabled system`. */
void state_boot_of_launchd(const char *text, const char *name,
                           struct state *out);

/* `rc-service NAME status` and `rc-update show`. */
void state_of_openrc(int exit_code, struct state *out);
void state_boot_of_openrc(const char *text, const char *name,
                          struct state *out);

/* The status action of an init script: LSB Core, 22.2. */
void state_of_lsb(int exit_code, struct state *out);

#endif
