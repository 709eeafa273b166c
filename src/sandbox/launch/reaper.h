/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reaper.h - the first process of a pid namespace.
 *
 * It is as confined as the program that it starts, and cannot be looked into.
 * When it ends, the kernel ends everything else in the namespace. It tells
 * when nothing else is left, since its own end takes the kernel longer than
 * many a program: the mounts go with it. */
#ifndef SANDBOX_REAPER_H
#define SANDBOX_REAPER_H

#include "sandbox/launch/inside.h"

/* Sent to it, they let the program go on. SIGCONT would not do: a shell sends
 * it to the whole group, before the terminal is the program's. */
#define REAPER_FOREGROUND SIGUSR1
#define REAPER_BACKGROUND SIGUSR2

/* Before the byte of the exit status on the line. No signal has its number. */
#define REAPER_OVER 'E'

/* Starts the program, and ends with its status. Meanwhile it writes on the
 * line a byte when the program was stopped, its signal; and REAPER_OVER with
 * the status when the program has ended and everything it started too. */
_Noreturn void reaper_run(struct inside *in);

#endif
