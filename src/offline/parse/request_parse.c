/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_parse.c - turns a request in plain words into words and values.
 *
 * request_parser.h has the order of the steps. */
#include "offline/parse/request_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parser.h"

/* Words become values; paths are looked up; plain words become stems. */

/* A word of fewer letters is as near to many others. */
#define MEND_MIN 4

#define SPACED_NAMES 4 /* words of a file's name, without quotes */

static void
copy_lower_word(char out[REQUEST_STEM_MAX], const char *s, size_t n)
{
    n = n < REQUEST_STEM_MAX ? n : REQUEST_STEM_MAX - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] - 'A' + 'a') : s[i];
    out[n] = '\0';
}

/* The slot of a number is filled with digits, that of an ending without its
 * dot: "5th", "1,000", ten; ".txt"; ":80". */
static void
tidy_word(struct request_value *v)
{
    char *s = v->text, *to = s;

    if ((v->is == SLOT_EXT && *s == '.') || (v->is == SLOT_PORT && *s == ':'))
        memmove(s, s + 1, strlen(s));
    if (v->is != SLOT_NUMBER || strpbrk(s, "%."))
        return;
    while (*s &&
           (*s == '-' || *s == '+' || isdigit((unsigned char)*s) || *s == ','))
        if (*s++ != ',')
            *to++ = s[-1];
    *to = '\0';
}

/* The word from token i on, `taken` of them; they are one literal. */
static int
add_literal_word(struct request_parser *r, size_t i, size_t taken,
                 const struct request_value *like, struct err *e)
{
    const struct request_token *a = &r->t[i], *z = &r->t[i + taken - 1];
    struct request *q = r->q;
    struct request_word *w = &q->words[q->n];
    struct request_value *v;
    char *text;

    w->from = a->from;
    w->to = z->to;
    copy_lower_word(w->plain, q->text + a->in, z->end - a->in);
    v = request_give(q, q->n, q->text + a->in, z->end - a->in, e);
    if (!v)
        return -1;
    text = v->text;
    *v = *like;
    v->text = text;
    v->quoted = a->quoted;
    if (!v->quoted)
        tidy_word(v);
    q->n++;
    return 0;
}

/* {path}, {number:10}: the slots of a recipe's phrases */
static bool
is_slot(const char *s, size_t n, struct request_value *v)
{
    size_t k = 1;
    int type;

    if (n < 5 || s[0] != '{' || s[n - 1] != '}')
        return false;
    while (k < n && s[k] >= 'a' && s[k] <= 'z')
        k++;
    type = slot_find(s + 1, k - 1);
    if (type < 0)
        return false;
    v->types = 1u << type;
    v->is = (enum slot_type)type;
    return true;
}

static void
shape_quoted(const char *s, size_t n, struct request_value *v)
{
    if (n && !memchr(s, ' ', n))
        request_shape(s, n, v);
    if (v->types == 0 || v->is == SLOT_NUMBER || v->is == SLOT_EXT ||
        v->is == SLOT_NAME || v->is == SLOT_SIZE || v->is == SLOT_AGE ||
        (v->is == SLOT_PATH && n < 6 && s[0] == '.' && n > 1 &&
         isalpha((unsigned char)s[1]) && !memchr(s + 1, '.', n - 1)))
        v->is = SLOT_TEXT;
    v->types |= TYPE(TEXT);
    if (n > 0) /* nothing is called "" */
        v->types |= TYPE(PATH) | TYPE(NAME) | TYPE(GLOB);
}

/* "ten", "third"; "one" mostly is none. */
static bool
is_number_word(const char *s, size_t n, char digits[REQUEST_STEM_MAX],
               struct request_value *v)
{
    char word[REQUEST_STEM_MAX];
    long number;

    if (n < 3 || n >= sizeof(word))
        return false;
    copy_lower_word(word, s, n);
    number = lexicon_number(word);
    if (number < 0 || number == 1 || strcmp(word, "couple") == 0)
        return false;
    snprintf(digits, REQUEST_STEM_MAX, "%ld", number);
    v->types = TYPE(NUMBER);
    v->is = SLOT_NUMBER;
    v->amount = number;
    return true;
}

static int
add_number_word(struct request_parser *r, size_t i, const char *digits,
                const struct request_value *like, struct err *e)
{
    struct request_value *v;
    char *text = strdup(digits);

    if (!text)
        return err_sys(e, "a number in the request");
    if (add_literal_word(r, i, 1, like, e) < 0) {
        free(text);
        return -1;
    }
    v = &r->q->values[r->q->n_values - 1];
    free(v->text);
    v->text = text;
    return 1;
}

