/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_directory.h - looks for a directory beside the loop: it may be
 * another machine's, which answers late or never. */
#ifndef SERVER_GATEWAY_GATEWAY_DIRECTORY_H
#define SERVER_GATEWAY_GATEWAY_DIRECTORY_H

#include "base/loop.h"

struct gateway_directory; /* one that is looked for */

/* Calls cb once, from the loop, with NULL where it is there, else with why not,
 * from the errno. The path is copied. */
struct gateway_directory *
gateway_directory_look(struct loop *l, const char *path,
                       void (*cb)(void *arg, const struct err *why), void *arg,
                       struct err *e);
/* cb is not called any more. The system's answer is not waited for: a thread
 * that hangs in the kernel is left there. Accepts NULL. */
void gateway_directory_free(struct gateway_directory *d);

#endif
