/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.c - runs commands on a copy-on-write view and asks what to keep. */
#include "ui/preview.h"

#include <signal.h>
#include <stdio.h>

#include "base/message.h"
#include "base/message_put.h"
#include "base/size.h"
#include "term/escape.h"
#include "term/menu.h"
#include "term/style.h"
#include "ui/app.h"
#include "ui/preview_text.h"
#include "ui/stop_signals.h"

#define PREVIEW_SHOWN 24 /* changes that are listed; the key d lists all */
#define SHOWN_MAX     (16u << 20) /* bytes of a diff on a screen, escaped */
#define DIFF_SHORT    24          /* lines of a diff that are shown at once */

/* A preview under way. */
struct preview {
    struct app *app;
    struct view *view;
    struct changes list;
    struct menu *menu;
    struct menu_spec spec;
    preview_cb *cb; /* of preview_finish */
    void *arg;
    struct stop_signals stops; /* while files are copied or written: */
    bool stop;                 /* one came */
};

static struct preview *
preview_new(struct app *a, struct err *e)
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

/* The loop does not turn while files are copied or written. */
static void
on_stop_signal(void *arg, unsigned signo)
{
    (void)arg;
    (void)signo;
}

static bool
may_continue(void *arg)
{
    struct preview *p = arg;

    p->stop = p->stop || stop_signals_take(&p->stops);
    return !p->stop;
}

/* Notes where the changes are, where that is not a view on a disk. */
static void
note_location(const struct preview *p)
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

/* stop_signals_done is the caller's, on a failure too. */
static int
catch_stop_signals(struct preview *p, struct err *e)
{
    p->stop = false;
    return stop_signals_init(&p->stops, p->app->loop, on_stop_signal, NULL, e);
}

static struct view *
make_step_view(struct preview *p, const char *workspace, const char *command,
               struct err *e)
{
    const struct view_stop stop = {may_continue, p};
    struct view *made = NULL;

    if (catch_stop_signals(p, e) == 0)
        made = view_new(p->app->seat, workspace, command, &stop, e);
    stop_signals_done(&p->stops);
    return made;
}

struct preview *
preview_begin(struct app *a, const char *workspace, const char *command,
              struct err *e)
{
    CLEANUP(preview_close_p) struct preview *p = preview_new(a, e);

    if (!p)
        return NULL;
    p->view = make_step_view(p, workspace, command, e);
    if (!p->view)
        return NULL;
    note_location(p);
    return TAKE_PTR(p);
}

struct preview *
preview_find(struct app *a, const char *id, struct err *e)
{
    CLEANUP(preview_close_p) struct preview *p = preview_new(a, e);

    if (!p)
        return NULL;
    p->view = view_open(a->seat, id, e);
    return p->view ? TAKE_PTR(p) : NULL;
}

const struct view *
preview_view(const struct preview *p)
{
    return p->view;
}

/* Reads the changes into p->list, once: what is shown is what is kept. */
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
        return err_wrap(e, "preview %s is left as it is", p->view->id);
    return 0;
}

/* How many changes the user counts: a renaming, which is two, is one. */
static size_t
count_changes(const struct changes *list)
{
    size_t halves = 0;

    for (size_t i = 0; i < list->n; i++)
        halves += list->v[i].pair != CHANGE_NO_PAIR;
    return list->n - halves / 2;
}

static bool
may_continue_keeping(void *arg, size_t done, size_t of)
{
    (void)done;
    (void)of;
    return may_continue(arg);
}

static void
on_set_aside(void *arg, const char *path)
{
    const struct preview *p = arg;

    app_note(
        p->app,
        "the command left files that git would trust; they were set aside: %s",
        path);
}

static int
apply_changes(struct preview *p, struct apply_report *report, struct err *e)
{
    const struct path_context where = path_context_of(p->app->seat);
    const struct git_person who = path_context_person(&where);
    struct apply_spec spec = {.view = &p->view->spec,
                              .who = &who,
                              .list = &p->list,
                              .run = p->view->id,
                              .goes_on = may_continue_keeping,
                              .on_aside = on_set_aside,
                              .arg = p};
    int rc = -1;

    if (catch_stop_signals(p, e) == 0)
        rc = apply_keep(&spec, report, e);
    stop_signals_done(&p->stops);
    return rc;
}

