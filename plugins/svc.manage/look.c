/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - the ways to a service's state, one a manager. */
#include "plugins/svc.manage/look.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/lib/run.h"
#include "plugins/svc.manage/units.h"

/* launchctl(1) does not say so, but launchd's own numbers do: no such service
 * in the domain */
#define LAUNCHD_UNKNOWN 113

void
look_init(struct look *l, const struct request *r, const struct init *init,
          const char *service)
{
    *l = (struct look){.request = r, .init = init, .service = service};
    snprintf(l->target, sizeof(l->target), "system/%s", service);
    need_answer_init(&l->answer, NEED_TEXT_MAX);
}

void
look_done(struct look *l)
{
    if (l)
        need_answer_done(&l->answer);
}

int
look_run(struct look *l, struct err *e)
{
    l->state = (struct state){0};
    *l->note = '\0';
    return l->init->look(l, e);
}

int
look_fill(const struct look *l, const char *const row[WORDS_ROW],
          struct words *w, struct err *e)
{
    const char *const target = l->target;
    const struct words_value values[] = {
        {"%s", &l->service, 1},
        {"%t", &target, 1},
        {0},
    };

    return words_fill(w, row, values, e);
}

/* Asks, and has what was said in `out`, which begins anew. */
static int
ask(struct look *l, enum init_ask what, struct need_answer *out, struct err *e)
{
    const struct run_how how = {.request = l->request};
    CLEANUP(words_done) struct words w = {0};

    need_answer_done(out);
    need_answer_init(out, NEED_TEXT_MAX);
    if (look_fill(l, l->init->row[what], &w, e) < 0)
        return -1;
    return l->as_root && what == ASK_STATUS
               ? reply_need(l->request, w.argv, out, e)
               : run_program(w.argv, &how, out, e);
}

static int
no_such(const struct look *l, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "%s: no such service: %.100s",
                   l->init->name, l->service);
}

/* In the sandbox systemd cannot be reached: its files can be read. */
static int
look_at_units(struct look *l, struct err *e)
{
    CLEANUP(need_answer_done) struct need_answer boot = {0};

    if (!units_has(l->service))
        return no_such(l, e);
    if (units_is_populated(l->service))
        l->state.word = STATE_RUNNING;
    else
        snprintf(l->state.detail, sizeof(l->state.detail), "no process");
    if (ask(l, ASK_BOOT, &boot, NULL) == 0)
        state_boot_of_systemd(boot.out.p, strcspn(boot.out.p, "\n"), &l->state);
    snprintf(l->note, sizeof(l->note),
             "cannot reach systemd; this is from its files%s",
             l->state.word == STATE_UNKNOWN
                 ? ", which cannot tell stopped from failed"
                 : "");
    need_answer_done(&l->answer); /* what it said is no answer */
    need_answer_init(&l->answer, NEED_TEXT_MAX);
    return 0;
}

int
look_systemd(struct look *l, struct err *e)
{
    struct err why = {0};

    if (ask(l, ASK_STATUS, &l->answer, e) < 0)
        return -1;
    if (l->answer.exit_code != 0 || *l->answer.error_code)
        return look_at_units(l, e);
    if (state_of_systemd(l->answer.out.p, &l->state, &why) == 0) {
        buf_clear(&l->answer.out); /* properties are no text for a person */
        return 0;
    }
    return why.code == ERR_NOT_FOUND ? no_such(l, e) : look_at_units(l, e);
}

int
look_openrc(struct look *l, struct err *e)
{
    CLEANUP(need_answer_done) struct need_answer other = {0};

    if (ask(l, ASK_EXISTS, &other, e) < 0)
        return -1;
    if (other.exit_code != 0)
        return no_such(l, e);
    if (ask(l, ASK_STATUS, &l->answer, e) < 0)
        return -1;
    state_of_openrc(l->answer.exit_code, &l->state);
    if (ask(l, ASK_BOOT, &other, NULL) == 0 && other.exit_code == 0)
        state_boot_of_openrc(other.out.p, l->service, &l->state);
    return 0;
}

/* S and two digits, then the name. */
static bool
starts(const char *entry, const char *service)
{
    return entry[0] == 'S' && strspn(entry + 1, "0123456789") == 2 &&
           strcmp(entry + 3, service) == 0;
}

/* Whether one of the runlevels for many users starts it. */
static bool
starts_at_boot(const char *service)
{
    static const char *const levels[] = {"/etc/rc2.d", "/etc/rc3.d",
                                         "/etc/rc4.d", "/etc/rc5.d"};
    bool found = false;

    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels) && !found; i++) {
        CLEANUP(dir_close_p) DIR *d = opendir(levels[i]);
        const struct dirent *entry;

        while (d && !found && (entry = readdir(d)) != NULL)
            found = starts(entry->d_name, service);
    }
    return found;
}

int
look_sysvinit(struct look *l, struct err *e)
{
    char script[sizeof("/etc/init.d/") + LOOK_NAME_MAX];

    snprintf(script, sizeof(script), "/etc/init.d/%s", l->service);
    if (access(script, X_OK) < 0)
        return no_such(l, e);
    if (ask(l, ASK_STATUS, &l->answer, e) < 0)
        return -1;
    state_of_lsb(l->answer.exit_code, &l->state);
    l->state.boot_known = true;
    l->state.boot = starts_at_boot(l->service);
    return 0;
}

int
look_launchd(struct look *l, struct err *e)
{
    CLEANUP(need_answer_done) struct need_answer boot = {0};

    if (ask(l, ASK_STATUS, &l->answer, e) < 0)
        return -1;
    if (l->answer.exit_code == LAUNCHD_UNKNOWN)
        return no_such(l, e);
    if (l->answer.exit_code == 0 &&
        state_of_launchd(l->answer.out.p, &l->state, e) < 0)
        return -1;
    if (ask(l, ASK_BOOT, &boot, NULL) == 0 && boot.exit_code == 0)
        state_boot_of_launchd(boot.out.p, l->service, &l->state);
    return 0;
}
