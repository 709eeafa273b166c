/* SPDX-License-Identifier: GPL-3.0-or-later */
/* package_reversal.c - from a difference in what is installed to the calls that
 * take it back. */
#include "plugins/pkg.manage/package_reversal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "plugins/lib/reply.h"
#include "plugins/pkg.manage/args.h"
#include "plugins/pkg.manage/inventory.h"

#define AUTO      " auto"
#define VALUE_MAX 512 /* of a package; versions over it are cut */
#define LEFT_MAX  160

/* What is to be done about a change. */
enum reversal {
    REVERSAL_NONE, /* it is as it was, or is left alone */
    REVERSAL_REMOVE,
    REVERSAL_INSTALL, /* in whichever version there is */
    REVERSAL_VERSION, /* in the version that it had */
    REVERSAL_MARK,    /* only the mark differs */
};

struct package_change {
    const char *name, *before, *after; /* borrowed; NULL: not there */
    enum reversal what;
    char version[ARGS_VERSION_MAX + 1]; /* that it had */
    bool automatic;                     /* that mark had it */
    bool offered;                       /* that version can be had */
    char left[LEFT_MAX]; /* why it is left alone; "": it is not */
};

struct package_reversal {
    const struct manager *manager;
    struct inventory now;
    struct package_change *v;
    size_t n;
};

static void
package_reversal_done(struct package_reversal *p)
{
    inventory_done(&p->now);
    free(p->v);
}

static int
read_now(struct inventory *v, const struct manager *m, struct err *e)
{
    inventory_init(v);
    return inventory_read(v, m, e) < 0 || inventory_read_marks(v, m, e) < 0 ? -1
                                                                            : 0;
}

/* Writes the value of the package that begins at item i; returns the next. */
static size_t
put_value_at(const struct inventory *v, size_t i, char text[VALUE_MAX])
{
    CLEANUP_BUF struct buf b = buf_of(VALUE_MAX - 1);
    const char *name = v->items[i].name;
    bool automatic = v->items[i].automatic;

    for (; i < v->n && strcmp(v->items[i].name, name) == 0; i++)
        buf_printf(&b, "%s%s", b.len ? ", " : "", v->items[i].version);
    snprintf(text, VALUE_MAX, "%s%s", b.bad ? "many" : b.p,
             automatic ? AUTO : "");
    return i;
}

int
package_state_run(const struct request *r, const struct manager *m,
                  struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP(inventory_done) struct inventory v = {0};
    struct json_writer w;

    if (read_now(&v, m, e) < 0)
        return -1;
    reply_begin(r, &w, &line, true, "", 0, "", 0);
    json_member_str(&w, "manager", m->name);
    json_key(&w, "state");
    json_open_object(&w);
    for (size_t i = 0; i < v.n;) {
        const char *name = v.items[i].name;
        char text[VALUE_MAX];

        i = put_value_at(&v, i, text);
        json_member_str(&w, name, text);
    }
    json_close_object(&w);
    return reply_send(&w, e);
}

static bool
is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The one version of a value, and its mark; false: it has several. */
static bool
read_value(const char *value, char version[ARGS_VERSION_MAX + 1],
           bool *automatic)
{
    size_t n = strlen(value), end = strlen(AUTO);

    *automatic = n > end && strcmp(value + n - end, AUTO) == 0;
    n -= *automatic ? end : 0;
    if (!words_is_name(value, n, ARGS_MARKS, ARGS_VERSION_MAX))
        return false;
    snprintf(version, ARGS_VERSION_MAX + 1, "%.*s", (int)n, value);
    return true;
}

static bool
has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = text; *p;) {
        size_t len;

        p += strspn(p, " \t\n|");
        len = strcspn(p, " \t\n|");
        if (len == n && memcmp(p, word, n) == 0)
            return true;
        p += len;
    }
    return false;
}

/* It is there, in another version or with another mark than before. */
static void
judge_other(struct package_change *c)
{
    char version[ARGS_VERSION_MAX + 1];
    bool automatic;

    if (!read_value(c->before, c->version, &c->automatic) ||
        !read_value(c->after, version, &automatic))
        snprintf(c->left, LEFT_MAX, "it has several versions");
    else if (strcmp(c->version, version) == 0)
        c->what = REVERSAL_MARK;
    else
        c->what = REVERSAL_VERSION;
}

