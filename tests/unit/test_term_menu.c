/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_menu.c - questions on a pseudo-terminal. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "term/menu.h"
#include "term/menu_draw.h"

static const struct menu_row rows[] = {
    {'r', "run", "run every step"},
    {'x', "explain", "say what the plan does"},
    {'1', "first", "the first one"},
    {'q', "quit", "do nothing"},
    {0},
};

static const struct menu_spec spec = {.rows = rows, .enter = 'q'};

static void
rows_show_their_keys_and_fit_the_width(void **state)
{
    static const struct {
        int columns;
        const char *question, *shown;
    } cases[] = {
        {80, NULL, "[r]un  e[x]plain  [1] first  [q]uit ? "},
        {80, "Go on?", "Go on?  [r]un  e[x]plain  [1] first  [q]uit ? "},
        {19, NULL, "[r]un  e[x]plain\n[1] first\n[q]uit ? "},
        {9, "Shall I?", "Shall I?\n[r]un\ne[x]plain\n[1] first\n[q]uit ? "},
        {1, NULL, "[r]un\ne[x]plain\n[1] first\n[q]uit ? "},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct term t = {.columns = cases[i].columns};
        struct menu_spec s = spec;
        struct buf out;

        s.question = cases[i].question;
        buf_init(&out, 4096);
        menu_draw(&out, &t, &s);
        assert_string_equal(out.p, cases[i].shown);
        buf_done(&out);
    }
}

static void
a_key_may_be_hidden_or_marked(void **state)
{
    const struct term t = {.columns = 80};
    struct menu_spec s = spec;
    CLEANUP_BUF struct buf out = buf_of(4096);

    (void)state;
    s.hidden = "xq";
    s.likely = '1';
    menu_draw(&out, &t, &s);
    assert_string_equal(out.p, "[r]un  >[1] first ? ");
    buf_clear(&out);
    menu_draw_help(&out, &t, &s);
    assert_string_equal(out.p, "  r run every step\n  1 the first one\n");
    buf_clear(&out);
    menu_draw_hint(&out, &t, &s, "The keys are");
    assert_string_equal(out.p, "The keys are r, 1; ? explains\n");
}

/* A terminal with us on both sides. */
struct fixture {
    int master, slave;
    struct loop *loop;
    struct term t;
    struct termios before;
    struct menu *menu;
    struct buf shown;
    int answers;
    char key;
    enum err_code why;
};

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    f->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    assert_true(f->master >= 0);
    assert_int_equal(grantpt(f->master) | unlockpt(f->master), 0);
    f->slave = open(ptsname(f->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(f->slave >= 0);
    f->loop = loop_new(NULL);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    term_init(&f->t, f->slave, false);
    assert_true(f->t.tty && f->t.moves && !f->t.color);
    f->t.in = f->slave;
    assert_int_equal(tcgetattr(f->slave, &f->before), 0);
    buf_init(&f->shown, 1 << 16);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    menu_close(f->menu);
    term_done(&f->t);
    loop_free(f->loop);
    buf_done(&f->shown);
    close(f->slave);
    if (f->master >= 0)
        close(f->master);
    free(f);
    return 0;
}

static void
on_answer(void *arg, char key, const struct err *why)
{
    struct fixture *f = arg;

    f->answers++;
    f->key = key;
    f->why = why ? why->code : ERR_NONE;
}

static void
drain(struct fixture *f)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(f->master, bytes, sizeof(bytes))) > 0)
        buf_add(&f->shown, bytes, (size_t)n);
}

static void
type(struct fixture *f, const char *keys)
{
    size_t n = strlen(keys);

    assert_int_equal(write(f->master, keys, n), n);
    /* all that was typed is there at once: no waiting */
    while (loop_turn(f->loop, 100, NULL) > 0 && !f->answers)
        continue;
    drain(f);
}

static void
is_restored(struct fixture *f)
{
    struct termios now;

    assert_int_equal(tcgetattr(f->slave, &now), 0);
    assert_int_equal(now.c_lflag, f->before.c_lflag);
    assert_int_equal(now.c_iflag, f->before.c_iflag);
    assert_int_equal(now.c_oflag, f->before.c_oflag);
    assert_memory_equal(now.c_cc, f->before.c_cc, sizeof(now.c_cc));
}

static void
open_menu(struct fixture *f)
{
    f->menu = menu_open(f->loop, &f->t, &spec, on_answer, f, NULL);
    assert_non_null(f->menu);
    drain(f);
}

static void
a_key_answers_and_is_shown_as_its_word(void **state)
{
    struct fixture *f = *state;
    struct termios raw;

    open_menu(f);
    assert_int_equal(tcgetattr(f->slave, &raw), 0);
    assert_false(raw.c_lflag & (ICANON | ECHO));
    assert_true(raw.c_lflag & ISIG);
    type(f, "x");
    assert_int_equal(f->answers, 1);
    assert_int_equal(f->key, 'x');
    assert_non_null(strstr(f->shown.p, "[q]uit ? "));
    assert_non_null(strstr(f->shown.p, "explain\r\n"));
    is_restored(f);
}

static void
enter_and_ctrl_d_are_the_default(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    type(f, "\r");
    assert_int_equal(f->key, 'q');
    menu_close(f->menu);
    f->answers = 0;
    open_menu(f);
    type(f, "\004");
    assert_int_equal(f->answers, 1);
    assert_int_equal(f->key, 'q');
}

