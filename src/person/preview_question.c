/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_question.c - what a run changed on the screen: to keep or to drop. */
#include "person/preview_run.h"

#include "term/escape.h"
#include "term/style.h"

#define SHOWN_MAX  (16u << 20) /* of a diff on a screen, escaped */
#define DIFF_SHORT 24          /* lines that are shown without being asked */

static const struct menu_row rows[] = {
    {'k', "keep", "make these changes in the workspace"},
    {'d', "diff", "every change, and the lines of changed files"},
    {'x', "drop", "discard them, after a question: the workspace is unchanged"},
    {'l', "later", "decide later: agentsh preview"},
    {0},
};
static const struct menu_row drop_rows[] = {
    {'y', "yes", "discard them"},
    {'n', "no", "back to the changes"},
    {0},
};

static void put_question(struct preview *p);
static void put_drop(struct preview *p);

static void
put_screen(struct preview *p, struct buf *b)
{
    (void)term_put(&p->app->screen, b, NULL);
}

/* The list, and the lines too where they are few. */
static void
put_changes(struct preview *p)
{
    const struct term *t = &p->app->screen;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf diff = buf_of(SHOWN_MAX);
    size_t n = preview_count(&p->list), lines = DIFF_SHORT + 1;

    buf_printf(&b, "%s%zu change%s%s in ", style_on(t, STYLE_TITLE), n,
               n == 1 ? "" : "s", style_off(t, STYLE_TITLE));
    escape_str(&b, t, p->view->workspace, ESCAPE_LINES);
    buf_ch(&b, '\n');
    preview_put_list(&b, t, &p->view->spec, &p->list, PREVIEW_SHOWN);
    if (p->list.n <= PREVIEW_SHOWN && p->list.write_bytes < PREVIEW_TEXT_MAX)
        lines = preview_put_diff(&diff, t, &p->view->spec, &p->list, false);
    if (lines > 0 && lines <= DIFF_SHORT && diff.len > 0) {
        buf_ch(&b, '\n');
        buf_add(&b, diff.p, diff.len);
    }
    buf_ch(&b, '\n');
    put_screen(p, &b);
}

static void
put_all(struct preview *p)
{
    const struct term *t = &p->app->screen;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    preview_put_list(&b, t, &p->view->spec, &p->list, PREVIEW_ALL);
    preview_put_diff(&b, t, &p->view->spec, &p->list, true);
    buf_ch(&b, '\n');
    put_screen(p, &b);
    if (b.bad)
        app_note(p->app, "… and more: %s/upper", p->view->dir);
}

static void
say_how_to_go_on(struct preview *p)
{
    app_note(
        p->app,
        "preview %s is not decided yet: agentsh preview show, keep or drop %s",
        p->view->id, p->view->id);
}

static void
end(struct preview *p, enum preview_end how, const struct err *why)
{
    if (how == PREVIEW_LEFT)
        say_how_to_go_on(p);
    p->over = true;
    p->end = how;
    if (why)
        p->why = *why;
}

static void
end_by(struct preview *p, int rc, enum preview_end how, const struct err *why)
{
    if (rc == 0) {
        end(p, how, NULL);
        return;
    }
    app_say(p->app, why);
    end(p, PREVIEW_LEFT, why);
}

static void
close_menu(struct preview *p)
{
    menu_close(p->menu);
    p->menu = NULL;
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct preview *p = arg;
    struct err e = {0};

    close_menu(p);
    switch (key) {
    case 'k':
        end_by(p, preview_make(p, &e), PREVIEW_KEPT, &e);
        break;
    case 'd':
        put_all(p);
        put_question(p);
        break;
    case 'x':
        put_drop(p);
        break;
    default:
        end(p, PREVIEW_LEFT, why);
    }
}

static void
on_drop(void *arg, char key, const struct err *why)
{
    struct preview *p = arg;
    struct err e = {0};

    close_menu(p);
    if (key == 'y')
        end_by(p, preview_drop(p, &e), PREVIEW_DROPPED, &e);
    else if (key == 'n')
        put_question(p);
    else
        end(p, PREVIEW_LEFT, why);
}

static void
put_menu(struct preview *p, const struct menu_spec *spec, menu_cb *cb)
{
    struct err e = {0};

    p->spec = *spec;
    p->menu = menu_open(p->app->loop, &p->app->screen, &p->spec, cb, p, &e);
    if (!p->menu) /* nobody is there to be asked */
        end(p, PREVIEW_LEFT, e.code == ERR_DENIED ? NULL : &e);
}

static void
put_question(struct preview *p)
{
    static const struct menu_spec spec = {.rows = rows, .enter = 'l'};

    put_menu(p, &spec, on_key);
}

static void
put_drop(struct preview *p)
{
    static const struct menu_spec spec = {
        .question = "Drop all of it?", .rows = drop_rows, .enter = 'n'};

    put_menu(p, &spec, on_drop);
}

int
preview_finish(struct preview *p, enum preview_end *how, struct err *e)
{
    if (preview_read(p, e) < 0)
        return -1;
    if (p->list.n == 0) {
        if (view_remove(p->view, e) < 0)
            return -1;
        app_note(p->app, "no changes");
        *how = PREVIEW_NOTHING;
        return 0;
    }
    put_changes(p);
    put_question(p);
    while (!p->over) {
        if (loop_turn(p->app->loop, -1, e) < 0)
            return -1;
    }
    *how = p->end;
    if (p->why.code == ERR_NONE)
        return 0;
    if (e)
        *e = p->why;
    return -1;
}