static void
judge_change(const struct package_reversal *p, struct package_change *c)
{
    size_t i = inventory_find(&p->now, c->name);
    char text[VALUE_MAX];
    const char *now = NULL;

    if (i < p->now.n) {
        (void)put_value_at(&p->now, i, text);
        now = text;
    }
    if (is_same_text(now, c->before))
        return;
    if (!is_same_text(now, c->after))
        snprintf(c->left, LEFT_MAX, "it was changed since");
    else if (!c->before)
        c->what = REVERSAL_REMOVE;
    else if (c->after)
        judge_other(c);
    else if (!read_value(c->before, c->version, &c->automatic))
        snprintf(c->left, LEFT_MAX, "it had several versions");
    else
        c->what = REVERSAL_VERSION;
}

/* Notes which of the versions are in the lines, each of which begins with a
 * name. */
static void
note_offered(struct package_change *const *v, size_t n, char *lines)
{
    char *next = lines, *line;

    while (next && (line = strsep(&next, "\n"))) {
        line += strspn(line, " ");
        for (size_t i = 0; i < n; i++) {
            size_t len = strlen(v[i]->name);

            if (strncmp(line, v[i]->name, len) == 0 && line[len] == ' ' &&
                has_word(line + len, v[i]->version))
                v[i]->offered = true;
        }
    }
}

static void
ask_versions(const struct manager *m, struct package_change *const *v, size_t n)
{
    CLEANUP(need_answer_done) struct need_answer a;
    const char *names[ARGS_PACKAGES_MAX];

    need_answer_init(&a, NEED_TEXT_MAX);
    for (size_t i = 0; i < n; i++)
        names[i] = v[i]->name;
    if (n > 0 && inventory_ask(m, ASK_VERSIONS, names, n, &a, NULL) == 0 &&
        a.exit_code == 0)
        note_offered(v, n, a.out.p);
}

/* Finds which old versions the manager can get, by its lists. One question is
 * about many: apt takes most of a second for each. */
static void
find_offered(const struct package_reversal *p)
{
    struct package_change *v[ARGS_PACKAGES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < p->n && p->manager->joins; i++) {
        if (p->v[i].what != REVERSAL_VERSION)
            continue;
        v[n++] = &p->v[i];
        if (n < ARGS_PACKAGES_MAX)
            continue;
        ask_versions(p->manager, v, n);
        n = 0;
    }
    ask_versions(p->manager, v, n);
}

/* What was removed comes back in whichever version there is; what is there in
 * another version stays. */
static void
settle_version(const struct manager *m, struct package_change *c)
{
    if (c->what != REVERSAL_VERSION || c->offered)
        return;
    c->what = c->after ? REVERSAL_NONE : REVERSAL_INSTALL;
    if (c->after)
        snprintf(c->left, LEFT_MAX, "%s cannot get its version %.80s%s",
                 m->name, c->version, m->joins ? " any more" : "");
}

static int
read_change(const struct json *v, size_t i, struct package_change *c,
            struct err *e)
{
    size_t n = 0;

    c->name = json_str(json_get(v, "name"), &n);
    c->before = json_get_str(v, "before");
    c->after = json_get_str(v, "after");
    if (!c->name || !words_is_name(c->name, n, "", ARGS_NAME_MAX))
        return err_set(e, ERR_INVALID, "args.changes[%zu].name is no package's",
                       i);
    return 0;
}

static int
read_changes(const struct request *r, struct package_reversal *p, struct err *e)
{
    const struct json *list = json_get(r->args, "changes");

    if (json_type(list) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "args.changes must be a list");
    p->v = calloc(json_count(list) + 1, sizeof(*p->v));
    if (!p->v)
        return err_nomem(e);
    for (const struct json *v = json_first(list); v; v = json_next(v), p->n++)
        if (read_change(v, p->n, &p->v[p->n], e) < 0)
            return -1;
    return 0;
}

static bool
is_removed(const struct package_reversal *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].what == REVERSAL_REMOVE && strcmp(p->v[i].name, name) == 0)
            return true;
    return false;
}

/* The first package that would go along with these and is not one that goes
 * anyway, into name; false: there is none, or it cannot be told. */
