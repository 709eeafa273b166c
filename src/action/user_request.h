/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_request.h - what somebody asks for, and what comes with it.
 *
 * It is the same whoever asks: a command line, the REPL, an editor. */
#ifndef ACTION_USER_REQUEST_H
#define ACTION_USER_REQUEST_H

#include "action/aiaction.h"
#include "action/host_list.h"
#include "model/image.h"

/* As a number of columns: on the screen nothing stands beside something else.
 */
#define COLUMNS_PLAIN 1

/* All strings are borrowed. */
struct user_request {
    enum aiaction_mode mode;
    const char *text; /* the words; "": there are none */
    /* data that comes with the words: what was piped in, or what an editor
     * attached. It may hold any byte but is sent as UTF-8 */
    const char *input;
    size_t input_len;       /* 0: none came */
    const char *input_name; /* what it is, for a review: "what was piped in" */
    /* that came with the words; `input` names them; NULL: none. For a model
     * alone that takes them: model_selection_takes_images */
    struct model_images *images;
    /* where the steps are to run, of the turn's setting; NULL: here */
    const struct host_list *hosts;
    /* what came of the request before, in the same conversation, and what of
     * that others could have written; NULL: nothing */
    const char *before, *before_outside;
    bool about_last; /* the text is about the last command of the shell: what
                        that showed goes along, failed or not */
    const char *last_shown; /* what that showed, where the shell kept nothing of
                               it; NULL: that is not known */
    bool whole; /* without a model: no plan that leaves out a word of the text
                 */
};

#endif
