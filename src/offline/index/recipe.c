/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe.c - reads recipes from text files into a book.
 *
 * recipes/README has the format. Slots of templates, {path} or {number:10},
 * are read here too, and filled with examples for the linter and the index. */
#include "offline/index/recipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "offline/index/recipe_example.h"

#define OTHERWISE_MAX 128 /* bytes, with the NUL */

/* Bounds, far over what people write: a larger file is an error. */
#define RECIPE_BOOK_MAX  4096
#define RECIPE_FILES_MAX 64
#define RECIPE_FILE_MAX  (1u << 20) /* bytes */
#define RECIPE_ROW_MAX   1024       /* bytes of a line */

struct recipe_book {
    struct recipe *v; /* their strings point into `texts` */
    size_t n, room;
    char *
        texts[2 * RECIPE_FILES_MAX]; /* for each file: its path, its contents */
    size_t n_texts;
};

struct slot_scan {
    const char *text;
    size_t at; /* behind the brace that opened */
    struct recipe_slot slot;
    char otherwise[OTHERWISE_MAX];
};

static int
slot_wrong(const struct slot_scan *sc, size_t n, const char *what,
           struct err *e)
{
    return err_set(e, ERR_USAGE, "{%.*s}: %s", n > 40 ? 40 : (int)n,
                   sc->text + sc->at, what);
}

/* Reads the number behind the name of a type: 2 of path2. */
static bool
read_nth(struct slot_scan *sc, const char **p)
{
    sc->slot.nth = 1;
    if (**p < '0' || **p > '9')
        return true;
    sc->slot.nth = (unsigned)(*(*p)++ - '0');
    return sc->slot.nth >= 1 && sc->slot.nth <= RECIPE_SLOTS_MAX;
}

static bool
read_unit(struct slot_scan *sc, const char **p)
{
    const char *units = sc->slot.type == SLOT_AGE    ? "smhdwMy"
                        : sc->slot.type == SLOT_SIZE ? "ckMGT"
                        : sc->slot.type == SLOT_PATH ? "dn"
                                                     : "";

    if (**p != '.')
        return true;
    ++*p;
    if (!strchr(units, **p))
        return false;
    sc->slot.unit = *(*p)++;
    return true;
}

/* {@today}, n bytes from sc->at on. */
static int
read_known(struct slot_scan *sc, size_t n, struct err *e)
{
    static const struct {
        const char *name;
        enum recipe_known known;
    } names[] = {{"@today", RECIPE_KNOWN_TODAY},
                 {"@day", RECIPE_KNOWN_DAY},
                 {"@home", RECIPE_KNOWN_HOME},
                 {"@user", RECIPE_KNOWN_USER}};
    const char *p = sc->text + sc->at;
    size_t end = n > 1 && p[n - 1] == '!' ? n - 1 : n;

    sc->slot = (struct recipe_slot){.nth = 1, .bare = end < n};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strlen(names[i].name) == end && !memcmp(names[i].name, p, end)) {
            sc->slot.known = names[i].known;
            return 0;
        }
    return slot_wrong(sc, n, "known are @today, @day, @home and @user", e);
}

/* Reads a slot: n bytes at sc->at, between the braces. */
static int
read_slot(struct slot_scan *sc, size_t n, struct err *e)
{
    const char *p = sc->text + sc->at, *end = p + n;
    int type;

    sc->slot = (struct recipe_slot){0};
    if (n == 0)
        return err_set(e, ERR_USAGE, "{}: write {{}} for a shell's own");
    if (*p == '@')
        return read_known(sc, n, e);
    while (p < end && *p >= 'a' && *p <= 'z')
        p++;
    type = slot_find(sc->text + sc->at, (size_t)(p - sc->text) - sc->at);
    if (type < 0)
        return slot_wrong(sc, n, "no type of slot; a shell's own brace is {{",
                          e);
    sc->slot.type = type;
    if (!read_nth(sc, &p))
        return slot_wrong(sc, n, "the first is {name}, then {name2} up to 8",
                          e);
    if (!read_unit(sc, &p))
        return slot_wrong(sc, n,
                          "ages have units smhdwMy, sizes ckMGT, "
                          "paths dn",
                          e);
    if (*p == '!') {
        sc->slot.bare = true;
        p++;
    }
    if (*p == ':') {
        if (end - p > OTHERWISE_MAX)
            return slot_wrong(sc, n, "what stands there otherwise is too long",
                              e);
        memcpy(sc->otherwise, p + 1, (size_t)(end - p) - 1);
        sc->otherwise[end - p - 1] = '\0';
        sc->slot.otherwise = sc->otherwise;
        p = end;
    }
    return p == end ? 0 : slot_wrong(sc, n, "odd behind the type", e);
}

