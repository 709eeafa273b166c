/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sudo.h - does a command line ask for another user's rights? */
#ifndef GUARD_SUDO_H
#define GUARD_SUDO_H

#include <stdbool.h>
#include <stddef.h>

/* Whether sudo, doas, su or pkexec stands anywhere in line[0..n) as a
 * command: behind wrappers, in substitutions, in the text for a shell. Once
 * too often rather than once too seldom. */
bool sudo_is_called(const char *line, size_t n);

#endif
