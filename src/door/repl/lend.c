/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lend.c - a completion waits for bash, which may want the terminal. */
#include "door/repl/lend.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "door/repl/line.h"

#define PATIENCE_MS 150 /* a completion that is slower may want keys */

/* It takes its time, or paints: it may be a program of its own that wants the
 * whole terminal. */
void
lend_terminal(struct front *f)
{
    if (f->lent)
        return;
    f->lent = true;
    line_lend(f->clears);
    screen_raw(f->screen);
    watch_events(f->keys, LOOP_READ);
}

/* Keys that came meanwhile and that nobody took are the editor's. */
static void
regain(struct front *f)
{
    CLEANUP_BUF struct buf ahead = buf_of(TALK_LINE_MAX);

    watch_events(f->keys, LOOP_READ);
    if (!f->lent)
        return;
    f->lent = false;
    shell_untype(f->shell, &ahead);
    line_keys(ahead.p, ahead.len);
    front_edit(f);
    line_regain();
}

bool
lend_wait(void *arg, bool clears)
{
    struct front *f = arg;
    int64_t until = clock_ms() + PATIENCE_MS;

    f->state = FRONT_COMPLETING;
    f->clears = clears;
    watch_events(f->keys, 0);
    shell_listen(f->shell, true);
    while (!shell_dialog(f->shell)->said.whole && !f->due && !f->over) {
        if (loop_turn(f->loop, PATIENCE_MS, NULL) < 0)
            break;
        if (clock_ms() > until)
            lend_terminal(f);
    }
    shell_listen(f->shell, false);
    f->state = FRONT_PROMPTED;
    regain(f);
    return !f->due && !f->over;
}
