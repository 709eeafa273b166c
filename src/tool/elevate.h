/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elevate.h - runs a program as root for a plugin that asks for it.
 *
 * Only a program that the manifest names is run, with exactly the words of the
 * request and without a shell, and only when we are root and a person's yes
 * covers it. In all other cases the plugin is told what the person can type.
 * The person sees the words before the yes. Used by call.c. */
#ifndef TOOL_ELEVATE_H
#define TOOL_ELEVATE_H

#include "base/buf.h"
#include "tool/call.h"

struct elevate; /* one request, and its program when it runs */

struct elevate_events {
    /* as in struct tool_events; called by elevate_start */
    enum tool_elevation (*ask)(void *arg, const char *const *argv);
    /* a piece of the program's output, UTF-8; only when the call streams */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* the answer line for the plugin; the last event. The callback may free
     * the request */
    void (*done)(void *arg, const char *line, size_t n);
};

/* argv: of the plugin's `need` event, checked by protocol_parse. The setting
 * is borrowed while the request lives. ERR_PEER: the manifest does not name the
 * program. A refusal is an answer as well: `done` comes from the loop. */
struct elevate *elevate_start(struct loop *l, const struct tool *t,
                              const struct json *argv,
                              const struct tool_setting *setting, bool stream,
                              const struct elevate_events *ev, void *arg,
                              struct err *e);
/* Whether elevate_answer is awaited. */
bool elevate_is_waiting(const struct elevate *n);
int elevate_answer(struct elevate *n, bool yes, struct err *e);
void elevate_free(struct elevate *n); /* kills its tree; accepts NULL */
DEFINE_CLEANUP(struct elevate, elevate_free)

/* As tool_call_signal and tool_call_pause, for the program. */
void elevate_signal(struct elevate *n, int signo);
void elevate_pause(struct elevate *n, bool paused);

#endif
