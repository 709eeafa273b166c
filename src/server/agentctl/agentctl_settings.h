/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_settings.h - what the variables AGENTCTL_* say. */
#ifndef SERVER_AGENTCTL_AGENTCTL_SETTINGS_H
#define SERVER_AGENTCTL_AGENTCTL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/seat.h"

enum agentctl_level {
    AGENTCTL_DEBUG,
    AGENTCTL_INFO,
    AGENTCTL_WARN,
    AGENTCTL_ERROR,
};

/* Texts are borrowed from the seat, or owned by this. */
struct agentctl_settings {
    char *command;            /* of the agent, as it was given */
    char **words;             /* the same, split */
    char *work_dir;           /* absolute */
    char *listen;             /* an address of wire/listener.h */
    const char *token_file;   /* NULL: none; may be empty */
    const char **environment; /* the agent's; its strings are the seat's */
    bool auto_start, approves;
    size_t output_lines;
    enum agentctl_level level;
    int64_t call_ms, prompt_ms; /* for the answer to a call */
};

/* ERR_USAGE: a variable has no value that it can have. s needs
 * agentctl_settings_done in any case. */
int agentctl_settings_read(struct agentctl_settings *s, const struct seat *seat,
                           struct err *e);
void agentctl_settings_done(struct agentctl_settings *s); /* accepts NULL */

/* Whether an agent can be started in the directory; else why not, from the
 * errno. */
int agentctl_settings_check_dir(const char *dir, struct err *e);

#endif
