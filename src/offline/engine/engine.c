/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - answers a request with commands, without a model. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/message.h"
#include "guard/risk/risk.h"
#include "offline/engine/antonym.h"
#include "offline/engine/engine_state.h"
#include "offline/engine/operand_order.h"
#include "offline/engine/overwrite.h"
#include "offline/engine/sanitize.h"
#include "offline/engine/veto.h"
#include "offline/parse/lexicon.h"

struct engine *
engine_new(const struct seat *s, struct err *e)
{
    CLEANUP(engine_free_p) struct engine *g = calloc(1, sizeof(*g));

    if (!g) {
        err_sys(e, "the offline engine");
        return NULL;
    }
    g->seat = s;
    buf_init(&g->place.text, REQUEST_BYTES_MAX);
    g->index = index_builtin();
    if (!g->index) {
        err_set(e, ERR_UNSUPPORTED, "this build has no recipes");
        return NULL;
    }
    g->installed = installed_new(s, e);
    return g->installed ? TAKE_PTR(g) : NULL;
}

void
engine_free(struct engine *g)
{
    if (!g)
        return;
    request_done(&g->request);
    shortlist_done(&g->list);
    index_rates_done(&g->rates);
    buf_done(&g->place.text);
    installed_free(g->installed);
    free(g);
}

/* Whether it runs a program of the user's own, which may do anything. */
static bool
runs_own(const struct risk *r)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact == RISK_UNKNOWN &&
            (r->reasons[i].kind == RISK_KIND_UNLISTED ||
             r->reasons[i].kind == RISK_KIND_FILE))
            return true;
    return false;
}

/* Reads the risk of a command. *own: it runs a program of the user's own. */
static int
read_risk(const char *command, enum recipe_risk *out, bool *own, struct err *e)
{
    static const struct path_context nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};
    int rc = syntax_read(command, strlen(command), &syntax, e);

    if (rc == 0)
        rc = risk_read(&syntax, &nowhere, &risk, e);
    *own = runs_own(&risk);
    *out = risk.facts & (RISK_SUDO | RISK_PRIVILEGED) ? RECIPE_ROOT
           : risk.facts & RISK_DESTRUCTIVE            ? RECIPE_DELETES
           : risk.facts & (RISK_WRITES | RISK_ACTS)   ? RECIPE_WRITES
           : *own                                     ? RECIPE_WRITES
                                                      : RECIPE_READS;
    risk_done(&risk);
    syntax_done(&syntax);
    return rc;
}

int
engine_risk(const char *command, enum recipe_risk *out, struct err *e)
{
    bool own;

    return read_risk(command, out, &own, e);
}

char *
engine_finish(const struct request *q, const char *command,
              enum recipe_risk risk, bool *covers, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(2 * CANDIDATE_BYTES);
    CLEANUP_BUF struct buf kept = buf_of(2 * CANDIDATE_BYTES);
    CLEANUP_BUF struct buf out = buf_of(2 * CANDIDATE_BYTES);
    bool clear = true;
    char *copy;

    if (risk != RECIPE_READS &&
        (sanitize_own_names(command, &own, e) < 0 ||
         sanitize_keep_files(q, own.p, &kept, &clear, e) < 0 ||
         sanitize_keep_members(q, kept.p, &out, e) < 0))
        return NULL;
    *covers = !clear;
    copy = strdup(out.len ? out.p : command);
    if (!copy)
        err_sys(e, "a command");
    return copy;
}

/* The first program that is not installed. The name is as long valid as the
 * row. */
static const char *
missing_of(const struct engine *g, const struct command_programs *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!installed_has(g->installed, p->names[i]))
            return p->names[i];
    }
    return NULL;
}

/* Whether it is an alternative of a recipe that does more than the first
 * command: the phrases may ask only for the first. */
static int
is_graver(const struct recipe *r, const struct candidate *c, bool *graver,
          struct err *e)
{
    enum recipe_risk first = RECIPE_READS, this = RECIPE_READS;

    *graver = false;
    if (c->way == 0)
        return 0;
    if (engine_risk(r->steps[0].command, &first, e) < 0 ||
        engine_risk(c->command, &this, e) < 0)
        return -1;
    *graver = this > first && this != RECIPE_ROOT;
    return 0;
}

static int
add_answer(const struct engine *g, size_t i, struct engine_answer *a,
           struct err *e)
{
    const struct candidate *c = &g->list.v[i];
    enum recipe_risk own = RECIPE_READS;
    bool runs = false;
    struct recipe r;