int
recipe_slots(const char *text,
             int (*slot)(void *arg, const struct recipe_slot *s, size_t from,
                         size_t to),
             void *arg, struct err *e)
{
    struct slot_scan sc = {.text = text};
    size_t i = 0, n;

    while (text[i += strcspn(text + i, "{}")]) {
        if (text[i] == text[i + 1]) {
            i += 2;
            continue;
        }
        sc.at = i + 1;
        n = strcspn(text + sc.at, "}");
        if (text[i] == '}' || !text[sc.at + n])
            return err_set(e, ERR_USAGE,
                           "a lone %c: a shell's own brace is "
                           "written twice",
                           text[i]);
        if (read_slot(&sc, n, e) < 0)
            return -1;
        if (slot && slot(arg, &sc.slot, i, sc.at + n + 1) < 0)
            return -1;
        i = sc.at + n + 1;
    }
    return 0;
}

struct recipe_reader {
    struct recipe_book *book;
    struct recipe *r; /* the recipe that is read, or NULL */
    unsigned rows;    /* rows that may be there once: a bit for each */
    const char *file;
    unsigned line;
    struct err *e;
};

static int
wrong(struct recipe_reader *rd, const char *what)
{
    return err_set(rd->e, ERR_USAGE, "%s:%u: %s", rd->file, rd->line, what);
}

/* Whether s[0..n) is a name of letters, digits and dashes. */
static bool
is_recipe_id(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(s[i] >= 'a' && s[i] <= 'z') && !(s[i] >= '0' && s[i] <= '9') &&
            s[i] != '-')
            return false;
    return n > 0;
}

static int
add_recipe_phrase(struct recipe_reader *rd, char *text)
{
    if (rd->r->n_phrases == RECIPE_PHRASES_MAX)
        return wrong(rd, "more than six phrases: keep those that differ most");
    rd->r->phrases[rd->r->n_phrases++] = text;
    return recipe_slots(text, NULL, NULL, rd->e) < 0
               ? err_wrap(rd->e, "%s:%u", rd->file, rd->line)
               : 0;
}

/* Adds the command of the step above it, in a job. */
static int
add_step_command(struct recipe_reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (r->steps[r->n_steps - 1].command)
        return wrong(rd, "a job's command must follow a step of its own (-)");
    r->steps[r->n_steps - 1].command = text;
    return 0;
}

static int
add_recipe_command(struct recipe_reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (recipe_slots(text, NULL, NULL, rd->e) < 0)
        return err_wrap(rd->e, "%s:%u", rd->file, rd->line);
    if (r->generator)
        return wrong(rd, "a command, and a composer: one of the two");
    if (r->job)
        return add_step_command(rd, text);
    if (r->n_steps == RECIPE_COMMANDS_MAX)
        return wrong(rd, "more than six commands");
    r->steps[r->n_steps++].command = text;
    return 0;
}

static int
add_job_step(struct recipe_reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (r->generator || (!r->job && r->n_steps > 0))
        return wrong(rd, "a step after a command without a step");
    if (r->job && !r->steps[r->n_steps - 1].command)
        return wrong(rd, "the step before this one has no command ($)");
    if (r->n_steps == RECIPE_STEPS_MAX)
        return wrong(rd, "more than twelve steps");
    r->job = true;
    r->steps[r->n_steps++].description = text;
    return 0;
}

