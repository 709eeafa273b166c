/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_candidates.c - finds candidate commands for a request. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "offline/engine/engine_state.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

/* Candidates of recipes and of generators. */

/* The number of recipes whose commands are filled. Further ones only vote; the
 * right one is rarely among them. */
#define FILLED_MAX 24

/* Recipes never push out candidates of generators. */
#define RECIPE_FIT 0.5

static const char *
spellcheck_word(void *arg, const char *word)
{
    return index_spellcheck(arg, word);
}

int
engine_read(struct engine *g, const char *text, struct err *e)
{
    struct request_world world = {
        .seat = g->seat, .mend = spellcheck_word, .arg = (void *)g->index};
    struct request q = {0};

    if (request_read(text, &world, &q, e) < 0)
        return -1;
    request_done(&g->request);
    shortlist_done(&g->list);
    index_rates_done(&g->rates);
    g->request = q;
    g->ranking = (struct ranking){
        .q = &g->request,
        .x = g->index,
        .hits = g->hits,
        .rates = &g->rates,
        .installed = g->installed,
        .list = &g->list,
    };
    g->ranking.n_hits = index_search(g->index, &g->request, g->hits,
                                     INDEX_HITS_MAX);
    index_rate(g->index, &g->request, &g->rates);
    buf_clear(&g->place.text);
    g->place.used = 0;
    generate_places(&g->request, &g->place.used, &g->place.text);
    return buf_ok(&g->place.text, "a place", e);
}

static bool
is_no_file(const struct seat *s, const char *path)
{
    return path[strlen(path) - 1] != '/' && !seat_has(s, path);
}

/* Whether a template that begins with a slot ("{name} > {path}") got a word
 * that is no program. */
static bool
starts_unknown(const struct engine *g, const char *from, const char *command)
{
    struct command_programs p;

    if (from[0] != '{' || from[1] == '{')
        return false;
    command_programs_of(command, &p);
    if (p.n > 0 && strchr(p.names[0], '/') && is_no_file(g->seat, p.names[0]))
        return false; /* a script that is still to be written */
    return p.n == 0 || !installed_has(g->installed, p.names[0]);
}

/* "empty it but do not delete it": whether the command deletes it
 * nevertheless. */
static bool
deletes_against_request(const struct engine *g, const char *command)
{
    static const char *const removers[] = {"rm", "rmdir", "unlink", "shred"};
    const struct request *q = &g->request;
    struct command_programs p;
    bool no = false;

    for (size_t i = 0; i < q->n && !no; i++)
        no = generate_is(q, i, "delete remove erase") && generate_negated(q, i);
    if (!no || strstr(command, " -delete"))
        return no;
    command_programs_of(command, &p);
    for (size_t i = 0; i < p.n; i++)
        for (size_t r = 0; r < ARRAY_SIZE(removers); r++)
            if (!strcmp(p.names[i], removers[r]))
                return true;
    return false;
}

/* "list the files in x.tar": ls does not open it. */
static bool
lists_archive(const char *command)
{
    static const char *const ends[] = {".tar",    ".tgz",    ".zip",
                                       ".tar.gz", ".tar.xz", ".tar.bz2"};
    size_t n = strlen(command);

    for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
        size_t k = strlen(ends[i]);

        if (n > k && strcmp(command + n - k, ends[i]) == 0 &&
            (strncmp(command, "ls ", 3) == 0 ||
             strncmp(command, "find ", 5) == 0) &&
            !strpbrk(command, "*?|"))
            return true;
    }
    return false;
}

/* "x.csv" for a command that separates columns by blanks. */
static bool
misreads(const char *command)
{
    static const struct {
        const char *program, *separator;
    } rows[] = {{"sort ", " -t"}, {"awk ", " -F"}, {"cut ", " -d"}};
    const char *csv = strstr(command, ".csv");

    if (!csv || (csv[4] && !strchr(" '\"|)", csv[4])))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (strncmp(command, rows[i].program, strlen(rows[i].program)) == 0 &&
            (!strstr(command, rows[i].separator) || strstr(command, " -d' '")))
            return strstr(command, " -k") || *command != 's';
    return false;
}

/* Whether it unpacks the wrong format: "a.zip" with tar, "x.tar" with unzip. */
static bool
misunpacks(const char *command)
{
    static const struct {
        const char *program, *ends;
    } rows[] = {
        {"tar -x", " .zip .7z .rar .iso .deb "},
        {"tar --skip", " .zip .7z .rar .iso .deb "},
        {"unzip ", " .tar .tgz .gz .xz .bz2 .zst .7z .rar "},
        {"gunzip ", " .zip .xz .bz2 .zst .7z .rar "},
        {"dpkg", " .zip .tar .tgz .gz .7z .rar "},
    };
    const char *word = strrchr(command, ' ');
    const char *dot = word ? strrchr(word, '.') : NULL;

    for (size_t i = 0; dot && i < ARRAY_SIZE(rows); i++)
        if (strncmp(command, rows[i].program, strlen(rows[i].program)) == 0 &&
            lexicon_listed(dot, rows[i].ends))
            return true;
    return false;
}

