/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_live.c - the live line and the clipboard on a pseudo-terminal. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "term/clipboard.h"
#include "term/progress_line.h"

#define DEADLINE_MS 10000
#define ERASED      "\r\033[K"

struct fixture {
    int master, slave;
    struct loop *loop;
    struct term t;
    struct progress_line *live;
    struct buf shown;
};

static int
set_up(void **state)
{
    struct winsize ws = {.ws_row = 24, .ws_col = 40};
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    f->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    assert_true(f->master >= 0);
    assert_int_equal(grantpt(f->master) | unlockpt(f->master), 0);
    f->slave = open(ptsname(f->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(f->slave >= 0);
    assert_int_equal(ioctl(f->slave, TIOCSWINSZ, &ws), 0);
    f->loop = loop_new(NULL);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    term_init(&f->t, f->slave, false);
    buf_init(&f->shown, 1 << 20);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    progress_line_close(f->live);
    term_done(&f->t);
    loop_free(f->loop);
    buf_done(&f->shown);
    close(f->slave);
    close(f->master);
    free(f);
    return 0;
}

static void
drain(struct fixture *f)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(f->master, bytes, sizeof(bytes))) > 0)
        buf_add(&f->shown, bytes, (size_t)n);
}

static bool
comes(struct fixture *f, const char *text)
{
    int64_t until = clock_ms() + DEADLINE_MS;

    for (;;) {
        drain(f);
        if (strstr(f->shown.p, text))
            return true;
        if (clock_ms() > until)
            return false;
        loop_turn(f->loop, 100, NULL);
    }
}

/* How often the loop's timers ran while ms went by. */
static int
turns(struct fixture *f, int64_t ms)
{
    int64_t until = clock_ms() + ms;
    int ran = 0;

    while (clock_ms() < until)
        ran += loop_turn(f->loop, 10, NULL);
    return ran;
}

static void
it_says_what_and_how_long_and_disappears(void **state)
{
    struct fixture *f = *state;

    f->live = progress_line_open(f->loop, &f->t, "asking qwen3-4b", NULL);
    drain(f);
    assert_string_equal(f->shown.p, "");
    assert_true(comes(f, "asking qwen3-4b · 0."));
    progress_line_close(f->live);
    f->live = NULL;
    buf_clear(&f->shown);
    drain(f);
    assert_string_equal(f->shown.p, ERASED);
}

static void
noted_output_is_shown_cut_and_harmless(void **state)
{
    struct fixture *f = *state;
    const char *out = "first\n\033]0;t\007\033[31mUnpacking libfoo\tand a lot "
                      "more of them\n";

    f->live = progress_line_open(f->loop, &f->t, "step 2 \033[2J", NULL);
    progress_line_add_output(f->live, out, strlen(out));
    assert_true(comes(f, "step 2 \\x1b[2J"));
    assert_true(comes(f, "· Unpacking l…\033[K"));
    assert_null(strstr(f->shown.p, "\033[31m"));
    progress_line_add_output(f->live, "half", 4);
    assert_true(comes(f, "· half"));
}

static void
other_output_erases_it_and_it_waits_for_the_end_of_a_line(void **state)
{
    struct fixture *f = *state;

    f->live = progress_line_open(f->loop, &f->t, "working", NULL);
    assert_true(comes(f, "working"));
    buf_clear(&f->shown);
    assert_int_equal(progress_line_write(f->live, "half", 4, NULL), 0);
    drain(f);
    assert_string_equal(f->shown.p, ERASED "half");
    assert_true(turns(f, 300) > 0);
    drain(f);
    assert_string_equal(f->shown.p, ERASED "half");
    progress_line_write(f->live, " a line\n\033[m", 11, NULL);
    assert_true(comes(f, "half a line\r\n\033[m\r"));
    assert_true(comes(f, "working"));
}

static void
it_can_be_hidden_for_a_question(void **state)
{
    struct fixture *f = *state;

    f->live = progress_line_open(f->loop, &f->t, "working", NULL);
    assert_true(comes(f, "working"));
    progress_line_hide(f->live);
    drain(f);
    buf_clear(&f->shown);
    assert_true(turns(f, 300) > 0);
    drain(f);
    assert_string_equal(f->shown.p, "");
    progress_line_show(f->live);
    assert_true(comes(f, "working"));
}

static void
a_pipe_never_sees_it(void **state)
{
    struct fixture *f = *state;
    char bytes[64];
    struct term t;
    int fds[2];

    assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
    term_init(&t, fds[1], false);
    f->live = progress_line_open(f->loop, &t, "working", NULL);
    assert_int_equal(turns(f, 500), 0);
    assert_int_equal(progress_line_write(f->live, "text\n", 5, NULL), 0);
    assert_int_equal(read(fds[0], bytes, sizeof(bytes)), 5);
    progress_line_close(f->live);
    f->live = NULL;
    close(fds[0]);
    close(fds[1]);
}

static void
the_clipboard_gets_base64(void **state)
{
    static const struct {
        const char *text, *sent;
    } cases[] = {
        {"", "\033]52;c;\033\\"},
        {"f", "\033]52;c;Zg==\033\\"},
        {"fo", "\033]52;c;Zm8=\033\\"},
        {"foo", "\033]52;c;Zm9v\033\\"},
        {"\xFF\xFE\xFDls -l", "\033]52;c;//79bHMgLWw=\033\\"},
    };
    struct fixture *f = *state;
    enum clipboard_result end;

    for (size_t i = 0; i < N_OF(cases); i++) {
        const char *text = cases[i].text;

        buf_clear(&f->shown);
        assert_int_equal(clipboard_copy(&f->t, text, strlen(text), &end, NULL),
                         0);
        drain(f);
        assert_string_equal(f->shown.p, cases[i].sent);
    }
}

static void
the_clipboard_needs_a_terminal_and_has_a_bound(void **state)
{
    static char large[CLIPBOARD_MAX + 1];
    struct term plain = {.out = -1};
    struct fixture *f = *state;
    enum clipboard_result end;
    struct err e;

    assert_int_equal(clipboard_copy(&plain, "x", 1, &end, &e), -1);
    assert_int_equal(e.code, ERR_UNSUPPORTED);
    assert_int_equal(clipboard_copy(&f->t, large, sizeof(large), &end, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
}

#define ON_TERMINAL(test)                                                      \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        ON_TERMINAL(it_says_what_and_how_long_and_disappears),
        ON_TERMINAL(noted_output_is_shown_cut_and_harmless),
        ON_TERMINAL(other_output_erases_it_and_it_waits_for_the_end_of_a_line),
        ON_TERMINAL(it_can_be_hidden_for_a_question),
        ON_TERMINAL(a_pipe_never_sees_it),
        ON_TERMINAL(the_clipboard_gets_base64),
        ON_TERMINAL(the_clipboard_needs_a_terminal_and_has_a_bound),
    };

    return cmocka_run_group_tests_name("term/live", tests, NULL, NULL);
}