static int
set_generator(struct recipe_reader *rd, char *text)
{
    if (rd->r->n_steps > 0)
        return wrong(rd, "a command, and a composer: one of the two");
    if (!is_recipe_id(text, strlen(text)))
        return wrong(rd, "compose wants one name");
    rd->r->generator = text;
    return 0;
}

static int
set_needs(struct recipe_reader *rd, char *text)
{
    rd->r->needs = text;
    return 0;
}

static int
set_risk(struct recipe_reader *rd, char *text)
{
    for (int risk = RECIPE_READS; risk <= RECIPE_ROOT; risk++)
        if (strcmp(text, recipe_risk_name(risk)) == 0) {
            rd->r->risk = risk;
            return 0;
        }
    return wrong(rd, "risk is one of reads, writes, deletes, root");
}

static int
pass_over(struct recipe_reader *rd, char *text)
{
    (void)rd, (void)text;
    return 0;
}

static const struct recipe_row {
    const char *word;
    int (*add)(struct recipe_reader *rd, char *text);
    bool once;
} rows[] = {
    {"?", add_recipe_phrase, false},  {"$", add_recipe_command, false},
    {"-", add_job_step, false},       {"#", pass_over, false},
    {"compose", set_generator, true}, {"needs", set_needs, true},
    {"risk", set_risk, true},
};

#define ROWS ARRAY_SIZE(rows)

static int
read_recipe_row(struct recipe_reader *rd, char *text)
{
    size_t word = strcspn(text, " ");

    if (!rd->r)
        return wrong(rd, "a row without a stanza above it");
    for (size_t i = 0; i < ROWS; i++) {
        if (strlen(rows[i].word) != word ||
            strncmp(text, rows[i].word, word) != 0)
            continue;
        if (rows[i].once && (rd->rows & 1u << i))
            return wrong(rd, "a second row of the kind");
        rd->rows |= 1u << i;
        text += word;
        text += strspn(text, " ");
        if (!*text && rows[i].add != pass_over)
            return wrong(rd, "an empty row");
        return rows[i].add(rd, text);
    }
    return wrong(rd, "a row begins with ? $ - # compose needs or risk");
}

static int
end_stanza(struct recipe_reader *rd)
{
    const struct recipe *r = rd->r;

    if (!r)
        return 0;
    rd->line = r->line;
    rd->r = NULL;
    if (r->n_phrases == 0)
        return wrong(rd, "a recipe without a phrase (?)");
    if (r->n_steps == 0 && !r->generator)
        return wrong(rd, "a recipe without a command ($) or a composer");
    if (r->job && !r->steps[r->n_steps - 1].command)
        return wrong(rd, "its last step has no command ($)");
    return 0;
}

/* Adds an empty recipe at the end. Returns NULL without room. Valid until the
 * next call. */
static struct recipe *
add_empty_recipe(struct recipe_book *b, struct err *e)
{
    size_t room = b->room ? 2 * b->room : 64;
    struct recipe *more;

    if (b->n == RECIPE_BOOK_MAX) {
        err_set(e, ERR_USAGE, "more than %d recipes", RECIPE_BOOK_MAX);
        return NULL;
    }
    if (b->n == b->room) {
        more = reallocarray(b->v, room, sizeof(*more));
        if (!more) {
            err_sys(e, "the recipes");
            return NULL;
        }
        b->v = more;
        b->room = room;
    }
    b->v[b->n] = (struct recipe){.needs = ""};
    return &b->v[b->n++];
}

static const struct recipe *
find_recipe(const struct recipe_book *b, const char *id)
{
    for (size_t i = 0; i < b->n; i++)
        if (strcmp(b->v[i].id, id) == 0)
            return &b->v[i];
    return NULL;
}