/* The values of a request that have a slot as stem; a name that phrases have is
 * a plain word there. */
static uint64_t
literals_of(const struct request *q)
{
    uint64_t set = 0;

    for (size_t i = 0; i < q->n; i++)
        if (q->words[i].value >= 0 && q->words[i].stem[0] == '{')
            set |= UINT64_C(1) << i;
    return set;
}

/* Whether a word behind "from" fills a slot although no phrase has "from":
 * "install from requirements" installs nothing of that name. */
static uint64_t
is_misplaced(const struct request *q, const struct recipe *r, uint64_t filled)
{
    uint64_t set = 0;

    for (size_t i = 0; i < r->n_phrases; i++)
        if (strstr(r->phrases[i], "from "))
            return 0;
    for (size_t i = 1; i < q->n; i++) {
        size_t k = i - 1;

        if (!(filled >> i & 1) || q->words[i].stem[0] == '{')
            continue;
        while (k > 0 && q->words[k].weak &&
               strcmp(q->words[k].plain, "from") != 0)
            k--;
        if (strcmp(q->words[k].plain, "from") == 0)
            set |= UINT64_C(1) << i;
    }
    return set;
}

/* Whether it ends, deletes or installs something named by a word of the
 * language: "kill time", "install requirements". */
static uint64_t
names_nothing(const struct request *q, const struct recipe *r, uint64_t filled)
{
    static const char kinds[] =
        " name named called user group service container package process "
        "program branch image tag host database unit daemon job remote table "
        "directory file module volume network session file disk ";
    uint64_t set = 0;

    if (r->risk < RECIPE_DELETES)
        return 0;
    for (size_t i = 1; i < q->n; i++) {
        size_t before = generate_before(q, i);
        bool has_kind = (before != REQUEST_NONE &&
                         lexicon_listed(q->words[before].stem, kinds)) ||
                        (i + 1 < q->n &&
                         lexicon_listed(q->words[i + 1].stem, kinds));

        if (filled >> i & 1 && q->words[i].value < 0 && !has_kind &&
            lexicon_known(q->words[i].plain))
            set |= UINT64_C(1) << i;
    }
    return set;
}

static int
add_recipe_candidate(struct engine *g, int hit, const struct recipe *r,
                     struct err *e)
{
    const struct index_hit *h = &g->hits[hit];
    CLEANUP_BUF struct buf command = buf_of(CANDIDATE_BYTES);
    struct slot_fill_result filled;
    struct slot_fill fill;

    slot_fill_choose(&g->request, g->index, &g->place, r, h->phrase, &fill);
    for (size_t i = 0; i < r->n_steps; i++) {
        struct candidate c = {.recipe = (int)h->recipe,
                              .hit = hit,
                              .way = (unsigned)i,
                              .fit = RECIPE_FIT * h->share};

        buf_clear(&command);
        if (slot_fill_command(&fill, r->steps[i].command, &command, &filled,
                              e) < 0) {
            if (command.bad) /* too long: no candidate */
                continue;
            return -1;
        }
        if (starts_unknown(g, r->steps[i].command, command.p) ||
            deletes_against_request(g, command.p) || filled.harms ||
            misreads(command.p) || misunpacks(command.p) ||
            (request_find(&g->request, "in of inside") != REQUEST_NONE &&
             lists_archive(command.p)) ||
            (r->risk == RECIPE_DELETES &&
             slot_fill_leaves(&g->request, &filled)))
            continue;
        c.command = command.p;
        c.used = (h->used & ~literals_of(&g->request)) | filled.used;
        c.used &= ~is_misplaced(&g->request, r, filled.used) &
                  ~names_nothing(&g->request, r, filled.used);
        c.filled = filled.used;
        c.open = filled.open;
        c.strain = filled.strain;
        snprintf(c.title, sizeof(c.title), "%s", r->title);
        if (shortlist_add(&g->list, &c, e) < 0)
            return -1;
    }
    return 0;
}

int
engine_gather(struct engine *g, struct err *e)
{
    struct recipe r;
    size_t filled = 0;

    literals_read(&g->request, &g->literals);
    g->request.literals = &g->literals;
    for (const struct generator *c = generator_all(); c->name; c++) {
        if (c->generate(&g->request, &g->list, e) < 0)
            return -1;
    }
    for (size_t i = 0; i < g->ranking.n_hits && filled < FILLED_MAX; i++) {
        index_recipe(g->index, g->hits[i].recipe, &r);
        if (r.job || r.generator)
            continue;
        filled++;
        if (add_recipe_candidate(g, (int)i, &r, e) < 0)
            return -1;
    }
    return 0;
}