static int
add_plain_word(struct request_parser *r, size_t i)
{
    struct request_word *w = &r->q->words[r->q->n++];

    w->from = r->t[i].from;
    w->to = r->t[i].to;
    w->value = -1;
    copy_lower_word(w->plain, r->q->text + r->t[i].in,
                    r->t[i].end - r->t[i].in);
    return 0;
}

static bool
is_latin_abbreviation(const char *s, size_t n)
{
    return n == 3 &&
           (strncasecmp(s, "e.g", 3) == 0 || strncasecmp(s, "i.e", 3) == 0);
}

/* Whether a token may end a file's name: a dot is in it. */
static bool
has_ending(const struct request_parser *r, size_t i)
{
    const struct request_token *t = &r->t[i];
    const char *s = r->q->text + t->in;
    size_t n = t->end - t->in;
    const char *dot = t->quoted ? NULL : memrchr(s, '.', n);

    return dot && dot > s && dot + 1 < s + n && n < REQUEST_STEM_MAX;
}

/* Whether the tokens are what stands between blanks, and lies here. */
static bool
names_file_here(struct request_parser *r, size_t i, size_t n)
{
    const struct request_token *a = &r->t[i], *z = &r->t[i + n - 1];
    char name[SPACED_NAMES * REQUEST_STEM_MAX];
    bool is_dir;

    return (size_t)snprintf(name, sizeof(name), "%.*s", (int)(z->end - a->in),
                            r->q->text + a->in) < sizeof(name) &&
           request_path_exists(r, name, &is_dir);
}

/* "delete photo 1.jpg", where that is one file and 1.jpg is none: how many
 * tokens its name has that begins at token i; 0: none does. */
static size_t
spaced_name(struct request_parser *r, size_t i)
{
    for (size_t n = 2; n <= SPACED_NAMES && i + n <= r->n; n++) {
        if (r->t[i + n - 1].quoted || r->t[i].quoted)
            return 0;
        if (has_ending(r, i + n - 1))
            return !names_file_here(r, i + n - 1, 1) && names_file_here(r, i, n)
                       ? n
                       : 0;
    }
    return 0;
}

/* Returns how many tokens were read; -1: no memory. */
static int
read_token(struct request_parser *r, size_t i, struct err *e)
{
    const struct request_token *t = &r->t[i];
    const char *s = r->q->text + t->in;
    struct request_value v = {0};
    size_t n = t->end - t->in, taken;
    char digits[REQUEST_STEM_MAX];

    if (t->quoted) {
        shape_quoted(s, n, &v);
        return add_literal_word(r, i, 1, &v, e) < 0 ? -1 : 1;
    }
    taken = spaced_name(r, i);
    if (taken) {
        v.is = SLOT_PATH;
        v.types = TYPE(PATH) | TYPE(NAME) | TYPE(TEXT);
        return add_literal_word(r, i, taken, &v, e) < 0 ? -1 : (int)taken;
    }
    taken = request_quantity(r, i, &v);
    if (taken)
        return add_literal_word(r, i, taken, &v, e) < 0 ? -1 : (int)taken;
    memset(&v, 0, sizeof(v));
    if (is_number_word(s, n, digits, &v))
        return add_number_word(r, i, digits, &v, e);
    if (!is_slot(s, n, &v) && !is_latin_abbreviation(s, n))
        request_shape(s, n, &v);
    if (v.types)
        return add_literal_word(r, i, 1, &v, e) < 0 ? -1 : 1;
    add_plain_word(r, i);
    return 1;
}

static bool
has_letters(const char *s)
{
    while (*s && !isalnum((unsigned char)*s) && (unsigned char)*s < 0x80)
        s++;
    return *s != '\0';
}

/* A name in no quotes may be a word that a recipe has: "ssh-agent". */
static void
stem_word(struct request *q, struct request_word *w)
{
    const struct request_value *v = w->value < 0 ? NULL : &q->values[w->value];

    if (v && (v->quoted || v->is != SLOT_NAME)) {
        snprintf(w->stem, sizeof(w->stem), "{%s}", slot_name(v->is));
        return;
    }
    lexicon_stem(w->plain, strlen(w->plain), w->stem);
    w->weak = !v && (lexicon_is_weak(w->stem) || !has_letters(w->plain));
}