/* Makes the changes of p->list in the workspace and removes the view; prints
 * how many there were, or which were refused. */
static int
keep_changes(struct preview *p, struct err *e)
{
    CLEANUP(apply_report_done) struct apply_report report = {0};
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    size_t n = count_changes(&p->list);

    if (apply_changes(p, &report, e) < 0) {
        preview_text_report(&b, &p->app->screen, &p->list, &report,
                            PREVIEW_SHOWN);
        (void)term_put(&p->app->screen, &b, NULL);
        return -1;
    }
    n -= n < report.left_out ? n : report.left_out;
    app_note(p->app, P_("kept: %zu change", "kept: %zu changes", n), n);
    if (report.left_out > 0)
        app_note(p->app, "skipped (see the list): %zu", report.left_out);
    return view_remove(p->view, e);
}

int
preview_keep(struct preview *p, struct err *e)
{
    if (read_changes(p, e) < 0)
        return -1;
    return keep_changes(p, e);
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

    if (read_changes(p, e) < 0)
        return -1;
    preview_text_list(&b, t, &p->view->spec, &p->list, PREVIEW_TEXT_ALL);
    preview_text_diff(&b, t, &p->view->spec, &p->list, true);
    app_put_result(p->app, &b);
    return 0;
}

/* Previews that nobody has decided about. */

int
preview_list(struct app *a, struct buf *out, struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths ids = {0};

    if (view_list(a->seat, &ids, e) < 0)
        return -1;
    for (size_t i = 0; i < ids.n; i++) {
        struct err why = {0};
        CLEANUP(view_free_p)
        struct view *v = view_open(a->seat, ids.v[i], &why);

        buf_printf(out, "%s  ", ids.v[i]);
        if (!v || v->broken.code != ERR_NONE) {
            CLEANUP_BUF struct buf said = buf_of(sizeof(why.text) * 4);

            (void)message_put(&said, v ? v->broken.text : why.text);
            escape_str(out, &a->result, said.p, ESCAPE_PROSE | ESCAPE_LINES);
        } else {
            escape_str(out, &a->result, v->workspace, ESCAPE_LINES);
            buf_str(out, "  ");
            escape_str(out, &a->result, v->command, ESCAPE_LINES);
        }
        buf_ch(out, '\n');
    }
    return buf_ok(out, "the list", e);
}

/* The question what to keep. */

static const struct menu_row rows[] = {
    {'k', N_("keep"), N_("make these changes in the workspace")},
    {'d', N_("diff"), N_("every change, and the lines of changed files")},
    {'x', N_("drop"),
     N_("discard them, after a question: the workspace is unchanged")},
    {'l', N_("later"), N_("decide later: agentsh preview")},
    {0},
};
static const struct menu_row drop_rows[] = {
    {'y', N_("yes"), N_("discard them")},
    {'n', N_("no"), N_("back to the changes")},
    {0},
};

static void
show_preview_text(struct preview *p, struct buf *b)
{
    (void)term_put(&p->app->screen, b, NULL);
}

/* Shows the list of changes, and the diff where it is short. */
static void
show_changes(struct preview *p)
{
    const struct term *t = &p->app->screen;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf diff = buf_of(SHOWN_MAX);
    size_t n = count_changes(&p->list), lines = DIFF_SHORT + 1;

    buf_printf(&b, P_("%s%zu change%s in ", "%s%zu changes%s in ", n),
               style_on(t, STYLE_TITLE), n, style_off(t, STYLE_TITLE));
    escape_str(&b, t, p->view->workspace, ESCAPE_LINES);
    buf_ch(&b, '\n');
    preview_text_list(&b, t, &p->view->spec, &p->list, PREVIEW_SHOWN);
    if (p->list.n <= PREVIEW_SHOWN && p->list.write_bytes < PREVIEW_TEXT_MAX)
        lines = preview_text_diff(&diff, t, &p->view->spec, &p->list, false);
    if (lines > 0 && lines <= DIFF_SHORT && diff.len > 0) {
        buf_ch(&b, '\n');
        buf_add(&b, diff.p, diff.len);
    }
    buf_ch(&b, '\n');
    show_preview_text(p, &b);
}

