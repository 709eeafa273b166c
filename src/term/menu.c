/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu.c - asks one question at the terminal: a key, a word or a line answers.
 */
#include "term/menu.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/message.h"
#include "term/keys.h"
#include "term/menu_draw.h"
#include "term/width.h"

#define SCREEN_MAX (64u << 10) /* bytes of a question with its help */

#define WORD_MAX 64 /* bytes of a typed word; longer text is not the word */

/* xterm, "Bracketed Paste Mode": pasted text is marked as such. */
#define PASTE_MARKED   "\033[?2004h"
#define PASTE_UNMARKED "\033[?2004l"

static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,
                              SIGQUIT, SIGTSTP, SIGCONT};

#define N_SIGNALS ARRAY_SIZE(signals)

struct menu {
    struct loop *loop;
    struct term *t;
    struct menu_spec spec; /* of a word: question alone, rows NULL */
    const char *word;      /* NULL and lines: any line */
    bool lines;            /* a line is typed, not a key */
    bool secret;           /* it is not shown, and wiped */
    bool by_word;          /* a word answers: the terminal is plain */
    menu_cb *cb;
    menu_line_cb *line_cb; /* of any line */
    void *arg;
    struct watch *input, *signals[N_SIGNALS];
    struct keys keys;
    char line[MENU_LINE_MAX]; /* the word or line typed so far */
    size_t n;
    size_t column; /* column where the question ends */
    bool resumed;  /* already drawn since the stop that SIGCONT ends */
};

static size_t
last_column(const struct buf *drawn)
{
    const char *end = memrchr(drawn->p, '\n', drawn->len);

    return width_str(end ? end + 1 : drawn->p);
}

static void
draw_question(struct menu *m, const char *why, bool help)
{
    CLEANUP_BUF struct buf out = buf_of(SCREEN_MAX);

    if (m->lines) {
        buf_str(&out, m->spec.question);
    } else {
        if (why)
            menu_draw_hint(&out, m->t, &m->spec, why);
        if (help)
            menu_draw_help(&out, m->t, &m->spec);
        menu_draw(&out, m->t, &m->spec);
        m->column = last_column(&out);
    }
    (void)term_put(m->t, &out,
                   NULL); /* a terminal that is gone hangs up, too */
}

static int
enter_menu_mode(struct menu *m, struct err *e)
{
    if (m->secret)
        return term_mode_secret(m->t, e);
    if (m->lines || m->by_word)
        return term_mode_lines(m->t, e);
    if (term_mode_keys(m->t, e) < 0)
        return -1;
    if (m->t->moves)
        (void)term_write(m->t, PASTE_MARKED, strlen(PASTE_MARKED), NULL);
    return 0;
}

static void
leave_mode(struct menu *m)
{
    if (!m->lines && m->t->changed && m->t->moves)
        (void)term_write(m->t, PASTE_UNMARKED, strlen(PASTE_UNMARKED), NULL);
    term_mode_restore(m->t);
}

static void
stop_watching(struct menu *m)
{
    watch_free(m->input);
    m->input = NULL;
    for (size_t i = 0; i < N_SIGNALS; i++) {
        watch_free(m->signals[i]);
        m->signals[i] = NULL;
    }
}

void
menu_close(struct menu *m)
{
    if (!m)
        return;
    leave_mode(m);
    stop_watching(m);
    if (m->secret)
        explicit_bzero(m->line, sizeof(m->line));
    free(m);
}

/* The typed line without the blanks around it, with a NUL. */
static char *
trim_line(struct menu *m)
{
    size_t from = 0, to = m->n < sizeof(m->line) ? m->n : 0;

    while (from < to && ascii_is_blank(m->line[from]))
        from++;
    while (to > from && ascii_is_blank(m->line[to - 1]))
        to--;
    m->line[to] = '\0';
    return m->line + from;
}

static void
give_line(struct menu *m, const struct err *why)
{
    m->line_cb(m->arg, why ? NULL : trim_line(m), why);
}

/* Ends the question; nothing uses m afterwards, since the callback may close
 * it. `shown` is printed behind the question. */
static void
finish_menu(struct menu *m, char key, const char *shown, const struct err *why)
{
    leave_mode(m);
    stop_watching(m);
    (void)term_write(m->t, shown, strlen(shown), NULL);
    if (!m->by_word) /* else Enter was echoed */
        (void)term_write(m->t, "\n", 1, NULL);
    if (m->line_cb)
        give_line(m, why);
    else
        m->cb(m->arg, key, why);
}