    *a = (struct engine_answer){
        .title = c->title,
        .shown = c->shown[0] ? c->shown : _(c->title),
        .missing = missing_of(g, &g->ranking.rows[i].programs),
        .open = c->open,
        .score = c->score,
    };
    if (c->recipe >= 0) {
        index_recipe(g->index, (size_t)c->recipe, &r);
        a->recipe = r.id;
        a->risk = r.risk;
        if (is_graver(&r, c, &a->graver, e) < 0)
            return -1;
    }
    if (read_risk(c->command, &own, &runs, e) < 0)
        return -1;
    /* A recipe's is that of the gravest of its ways. One that only reads is
     * believed in what the guard takes for an act of its program, but not
     * where it deletes, or runs what a person wrote. */
    if (c->recipe < 0 || a->risk == RECIPE_WRITES ||
        (a->risk == RECIPE_READS &&
         (own == RECIPE_DELETES || runs || a->graver)))
        a->risk = own;
    a->command = engine_finish(&g->request, c->command, a->risk, &a->covers, e);
    if (!a->command)
        return -1;
    a->covers = a->covers || (a->risk != RECIPE_READS &&
                              overwrites(&g->request, a->command, true));
    return 0;
}

/* "here, please, and carefully": what any plan does; a name is looked at by
 * itself. */
static bool
is_manner(const struct request_word *w)
{
    static const char words[] =
        " now here below use used safely carefully properly correctly quickly "
        "easily simply "
        "again everything whole entire complete new simple quick own yes "
        "name named called he she his her their "
        /* of places, which are searched to the bottom */
        "tree trees hierarchy path paths starting residing located existing "
        "present deeper "
        "each every regular normal ordinary exactly instantly "
        "immediately permanently ";

    return w->weak || lexicon_listed(w->plain, words);
}

/* Whether it uses at most one of several words with a meaning: it may share
 * that one by chance. */
static bool
is_slight(const struct request *q, uint64_t used)
{
    size_t words = 0, shared = 0;

    for (size_t i = 0; i < q->n; i++) {
        words += !is_manner(&q->words[i]);
        shared += !is_manner(&q->words[i]) && used >> i & 1;
    }
    return words > 1 && shared < 2;
}

size_t
engine_unused_word(const struct request *q, uint64_t used)
{
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (!(used >> i & 1) && !is_manner(w))
            return i;
    }
    return REQUEST_NONE;
}

/* Copies the first word that an answer does not use; "" when it uses all. */
static const char *
lost_by(const struct engine *g, size_t i)
{
    size_t word = engine_unused_word(&g->request, g->list.v[i].used);

    return word == REQUEST_NONE ? "" : g->request.words[word].plain;
}

/* The veto over answer i. Proposed and shown answers pass the same checks. */
static struct veto
veto_about(const struct engine *g, const struct engine_answers *a, size_t i)
{
    return (struct veto){
        .q = &g->request,
        .commands = a->v[i].command,
        .covers = a->v[i].covers,
        .graver = a->v[i].graver,
        .lost = lost_by(g, i),
        .used = g->list.v[i].used,
        .cover = g->ranking.rows[i].v[RANK_COVER],
        .whole = g->list.v[i].generator ? 1 : g->ranking.rows[i].v[RANK_WHOLE],
        .risk = a->v[i].risk,
    };
}

static void
keep_doubt(struct engine_answers *a, struct veto *d, struct buf *why)
{
    snprintf(a->doubt, sizeof(a->doubt), "%s", why->len ? why->p : "");
    if (message_is_translated()) {
        buf_clear(why);
        d->person = true;
        (void)veto_of(d, why);
    }
    snprintf(a->shown_doubt, sizeof(a->shown_doubt), "%s",
             why->len ? why->p : "");
}

/* Whether an answer changes something and has a veto: it is not shown then. */
static void
veto_opaque(const struct engine *g, struct engine_answers *a)
{
    for (size_t i = 0; i < a->n; i++) {
        CLEANUP_BUF struct buf why = buf_of(sizeof(a->doubt) - 1);
        struct engine_answer *v = &a->v[i];
        struct veto d = veto_about(g, a, i);
        bool doubted = veto_of(&d, &why);

        v->blind = doubted && veto_hides(&d);
        v->slight = is_slight(&g->request, g->list.v[i].used);
        if (i == 0 && doubted)
            keep_doubt(a, &d, &why);
    }
}

static bool
is_sure(const struct engine *g, const struct engine_answers *a)
{
    const double *v = g->ranking.rows[0].v;
    bool all = a->n > 0 && v[RANK_COVER] > 0.95 && v[RANK_OPEN] == 0;

    return a->confidence >= (all ? ENGINE_SURE_OF_ALL : ENGINE_SURE);
}

/* Whether a word of a find command is an existing file, which needs no
 * search. */
