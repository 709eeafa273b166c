/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_settings.h - what one load of the settings gives a connection: its
 * rules, and what confines its commands. A connection keeps what it began with.
 */
#ifndef SERVER_GUEST_GUEST_SETTINGS_H
#define SERVER_GUEST_GUEST_SETTINGS_H

#include "base/cleanup.h"
#include "guard/policy/policy.h"
#include "sandbox/setup.h"

struct guest_settings {
    size_t others; /* owners but one */
    struct config *config;
    struct policy *policy; /* NULL: everything is allowed */
    struct sandbox_setup sandbox;
    struct sandbox_setup *setup; /* of the profile; NULL: it is full */
};

struct guest_settings_params {
    const struct seat *seat; /* borrowed while the settings live, as is … */
    const char *root;        /* … this */
    enum profile profile;
};

/* config and policy are held. The errors are those of the sandbox. */
struct guest_settings *guest_settings_new(const struct guest_settings_params *p,
                                          struct config *config,
                                          struct policy *policy, struct err *e);
/* Each owner frees it; all on the loop. Accepts NULL. */
void guest_settings_free(struct guest_settings *s);
DEFINE_CLEANUP(struct guest_settings, guest_settings_free)
struct guest_settings *guest_settings_hold(struct guest_settings *s);

#endif
