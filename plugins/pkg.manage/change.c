/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.c - what a manager is told, what came of it, and the answer. */
#include "plugins/pkg.manage/change.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "plugins/lib/run.h"
#include "plugins/lib/text.h"
#include "plugins/pkg.manage/inventory.h"

static size_t
n_yes(const struct manager *m)
{
    size_t n = 0;

    while (n < MANAGER_YES && m->yes[n])
        n++;
    return n;
}

static int
fill(struct words *w, const struct args *a, const struct manager *m,
     enum manager_ask ask, const char *const *wanted, struct err *e)
{
    const struct words_value values[] = {
        {"%p", wanted, a->n},
        {"%y", m->yes, a->assume_yes ? n_yes(m) : 0},
        {"%q", &a->query, 1},
        {0},
    };

    if (!m->row[ask][0])
        return err_set(e, ERR_UNSUPPORTED, "%s %s", m->name,
                       ask == ASK_UPGRADE_SOME ? "upgrades all or nothing"
                       : ask == ASK_INSTALL_VERSION
                           ? "cannot be told a version"
                           : "does not mark packages so");
    return words_fill(w, m->row[ask], values, e);
}

/* Whether the manager has a package of that name; true where it cannot be
 * asked. */
static bool
is_known(const struct manager *m, const char *name)
{
    CLEANUP(need_answer_done) struct need_answer a;

    need_answer_init(&a, NEED_TEXT_MAX);
    if (!m->row[ASK_KNOWN][0] ||
        inventory_ask(m, ASK_KNOWN, &name, 1, &a, NULL) < 0)
        return true;
    return a.exit_code == 0 && (!m->silent || a.out.len > 0);
}

static bool
has_line(const struct buf *text, const char *line, size_t n)
{
    for (const char *p = text->p; *p; p += strcspn(p, "\n") + 1) {
        if (strcspn(p, "\n") == n && strncmp(p, line, n) == 0)
            return true;
        if (!p[strcspn(p, "\n")])
            return false;
    }
    return false;
}

/* apt-get(8): a name that is none is an expression when it holds a dot; and
 * "name-" removes, "name+" installs. So these must be names as they stand. */
static bool
is_doubtful(const char *name)
{
    size_t n = strlen(name);

    return strchr(name, '.') || (n > 0 && strchr("+-", name[n - 1]));
}

static int
check_name(const struct manager *m, const char *name, struct err *e)
{
    size_t n = strcspn(name, ":"); /* an architecture follows */
    CLEANUP(free_p) char *base = strndup(name, n);
    const char *prefix = base;
    CLEANUP(need_answer_done) struct need_answer a;

    need_answer_init(&a, NEED_TEXT_MAX);
    if (!base)
        return err_sys(e, "%s", name);
    if (inventory_ask(m, ASK_NAMES, &prefix, 1, &a, e) < 0)
        return -1;
    if (is_doubtful(name + n) || !has_line(&a.out, base, n))
        return err_set(e, ERR_NOT_FOUND, "%s: no such package: %s", m->name,
                       name);
    return 0;
}

static int
check_names(const struct args *a, const struct manager *m, struct err *e)
{
    for (size_t i = 0; m->loose && i < a->n; i++) {
        if (is_doubtful(a->packages[i]) && check_name(m, a->packages[i], e) < 0)
            return -1;
    }
    return 0;
}

/* A run, with what was installed before and after it. */
struct change {
    const struct args *args;
    const struct manager *manager;
    struct need_answer ran;
    struct inventory before, after;
    bool compared; /* both could be read */
    char why[NEED_CODE_MAX];
};

static void
change_init(struct change *c, const struct args *a, const struct manager *m)
{
    *c = (struct change){.args = a, .manager = m};
    need_answer_init(&c->ran, NEED_TEXT_MAX);
    inventory_init(&c->before);
    inventory_init(&c->after);
}

static void
change_done(struct change *c)
{
    need_answer_done(&c->ran);
    inventory_done(&c->before);
    inventory_done(&c->after);
}

struct listing {
    struct json_writer *w;
    enum inventory_change what;
};

static void
put_name(void *arg, enum inventory_change what, const char *name)
{
    struct listing *l = arg;

    if (what == l->what)
        json_put_str(l->w, name);
}

static void
put_changes(struct json_writer *w, const struct change *c)
{
    static const char *const names[CHANGE_N] = {
        [CHANGE_INSTALLED] = "packages_installed",
        [CHANGE_REMOVED] = "packages_removed",
        [CHANGE_UPGRADED] = "packages_upgraded",
    };

    for (int i = 0; c->compared && i < CHANGE_N; i++) {
        struct listing l = {w, i};

        json_key(w, names[i]);
        json_open_array(w);
        inventory_compare(&c->before, &c->after, put_name, &l);
        json_close_array(w);
    }
}

