/* SPDX-License-Identifier: GPL-3.0-or-later */
/* review_menu.h - inside a review: the menu that is on the screen.
 *
 * A review is one question with one menu at a time. review.c says what each
 * question offers, review_grant.c has the menus that give a step more rights,
 * and review_menu.c puts any of them on the screen and takes it away. */
#ifndef UI_REVIEW_MENU_H
#define UI_REVIEW_MENU_H

#include <limits.h>

#include "term/menu.h"
#include "ui/editor.h"
#include "ui/review.h"
#include "ui/rule_proposal.h"

#define REVIEW_ROWS   12 /* of the longest menu */
#define REVIEW_TEXT   80 /* bytes of a question or of a label */
#define REVIEW_DIGITS 9  /* steps that one key can name */
#define REVIEW_MORE   (4 * PATH_MAX + 128) /* bytes of one that names a path */
#define REVIEW_SHOWN  (8u << 20) /* bytes of commands or of their meaning */

/* What a key does. It is the last thing that is done with the review, which
 * may be freed when it returns. */
typedef void review_key(struct review *r, char key);

struct review_choice {
    struct menu_row row; /* key 0 ends the table */
    review_key *chosen;
};

struct review {
    struct app *app;
    struct aiaction *action;
    const struct plan *plan;
    enum plan_question kind;
    size_t step;
    struct plan_checks folded;     /* of the plan on the screen */
    bool unfolds;                  /* there is something to unfold */
    bool shown;                    /* the step is on the screen */
    struct menu *menu;             /* on the screen; NULL: none */
    struct command_editor *editor; /* that has the terminal; NULL: none */
    struct menu_spec spec;
    struct menu_row rows[REVIEW_ROWS + 1]; /* of the choices on the screen */
    char hidden[REVIEW_ROWS + 1];          /* keys that do nothing now */
    const struct review_choice *choices;
    struct review_choice digits[REVIEW_ROWS + 1]; /* a row for each step */
    char labels[REVIEW_ROWS][REVIEW_TEXT];
    char text[REVIEW_TEXT];
    char more[REVIEW_MORE];     /* the question about a denied right */
    bool declined;              /* the user has answered that with no */
    size_t granted_step;        /* the step that a grant is for */
    struct rule_proposal rules; /* asked about; n 0: none */
    bool takes_words;           /* the model can be asked for another plan */
    char words[MENU_LINE_MAX];  /* how the plan is to be changed */
    bool own_shell; /* a step can do its work only in the user's own shell */
    bool asked;     /* the question was on the screen before */
    bool done;
    void (*put)(struct review *r); /* shows the question itself, or again */
    review_cb *cb;
    void *arg;
    struct review_answer answer;
};

/* What a question of this kind offers. own_shell: a step can do its work only
 * in the user's own shell. tests/check compares the keys with the manual. */
const struct review_choice *review_choices(enum plan_question kind,
                                           bool own_shell);

/* Replaces the menu on the screen; text NULL: no words before the keys. The
 * last row is the one that Enter chooses. mark sets in r->spec which keys are
 * hidden and which is likely; NULL: none. Where the menu cannot be opened the
 * review ends with the reason. */
void review_menu_show(struct review *r, const struct review_choice *choices,
                      const char *text, void (*mark)(struct review *r));

/* Asks which step is meant: a digit for each of the first REVIEW_DIGITS, and q
 * to go back. */
void review_menu_steps(struct review *r, const char *text, const char *help,
                       review_key *chosen);

/* Asks for a line of text in the place of the menu; cb gets r. */
void review_menu_line(struct review *r, const char *text, menu_line_cb *cb);

/* Asks r->text, which only the typed word yes answers with the key 'y' of
 * choices; anything else is 'n'. */
void review_menu_yes(struct review *r, const struct review_choice *choices);

/* A key that goes back to the question itself. */
void review_menu_back(struct review *r, char key);

/* Takes the menu off the screen, and ends the editor. */
void review_menu_hide(struct review *r);

/* Gives the answer, as it stands, to the caller of review_open; r may be freed
 * by it. The other one: the question ended without an answer, for this
 * reason. */
void review_menu_end(struct review *r);
void review_menu_fail(struct review *r, const struct err *why);

/* The key that grants a step more than its profile, and whether some step can
 * be granted more. */
void review_grant(struct review *r, char key);
bool review_can_grant(const struct review *r);

/* Of a step that the sandbox has stopped: asks whether it runs again with the
 * right that it lacked. False: there is no such question. */
bool review_grant_offer(struct review *r);

#endif
