/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.c - a run whose changes are shown before they are kept. */
#include "person/preview.h"

#include <signal.h>
#include <stdio.h>

#include "person/preview_list.h"
#include "person/result.h"
#include "term/escape.h"
#include "term/menu.h"
#include "term/style.h"

#define SHOWN_MAX  (16u << 20) /* of a diff on a screen, escaped */
#define LIST_SHOWN 24          /* changes; all of them behind a key */
#define DIFF_SHORT 24          /* lines that are shown without being asked */
#define BIG_BYTES  (64u << 20) /* some 50 ms to copy */

static const struct menu_row rows[] = {
    {'k', "keep", "make these changes in the workspace"},
    {'d', "drop", "forget them: the workspace stays as it is"},
    {'f', "full diff", "every change, and the lines of changed files"},
    {'l', "later", "decide another time: agentsh preview"},
    {0},
};

struct preview {
    struct app *app;
    struct view *view;
    struct changes list;
    struct menu *menu;
    struct menu_spec spec;
    preview_cb *cb;
    void *arg;
    bool stop; /* a signal came while files are written */
};

static void put_question(struct preview *p);

static struct preview *
make(struct app *a, struct err *e)
{
    struct preview *p = calloc(1, sizeof(*p));

    if (!p)
        err_set(e, ERR_NOMEM, "no memory");
    else
        p->app = a;
    return p;
}

void
preview_close(struct preview *p)
{
    if (!p)
        return;
    menu_close(p->menu);
    changes_done(&p->list);
    view_free(p->view);
    free(p);
}

struct preview *
preview_begin(struct app *a, const char *workspace, const char *command,
              struct err *e)
{
    CLEANUP(preview_close_p) struct preview *p = make(a, e);

    if (!p)
        return NULL;
    p->view = view_new(workspace, command, e);
    if (!p->view)
        return NULL;
    if (p->view->memory)
        app_note(a,
                 "what it writes is kept in memory until you decide: "
                 "%llu MB at most (%s)",
                 (unsigned long long)(p->view->room_bytes / 1000000),
                 p->view->dir);
    return TAKE_PTR(p);
}

struct preview *
preview_find(struct app *a, const char *id, struct err *e)
{
    CLEANUP(preview_close_p) struct preview *p = make(a, e);

    if (!p)
        return NULL;
    p->view = view_open(id, e);
    return p->view ? TAKE_PTR(p) : NULL;
}

const char *
preview_dir(const struct preview *p)
{
    return p->view->dir;
}

void
preview_announce(const struct preview *p, const struct effects *effects)
{
    for (size_t i = 0; i < effects->n_paths; i++) {
        const struct effects_path *x = &effects->paths[i];

        if (x->is_directory || x->bytes < BIG_BYTES ||
            (x->use != RISK_CHANGES && x->use != RISK_MAKES))
            continue;
        app_note(p->app, "%s is copied before it is changed: %llu MB", x->path,
                 (unsigned long long)(x->bytes / 1000000));
    }
}

/* The list is read once: what is shown is what is kept. */
static int
read_changes(struct preview *p, struct err *e)
{
    if (p->view->broken.code != ERR_NONE) {
        if (e)
            *e = p->view->broken;
        return -1;
    }
    changes_done(&p->list);
    if (changes_read(&p->view->spec, &p->list, e) < 0)
        return err_wrap(e, "preview %s stays", p->view->id);
    return 0;
}

static void
put_screen(struct preview *p, struct buf *b)
{
    (void)term_put(&p->app->screen, b, NULL);
}

/* As a person counts: something renamed is one. */
static size_t
count(const struct changes *list)
{
    size_t halves = 0;

    for (size_t i = 0; i < list->n; i++)
        halves += list->v[i].pair != CHANGE_NO_PAIR;
    return list->n - halves / 2;
}

/* The list, and the lines too where they are few. */
static void
put_changes(struct preview *p)
{
    const struct term *t = &p->app->screen;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf diff = buf_of(SHOWN_MAX);
    size_t n = count(&p->list), lines = DIFF_SHORT + 1;

    buf_printf(&b, "%s%zu change%s%s in ", style_on(t, STYLE_TITLE), n,
               n == 1 ? "" : "s", style_off(t, STYLE_TITLE));
    escape_str(&b, t, p->view->workspace, ESCAPE_LINES);
    buf_ch(&b, '\n');
    preview_put_list(&b, t, &p->view->spec, &p->list, LIST_SHOWN);
    if (p->list.n <= LIST_SHOWN && p->list.write_bytes < PREVIEW_TEXT_MAX)
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
        app_note(p->app, "… and more than fits: %s/upper", p->view->dir);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct preview *p = arg;

    (void)signo;
    p->stop = true;
}

