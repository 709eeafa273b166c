/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.c - a run whose changes are shown before they are kept. */
#include "person/preview.h"

#include <signal.h>
#include <stdio.h>

#include "base/size.h"
#include "person/preview_run.h"
#include "person/result.h"
#include "person/stops.h"

#define SHOWN_MAX (16u << 20) /* of a diff on a screen, escaped */

static struct preview *
make(struct app *a, struct err *e)
{
    struct preview *p = calloc(1, sizeof(*p));

    if (!p)
        err_nomem(e);
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

static void
on_signal(void *arg, unsigned signo)
{
    struct preview *p = arg;

    (void)signo;
    p->stop = true;
}

static bool
goes_on(void *arg)
{
    struct preview *p = arg;

    (void)loop_turn(p->app->loop, 0, NULL);
    return !p->stop;
}

/* Where the changes are, in a line for each thing that is not as usual. */
static void
say_where(const struct preview *p)
{
    const struct view *v = p->view;
    char room[SIZE_TEXT];

    if (v->apart)
        app_note(p->app,
                 "on a copy: %s; commands that name %s by its full path are "
                 "refused there",
                 v->why.text, v->workspace);
    else if (v->copied)
        app_note(p->app, "on a copy: %s", v->why.text);
    if (v->memory)
        app_note(p->app,
                 "changes are held in memory until you decide: at most %s (%s)",
                 size_text(v->room_bytes, room), v->dir);
}

static struct view *
make_view(struct preview *p, const char *workspace, const char *command,
          struct err *e)
{
    CLEANUP(stops_done) struct stops stops;
    const struct view_stop stop = {goes_on, p};

    p->stop = false;
    if (stops_init(&stops, p->app->loop, on_signal, p, e) < 0)
        return NULL;
    return view_new(workspace, command, &stop, e);
}

struct preview *
preview_begin(struct app *a, const char *workspace, const char *command,
              struct err *e)
{
    CLEANUP(preview_close_p) struct preview *p = make(a, e);

    if (!p)
        return NULL;
    p->view = make_view(p, workspace, command, e);
    if (!p->view)
        return NULL;
    say_where(p);
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

const struct view *
preview_view(const struct preview *p)
{
    return p->view;
}

int
preview_read(struct preview *p, struct err *e)
{
    if (p->view->broken.code != ERR_NONE) {
        if (e)
            *e = p->view->broken;
        return -1;
    }
    changes_done(&p->list);
    if (changes_read(&p->view->spec, &p->list, e) < 0)
        return err_wrap(e, "preview %s is left as it is", p->view->id);
    return 0;
}

size_t
preview_count(const struct changes *list)
{
    size_t halves = 0;

    for (size_t i = 0; i < list->n; i++)
        halves += list->v[i].pair != CHANGE_NO_PAIR;
    return list->n - halves / 2;
}

static bool
goes_on_keeping(void *arg, size_t done, size_t of)
{
    (void)done;
    (void)of;
    return goes_on(arg);
}

static void
on_aside(void *arg, const char *path)
{
    const struct preview *p = arg;

    app_note(
        p->app,
        "the command left files that git would trust; they were set aside: %s",
        path);
}

static int
apply(struct preview *p, struct apply_report *report, struct err *e)
{
    CLEANUP(stops_done) struct stops stops;
    struct apply_spec spec = {.view = &p->view->spec,
                              .list = &p->list,
                              .run = p->view->id,
                              .goes_on = goes_on_keeping,
                              .on_aside = on_aside,
                              .arg = p};

    p->stop = false;
    if (stops_init(&stops, p->app->loop, on_signal, p, e) < 0)
        return -1;
    return apply_keep(&spec, report, e);
}

int
preview_make(struct preview *p, struct err *e)
{
    CLEANUP(apply_report_done) struct apply_report report = {0};
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    size_t n = preview_count(&p->list);

    if (apply(p, &report, e) < 0) {
        preview_put_report(&b, &p->app->screen, &p->list, &report,
                           PREVIEW_SHOWN);
        (void)term_put(&p->app->screen, &b, NULL);
        return -1;
    }
    n -= n < report.left_out ? n : report.left_out;
    app_note(p->app, "kept: %zu change%s", n, n == 1 ? "" : "s");
    if (report.left_out > 0)
        app_note(p->app, "skipped (see the list): %zu", report.left_out);
    return view_remove(p->view, e);
}

int
preview_keep(struct preview *p, struct err *e)
{
    if (preview_read(p, e) < 0)
        return -1;
    return preview_make(p, e);
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
    app_note(p->app, "dropped: the workspace is unchanged");
    return 0;
}

int
preview_show(struct preview *p, struct err *e)
{
    const struct term *t = &p->app->result;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (preview_read(p, e) < 0)
        return -1;
    preview_put_list(&b, t, &p->view->spec, &p->list, PREVIEW_ALL);
    preview_put_diff(&b, t, &p->view->spec, &p->list, true);
    result_put(p->app, &b);
    return 0;
}