static bool
searches_named(const struct request *q, const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        for (size_t w = 0; w < q->n; w++) {
            const struct request_value *v = request_value_of(q, w);

            if (v && v->exists && !v->is_dir &&
                strcmp(v->text, c->argv[i]) == 0 &&
                !lexicon_listed(c->argv[i - 1], " -newer -samefile "))
                return true;
        }
    return false;
}

/* "delete notes.txt": find would delete every file of that name. */
static bool
is_find_for_name(const struct engine *g, const char *command)
{
    static const char asked[] = " find search recursive subdirectory every "
                                "everywhere below all each tree whole ";
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    bool found = false;

    for (size_t i = 0; i < g->request.n; i++)
        if (lexicon_listed(g->request.words[i].stem, asked))
            return false;
    if (!strstr(command, "find ") ||
        syntax_read(command, strlen(command), &s, NULL) < 0 ||
        risk_read(&s, &nowhere, &r, NULL) < 0 ||
        !(r.facts & (RISK_WRITES | RISK_DESTRUCTIVE | RISK_ACTS)))
        return false;
    for (size_t i = 0; i < r.n_calls; i++)
        found = found || (strcmp(r.calls[i].name, "find") == 0 &&
                          searches_named(&g->request, &r.calls[i]));
    return found;
}

static bool
call_has_option_letter(const struct risk_call *c, char letter)
{
    for (size_t i = 1; i < c->n; i++)
        if (c->argv[i][0] == '-' && c->argv[i][1] != '-' &&
            strchr(c->argv[i], letter))
            return true;
    return false;
}

