/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sudo_line.h - tells which lines with sudo run as steps.
 *
 * A step with sudo is confined by nothing, and a person types their password
 * while it runs. So only a line in which sudo stands in the open, and is this
 * machine's own, runs as one: what a person said yes to is then what sudo
 * gets. All other lines are for the person's own shell. */
#ifndef ACTION_SUDO_LINE_H
#define ACTION_SUDO_LINE_H

#include <stdbool.h>

#include "guard/risk/risk.h"

#define SUDO_LINE_WHY 160

/* Whether a line, read and judged, runs as a step where the shell's PATH is
 * path. Nothing in it is opaque; whatever becomes root does so by a sudo
 * that is a command of the line itself, with options that neither read the
 * password from elsewhere nor open a shell; nothing in the line changes what
 * the name sudo means; and it is root's own file (guard/path/system_sudo.h).
 * If not, why says what is in the way: "sudo -S reads the password from a
 * pipe". */
bool sudo_line_check(const struct syntax *s, const struct risk *r,
                     const char *path, char why[SUDO_LINE_WHY]);

/* Whether every sudo of the line has the option -n: nobody is asked for a
 * password then. */
bool sudo_line_never_asks(const char *line);

#endif