static int
begin_stanza(struct recipe_reader *rd, char *text)
{
    size_t id = strcspn(text, ":");
    unsigned line = rd->line;
    const struct recipe *same;
    char *title = text + id;

    if (end_stanza(rd) < 0)
        return -1;
    rd->line = line;
    if (!*title || !is_recipe_id(text, id))
        return wrong(rd, "a stanza begins with `name: title', the name of "
                         "small letters, digits and -; a row with four blanks");
    *title++ = '\0';
    title += strspn(title, " ");
    if (!*title)
        return wrong(rd, "a recipe without a title");
    same = find_recipe(rd->book, text);
    if (same)
        return err_set(rd->e, ERR_USAGE, "%s:%u: duplicate recipe %s: %s:%u",
                       rd->file, rd->line, text, same->file, same->line);
    rd->r = add_empty_recipe(rd->book, rd->e);
    if (!rd->r)
        return -1;
    rd->rows = 0;
    rd->r->id = text;
    rd->r->title = title;
    rd->r->file = rd->file;
    rd->r->line = line;
    return 0;
}

/* Reads a line of n bytes; blanks at its end are removed. */
static int
read_recipe_line(struct recipe_reader *rd, char *text, size_t n)
{
    size_t blanks = strspn(text, " ");

    if (n > RECIPE_ROW_MAX)
        return wrong(rd, "a line of more than 1024 bytes");
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    if (strchr(text, '\t') || strchr(text, '\r'))
        return wrong(rd, "a tab or a carriage return: use blanks");
    if (blanks >= n || (blanks == 0 && *text == '#'))
        return 0;
    if (blanks == 0)
        return begin_stanza(rd, text);
    if (blanks < 4)
        return wrong(rd, "a row is indented by four blanks");
    return read_recipe_row(rd, text + blanks);
}

/* Adds the recipes of a text, which is modified: a NUL ends each string. text
 * and name, which errors use for the file, must outlive the book. */
static int
read_recipes(struct recipe_book *b, const char *name, char *text, struct err *e)
{
    struct recipe_reader rd = {.book = b, .file = name, .e = e};

    while (*text) {
        size_t n = strcspn(text, "\n");
        bool last = !text[n];

        rd.line++;
        if (read_recipe_line(&rd, text, n) < 0)
            return -1;
        text += n + !last;
    }
    return end_stanza(&rd);
}

struct recipe_book *
recipe_book_new(struct err *e)
{
    struct recipe_book *b = calloc(1, sizeof(*b));

    if (!b)
        err_sys(e, "a book of recipes");
    return b;
}

void
recipe_book_free(struct recipe_book *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n_texts; i++)
        free(b->texts[i]);
    free(b->v);
    free(b);
}

/* Both are the book's from here on. */
static int
keep_texts(struct recipe_book *b, char **path, char **text, struct err *e)
{
    if (b->n_texts == 2 * RECIPE_FILES_MAX)
        return err_set(e, ERR_USAGE, "%s: more than %d files", *path,
                       RECIPE_FILES_MAX);
    b->texts[b->n_texts++] = TAKE_PTR(*path);
    b->texts[b->n_texts++] = TAKE_PTR(*text);
    return 0;
}

int
recipe_book_add(struct recipe_book *b, const char *path, struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(RECIPE_FILE_MAX);
    CLEANUP(free_p) char *name = strdup(path);
    CLEANUP(free_p) char *text = NULL;
    size_t before = b->n;

    if (!name)
        return err_sys(e, "%s", path);
    if (file_read(path, &bytes, e) < 0)
        return err_wrap(e, "%s", path);
    if (memchr(bytes.p, '\0', bytes.len))
        return err_set(e, ERR_USAGE, "%s: contains a NUL character", path);
    text = buf_take(&bytes);
    if (!text)
        return err_sys(e, "%s", path);
    if (keep_texts(b, &name, &text, e) < 0)
        return -1;
    if (read_recipes(b, b->texts[b->n_texts - 2], b->texts[b->n_texts - 1],
                     e) == 0)
        return 0;
    b->n = before;
    free(b->texts[--b->n_texts]);
    free(b->texts[--b->n_texts]);
    return -1;
}

