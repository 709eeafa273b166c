/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question_in.h - a question and its keys, for question.c and its keys. */
#ifndef PERSON_QUESTION_IN_H
#define PERSON_QUESTION_IN_H

#include <limits.h>

#include "person/question.h"
#include "person/remember.h"
#include "term/menu.h"

#define QUESTION_ROWS   12 /* of the longest menu */
#define QUESTION_TEXT   80 /* bytes of a question or of a label */
#define QUESTION_DIGITS 9  /* steps that one key can name */
#define QUESTION_MORE   (4 * PATH_MAX + 128) /* one that names a path */
#define QUESTION_SHOWN  (8u << 20)           /* of commands or their meaning */

/* What a key does; the last thing that is done with q, which may be gone
 * afterwards. */
typedef void question_key(struct question *q, char key);

struct choice {
    struct menu_row row; /* key 0 ends the table */
    question_key *chosen;
};

struct question {
    struct app *app;
    struct aiaction *action;
    const struct plan *plan;
    enum plan_question kind;
    size_t step;
    struct plan_checks folded; /* of the plan on the screen */
    bool unfolds;              /* there is something to unfold */
    bool shown;                /* the step is on the screen */
    struct menu *menu;         /* on the screen; NULL: none */
    struct menu_spec spec;
    struct menu_row rows[QUESTION_ROWS + 1]; /* of the choices on the screen */
    char hidden[QUESTION_ROWS + 1];          /* keys that do nothing now */
    const struct choice *choices;
    struct choice digits[QUESTION_ROWS + 1]; /* which step to edit */
    char labels[QUESTION_ROWS][QUESTION_TEXT];
    char text[QUESTION_TEXT];
    char more[QUESTION_MORE];  /* whether the step gets what it lacked */
    bool declined;             /* it does not */
    size_t granted_step;       /* is asked about */
    struct remember remember;  /* rules that are asked about; n 0: none */
    bool takes_words;          /* the plan can be asked for anew */
    char words[MENU_LINE_MAX]; /* how it is to be changed */
    bool by_hand; /* a step can do its work in the person's shell alone */
    bool asked;   /* it was put once already */
    bool done;
    question_cb *cb;
    void *arg;
    struct question_answer answer;
};

/* What a question of this kind offers; by_hand: where a step can do its work
 * in the person's own shell alone. */
const struct choice *question_choices(enum plan_question kind, bool by_hand);

/* Sets in the menu's spec what is hidden and what is likely, of the question
 * about all of the plan. */
void question_mark(struct question *q);

/* Puts the question itself, at first or again. */
void question_put(struct question *q);

/* Puts other choices in its place; text NULL: no words before them. */
void question_offer(struct question *q, const struct choice *choices,
                    const char *text);

/* A key that puts the question itself again. */
void question_back(struct question *q, char key);

/* Which step? A digit for each of the first, and q, which goes back. */
void question_offer_steps(struct question *q, const char *text,
                          const char *help, question_key *chosen);

/* The key that grants a step more than its profile; whether some step takes a
 * grant. */
void question_grant(struct question *q, char key);
bool question_can_grant(const struct question *q);

/* Of a step that a wall has stopped: puts the question whether it runs again
 * with what it lacked. False: there is no such question. */
bool question_offer_more(struct question *q);

/* Takes the menu off the screen. */
void question_hide(struct question *q);

/* Gives the answer, as it stands, to the one who asked. */
void question_end(struct question *q);

#endif