/* Whether the path is an existing archive, in which find cannot search. */
static bool
is_archive(const struct seat *here, const char *path)
{
    static const char ends[] =
        " .tar .tgz .zip .gz .xz .bz2 .7z .rar .zst .iso .deb ";
    const char *dot = strrchr(path, '.');
    struct stat st;

    return dot && lexicon_listed(dot, ends) &&
           seat_stat(here, path, 0, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether tar would add to a compressed archive, which it cannot. */
static bool
tar_misfits(const struct risk_call *c)
{
    for (size_t i = 1; i + 1 < c->n; i++) {
        const char *dot = strrchr(c->argv[i + 1], '.');

        if (i == 1 && c->argv[1][0] == '-' && strpbrk(c->argv[1], "ru") &&
            dot && lexicon_listed(dot, " .gz .tgz .xz .bz2 .zst "))
            return true;
    }
    return false;
}

/* Whether a command needs a directory and gets something else, or the reverse:
 * "cp a b new", "grep x docs". */
static bool
call_misfits(const struct seat *here, const struct risk_call *c)
{
    const char *last = c->argv[c->n - 1];
    size_t operands = 0, many = 0;
    struct stat st;
    bool there = seat_stat(here, last, 0, &st) == 0;

    for (size_t i = 1; i < c->n; i++) {
        operands += c->argv[i][0] != '-';
        many += c->argv[i][0] != '-' && strpbrk(c->argv[i], "*?[") != NULL;
    }
    if (strcmp(c->name, "find") == 0)
        return c->n > 2 && is_archive(here, c->argv[1]);
    if (strcmp(c->name, "tar") == 0)
        return tar_misfits(c);
    if (strcmp(c->name, "rm") == 0)
        return there && S_ISDIR(st.st_mode) &&
               !call_has_option_letter(c, 'r') &&
               !call_has_option_letter(c, 'R') &&
               !call_has_option_letter(c, 'd');
    if (strcmp(c->name, "ln") == 0) /* from there it would point nowhere */
        return c->n == 4 && strcmp(c->argv[1], "-s") == 0 && there &&
               S_ISDIR(st.st_mode) && strcmp(last, ".") != 0 &&
               c->argv[2][0] != '/' &&
               seat_stat(here, c->argv[2], AT_SYMLINK_NOFOLLOW, &st) == 0;
    if (lexicon_listed(c->name, " cp mv "))
        return !there && (operands > 2 || (operands == 2 && many > 0)) &&
               !strpbrk(last, "/$*{~") && !call_has_option_letter(c, 't');
    return strcmp(c->name, "grep") == 0 && there && S_ISDIR(st.st_mode) &&
           operands == 2 && !call_has_option_letter(c, 'r') &&
           !call_has_option_letter(c, 'R');
}

static bool
is_misfit(const struct seat *here, const char *command)
{
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    bool bad = false;

    if (strstr(command, "mkdir ") ||
        (!strstr(command, "cp ") && !strstr(command, "mv ") &&
         !strstr(command, "grep ") && !strstr(command, "find ") &&
         !strstr(command, "ln ") && !strstr(command, "tar ") &&
         !strstr(command, "rm ")) ||
        syntax_read(command, strlen(command), &s, NULL) < 0 ||
        risk_read(&s, &nowhere, &r, NULL) < 0)
        return false;
    for (size_t i = 0; i < r.n_calls; i++)
        bad = bad || (r.calls[i].n > 1 && call_misfits(here, &r.calls[i]));
    return bad;
}

/* Whether it has --exclude=x although the request excludes nothing. */
static bool
excludes_something(const struct request *q, const char *command)
{
    static const char asked[] =
        " not no except exclude without ignore skip but leave omit other ";
    const char *at = strstr(command, "--exclude=");

    for (size_t i = 0; i < q->n; i++)
        if (lexicon_listed(q->words[i].stem, asked) ||
            lexicon_listed(q->words[i].plain, asked))
            return false;
    for (size_t i = 0; at && i < q->n_values; i++)
        if (strncmp(at + strlen("--exclude="), q->values[i].text,
                    strlen(q->values[i].text)) == 0)
            return true;
    return false;
}

/* "bob's processes": the owner, when no program has that name. */
static bool
ends_program(const struct engine *g, const char *command)
{
    static const char *const ways[] = {"pkill -x ", "killall ", "pgrep -x "};
    const struct request *q = &g->request;

    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (!v || v->is != SLOT_USER || installed_has(g->installed, v->text))
            continue;
        for (size_t k = 0; k < ARRAY_SIZE(ways); k++) {
            const char *at = strstr(command, ways[k]);

            if (at &&
                strncmp(at + strlen(ways[k]), v->text, strlen(v->text)) == 0)
                return true;
        }
    }
    return false;
}

/* "delete the image photo.jpg" */
static bool
is_file_value(const struct request_value *v)
{
    return v && v->is == SLOT_PATH && (v->exists || strchr(v->text, '.'));
}

/* "delete user bob": a user is no file. */
static bool
removes_files(const struct request *q, const char *command)
{
    static const char kinds[] =
        " user account group container image volume branch package service "
        "database table ";
    size_t verb = request_find(q, "delete");
    size_t kind = verb + 1;

    if (verb == REQUEST_NONE ||
        (strncmp(command, "find ", 5) != 0 && strncmp(command, "rm ", 3) != 0))
        return false;
    while (kind < q->n && lexicon_listed(q->words[kind].plain, " the a my "))
        kind++;
    return kind + 1 < q->n && lexicon_listed(q->words[kind].stem, kinds) &&
           !request_value_of(q, kind) &&
           !is_file_value(request_value_of(q, kind + 1)) &&
           strcmp(q->words[kind + 1].stem, "file") != 0 &&
           (kind + 2 == q->n || strcmp(q->words[kind + 2].stem, "file") != 0);
}

bool
engine_is_contrary(const struct engine *g, const char *command,
                   const char *title)
{
    return antonym_of(&g->request, command, title) ||
           operand_order_is_swapped(&g->request, command) ||
           is_find_for_name(g, command) ||
           excludes_something(&g->request, command) ||
           ends_program(g, command) || removes_files(&g->request, command);
}

/* Of those that are shown. */
static int
drop_bad(struct engine *g, struct err *e)
{
    bool good;

    for (size_t i = 0; i < ENGINE_ANSWERS && i < g->list.n; i += good) {
        if (engine_check(g, &g->list.v[i], &good, e) < 0)
            return -1;
        good = good && !is_misfit(g->seat, g->list.v[i].command) &&
               !engine_is_contrary(g, g->list.v[i].command, g->list.v[i].title);
        if (!good)
            rank_drop(&g->ranking, i);
    }
    return 0;
}

int
engine_ask(struct engine *g, const char *text, struct engine_answers *out,
           struct err *e)
{
    struct engine_answers all = {0};

    if (engine_read(g, text, e) < 0 || engine_gather(g, e) < 0)
        return -1;
    rank_sort(&g->ranking);
    if (drop_bad(g, e) < 0)
        return -1;
    while (all.n < ENGINE_ANSWERS && all.n < g->list.n) {
        if (add_answer(g, all.n, &all.v[all.n], e) < 0) {
            engine_answers_done(&all);
            return -1;
        }
        all.n++;
    }
    if (all.n > 0)
        snprintf(all.lost, sizeof(all.lost), "%s", lost_by(g, 0));
    veto_opaque(g, &all);
    all.confidence = rank_confidence(&g->ranking);
    all.sure = all.n > 0 && is_sure(g, &all) && !all.doubt[0];
    all.near = all.confidence >= ENGINE_NEAR;
    *out = all;
    return 0;
}

void
engine_answers_done(struct engine_answers *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n; i++)
        free(a->v[i].command);
    a->n = 0;
}
