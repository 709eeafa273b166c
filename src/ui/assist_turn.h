/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist_turn.h - listens to the turn of a request, at a terminal: shows what
 * the model does, prints answers, saves or runs plans. */
#ifndef UI_ASSIST_TURN_H
#define UI_ASSIST_TURN_H

#include "action/shell_memory.h"
#include "action/turn.h"
#include "ui/assist.h"

struct assist_turn;

/* All is borrowed until the turn is over. */
struct assist_turn_params {
    struct app *app;
    const struct assist_request *request;
    const struct model_selection *selection; /* NULL: the offline engine */
    struct shell_memory *memory;             /* what was said before; NULL */
    const struct buf *input;                 /* what was piped in */
    bool about_last;                         /* see struct user_request */
    const char *last_shown;                  /* the same */
};

/* The turn is over; it comes from the loop, and may free the turn. All is
 * printed. lost: nothing is, since the server that an earlier discovery found
 * is gone, or its model is: a new discovery may find another one, and the run
 * is not over in the journal. */
typedef void assist_turn_cb(void *arg, int status, bool lost);

/* Starts the model, and loads the rules and the tools that it may call. */
struct assist_turn *assist_turn_start(const struct assist_turn_params *p,
                                      assist_turn_cb *cb, void *arg,
                                      struct err *e);

/* The same for a plan that was saved; the action is the turn's, but not on
 * failure. outside: see struct plan_setting. */
struct assist_turn *assist_turn_start_saved(const struct assist_turn_params *p,
                                            struct aiaction *action,
                                            const char *outside,
                                            assist_turn_cb *cb, void *arg,
                                            struct err *e);
void assist_turn_free(struct assist_turn *s); /* accepts NULL */
DEFINE_CLEANUP(struct assist_turn, assist_turn_free)

#endif
