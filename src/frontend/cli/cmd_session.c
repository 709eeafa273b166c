/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_session.c - agentsh session: the conversations of shells and of editors.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "action/shell_memory.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/str.h"
#include "frontend/cli/command.h"
#include "frontend/cli/session_view.h"
#include "record/journal_read.h"
#include "record/shell_session.h"
#include "json/json.h"

#define OUTPUT_MAX (64u << 20)
#define PAGE       100
#define DAY_S      86400
#define SHOWN_RUNS 5 /* of the journal, in a message */

static int
fail_usage(struct app *a, const char *what)
{
    struct err e = {0};

    err_set(&e, ERR_USAGE, "%s", what);
    return app_fail(a, &e);
}

/* The id of this shell's conversation; "": it has none. */
static void
find_current(struct app *a, char id[SESSION_ID_SIZE])
{
    int64_t hours = config_int(a->config, CONFIG_RECORD_CONVERSATION_HOURS);

    if (!shell_session_find(a->seat, hours * 3600, id))
        id[0] = '\0';
}

/* Calls cb for each session, the newest first. */
static int
list_all(struct session_store *s, session_info_cb *cb, void *arg, struct err *e)
{
    char cursor[SESSION_CURSOR_SIZE] = "", next[SESSION_CURSOR_SIZE];

    do {
        if (session_store_list(s, NULL, cursor[0] ? cursor : NULL, PAGE, cb,
                               arg, next, e) < 0)
            return -1;
        memcpy(cursor, next, sizeof(cursor));
    } while (cursor[0]);
    return 0;
}

/* Which session a word names. */
struct session_search {
    const char *word;
    char id[SESSION_ID_SIZE];
    int n;
};

static int
on_candidate(void *arg, const struct session_info *info)
{
    struct session_search *s = arg;

    if (!str_begins(info->id, s->word))
        return 0;
    s->n++;
    snprintf(s->id, sizeof(s->id), "%s", info->id);
    return 0;
}

static int
find_by_word(struct session_store *s, const char *word,
             char id[SESSION_ID_SIZE], struct err *e)
{
    struct session_search search = {.word = word};

    if (list_all(s, on_candidate, &search, e) < 0)
        return -1;
    if (search.n == 0 || !word[0])
        return err_set(e, ERR_NOT_FOUND,
                       "no such session: '%.40s' (agentsh session list)", word);
    if (search.n > 1)
        return err_set(e, ERR_INVALID, "'%.40s' is the beginning of %d ids",
                       word, search.n);
    memcpy(id, search.id, sizeof(search.id));
    return 0;
}

/* Opens the store, and finds the session that the only word names; without a
 * word it is the shell's. */
static struct session_store *
open_named(struct command_args *c, char id[SESSION_ID_SIZE], struct err *e)
{
    CLEANUP(session_store_close_p) struct session_store *s = NULL;

    if (c->n > 1) {
        err_set(e, ERR_USAGE, "one session at a time");
        return NULL;
    }
    if (app_config(c->app, e) < 0 || !(s = session_store_open(e)))
        return NULL;
    if (c->n == 1)
        return find_by_word(s, c->words[0], id, e) < 0 ? NULL : TAKE_PTR(s);
    find_current(c->app, id);
    if (!id[0]) {
        err_set(e, ERR_USAGE,
                "which session? This shell has none (agentsh session list)");
        return NULL;
    }
    return TAKE_PTR(s);
}

/* list */

static int
put_listed(void *arg, const struct session_info *info)
{
    session_view_put_row(arg, info);
    return 0;
}

static int
run_session_list(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(OUTPUT_MAX);
    CLEANUP(session_store_close_p) struct session_store *s = NULL;
    char current[SESSION_ID_SIZE];
    struct app *a = c->app;
    struct session_view t = {.app = a, .out = &out, .current = current};
    struct err e = {0};

    if (c->n > 0)
        return fail_usage(a, "session list takes no words");
    if (app_config(a, &e) < 0 || !(s = session_store_open(&e)))
        return app_fail(a, &e);
    find_current(a, current);
    session_view_begin_list(&t);
    if (list_all(s, put_listed, &t, &e) < 0)
        return app_fail(a, &e);
    session_view_end_list(&t);
    if (buf_ok(&out, "the list", &e) < 0)
        return app_fail(a, &e);
    if (out.len == 0)
        app_note(a, "No conversation is kept.");
    app_put_result(a, &out);
    return 0;
}

/* show */

static int
put_shown_info(void *arg, const struct session_info *info)
{
    session_view_begin_items(arg, info);
    return 0;
}

static int
put_shown_item(void *arg, int64_t number, const char *kind, const char *text,
               size_t n)
{
    (void)number;
    session_view_put_item(arg, kind, text, n);
    return 0;
}

static int
run_session_show(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(OUTPUT_MAX);
    CLEANUP(session_store_close_p) struct session_store *s = NULL;
    char id[SESSION_ID_SIZE] = "";
    struct app *a = c->app;
    struct session_view t = {.app = a, .out = &out, .current = id};
    struct err e = {0};

    s = open_named(c, id, &e);
    if (!s || session_store_info(s, id, put_shown_info, &t, &e) < 0 ||
        session_store_read(s, id, 0, put_shown_item, &t, &e) < 0)
        return app_fail(a, &e);
    session_view_end_items(&t);
    if (buf_ok(&out, "the session", &e) < 0)
        return app_fail(a, &e);
    app_put_result(a, &out);
    return 0;
}