/* Only what the words around it left plain may be a typing error. */
static void
mend_word(const struct request_world *world, struct request_word *w)
{
    const char *better = NULL;

    if (w->weak || strlen(w->plain) < MEND_MIN || lexicon_known(w->plain))
        return;
    better = world->mend(world->arg, w->plain);
    if (!better)
        return;
    copy_lower_word(w->plain, better, strlen(better));
    lexicon_stem(w->plain, strlen(w->plain), w->stem);
    w->weak = lexicon_is_weak(w->stem);
}

/* "-notes.txt": a file that is here is more likely than an option. */
static bool
is_hyphened(const struct request_value *v)
{
    return v->is == SLOT_TEXT && v->text[0] == '-' &&
           strchr(v->text, '.') != NULL;
}

static void
look_at_paths(struct request_parser *r)
{
    for (size_t i = 0; i < r->q->n_values; i++) {
        struct request_value *v = &r->q->values[i];

        if (is_hyphened(v))
            v->types |= TYPE(PATH);
        if (!(v->types & TYPE(PATH)) || v->is == SLOT_GLOB ||
            strlen(v->text) > 255)
            continue;
        v->exists = request_path_exists(r, v->text, &v->is_dir);
        if (v->exists && (v->is == SLOT_NAME || is_hyphened(v)))
            v->is = SLOT_PATH;
    }
}

/* Whether what follows an ending, or stands before it, means all that end so:
 * ".env files". */
static bool
means_kind(const struct request *q, size_t i)
{
    static const char kinds[] = " file files extension extensions ext suffix "
                                "ending format formats and or ";
    static const char many[] = " all every each any only no named in with as "
                               "to into end ending ends and or extension "
                               "suffix ext ";

    return (i + 1 < q->n && lexicon_listed(q->words[i + 1].plain, kinds)) ||
           (i > 0 && lexicon_listed(q->words[i - 1].plain, many));
}

/* ".env" is an ending, too, but the name of what lies here. */
static int
name_dotted(struct request_parser *r, struct err *e)
{
    struct request *q = r->q;
    char name[REQUEST_STEM_MAX];
    bool is_dir;

    for (size_t i = 0; i < q->n; i++) {
        struct request_value *v = q->words[i].value < 0
                                      ? NULL
                                      : &q->values[q->words[i].value];

        if (!v || v->is != SLOT_EXT || v->quoted ||
            q->text[q->words[i].from] != '.' || means_kind(q, i) ||
            (size_t)snprintf(name, sizeof(name), ".%s", v->text) >=
                sizeof(name) ||
            !request_path_exists(r, name, &is_dir))
            continue;
        free(v->text);
        v->text = strdup(name);
        if (!v->text)
            return err_sys(e, "a name in the request");
        v->is = SLOT_PATH;
        v->types = TYPE(PATH) | TYPE(NAME) | TYPE(TEXT);
    }
    return 0;
}

static int
read_request_words(struct request_parser *r, struct err *e)
{
    struct request *q = r->q;

    if (name_dotted(r, e) < 0)
        return -1;
    for (size_t i = 0; i < q->n; i++)
        stem_word(q, &q->words[i]);
    if (request_context(r, e) < 0)
        return -1;
    look_at_paths(r);
    if (request_paths(r, e) < 0) /* of words as they were written */
        return -1;
    for (size_t i = 0; i < q->n; i++)
        if (q->words[i].value < 0 && r->world && r->world->mend)
            mend_word(r->world, &q->words[i]);
    request_rows(q);
    request_bounds(q);
    return 0;
}

static int
read_tokens(struct request_parser *r, struct err *e)
{
    int taken;

    for (size_t i = 0; i < r->n && r->q->n < REQUEST_WORDS_MAX;
         i += (size_t)taken)
        if ((taken = read_token(r, i, e)) < 0)
            return -1;
    return read_request_words(r, e);
}

int
request_read(const char *text, const struct request_world *world,
             struct request *out, struct err *e)
{
    struct request q = {.seat = world ? world->seat : NULL};
    struct request_parser r = {.q = &q, .world = world};

    q.text = request_line(&r, text, e);
    if (!q.text)
        return -1;
    q.values = calloc(REQUEST_WORDS_MAX, sizeof(*q.values));
    if (!q.values) {
        request_done(&q);
        return err_sys(e, "the words of the request");
    }
    r.n = request_scan(q.text, r.t, REQUEST_TOKENS_MAX);
    if (read_tokens(&r, e) < 0) {
        request_done(&q);
        return -1;
    }
    *out = q;
    return 0;
}