static void
show_all_changes(struct preview *p)
{
    const struct term *t = &p->app->screen;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    preview_text_list(&b, t, &p->view->spec, &p->list, PREVIEW_TEXT_ALL);
    preview_text_diff(&b, t, &p->view->spec, &p->list, true);
    buf_ch(&b, '\n');
    show_preview_text(p, &b);
    if (b.bad)
        app_note(p->app, "... and more: %s/upper", p->view->dir);
}

static void
note_undecided(struct preview *p)
{
    app_note(
        p->app,
        "preview %s is not decided yet: agentsh preview show, keep or drop %s",
        p->view->id, p->view->id);
}

static void
end_question(struct preview *p, enum preview_end how, const struct err *why)
{
    static const struct err none;

    if (how == PREVIEW_LEFT)
        note_undecided(p);
    p->cb(p->arg, how, why ? why : &none);
}

static void
end_after(struct preview *p, int rc, enum preview_end how,
          const struct err *why)
{
    if (rc == 0) {
        end_question(p, how, NULL);
        return;
    }
    app_print_err(p->app, why);
    end_question(p, PREVIEW_LEFT, why);
}

static void ask_what_to_keep(struct preview *p);
static void ask_to_drop(struct preview *p);

static void
close_menu(struct preview *p)
{
    menu_close(p->menu);
    p->menu = NULL;
}

static void
on_keep_key(void *arg, char key, const struct err *why)
{
    struct preview *p = arg;
    struct err e = {0};

    close_menu(p);
    switch (key) {
    case 'k':
        end_after(p, keep_changes(p, &e), PREVIEW_KEPT, &e);
        break;
    case 'd':
        show_all_changes(p);
        ask_what_to_keep(p);
        break;
    case 'x':
        ask_to_drop(p);
        break;
    default:
        end_question(p, PREVIEW_LEFT, why);
    }
}

static void
on_drop_key(void *arg, char key, const struct err *why)
{
    struct preview *p = arg;
    struct err e = {0};

    close_menu(p);
    if (key == 'y')
        end_after(p, preview_drop(p, &e), PREVIEW_DROPPED, &e);
    else if (key == 'n')
        ask_what_to_keep(p);
    else
        end_question(p, PREVIEW_LEFT, why);
}

static void
open_menu(struct preview *p, const struct menu_spec *spec, menu_cb *cb)
{
    struct err e = {0};

    p->spec = *spec;
    p->menu = menu_open(p->app->loop, &p->app->screen, &p->spec, cb, p, &e);
    if (!p->menu) /* nobody can be asked */
        end_question(p, PREVIEW_LEFT, e.code == ERR_DENIED ? NULL : &e);
}

static void
ask_what_to_keep(struct preview *p)
{
    static const struct menu_spec spec = {.rows = rows, .enter = 'l'};

    open_menu(p, &spec, on_keep_key);
}

static void
ask_to_drop(struct preview *p)
{
    static const struct menu_spec spec = {
        .question = N_("Drop all of it?"), .rows = drop_rows, .enter = 'n'};

    open_menu(p, &spec, on_drop_key);
}

void
preview_finish(struct preview *p, preview_cb *cb, void *arg)
{
    struct err e = {0};

    p->cb = cb;
    p->arg = arg;
    if (read_changes(p, &e) < 0 ||
        (p->list.n == 0 && view_remove(p->view, &e) < 0)) {
        cb(arg, PREVIEW_LEFT, &e);
    } else if (p->list.n == 0) {
        app_note(p->app, "no changes");
        end_question(p, PREVIEW_NOTHING, NULL);
    } else {
        show_changes(p);
        ask_what_to_keep(p);
    }
}