/* resume */

static int
run_session_resume(struct command_args *c)
{
    CLEANUP(session_store_close_p) struct session_store *s = NULL;
    char id[SESSION_ID_SIZE];
    struct app *a = c->app;
    struct err e = {0};

    if (c->n != 1)
        return fail_usage(a, "which session? (agentsh session list)");
    s = open_named(c, id, &e);
    if (!s)
        return app_fail(a, &e);
    if (!shell_memory_is_kept(a->config)) {
        err_set(&e, ERR_CONFIG,
                "the settings journal and conversation of [record] forbid it");
        return app_fail(a, &e);
    }
    if (shell_session_set(a->seat, id, &e) < 0)
        return app_fail(a, &e);
    app_note(a, "the next ai line of this shell goes on with %.8s", id);
    return 0;
}

/* delete */

/* What the journal holds of a session. */
struct held {
    struct buf names;
    int n;
    char last[40];
};

static void
on_held(void *arg, const char *run, const char *when)
{
    struct held *h = arg;

    if (h->n++ < SHOWN_RUNS)
        buf_printf(&h->names, "%s%s", h->n > 1 ? ", " : "", run);
    snprintf(h->last, sizeof(h->last), "%s", when);
}

/* The day until which a row of this time is kept. */
static void
put_until(const char *when, int64_t days, char text[CLOCK_RFC3339_SIZE])
{
    struct tm tm = {0};
    const char *end = strptime(when, "%Y-%m-%dT%H:%M:%S", &tm);
    time_t at = end ? timegm(&tm) : time(NULL);

    clock_rfc3339(at + (time_t)days * DAY_S, text);
    text[10] = '\0'; /* the day is enough */
}

static void
put_held_runs(struct app *a, const struct held *h, const char *id)
{
    int64_t days = config_int(a->config, CONFIG_RECORD_KEEP_DAYS);
    char until[CLOCK_RFC3339_SIZE] = "";

    if (days > 0)
        put_until(h->last, days, until);
    if (a->output != OUTPUT_TEXT) {
        CLEANUP_BUF struct buf out = buf_of(OUTPUT_MAX);
        struct json_writer w;

        json_write_init(&w, &out);
        json_open_object(&w);
        json_member_str(&w, "deleted", id);
        json_member_int(&w, "journal_runs", h->n);
        if (h->n > 0 && days > 0)
            json_member_str(&w, "journal_until", until);
        json_close_object(&w);
        buf_ch(&out, '\n');
        app_put_result(a, &out);
        return;
    }
    app_note(a, "deleted: %.8s", id);
    if (h->n == 0)
        app_note(a, "The journal holds nothing of it.");
    else
        app_note(a,
                 P_("The journal still holds %d run of it (%s%s), %s%s "
                    "([record] keep_days = %lld); its chain can lose no row "
                    "before.",
                    "The journal still holds %d runs of it (%s%s), %s%s "
                    "([record] keep_days = %lld); its chain can lose no row "
                    "before.",
                    h->n),
                 h->n, h->names.p, h->n > SHOWN_RUNS ? ", ..." : "",
                 days > 0 ? _("until ") : _("for ever"), until,
                 (long long)days);
}

/* A journal that cannot be read is told, and deletes all the same. */
static void
report_held(struct app *a, const char *id)
{
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    struct held held = {.names = buf_of(4096)};
    struct err e = {0};

    h = journal_read_open(&e);
    if ((!h && e.code != ERR_NOT_FOUND) ||
        (h && journal_read_session(h, id, on_held, &held, &e) < 0))
        app_note(a, "what the journal holds of it is not known: %s", e.text);
    else
        put_held_runs(a, &held, id);
    buf_done(&held.names);
}

static int
delete_one(struct app *a, struct session_store *s, const char *word,
           struct err *e)
{
    char id[SESSION_ID_SIZE];

    if (find_by_word(s, word, id, e) < 0 || session_store_delete(s, id, e) < 0)
        return -1;
    shell_session_forget(a->seat, id);
    report_held(a, id);
    return 0;
}

static int
run_session_delete(struct command_args *c)
{
    CLEANUP(session_store_close_p) struct session_store *s = NULL;
    struct app *a = c->app;
    struct err e = {0};

    if (c->n == 0)
        return fail_usage(a, "which sessions? (agentsh session list)");
    if (app_config(a, &e) < 0 || !(s = session_store_open(&e)))
        return app_fail(a, &e);
    for (int i = 0; i < c->n; i++) {
        if (delete_one(a, s, c->words[i], &e) < 0)
            return app_fail(a, &e);
    }
    return 0;
}

const struct command cmd_session_list = {
    .name = "session list",
    .args = "",
    .help = N_("list the conversations of shells and of editors"),
    .options = FOR_REPORT,
    .run = run_session_list,
};
const struct command cmd_session_show = {
    .name = "session show",
    .args = "[ID]",
    .help = N_("show what was said in one; default: this shell's"),
    .options = FOR_REPORT | FOR_NAMES,
    .run = run_session_show,
};
const struct command cmd_session_resume = {
    .name = "session resume",
    .args = "ID",
    .help = N_("go on with one in this shell"),
    .options = FOR_NAMES,
    .run = run_session_resume,
};
const struct command cmd_session_delete = {
    .name = "session delete",
    .args = "ID…",
    .help = N_("delete some, and say what the journal still holds"),
    .options = FOR_REPORT | FOR_NAMES,
    .run = run_session_delete,
};
