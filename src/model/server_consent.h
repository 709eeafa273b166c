/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_consent.h - stores whether the person agreed to a model server that
 * was discovered on this machine. */
#ifndef MODEL_SERVER_CONSENT_H
#define MODEL_SERVER_CONSENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "model/model_dirs.h"

enum server_consent {
    SERVER_CONSENT_NOT_ASKED,
    SERVER_CONSENT_YES,
    SERVER_CONSENT_NO
};

/* The person's answer about the server at this URL. uid: the user who runs it
 * (TCP_LISTENER_UID_UNKNOWN: unknown). A no holds for every server at this URL;
 * a yes does not hold for a server that is known to be another user's. */
enum server_consent server_consent_load(const struct model_dirs *dirs,
                                        const char *url, uid_t uid);
/* Stores the answer for later runs. Fails without losing earlier answers. */
int server_consent_store(const struct model_dirs *dirs, const char *url,
                         uid_t uid, bool yes, struct err *e);

/* The path of the file; the caller frees it. NULL: there is none. */
char *server_consent_path(const struct model_dirs *dirs);

#endif
