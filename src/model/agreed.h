/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agreed.h - what the person said about model servers of this machine. */
#ifndef MODEL_AGREED_H
#define MODEL_AGREED_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

enum agreement { AGREED_NOT_ASKED, AGREED_YES, AGREED_NO };

/* What the person said about a server: for good, and for the user whose it
 * was (LISTEN_NOBODY: unknown). */
enum agreement agreed_look(const char *url, uid_t uid);
int agreed_store(const char *url, uid_t uid, bool yes, struct err *e);
char *agreed_path(struct err *e); /* of the file; the caller frees it */

#endif