static bool
goes_on(void *arg, size_t done, size_t of)
{
    struct preview *p = arg;

    (void)done;
    (void)of;
    (void)loop_turn(p->app->loop, 0, NULL);
    return !p->stop;
}

static int
apply(struct preview *p, struct apply_report *report, struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct apply_spec spec = {.view = &p->view->spec,
                              .list = &p->list,
                              .run = p->view->id,
                              .goes_on = goes_on,
                              .arg = p};
    struct watch *w[3];
    int rc;

    p->stop = false;
    for (int i = 0; i < 3; i++)
        w[i] = loop_signal(p->app->loop, signals[i], on_signal, p, NULL);
    rc = apply_keep(&spec, report, e);
    for (int i = 0; i < 3; i++)
        watch_free(w[i]);
    return rc;
}

static void
say_how_to_go_on(struct preview *p)
{
    app_note(p->app,
             "preview %s is still there: agentsh preview show, keep or drop %s",
             p->view->id, p->view->id);
}

static int
keep(struct preview *p, struct err *e)
{
    CLEANUP(apply_report_done) struct apply_report report = {0};
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    size_t n = count(&p->list);

    if (apply(p, &report, e) < 0) {
        preview_put_report(&b, &p->app->screen, &p->list, &report, LIST_SHOWN);
        put_screen(p, &b);
        return -1;
    }
    n -= report.left_out;
    app_note(p->app, "kept: %zu change%s", n, n == 1 ? "" : "s");
    if (report.left_out > 0)
        app_note(p->app, "left out, as the list says: %zu", report.left_out);
    return view_remove(p->view, e);
}

int
preview_keep(struct preview *p, struct err *e)
{
    if (read_changes(p, e) < 0)
        return -1;
    return keep(p, e);
}

int
preview_forget(struct preview *p, struct err *e)
{
    return view_remove(p->view, e);
}

int
preview_drop(struct preview *p, struct err *e)
{
    if (preview_forget(p, e) < 0)
        return -1;
    app_note(p->app, "dropped: the workspace stays as it is");
    return 0;
}

int
preview_show(struct preview *p, struct err *e)
{
    const struct term *t = &p->app->result;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (read_changes(p, e) < 0)
        return -1;
    preview_put_list(&b, t, &p->view->spec, &p->list, PREVIEW_ALL);
    preview_put_diff(&b, t, &p->view->spec, &p->list, true);
    result_put(p->app, &b);
    return 0;
}

/* ---- the question */

static void
end(struct preview *p, enum preview_end how, const struct err *why)
{
    if (how == PREVIEW_LEFT)
        say_how_to_go_on(p);
    p->cb(p->arg, how, why); /* may close p */
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
on_key(void *arg, char key, const struct err *why)
{
    struct preview *p = arg;
    struct err e = {0};

    menu_close(p->menu);
    p->menu = NULL;
    switch (key) {
    case 'k':
        end_by(p, keep(p, &e), PREVIEW_KEPT, &e);
        break;
    case 'd':
        end_by(p, preview_drop(p, &e), PREVIEW_DROPPED, &e);
        break;
    case 'f':
        put_all(p);
        put_question(p);
        break;
    default:
        end(p, PREVIEW_LEFT, why);
    }
}

static void
put_question(struct preview *p)
{
    struct err e = {0};

    p->spec = (struct menu_spec){.rows = rows, .enter = 'l'};
    p->menu = menu_open(p->app->loop, &p->app->screen, &p->spec, on_key, p, &e);
    if (!p->menu) /* nobody is there to be asked */
        end(p, PREVIEW_LEFT, e.code == ERR_DENIED ? NULL : &e);
}

int
preview_finish(struct preview *p, preview_cb *cb, void *arg, struct err *e)
{
    p->cb = cb;
    p->arg = arg;
    if (read_changes(p, e) < 0)
        return -1;
    if (p->list.n == 0) {
        if (view_remove(p->view, e) < 0)
            return -1;
        app_note(p->app, "it would change nothing");
        cb(arg, PREVIEW_NOTHING, NULL);
        return 0;
    }
    put_changes(p);
    put_question(p);
    return 0;
}

struct waiting {
    bool over;
    enum preview_end end;
    struct err why;
};

static void
on_end(void *arg, enum preview_end how, const struct err *why)
{
    struct waiting *w = arg;

    w->over = true;
    w->end = how;
    if (why)
        w->why = *why;
}

int
preview_finish_wait(struct preview *p, enum preview_end *how, struct err *e)
{
    struct waiting w = {0};

    if (preview_finish(p, on_end, &w, e) < 0)
        return -1;
    while (!w.over) {
        if (loop_turn(p->app->loop, -1, e) < 0)
            return -1;
    }
    *how = w.end;
    if (w.why.code == ERR_NONE)
        return 0;
    if (e)
        *e = w.why;
    return -1;
}
