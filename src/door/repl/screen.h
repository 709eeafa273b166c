/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.h - the person's terminal: its modes, and a queue in front of it.
 *
 * Output goes through a bounded queue that never blocks, so that a terminal
 * that is slow or stopped does not keep Ctrl-C from the command. The modes
 * found at the start come back when it is closed. */
#ifndef REPL_SCREEN_H
#define REPL_SCREEN_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct screen;

/* Called each time the queue has become empty. */
typedef void screen_cb(void *arg);

struct screen *screen_open(struct loop *l, screen_cb *drained, void *arg,
                           struct err *e);
void screen_close(struct screen *s); /* accepts NULL */
DEFINE_CLEANUP(struct screen, screen_close)

/* Keys go to a command's pty as they come, and its output comes as it is. */
void screen_raw(struct screen *s);
/* For the line editor: as the commands left their terminal, save for what an
 * editor needs. */
void screen_edit(struct screen *s, const struct termios *pty);
/* For the assistant: as found, save that Ctrl-Z stops nobody: it is no job of
 * the shell, and nothing could continue it. */
void screen_lent(struct screen *s);

const struct termios *screen_modes(const struct screen *s); /* as found */
void screen_size(const struct screen *s, struct winsize *ws);

/* Shows the bytes now or as soon as the terminal takes them. */
void screen_put(struct screen *s, const char *p, size_t n);
/* Nothing more should be put: wait for the drained call. */
bool screen_is_busy(const struct screen *s);
/* Waits for an empty queue, at most timeout_ms. */
void screen_flush(struct screen *s, int timeout_ms);

#endif
