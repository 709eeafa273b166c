/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alone.h - what a command leaves behind does not meet the next one. */
#ifndef PLUGINS_CMD_RUN_ALONE_H
#define PLUGINS_CMD_RUN_ALONE_H

/* Keeps commands from our memory and our descriptors: by /proc they could
 * answer in our name, or change what the next one gets. */
void alone_hide(void);

/* Ends every process but us and the launcher's, where the launcher gave us a
 * pid namespace: there, and only there, that is what commands started. */
void alone_clear(void);

#endif