static bool
find_needing(const struct package_reversal *p, const char *const *names,
             size_t n, char name[ARGS_NAME_MAX + 1])
{
    CLEANUP(need_answer_done) struct need_answer a;
    char *next, *line;

    need_answer_init(&a, NEED_TEXT_MAX);
    if (n == 0 ||
        inventory_ask(p->manager, ASK_WOULD_REMOVE, names, n, &a, NULL) < 0 ||
        a.exit_code != 0)
        return false;
    next = a.out.p;
    while (next && (line = strsep(&next, "\n"))) {
        if (strncmp(line, "Remv ", 5) != 0)
            continue;
        line += 5;
        line[strcspn(line, " :")] = '\0';
        if (is_removed(p, line))
            continue;
        snprintf(name, ARGS_NAME_MAX + 1, "%s", line);
        return true;
    }
    return false;
}

/* Keeps those of the n that are needed by what came since; returns how many. It
 * asks about all, and about each half where some are needed: apt takes most of
 * a second for a question, of many names as of one. */
static size_t
keep_needed_of(const struct package_reversal *p,
               struct package_change *const *v, size_t n)
{
    const char *names[ARGS_PACKAGES_MAX];
    char name[ARGS_NAME_MAX + 1];

    for (size_t i = 0; i < n; i++)
        names[i] = v[i]->name;
    if (!find_needing(p, names, n, name))
        return 0;
    if (n > 1)
        return keep_needed_of(p, v, n / 2) +
               keep_needed_of(p, v + n / 2, n - n / 2);
    snprintf(v[0]->left, LEFT_MAX, "%.100s needs it now", name);
    v[0]->what = REVERSAL_NONE;
    return 1;
}

/* What came since needs it: then it stays, and what it needs in turn. */
static void
keep_needed(const struct package_reversal *p)
{
    struct package_change *v[ARGS_PACKAGES_MAX];
    size_t kept = p->manager->row[ASK_WOULD_REMOVE][0] != NULL;

    while (kept > 0) {
        size_t n = 0;

        kept = 0;
        for (size_t i = 0; i < p->n; i++) {
            if (p->v[i].what != REVERSAL_REMOVE)
                continue;
            v[n++] = &p->v[i];
            if (n < ARGS_PACKAGES_MAX)
                continue;
            kept += keep_needed_of(p, v, n);
            n = 0;
        }
        kept += keep_needed_of(p, v, n);
    }
}

/* One call about up to ARGS_PACKAGES_MAX packages. */
struct call_list {
    const struct package_change *v[ARGS_PACKAGES_MAX];
    size_t n;
};

static const char *
version_of(const struct package_change *c)
{
    return c->what == REVERSAL_VERSION ? c->version : "";
}

static void
put_call_args(struct json_writer *w, const struct package_reversal *p,
              const struct call_list *l, enum manager_ask ask, bool automatic)
{
    bool versions = ask == ASK_INSTALL_VERSION;

    json_key(w, "args");
    json_open_object(w);
    json_key(w, "packages");
    json_open_array(w);
    for (size_t i = 0; i < l->n; i++)
        json_put_str(w, l->v[i]->name);
    json_close_array(w);
    json_member_str(w, "manager", p->manager->name);
    if (versions) {
        json_key(w, "versions");
        json_open_array(w);
        for (size_t i = 0; i < l->n; i++)
            json_put_str(w, version_of(l->v[i]));
        json_close_array(w);
    }
    if (ask == ASK_MARK_AUTOMATIC)
        json_member_bool(w, "automatic", automatic);
    else
        json_member_bool(w, "assume_yes", true);
    json_close_object(w);
}

/* The words of the row without the yes, as a person would type them. */
static void
put_command(struct buf *out, const struct package_reversal *p,
            const struct call_list *l, const char *const row[WORDS_ROW])
{
    for (size_t k = 0; k < WORDS_ROW && row[k]; k++) {
        if (strcmp(row[k], "%p") != 0) {
            if (strcmp(row[k], "%y") != 0 && strcmp(row[k], "-q") != 0)
                buf_printf(out, "%s%s", out->len ? " " : "", row[k]);
            continue;
        }
        for (size_t i = 0; i < l->n; i++) {
            const char *version = version_of(l->v[i]);

            buf_printf(out, " %s%s%s", l->v[i]->name,
                       *version ? p->manager->joins : "", version);
        }
    }
}

struct call_kind {
    enum manager_ask ask;
    const char *action, *says;
};