size_t
recipe_book_count(const struct recipe_book *b)
{
    return b->n;
}

const struct recipe *
recipe_book_at(const struct recipe_book *b, size_t i)
{
    return i < b->n ? &b->v[i] : NULL;
}

const char *
recipe_risk_name(enum recipe_risk risk)
{
    static const char *const names[] = {
        [RECIPE_READS] = "reads",
        [RECIPE_WRITES] = "writes",
        [RECIPE_DELETES] = "deletes",
        [RECIPE_ROOT] = "root",
    };

    return (unsigned)risk <= RECIPE_ROOT ? names[risk] : "?";
}

/* Appends an example. Further slots of one type get different ones. */
static const struct {
    const char *first, *more;
} examples[] = {
    [SLOT_PATH] = {"notes.txt", "plans.txt"},
    [SLOT_GLOB] = {"'*.log'", "'*.tmp'"},
    [SLOT_EXT] = {"log", "txt"},
    [SLOT_SIZE] = {"10M", "20M"},
    [SLOT_AGE] = {"3", "5"},
    [SLOT_DATE] = {"2024-05-01", "2024-06-01"},
    [SLOT_NUMBER] = {"7", "9"},
    [SLOT_PORT] = {"8080", "9090"},
    [SLOT_USER] = {"bob", "eve"},
    [SLOT_GROUP] = {"staff", "games"},
    [SLOT_HOST] = {"example.org", "example.net"},
    [SLOT_URL] = {"https://example.org/a.html", "https://example.net/b.html"},
    [SLOT_MODE] = {"644", "755"},
    [SLOT_NAME] = {"thing", "other"},
    [SLOT_TEXT] = {"'some words'", "'other words'"},
};

struct example_filling {
    const char *text;
    size_t done; /* bytes of text that are out */
    struct buf *out;
    struct recipe_fills *fills;
    struct err *e;
};

/* Appends the text between slots; {{ becomes {. */
static void
add_between(struct example_filling *f, size_t to)
{
    while (f->done < to) {
        char c = f->text[f->done++];

        buf_ch(f->out, c);
        if (c == '{' || c == '}')
            f->done++;
    }
}

static const char *const known[] = {
    [RECIPE_KNOWN_TODAY] = "2026-05-01",
    [RECIPE_KNOWN_DAY] = "20260501",
    [RECIPE_KNOWN_HOME] = RECIPE_EXAMPLE_HOME,
    [RECIPE_KNOWN_USER] = "bob",
};

static void
add_slot_example(struct buf *out, const struct recipe_slot *s)
{
    const char *e = s->nth > 1 ? examples[s->type].more
                               : examples[s->type].first;
    size_t n = strlen(e);

    if (s->bare && *e == '\'')
        buf_add(out, e + 1, n - 2);
    else
        buf_add(out, e, n);
}

static int
fill_example(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct example_filling *f = arg;
    struct recipe_filled *one;

    add_between(f, from);
    f->done = to;
    if (s->known) {
        buf_str(f->out, known[s->known]);
        return 0;
    }
    if (f->fills->n == sizeof(f->fills->v) / sizeof(f->fills->v[0]))
        return err_set(f->e, ERR_USAGE, "too many slots");
    one = &f->fills->v[f->fills->n++];
    one->slot = *s;
    one->slot.otherwise = NULL;
    one->from = f->out->len;
    add_slot_example(f->out, s);
    one->to = f->out->len;
    return 0;
}

int
recipe_example(const char *text, struct buf *out, struct recipe_fills *fills,
               struct err *e)
{
    struct example_filling f = {
        .text = text, .out = out, .fills = fills, .e = e};

    fills->n = 0;
    if (recipe_slots(text, fill_example, &f, e) < 0)
        return -1;
    add_between(&f, strlen(text));
    return buf_ok(out, "a recipe", e);
}
