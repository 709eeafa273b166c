/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu.h - asks one question at the terminal: a key, a word or a line answers.
 *
 *     >[r]un  [s]tep  e[x]plain  [c]opy  [q]uit ?
 *     Type one of run (recommended), step, explain, copy, help, quit:
 *
 * The rows are the choices. A single key answers, without Enter; Enter and
 * Ctrl-D choose `enter`; `?` and `h` print the help of each row; any other key
 * prints which keys there are. The second form is that of a plain terminal
 * (struct term, words): the word, its first letters or its key, and Enter. Text
 * typed before the question, pasted text and arrow keys cannot answer it.
 * Ctrl-Z stops the process, and the question is shown again after `fg`. Ctrl-C,
 * SIGTERM and a hang-up end it with ERR_INTERRUPTED. The terminal's mode is
 * restored before the callback is called, and by menu_close. In the other form
 * a line may be pasted. There is no time limit: a person may take a day.
 */
#ifndef TERM_MENU_H
#define TERM_MENU_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "term/term.h"

struct menu_row {
    char key; /* a lower-case letter or digit; 0 ends the table */
    /* "explain": shown with its key as "e[x]plain". A translation may mark a
     * letter of its own, "er[k]lären": it answers, and so does `key` where no
     * other row has marked it. */
    const char *label;
    const char *help; /* one line for `?` */
};

/* Borrowed until the callback or menu_close. */
struct menu_spec {
    const char *question; /* in front of the choices; NULL: none */
    const struct menu_row *rows;
    char enter;  /* the key that Enter and Ctrl-D stand for */
    char likely; /* the recommended key, marked ">"; 0: none */
    /* Keys that are not shown, but answer all the same, so that the caller can
     * say why they do nothing now; NULL: none. */
    const char *hidden;
};

struct menu; /* a question that is on the screen */

/* Receives the answer: the key of a row (with menu_open_word 'y' or 'n') and
 * why NULL; or key 0, and why says what ended the question. It is called once;
 * it may close the menu, which must be closed afterwards in any case. */
typedef void menu_cb(void *arg, char key, const struct err *why);

/* Shows the question. t has or gets its keyboard (term_keys), which no other
 * watch of the loop may use meanwhile. While it is open the menu watches the
 * signals SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP and SIGCONT. */
struct menu *menu_open(struct loop *l, struct term *t,
                       const struct menu_spec *spec, menu_cb *cb, void *arg,
                       struct err *e);

/* Asks for a word: 'y' when exactly the word and Enter are typed, 'n' for
 * anything else, and for Ctrl-D where nothing was typed. */
struct menu *menu_open_word(struct loop *l, struct term *t,
                            const char *question, const char *word, menu_cb *cb,
                            void *arg, struct err *e);

/* "question [y]es [n]o ?"; Enter is no. */
struct menu *menu_open_yes_no(struct loop *l, struct term *t,
                              const char *question, menu_cb *cb, void *arg,
                              struct err *e);

#define MENU_LINE_MAX 1024 /* bytes of a line that is typed, with its NUL */

/* Receives the line that was typed, without its newline and the blanks around
 * it, or
 * "" for Ctrl-D, which is ignored behind text; or NULL, and why says what ended
 * the question. Borrowed. */
typedef void menu_line_cb(void *arg, const char *line, const struct err *why);

/* Asks for a line of text. A line that is too long counts as "". */
struct menu *menu_open_line(struct loop *l, struct term *t,
                            const char *question, menu_line_cb *cb, void *arg,
                            struct err *e);

/* The same for a line that is not shown while it is typed. It is wiped here,
 * and by the callback where that copies it. */
struct menu *menu_open_secret(struct loop *l, struct term *t,
                              const char *question, menu_line_cb *cb, void *arg,
                              struct err *e);

void menu_close(struct menu *m); /* accepts NULL; restores the terminal */
DEFINE_CLEANUP(struct menu, menu_close)

#endif
