/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu.h - one question at the terminal, answered by one key or one word.
 *
 *     >[r]un  [s]tep  e[x]plain  [c]opy  [q]uit ?
 *
 * Rows are the choices. One key without Enter answers; Enter and Ctrl-D give
 * `enter`; `?` and `h` print each row's help; another key prints which ones
 * there are. Neither what was typed before the question nor pasted text nor
 * arrow keys can answer it. Ctrl-Z stops the process and the question is put
 * again after `fg`. Ctrl-C, SIGTERM and a hang-up end it with
 * ERR_INTERRUPTED. The terminal's mode is restored before the callback is
 * called, and by menu_close. No time limit: a person may take a day. */
#ifndef TERM_MENU_H
#define TERM_MENU_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "term/term.h"

struct menu_row {
    char key;          /* a lower-case letter or digit; 0 ends the table */
    const char *label; /* "explain": shown with its key as "e[x]plain" */
    const char *help;  /* one line for `?` */
};

/* Borrowed until the callback or menu_close. */
struct menu_spec {
    const char *question; /* in front of the choices; NULL: none */
    const struct menu_row *rows;
    char enter;  /* the key that Enter and Ctrl-D stand for */
    char likely; /* the key that most will want, marked ">"; 0: none */
    /* keys that do nothing now: they are not shown, and taken all the same,
     * for the caller to say why; NULL: none */
    const char *hidden;
};

struct menu; /* a question that is on the screen */

/* The answer: a row's key (of menu_open_word: 'y' or 'n') and why NULL; or
 * key 0, and why says what ended it. Called once; the menu may be closed in
 * it, and must be closed after it. */
typedef void menu_cb(void *arg, char key, const struct err *why);

/* Puts the question; t has or gets its keyboard (term_keys), which no other
 * watch of the loop may be on meanwhile. Uses the loop's
 * signals SIGINT, SIGTERM, SIGHUP and SIGTSTP while it is open. */
struct menu *menu_open(struct loop *l, struct term *t,
                       const struct menu_spec *spec, menu_cb *cb, void *arg,
                       struct err *e);

/* Puts a question that only the whole word answers with 'y' (typed, then
 * Enter); anything else is 'n', Ctrl-D too where nothing was typed. */
struct menu *menu_open_word(struct loop *l, struct term *t,
                            const char *question, const char *word, menu_cb *cb,
                            void *arg, struct err *e);

#define MENU_LINE_MAX 1024 /* bytes of a line that is typed, with its NUL */

/* A line that was typed, without its newline and the blanks around it, or ""
 * at Ctrl-D, which behind words does nothing; or NULL, and why says what ended
 * the question. Borrowed. */
typedef void menu_line_cb(void *arg, const char *line, const struct err *why);

/* Puts a question that a line of text answers. A line that is too long is put
 * as "". */
struct menu *menu_open_line(struct loop *l, struct term *t,
                            const char *question, menu_line_cb *cb, void *arg,
                            struct err *e);

void menu_close(struct menu *m); /* accepts NULL; restores the terminal */
DEFINE_CLEANUP(struct menu, menu_close)

/* A menu for a door that has nothing else to do: it turns the loop until *key
 * is there. Other watches go on. */
int menu_key(struct loop *l, struct term *t, const struct menu_spec *spec,
             char *key, struct err *e);

/* The same for "question [y]es [n]o ?"; Enter is no. */
int menu_yes_no(struct loop *l, struct term *t, const char *question, bool *yes,
                struct err *e);

#endif