/* Says why it was not done, and what can be done about it. */
static void
explain(struct change *c, struct buf *err)
{
    const struct args *a = c->args;
    const struct manager *m = c->manager;
    bool missing = m->unknown && c->ran.exit_code == m->unknown;

    for (size_t i = 0; i < a->n; i++) {
        if (is_known(m, a->packages[i]))
            continue;
        missing = true;
        text_note(err, "%s: no such package: %s", m->name, a->packages[i]);
    }
    snprintf(c->why, sizeof(c->why), "%s",
             err_tool_code(missing ? ERR_NOT_FOUND : ERR_IO));
    if (missing && a->action == ASK_INSTALL)
        text_note(err, "To do: the action update refreshes the package lists, "
                       "search looks for a name");
    else if (!missing && n_yes(m) && !a->assume_yes)
        text_note(err,
                  "%s may have asked a question. To do: \"assume_yes\": true "
                  "answers yes",
                  m->name);
}

static int
answer(const struct request *r, struct change *c, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf err = buf_of(TEXT_MAX);
    struct json_writer w;
    bool ok, cut;

    cut = text_fit(&out, &c->ran.out, r);
    cut |= text_fit(&err, &c->ran.err, r);
    memcpy(c->why, c->ran.error_code, sizeof(c->why));
    ok = !*c->why && manager_is_fine(c->manager, c->ran.exit_code);
    if (!ok && !*c->why)
        explain(c, &err);
    reply_begin(r, &w, &line, ok, out.p, out.len, err.p, err.len);
    if (!ok)
        json_member_str(&w, "error_code", c->why);
    json_member_str(&w, "manager", c->manager->name);
    if (c->ran.exit_code >= 0)
        json_member_int(&w, "exit_code", c->ran.exit_code);
    json_member_bool(&w, "truncated", cut);
    put_changes(&w, c);
    return reply_send(&w, e);
}

static bool
changes_packages(const struct args *a)
{
    return a->action != ASK_UPDATE && a->action != ASK_SEARCH &&
           a->action != ASK_MARK;
}

/* A manager that refuses root is run by us; where the sandbox or the owner
 * of its files keeps us out, the person is told what to type. */
static int
run_own(const struct request *r, const struct words *w, struct change *c,
        struct err *e)
{
    const struct run_how how = {.request = r, .shown = true};
    CLEANUP(free_p)
    char *dir = strndup(w->program,
                        (size_t)(path_base(w->program) - w->program));

    if (geteuid() != 0 && dir && access(dir, W_OK) == 0)
        return run_program(w->argv, &how, &c->ran, e);
    snprintf(c->ran.error_code, sizeof(c->ran.error_code), "%s",
             err_tool_code(ERR_PERMISSION));
    buf_printf(&c->ran.err,
               "%s is run by the user who owns it, never by root, "
               "and cannot be run from here. To do: ",
               c->manager->name);
    need_line(w->argv, &c->ran.err);
    return buf_ok(&c->ran.err, "the answer", e);
}

static enum manager_ask
row_of(const struct args *a)
{
    if (a->action == ASK_UPGRADE && a->n > 0)
        return ASK_UPGRADE_SOME;
    if (a->action == ASK_MARK)
        return a->automatic ? ASK_MARK_AUTOMATIC : ASK_MARK_MANUAL;
    return a->has_versions ? ASK_INSTALL_VERSION : a->action;
}

/* The names, with their versions where they have one. */
struct wanted {
    const char *v[ARGS_PACKAGES_MAX];
    char text[ARGS_PACKAGES_MAX][ARGS_NAME_MAX + ARGS_VERSION_MAX + 2];
};

static void
set_wanted(struct wanted *w, const struct args *a, const struct manager *m)
{
    for (size_t i = 0; i < a->n; i++) {
        bool some = a->has_versions && a->versions[i][0] && m->joins;

        snprintf(w->text[i], sizeof(w->text[i]), "%s%s%s", a->packages[i],
                 some ? m->joins : "", some ? a->versions[i] : "");
        w->v[i] = w->text[i];
    }
}

int
change_run(const struct request *r, const struct args *a,
           const struct manager *m, struct err *e)
{
    struct wanted wanted;
    CLEANUP(words_done) struct words w = {0};
    CLEANUP(change_done) struct change c;

    change_init(&c, a, m);
    set_wanted(&wanted, a, m);
    if (fill(&w, a, m, row_of(a), wanted.v, e) < 0 || check_names(a, m, e) < 0)
        return -1;
    c.compared = changes_packages(a) && inventory_read(&c.before, m, NULL) == 0;
    if ((m->own ? run_own(r, &w, &c, e) : reply_need(r, w.argv, &c.ran, e)) < 0)
        return -1;
    c.compared = c.compared && !*c.ran.error_code &&
                 inventory_read(&c.after, m, NULL) == 0;
    return answer(r, &c, e);
}

int
search_run(const struct request *r, const struct args *a,
           const struct manager *m, struct err *e)
{
    const struct run_how how = {.request = r, .shown = true};
    CLEANUP(words_done) struct words w = {0};
    CLEANUP(change_done) struct change c;

    change_init(&c, a, m);
    if (fill(&w, a, m, ASK_SEARCH, a->packages, e) < 0 ||
        run_program(w.argv, &how, &c.ran, e) < 0)
        return -1;
    if (m->found_none && c.ran.exit_code == m->found_none)
        c.ran.exit_code = 0; /* it searched, and there was nothing */
    return answer(r, &c, e);
}
