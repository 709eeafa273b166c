/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task.h - a task: what is known of it, its events, its prompts.
 *
 * Tasks lie on the disk; those that something happens to are in memory, too,
 * and are forgotten there when they have been left alone. A task's texts are
 * valid UTF-8 without a NUL. */
#ifndef SERVER_GATEWAY_GATEWAY_TASK_H
#define SERVER_GATEWAY_GATEWAY_TASK_H

#include "server/gateway/gateway_shared.h"

/* Calls cb with the task, at once where it is in memory; with NULL where there
 * is none, or no memory for it. */
void gateway_task_find(struct gateway *g, const char *id,
                       void (*cb)(void *arg, struct gateway_task *t),
                       void *arg);

/* The same with a copy to read, as the tables have it. */
void gateway_task_find_copy(struct gateway *g, const char *id,
                            void (*cb)(void *arg, struct gateway_task *t),
                            void *arg);

/* A new one, in the state created; it is not kept yet. id NULL: a new one.
 * NULL: no memory. */
struct gateway_task *gateway_task_new(struct gateway *g, const char *id);

/* The id of the task that is made for a client_ref: the same everywhere. */
void gateway_task_id_of(const char *ref, char id[GATEWAY_ID_SIZE]);

/* Tasks that nothing is under way of are left to the other gateways. */
void gateway_task_release_unused(struct gateway *g);

/* Sends an event that is in the stream of the gateways, when it is kept. */
void gateway_task_send_event(struct gateway *g, const struct gateway_values *v);

/* One that used them does no more. Accepts NULL. */
void gateway_types_release(struct gateway_types *types);

/* Forgets tasks that nothing has happened to for a minute. */
void gateway_task_forget_idle(struct gateway *g, int64_t now);
void gateway_task_free_all(struct gateway *g);
void gateway_task_free_permission(struct gateway_permission *p); /* or NULL */

bool gateway_task_is(const struct gateway_task *t, const char *state);
/* Sets a text; NULL is "". Where there is no memory it stays. */
void gateway_task_set(struct gateway_task *t, enum gateway_task_text what,
                      const char *text);
void gateway_task_set_state(struct gateway_task *t, const char *state,
                            const char *error);

/* Hands what is known to the store, and tells who watches (task.ACTION). */
void gateway_task_keep(struct gateway_task *t, const char *action);

/* Adds an event, which is sent when it is kept; data: n bytes, one JSON value.
 * number becomes its EVENT_NUMBERS (may be NULL); its n is 0 among gateways
 * that share their tasks. */
void gateway_task_add_event(struct gateway_task *t, const char *action,
                            const char *data, size_t n, int64_t *number);
/* The same with {"message":text}. */
void gateway_task_report(struct gateway_task *t, const char *action,
                         const char *text);

/* Adds a prompt to those that wait, and hands it to the store. NULL: too many
 * wait, or there is no memory. */
struct gateway_prompt *gateway_task_add_prompt(struct gateway_task *t,
                                               const char *text);
/* The first one in a state. */
struct gateway_prompt *gateway_task_prompt(const struct gateway_task *t,
                                           enum gateway_prompt_state state);
void gateway_task_keep_prompt(struct gateway_task *t, struct gateway_prompt *p);
void gateway_task_remove_prompt(struct gateway_task *t,
                                struct gateway_prompt *p);

/* A task of memory as values; texts are borrowed. */
struct gateway_values gateway_task_values(const struct gateway_task *t);

#endif