static void
put_call(struct json_writer *w, const struct package_reversal *p,
         const struct call_list *l, const struct call_kind *k, bool automatic)
{
    CLEANUP_BUF struct buf line = buf_of(ARGS_PACKAGES_MAX *
                                         (ARGS_NAME_MAX + ARGS_VERSION_MAX));
    enum manager_ask ask = k->ask == ASK_MARK_AUTOMATIC && !automatic
                               ? ASK_MARK_MANUAL
                               : k->ask;

    if (l->n == 0)
        return;
    json_open_object(w);
    json_member_str(w, "action", k->action);
    put_call_args(w, p, l, k->ask, automatic);
    put_command(&line, p, l, p->manager->row[ask]);
    json_member_str(w, "command", line.p);
    json_member_str(w, "says", k->says);
    json_close_object(w);
}

/* The calls for all changes of a kind, of some of them. */
static void
put_calls(struct json_writer *w, const struct package_reversal *p,
          const struct call_kind *k,
          bool (*is_of)(const struct package_change *), bool automatic)
{
    struct call_list l = {.n = 0};

    for (size_t i = 0; i < p->n; i++) {
        if (!is_of(&p->v[i]))
            continue;
        l.v[l.n++] = &p->v[i];
        if (l.n < ARGS_PACKAGES_MAX)
            continue;
        put_call(w, p, &l, k, automatic);
        l.n = 0;
    }
    put_call(w, p, &l, k, automatic);
}

static bool
is_to_remove(const struct package_change *c)
{
    return c->what == REVERSAL_REMOVE;
}

static bool
is_to_install(const struct package_change *c)
{
    return c->what == REVERSAL_INSTALL;
}

static bool
is_to_install_version(const struct package_change *c)
{
    return c->what == REVERSAL_VERSION;
}

/* What is installed by its name counts as asked for. */
static bool
is_to_mark_automatic(const struct package_change *c)
{
    bool asked = c->what == REVERSAL_MARK || (c->what > REVERSAL_REMOVE);

    return asked && c->automatic;
}

static bool
is_to_mark_manual(const struct package_change *c)
{
    return c->what == REVERSAL_MARK && !c->automatic;
}

static void
put_all_calls(struct json_writer *w, const struct package_reversal *p)
{
    static const struct call_kind remove = {
        ASK_REMOVE, "remove",
        N_("Remove what was installed; its configuration files stay")};
    static const struct call_kind version = {
        ASK_INSTALL_VERSION, "install", N_("Install the versions of before")};
    static const struct call_kind any = {
        ASK_INSTALL, "install",
        N_("Install what was removed, in the version that there is now")};
    static const struct call_kind automatic = {
        ASK_MARK_AUTOMATIC, "mark",
        N_("Mark as needed by others only, as it was")};
    static const struct call_kind manual = {ASK_MARK_AUTOMATIC, "mark",
                                            N_("Mark as asked for, as it was")};
    bool marks = p->manager->row[ASK_MARK_AUTOMATIC][0] != NULL;

    json_key(w, "calls");
    json_open_array(w);
    put_calls(w, p, &remove, is_to_remove, false);
    put_calls(w, p, &version, is_to_install_version, false);
    put_calls(w, p, &any, is_to_install, false);
    if (marks) {
        put_calls(w, p, &automatic, is_to_mark_automatic, true);
        put_calls(w, p, &manual, is_to_mark_manual, false);
    }
    json_close_array(w);
}

static void
put_left(struct json_writer *w, const struct package_reversal *p)
{
    json_key(w, "left");
    json_open_array(w);
    for (size_t i = 0; i < p->n; i++) {
        if (!p->v[i].left[0])
            continue;
        json_open_object(w);
        json_member_str(w, "name", p->v[i].name);
        json_member_str(w, "why", p->v[i].left);
        json_close_object(w);
    }
    json_close_array(w);
}

int
package_reversal_run(const struct request *r, const struct manager *m,
                     struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP(package_reversal_done) struct package_reversal p = {.manager = m};
    struct json_writer w;

    if (read_now(&p.now, m, e) < 0 || read_changes(r, &p, e) < 0)
        return -1;
    for (size_t i = 0; i < p.n; i++)
        judge_change(&p, &p.v[i]);
    find_offered(&p);
    for (size_t i = 0; i < p.n; i++)
        settle_version(m, &p.v[i]);
    keep_needed(&p);
    reply_begin(r, &w, &line, true, "", 0, "", 0);
    json_member_str(&w, "manager", m->name);
    put_all_calls(&w, &p);
    put_left(&w, &p);
    return reply_send(&w, e);
}
