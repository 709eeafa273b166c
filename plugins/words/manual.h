/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manual.h - what the manifest says of a program that is run for words.
 *
 * The front has checked the request against it; this is for who starts the
 * plugin in another way, and so that its author need not check anything. */
#ifndef PLUGINS_WORDS_MANUAL_H
#define PLUGINS_WORDS_MANUAL_H

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

struct manual;

/* The variable that holds the plugin's own directory, for it too. */
#define MANUAL_PLACE "AGENTSH_PLUGIN_DIR"

/* Sets it, from the program's path. */
int manual_place(const char *program, struct err *e);

/* plugin.json of that place. */
struct manual *manual_read(struct err *e);
void manual_free(struct manual *m); /* accepts NULL */
DEFINE_CLEANUP(struct manual, manual_free)

const char *manual_name(const struct manual *m);
const char *manual_program(const struct manual *m); /* its path */

/* ERR_INVALID: no such action, or arguments that its schema refuses. args may
 * be NULL. */
int manual_check(const struct manual *m, const char *action,
                 const struct json *args, struct err *e);

#endif
