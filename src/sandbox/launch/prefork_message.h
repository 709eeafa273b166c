/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefork_message.h - sends a preforked child its configuration.
 *
 * A child that is forked at the launch has all of it in its memory. One that
 * was forked before (prefork.h) receives the launcher's words, the environment
 * and the paths that were looked up; and later the protected paths, since
 * searching a workspace takes as long as making the view. Both sides run the
 * same executable, so numbers are sent as they lie in memory. */
#ifndef SANDBOX_LAUNCH_PREFORK_MESSAGE_H
#define SANDBOX_LAUNCH_PREFORK_MESSAGE_H

#include "sandbox/launch/child.h"

#define PREFORK_MESSAGE_MAX (16u << 20) /* bytes of one message */

struct prefork_message {
    struct sandbox_spec spec;
    struct child_config conf; /* points to the other members */
    struct protect kept[SPEC_PATHS_MAX + 1];
    char *bytes;
    char **list; /* the words, NULL, the variables, NULL */
};

/* Sends conf, except for the protected paths, with our standard input, output
 * and error. words: all words of the launcher, of which the program's
 * (conf->argv) are the last. */
int prefork_message_send(int channel, const struct child_config *conf,
                         char *const *words, struct err *e);

/* Receives it: installs the three streams and environ, and fills in b, except
 * for the protected paths and what is the child's own. Nothing of it is ever
 * freed, since the child executes a program. */
int prefork_message_receive(int channel, struct prefork_message *b,
                            struct err *e);

/* Send and receive the protected paths. Where nothing is writable, nothing is
 * sent. */
int prefork_message_send_kept(int channel, const struct child_config *conf,
                              struct err *e);
int prefork_message_receive_kept(int channel, struct prefork_message *b,
                                 struct err *e);

#endif