static void
a_capital_letter_is_its_row_too(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    type(f, "R");
    assert_int_equal(f->key, 'r');
}

static void
other_keys_say_which_there_are(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    type(f, "z");
    assert_non_null(strstr(f->shown.p, "The keys are r, x, 1, q; ? explains"));
    type(f, "run it");
    assert_non_null(strstr(f->shown.p, "One key at a time"));
    type(f, "\033[A");
    type(f, "\033[200~r\033[201~");
    assert_int_equal(f->answers, 0);
    type(f, "r");
    assert_int_equal(f->key, 'r');
}

static void
question_mark_explains(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    type(f, "?");
    assert_non_null(strstr(f->shown.p, "  x say what the plan does\r\n"));
    assert_non_null(strstr(f->shown.p, "  q do nothing (Enter)\r\n"));
    assert_int_equal(f->answers, 0);
    type(f, "q");
    assert_int_equal(f->key, 'q');
}

static void
what_was_typed_before_does_not_answer(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(write(f->master, "r\nr", 3), 3);
    open_menu(f);
    assert_int_equal(loop_turn(f->loop, 0, NULL), 0);
    assert_int_equal(f->answers, 0);
    type(f, "q");
    assert_int_equal(f->key, 'q');
}

static void
signals_interrupt_and_restore(void **state)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct fixture *f = *state;

    for (size_t i = 0; i < N_OF(ending); i++) {
        f->answers = 0;
        open_menu(f);
        raise(ending[i]);
        while (!f->answers)
            assert_true(loop_turn(f->loop, 1000, NULL) > 0);
        assert_int_equal(f->key, 0);
        assert_int_equal(f->why, ERR_INTERRUPTED);
        is_restored(f);
        menu_close(f->menu);
        f->menu = NULL;
    }
}

static void
a_terminal_that_goes_away_interrupts(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    close(f->master);
    f->master = -1;
    while (!f->answers)
        assert_true(loop_turn(f->loop, 1000, NULL) > 0);
    assert_int_equal(f->key, 0);
    assert_int_equal(f->why, ERR_INTERRUPTED);
}

static void
the_question_is_put_again_after_a_stop(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    buf_clear(&f->shown);
    assert_int_equal(tcsetattr(f->slave, TCSANOW, &f->before), 0);
    raise(SIGCONT);
    assert_true(loop_turn(f->loop, 1000, NULL) > 0);
    drain(f);
    assert_non_null(strstr(f->shown.p, "[r]un"));
    type(f, "r");
    assert_int_equal(f->key, 'r');
    is_restored(f);
}

static void
closing_it_unanswered_restores(void **state)
{
    struct fixture *f = *state;

    open_menu(f);
    menu_close(f->menu);
    f->menu = NULL;
    assert_int_equal(f->answers, 0);
    is_restored(f);
}

static void
only_the_whole_word_confirms(void **state)
{
    static const struct {
        const char *typed;
        char key;
    } cases[] = {
        {"yes\n", 'y'},
        {" yes \n", 'y'},
        {"y\n", 'n'},
        {"\n", 'n'},
        {"YES\n", 'n'},
        {"yes!\n", 'n'},
        {"no\n", 'n'},
        {"\004", 'n'},
        {"yesyes\n", 'n'},
        {"ye\004s\n", 'y'},
        {"yes                                                            "
         "                   \n",
         'n'},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < N_OF(cases); i++) {
        f->answers = 0;
        f->menu = menu_open_word(f->loop, &f->t, "Type yes: ", "yes", on_answer,
                                 f, NULL);
        assert_non_null(f->menu);
        drain(f);
        type(f, cases[i].typed);
        assert_int_equal(f->answers, 1);
        assert_int_equal(f->key, cases[i].key);
        menu_close(f->menu);
        f->menu = NULL;
        is_restored(f);
    }
}

static void
nobody_can_be_asked_on_a_pipe(void **state)
{
    struct err e = {0};
    struct term t = {.in = -1, .out = -1};
    struct loop *l = loop_new(NULL);

    (void)state;
    assert_null(menu_open_yes_no(l, &t, "Really?", NULL, NULL, &e));
    assert_int_equal(e.code, ERR_DENIED);
    loop_free(l);
}

#define ON_TERMINAL(test)                                                      \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_show_their_keys_and_fit_the_width),
        cmocka_unit_test(a_key_may_be_hidden_or_marked),
        ON_TERMINAL(a_key_answers_and_is_shown_as_its_word),
        ON_TERMINAL(enter_and_ctrl_d_are_the_default),
        ON_TERMINAL(a_capital_letter_is_its_row_too),
        ON_TERMINAL(other_keys_say_which_there_are),
        ON_TERMINAL(question_mark_explains),
        ON_TERMINAL(what_was_typed_before_does_not_answer),
        ON_TERMINAL(signals_interrupt_and_restore),
        ON_TERMINAL(a_terminal_that_goes_away_interrupts),
        ON_TERMINAL(the_question_is_put_again_after_a_stop),
        ON_TERMINAL(closing_it_unanswered_restores),
        ON_TERMINAL(only_the_whole_word_confirms),
        cmocka_unit_test(nobody_can_be_asked_on_a_pipe),
    };

    return cmocka_run_group_tests_name("term/menu", tests, NULL, NULL);
}
