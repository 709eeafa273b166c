/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.h - the person's terminal: its modes, and the output queue before it.
 *
 * The queue is bounded and writing never blocks, so a slow or stopped terminal
 * does not keep Ctrl-C from the command. Closing restores the modes that the
 * terminal had at the start. */
#ifndef FRONTEND_REPL_SCREEN_H
#define FRONTEND_REPL_SCREEN_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct screen;

/* Is called each time the queue becomes empty. */
typedef void screen_cb(void *arg);

struct screen *screen_open(struct loop *l, screen_cb *drained, void *arg,
                           struct err *e);
void screen_close(struct screen *s); /* accepts NULL */
DEFINE_CLEANUP(struct screen, screen_close)

/* Raw mode: keys are passed to a command's pty, and its output is shown as is.
 */
void screen_raw(struct screen *s);
/* For the line editor: the modes that commands left on their pty, except what
 * an editor needs. */
void screen_edit(struct screen *s, const struct termios *pty);
/* For `ai`: the modes found at the start, except that Ctrl-Z stops nothing:
 * `ai` is no job of the shell, and nothing could continue it. */
void screen_lent(struct screen *s);

const struct termios *screen_modes(const struct screen *s); /* at the start */
void screen_size(const struct screen *s, struct winsize *ws);

/* Writes the bytes now, or as soon as the terminal takes them. */
void screen_put(struct screen *s, const char *p, size_t n);
/* Whether the caller should wait for the callback before it writes more. */
bool screen_is_busy(const struct screen *s);
/* Waits until the queue is empty, at most timeout_ms. */
void screen_flush(struct screen *s, int timeout_ms);

#endif
