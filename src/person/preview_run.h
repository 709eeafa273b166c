/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_run.h - a preview's insides, for preview.c and its question. */
#ifndef PERSON_PREVIEW_RUN_H
#define PERSON_PREVIEW_RUN_H

#include "person/preview.h"
#include "person/preview_list.h"
#include "term/menu.h"

#define PREVIEW_SHOWN 24 /* changes that are listed by name; a key has all */

struct preview {
    struct app *app;
    struct view *view;
    struct changes list;
    struct menu *menu;
    struct menu_spec spec;
    bool over; /* the question has its answer: */
    enum preview_end end;
    struct err why; /* ERR_NONE: nothing stood in the way */
    bool stop;      /* a signal came while files are copied or written */
};

/* Reads what was changed into p->list, once: what is shown is what is kept. */
int preview_read(struct preview *p, struct err *e);

/* How many changes a person counts: something renamed is one. */
size_t preview_count(const struct changes *list);

/* Makes the changes of p->list in the workspace and removes the view; says
 * how many, or which stood in the way. */
int preview_make(struct preview *p, struct err *e);

#endif
