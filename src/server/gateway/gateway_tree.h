/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_tree.h - the working tree of git that a task has of its own, where it
 * was asked for. */
#ifndef SERVER_GATEWAY_GATEWAY_TREE_H
#define SERVER_GATEWAY_GATEWAY_TREE_H

#include "server/gateway/gateway_shared.h"

/* Whether the task is to have one, and has none yet. */
bool gateway_tree_is_missing(const struct gateway_task *t);
/* Trees are not shared: another gateway's machine may have this task's. The
 * directory t->text[TASK_TREE] is to be looked for (gateway_directory.h). */
bool gateway_tree_may_be_elsewhere(const struct gateway_task *t);
#define GATEWAY_TREE_ELSEWHERE                                                 \
    "its working tree is on the machine of another gateway, which alone goes " \
    "on with it"

/* Makes it; made is called from the loop, with NULL when it is there. Until
 * then t->tree_job is not NULL. */
int gateway_tree_make(struct gateway_task *t,
                      void (*made)(struct gateway_task *t,
                                   const struct err *why),
                      struct err *e);

/* Ends what gateway_tree_make began; made is not called. */
void gateway_tree_stop(struct gateway_task *t);

/* Removes it where git knows all of it, and says in the task what became of it,
 * or, quietly, only when it is gone; over is called from the loop then. */
void gateway_tree_clean(struct gateway_task *t, bool quietly,
                        void (*over)(struct gateway_task *t));

/* The request task.diff. */
void gateway_tree_diff(struct gateway_request *r);

#endif
