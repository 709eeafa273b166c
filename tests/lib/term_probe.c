/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term_probe.c - asks one question, or shows one thing, for the tests.
 *
 *     term_probe menu | yes-no | word     the answer on standard output
 *     term_probe secret                   how long it was
 *     term_probe menu-exec                becomes a program that writes which
 *                                         signals it ignores to "ignored"
 *     term_probe live                     two steps with a live line
 *     term_probe markdown                 standard input, as it comes */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "term/markdown.h"
#include "term/menu.h"
#include "term/progress_line.h"
#include "term/style.h"

#define STEP_MS 1200

static const struct menu_row rows[] = {
    {'r', "run", "run every step in order"},
    {'s', "step", "ask before every step"},
    {'e', "edit", "open a step in your editor; nothing runs"},
    {'x', "explain", "say what each step does"},
    {'c', "copy", "put the commands into the clipboard"},
    {'q', "quit", "do nothing"},
    {0},
};

struct answer {
    bool done;
    char key;     /* of a line 'l' … */
    size_t bytes; /* … and how long it was */
    struct err why;
};

static void
on_answer(void *arg, char key, const struct err *why)
{
    struct answer *a = arg;

    a->done = true;
    a->key = key;
    if (why)
        a->why = *why;
}

static void
on_answer_line(void *arg, const char *line, const struct err *why)
{
    struct answer *a = arg;

    if (line)
        a->bytes = strlen(line);
    on_answer(arg, line ? 'l' : 0, why);
}

static int
wait_for(struct loop *l, struct menu *m, struct answer *a, struct err *e)
{
    int rc = m ? 0 : -1;

    while (rc >= 0 && !a->done)
        rc = loop_turn(l, -1, e);
    menu_close(m);
    if (a->done && !a->key)
        *e = a->why;
    return a->key ? 0 : -1;
}

static int
ask_menu(struct loop *l, struct term *t, struct err *e)
{
    struct menu_spec spec = {.rows = rows, .enter = 'q'};
    struct answer a = {0};

    if (wait_for(l, menu_open(l, t, &spec, on_answer, &a, e), &a, e) < 0)
        return -1;
    printf("answer: %c\n", a.key);
    return 0;
}

static int
ask_and_exec(struct loop *l, struct term *t, struct err *e)
{
    (void)ask_menu(l, t, e);
    (void)execl("/bin/sh", "sh", "-c",
                "exec grep SigIgn /proc/self/status >ignored", (char *)NULL);
    return err_sys(e, "sh");
}

static int
ask_yes_no(struct loop *l, struct term *t, struct err *e)
{
    struct answer a = {0};
    struct menu *m = menu_open_yes_no(l, t, "Overwrite it?", on_answer, &a, e);

    if (wait_for(l, m, &a, e) < 0)
        return -1;
    printf("answer: %s\n", a.key == 'y' ? "yes" : "no");
    return 0;
}

static int
ask_word(struct loop *l, struct term *t, struct err *e)
{
    struct answer a = {0};
    struct menu *m = menu_open_word(l, t, "Type yes to go on: ", "yes",
                                    on_answer, &a, e);

    if (wait_for(l, m, &a, e) < 0)
        return -1;
    printf("answer: %s\n", a.key == 'y' ? "yes" : "no");
    return 0;
}

static int
ask_secret(struct loop *l, struct term *t, struct err *e)
{
    struct answer a = {0};
    struct menu *m = menu_open_secret(l, t, "Key: ", on_answer_line, &a, e);

    if (wait_for(l, m, &a, e) < 0)
        return -1;
    printf("answer: %zu bytes\n", a.bytes);
    return 0;
}

static int
wait_step(struct loop *l, struct err *e)
{
    int64_t until = clock_ms() + STEP_MS;

    while (clock_ms() < until) {
        if (loop_turn(l, 50, e) < 0)
            return -1;
    }
    return 0;
}

static int
show_live(struct loop *l, struct term *t, struct err *e)
{
    CLEANUP(progress_line_close_p)
    struct progress_line *v = progress_line_open(l, t, "step 1 of 2", e);

    if (!v)
        return -1;
    progress_line_add_output(v, "Unpacking a package\n", 20);
    if (wait_step(l, e) < 0 || progress_line_write(v, "output\n", 7, e) < 0)
        return -1;
    progress_line_set_text(v, "step 2 of 2");
    return wait_step(l, e);
}

static int
show_markdown(struct loop *l, struct term *t, struct err *e)
{
    CLEANUP(markdown_free_p) struct markdown *m = markdown_new(t, 0, e);
    CLEANUP_BUF struct buf out = buf_of(1 << 20);
    char bytes[512];
    ssize_t n;

    (void)l;
    if (!m)
        return -1;
    while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
        markdown_add(m, bytes, (size_t)n, &out);
        if (term_put(t, &out, e) < 0)
            return -1;
    }
    markdown_end(m, &out);
    return term_put(t, &out, e);
}

static const struct {
    const char *name;
    int (*run)(struct loop *l, struct term *t, struct err *e);
} modes[] = {
    {"menu", ask_menu},          {"yes-no", ask_yes_no},
    {"word", ask_word},          {"live", show_live},
    {"markdown", show_markdown}, {"menu-exec", ask_and_exec},
    {"secret", ask_secret},
};

int
main(int argc, char **argv)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP_TERM struct term t;
    struct err e = {0};
    int rc = err_set(&e, ERR_USAGE, "term_probe MODE");

    term_init(&t, STDOUT_FILENO, false);
    for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(argv[1], modes[i].name) == 0)
            rc = modes[i].run(l, &t, &e);
    }
    if (rc < 0)
        printf("error: %s\n", e.text);
    return rc < 0 ? err_exit_status(e.code) : 0;
}