static void
finish_interrupted(struct menu *m, const char *shown, const char *text)
{
    struct err why;

    err_set(&why, ERR_INTERRUPTED, "%s", text);
    finish_menu(m, 0, shown, &why);
}

static void
ignore_signal(int signo)
{
    (void)signo;
}

/* The kernel sends SIGHUP once more when the session's leader ends; it must not
 * kill a process that is still recording how its run ended, so it gets an empty
 * handler. Children get the default action back: an exec resets a handler, but
 * keeps SIG_IGN. */
static void
hang_up(struct menu *m)
{
    const struct sigaction empty = {.sa_handler = ignore_signal,
                                    .sa_flags = SA_RESTART};
    struct sigaction now;

    if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        (void)sigaction(SIGHUP, &empty, NULL);
    finish_interrupted(m, "", "the terminal was closed");
}

/* Prints a label that does not fit behind the question below it: the terminal
 * would break it anywhere. */
static void
finish_with_row(struct menu *m, const struct menu_row *row)
{
    struct menu_label l;

    menu_label_read(row, &l);
    if (m->column + width_str(l.text) > (size_t)m->t->columns)
        (void)term_write(m->t, "\n", 1, NULL);
    finish_menu(m, row->key, l.text, NULL);
}

static void
on_key(struct menu *m, int key)
{
    const struct menu_row *row;

    if (key == KEY_NONE)
        return;
    if (key == KEY_ENTER || key == KEY_EOF)
        row = menu_find(&m->spec, m->spec.enter);
    else
        row = menu_find_shown(&m->spec, key);
    if (!row && key < KEY_OTHER)
        row = menu_find_shown(&m->spec, tolower(key));
    if (row) {
        finish_with_row(m, row);
        return;
    }
    (void)term_write(m->t, "\n", 1, NULL);
    if (key == '?' || key == 'h')
        draw_question(m, NULL, true);
    else
        draw_question(
            m, key == KEY_MANY ? _("One key at a time:") : _("The keys are"),
            false);
}

static bool
is_typed_word(const char *p, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(p, word, n) == 0;
}

/* Whether the line consists of the word, in the person's language or as it is.
 */
static bool
line_is_word(const struct menu *m)
{
    size_t from = 0, to = m->n;
    struct menu_label l;

    while (from < to && ascii_is_blank(m->line[from]))
        from++;
    while (to > from && ascii_is_blank(m->line[to - 1]))
        to--;
    menu_label_read(&(struct menu_row){.key = 'y', .label = m->word}, &l);
    return is_typed_word(m->line + from, to - from, m->word) ||
           is_typed_word(m->line + from, to - from, l.text);
}

/* A line in place of a key. */
static void
on_word(struct menu *m)
{
    const char *word = trim_line(m);
    const struct menu_row *row = *word ? menu_find_word(&m->spec, word)
                                       : menu_find(&m->spec, m->spec.enter);
    bool help = strcmp(word, "?") == 0 || strcasecmp(word, "help") == 0 ||
                strcasecmp(word, _("help")) == 0;

    if (row) {
        finish_menu(m, row->key, "", NULL);
        return;
    }
    m->n = 0;
    draw_question(m, help ? NULL : _("That is none of the words."), help);
}

/* The terminal delivers whole lines, or at Ctrl-D the part typed so far. The
 * bytes of a secret are wiped. */
static void
on_line(struct menu *m, char *bytes, size_t n)
{
    const char *end = memchr(bytes, '\n', n);
    size_t take = end ? (size_t)(end - bytes) : n;

    if (take > sizeof(m->line) - m->n)
        take = sizeof(m->line) - m->n; /* full: then it is not the word */
    memcpy(m->line + m->n, bytes, take);
    m->n += take;
    if (m->secret)
        explicit_bzero(bytes, n);
    if (!end)
        return;
    if (m->by_word) {
        on_word(m);
        return;
    }
    finish_menu(m, m->word && m->n < WORD_MAX && line_is_word(m) ? 'y' : 'n',
                "", NULL);
}

static void
on_input(void *arg, unsigned events)
{
    struct menu *m = arg;
    char bytes[256];
    ssize_t n = 0;

    if (!(events & LOOP_HUP))
        n = read(m->t->in, bytes, sizeof(bytes));
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n < 0 || events & LOOP_HUP || (n == 0 && !m->lines && !m->by_word))
        hang_up(m);
    else if (n == 0 && m->n == 0)
        finish_menu(m, m->by_word ? m->spec.enter : 'n', m->by_word ? "\n" : "",
                    NULL);
    else if (n == 0) /* Ctrl-D behind text ends nothing, as in a shell */
        return;
    else if (m->lines || m->by_word)
        on_line(m, bytes, (size_t)n);
    else
        on_key(m, keys_decode(&m->keys, bytes, (size_t)n, clock_ms()));
}

static void
put_again(struct menu *m)
{
    if (enter_menu_mode(m, NULL) == 0)
        draw_question(m, NULL, false);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct menu *m = arg;

    switch (signo) {
    case SIGTSTP:
        leave_mode(m);
        (void)term_write(m->t, "\n", 1, NULL);
        term_suspend(m->t);
        m->resumed = true;
        put_again(m);
        break;
    case SIGCONT:
        if (!m->resumed)
            put_again(m);
        m->resumed = false;
        break;
    case SIGINT:
        finish_interrupted(m, m->lines || m->by_word ? "" : "^C",
                           "interrupted");
        break;
    case SIGHUP:
        hang_up(m);
        break;
    default:
        finish_interrupted(m, "", "terminated");
        break;
    }
}

static int
start_watching(struct menu *m, struct err *e)
{
    for (size_t i = 0; i < N_SIGNALS; i++) {
        m->signals[i] = loop_signal(m->loop, signals[i], on_signal, m, e);
        if (!m->signals[i])
            return -1;
    }
    m->input = loop_fd(m->loop, m->t->in, LOOP_READ, on_input, m, e);
    return m->input ? 0 : -1;
}

static struct menu *
open_any(const struct menu *init, struct err *e)
{
    CLEANUP(menu_close_p) struct menu *m = malloc(sizeof(*m));

    if (!m) {
        err_sys(e, "question");
        return NULL;
    }
    *m = *init;
    m->by_word = m->t->words && !m->lines;
    keys_init(&m->keys);
    term_measure(m->t);
    if (term_keys(m->t, e) < 0 || start_watching(m, e) < 0 ||
        enter_menu_mode(m, e) < 0)
        return NULL;
    draw_question(m, NULL, false);
    return TAKE_PTR(m);
}

struct menu *
menu_open(struct loop *l, struct term *t, const struct menu_spec *spec,
          menu_cb *cb, void *arg, struct err *e)
{
    struct menu m = {.loop = l, .t = t, .spec = *spec, .cb = cb, .arg = arg};

    return open_any(&m, e);
}

struct menu *
menu_open_word(struct loop *l, struct term *t, const char *question,
               const char *word, menu_cb *cb, void *arg, struct err *e)
{
    struct menu m = {.loop = l,
                     .t = t,
                     .spec = {.question = question},
                     .word = word,
                     .lines = true,
                     .cb = cb,
                     .arg = arg};

    return open_any(&m, e);
}

struct menu *
menu_open_line(struct loop *l, struct term *t, const char *question,
               menu_line_cb *cb, void *arg, struct err *e)
{
    struct menu m = {.loop = l,
                     .t = t,
                     .spec = {.question = question},
                     .lines = true,
                     .line_cb = cb,
                     .arg = arg};

    return open_any(&m, e);
}

struct menu *
menu_open_secret(struct loop *l, struct term *t, const char *question,
                 menu_line_cb *cb, void *arg, struct err *e)
{
    struct menu m = {.loop = l,
                     .t = t,
                     .spec = {.question = question},
                     .lines = true,
                     .secret = true,
                     .line_cb = cb,
                     .arg = arg};

    return open_any(&m, e);
}

struct menu *
menu_open_yes_no(struct loop *l, struct term *t, const char *question,
                 menu_cb *cb, void *arg, struct err *e)
{
    static const struct menu_row rows[] = {
        {'y', N_("yes"), N_("yes, do it")},
        {'n', N_("no"), N_("no, leave it")},
        {0},
    };
    const struct menu_spec spec = {
        .question = question, .rows = rows, .enter = 'n'};

    return menu_open(l, t, &spec, cb, arg, e);
}
