/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reasoning.c - finds the reasoning that a model wrote into its text. */
#include "model/provider/reasoning.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/cleanup.h"
#include "json/json.h"

#define NAME_MAX_BYTES 32
/* The attributes of a mark; where there are more, it has no end. */
#define MARK_MAX_BYTES 256
/* A part that is taken out may join two halves of a mark. A text in which this
 * goes on and on is no answer. */
#define PASSES_MAX 4

enum name_kind {
    NAME_TAG,     /* opens, and with a slash closes */
    NAME_OPENS,   /* opens … */
    NAME_CLOSES,  /* … and closes */
    NAME_CHANNEL, /* of harmony, and of Gemma */
    NAME_START,
    NAME_MESSAGE,
    NAME_STOP,
};

static const struct mark_name {
    const char *name;
    enum name_kind kind;
    unsigned family; /* what closes it has the same */
    bool plain;      /* also in [ ] */
} names[] = {
    {"think", NAME_TAG, 0, true},
    {"thinking", NAME_TAG, 1, true},
    {"thought", NAME_TAG, 2, false},
    {"thoughts", NAME_TAG, 3, false},
    {"reasoning", NAME_TAG, 4, false},
    {"reflection", NAME_TAG, 5, false},
    {"scratchpad", NAME_TAG, 6, false},
    {"analysis", NAME_TAG, 7, false},
    {"longcat_think", NAME_TAG, 8, false},
    {"begin_of_thought", NAME_OPENS, 9, false},
    {"end_of_thought", NAME_CLOSES, 9, false},
    {"start_thinking", NAME_OPENS, 10, false},
    {"end_thinking", NAME_CLOSES, 10, false},
    {"unused94", NAME_OPENS, 11, false},
    {"unused95", NAME_CLOSES, 11, false},
    {"channel", NAME_CHANNEL, 12, false},
    {"start", NAME_START, 0, false},
    {"message", NAME_MESSAGE, 0, false},
    {"end", NAME_STOP, 0, false},
    {"return", NAME_STOP, 0, false},
    {"call", NAME_STOP, 0, false},
};

static const struct bracket {
    const char *open, *close;
    bool plain;      /* words in it may be anything: few names count */
    bool attributes; /* may stand behind the name */
} brackets[REASONING_BRACKETS] = {
    {"<", ">", false, true},
    {"[", "]", true, false},
    {"\xe2\x97\x81", "\xe2\x96\xb7", false, false}, /* triangles */
    {"\xef\xbc\x9c", "\xef\xbc\x9e", false, false}, /* wide < > */
    {"&lt;", "&gt;", false, true},
};

enum mark_kind {
    MARK_OPENS,
    MARK_CLOSES,
    MARK_EMPTY, /* a block without content */
    MARK_CHANNEL,
    MARK_START,
    MARK_MESSAGE,
    MARK_STOP,
    MARK_BARE_FINAL,
    MARK_BARE_OTHER,
};

struct mark {
    enum mark_kind kind;
    unsigned family;
    size_t at, end;
};

/* The text; whole: it does not grow any more. */
struct text {
    const char *p;
    size_t n;
    bool whole;
    size_t broken; /* end of the scans of objects that are broken */
};

/* Whether there is a mark: no, yes, or the text ends too early to know. */
enum found { FOUND_NONE, FOUND_MARK, FOUND_PART };

/* Whether it may stand beside the name in a mark. */
static bool
is_bar_or_slash(char c)
{
    return c == '|' || c == '/';
}

static size_t
skip_blanks(const struct text *t, size_t i)
{
    while (i < t->n && ascii_is_space(t->p[i]))
        i++;
    return i;
}

static enum found
ends_early(const struct text *t)
{
    return t->whole ? FOUND_NONE : FOUND_PART;
}

/* Whether the word stands at *i, which moves behind it. */
static enum found
match_word(const struct text *t, size_t *i, const char *word)
{
    size_t n = strlen(word), have = t->n - *i;

    if (memcmp(t->p + *i, word, have < n ? have : n) != 0)
        return FOUND_NONE;
    if (have < n)
        return ends_early(t);
    *i += n;
    return FOUND_MARK;
}

/* Reads a name without its prefix, and moves *i behind it. NULL: it is none of
 * ours. */
static const struct mark_name *
read_name(const struct text *t, size_t *i)
{
    size_t from = *i, n;

    while (*i < t->n && *i - from < NAME_MAX_BYTES &&
           (isalnum((unsigned char)t->p[*i]) || t->p[*i] == '_' ||
            t->p[*i] == ':')) {
        if (t->p[(*i)++] == ':')
            from = *i;
    }
    n = *i - from;
    for (size_t k = 0; n > 0 && k < ARRAY_SIZE(names); k++) {
        if (strlen(names[k].name) == n &&
            strncasecmp(names[k].name, t->p + from, n) == 0)
            return &names[k];
    }
    return NULL;
}

/* What stands between the brackets of a mark. */
struct mark_parts {
    const struct bracket *bracket;
    const struct mark_name *name;
    bool bar, slash;         /* before the name */
    bool end_bar, end_slash; /* before the closing bracket */
    bool closed;             /* there is one */
    size_t name_end, end;
};

/* Reads from behind the name to the closing bracket. Attributes end at another
 * bracket, or at an object: then this mark has none. */
static enum found
read_mark_end(const struct text *t, struct mark_parts *m)
{
    size_t i = m->name_end;

    if (i < t->n && !ascii_is_space(t->p[i]) && !is_bar_or_slash(t->p[i]) &&
        match_word(t, &i, m->bracket->close) == FOUND_NONE)
        return FOUND_NONE;
    for (i = m->name_end; i < t->n && i - m->name_end < MARK_MAX_BYTES; i++) {
        switch (match_word(t, &i, m->bracket->close)) {
        case FOUND_MARK:
            m->closed = true;
            m->end = i;
            return FOUND_MARK;
        case FOUND_PART:
            return FOUND_PART;
        default:
            break;
        }
        if (t->p[i] == '<' || t->p[i] == '{' ||
            (!m->bracket->attributes && !ascii_is_space(t->p[i]) &&
             !is_bar_or_slash(t->p[i])))
            break;
        m->end_bar = t->p[i] == '|' || (m->end_bar && ascii_is_space(t->p[i]));
        m->end_slash = t->p[i] == '/' ||
                       (m->end_slash && ascii_is_space(t->p[i]));
    }
    m->end = m->name_end;
    return i < t->n || t->whole ? FOUND_MARK : FOUND_PART;
}

static enum found
read_mark_parts(const struct text *t, size_t at, struct mark_parts *m)
{
    size_t i = at;
    enum found f = match_word(t, &i, m->bracket->open);

    if (f != FOUND_MARK)
        return f;
    i = skip_blanks(t, i);
    if (i < t->n && t->p[i] == '|') {
        m->bar = true;
        i = skip_blanks(t, i + 1);
    }
    if (i < t->n && t->p[i] == '/') {
        m->slash = true;
        i = skip_blanks(t, i + 1);
    }
    if (i - at > MARK_MAX_BYTES)
        return FOUND_NONE;
    m->name = read_name(t, &i);
    if (i == t->n)
        return ends_early(t); /* the name may go on */
    if (!m->name || (m->bracket->plain && !m->name->plain))
        return FOUND_NONE;
    m->name_end = i;
    return read_mark_end(t, m);
}

/* A mark of harmony has both bars; with one of them it is Gemma's. */
static bool
read_channel(const struct mark_parts *m, struct mark *to)
{
    if (!m->closed || m->slash || (!m->bar && !m->end_bar))
        return false;
    to->kind = !m->end_bar ? MARK_OPENS : m->bar ? MARK_CHANNEL : MARK_CLOSES;
    return true;
}

static bool
read_mark_kind(const struct mark_parts *m, struct mark *to)
{
    static const enum mark_kind kinds[] = {
        [NAME_OPENS] = MARK_OPENS, [NAME_CLOSES] = MARK_CLOSES,
        [NAME_START] = MARK_START, [NAME_MESSAGE] = MARK_MESSAGE,
        [NAME_STOP] = MARK_STOP,
    };

    if (m->name->kind == NAME_CHANNEL)
        return read_channel(m, to);
    if (m->name->kind == NAME_TAG) {
        to->kind = m->slash ? MARK_CLOSES : MARK_OPENS;
        if (m->closed && m->end_slash && !m->slash)
            to->kind = MARK_EMPTY;
    } else {
        to->kind = kinds[m->name->kind];
    }
    if (m->name->kind >= NAME_CHANNEL && !(m->bar && m->end_bar))
        return false;
    /* who only begins to close has not closed */
    return m->closed || (to->kind == MARK_OPENS && m->bracket->attributes);
}

static enum found
read_bracketed(const struct text *t, size_t at, struct mark *to)
{
    for (size_t k = 0; k < REASONING_BRACKETS; k++) {
        struct mark_parts m = {.bracket = &brackets[k]};
        enum found f = FOUND_NONE;

        if (brackets[k].open[0] == t->p[at])
            f = read_mark_parts(t, at, &m);
        if (f == FOUND_PART)
            return f;
        if (f == FOUND_NONE || !read_mark_kind(&m, to))
            continue;
        to->family = m.name->family * REASONING_BRACKETS + (unsigned)k;
        to->at = at;
        to->end = m.end;
        return FOUND_MARK;
    }
    return FOUND_NONE;
}

/* What is left of harmony where a server removed its marks. */
static enum found
read_bare(const struct text *t, size_t at, bool first, struct mark *to)
{
    static const struct {
        const char *word;
        bool first; /* only as the first word, grown together with the next */
        enum mark_kind kind;
    } words[] = {
        {"assistantfinal", false, MARK_BARE_FINAL},
        {"assistantanalysis", false, MARK_BARE_OTHER},
        {"assistantcommentary", false, MARK_BARE_OTHER},
        {"analysis", true, MARK_BARE_OTHER},
        {"commentary", true, MARK_BARE_OTHER},
    };

    for (size_t k = 0; k < ARRAY_SIZE(words); k++) {
        size_t i = at;
        enum found f = words[k].first && !first
                           ? FOUND_NONE
                           : match_word(t, &i, words[k].word);

        if (f == FOUND_MARK && words[k].first && i == t->n)
            f = ends_early(t);
        if (f == FOUND_MARK && words[k].first &&
            !isupper((unsigned char)t->p[i]))
            f = FOUND_NONE;
        if (f == FOUND_NONE)
            continue;
        *to = (struct mark){.kind = words[k].kind, .at = at, .end = i};
        return f;
    }
    return FOUND_NONE;
}

static enum found
read_mark(const struct text *t, size_t at, bool first, struct mark *to)
{
    switch ((unsigned char)t->p[at]) {
    case '<':
    case '[':
    case '&':
    case 0xe2:
    case 0xef:
        return read_bracketed(t, at, to);
    case 'a':
    case 'c':
        return read_bare(t, at, first, to);
    default:
        return FOUND_NONE;
    }
}

/* Moves *from to the next mark, to what may become one, or to the end. */
static enum found
find_mark(const struct text *t, size_t *from, size_t first, struct mark *to)
{
    for (; *from < t->n; ++*from) {
        enum found f = read_mark(t, *from, *from == first, to);

        if (f != FOUND_NONE)
            return f;
    }
    return FOUND_NONE;
}

static bool
is_reasoning(const struct reasoning *r)
{
    return r->n_open > 0 ||
           (r->harmony != HARMONY_NONE && r->harmony != HARMONY_FINAL &&
            r->harmony != HARMONY_BARE_FINAL);
}

/* What a mark means: nothing, for it is text; the end of a part; or that all
 * before it was reasoning. */
enum effect { EFFECT_NONE, EFFECT_PART, EFFECT_ALL_BEFORE };

static enum effect
apply_close(struct reasoning *r, const struct mark *m)
{
    if (r->open[m->family] == 0)
        return is_reasoning(r) ? EFFECT_NONE : EFFECT_ALL_BEFORE;
    r->open[m->family]--;
    r->n_open--;
    return EFFECT_PART;
}

/* Whether the word stands in the text between two offsets, behind blanks. */
static bool
is_first_word(const struct text *t, size_t from, size_t to, const char *word)
{
    size_t n = strlen(word);

    from = skip_blanks(t, from);
    return from + n <= to && strncasecmp(t->p + from, word, n) == 0 &&
           (from + n == to || !isalnum((unsigned char)t->p[from + n]));
}

static enum effect
apply_header(struct reasoning *r, const struct text *t, const struct mark *m)
{
    bool none = r->harmony == HARMONY_NONE;

    if (m->kind == MARK_START) {
        r->role = m->end;
        r->channel = 0;
        r->assistant = false;
    } else {
        r->assistant = r->harmony != HARMONY_HEADER ||
                       is_first_word(t, r->role, m->at, "assistant");
        r->role = r->channel = m->end;
    }
    r->harmony = HARMONY_HEADER;
    return none ? EFFECT_ALL_BEFORE : EFFECT_PART;
}

static enum effect
apply_message(struct reasoning *r, const struct text *t, const struct mark *m)
{
    bool none = r->harmony == HARMONY_NONE;
    bool final = r->harmony == HARMONY_HEADER && r->assistant && r->channel &&
                 is_first_word(t, r->channel, m->at, "final");

    r->harmony = final ? HARMONY_FINAL : HARMONY_OTHER;
    return none ? EFFECT_ALL_BEFORE : EFFECT_PART;
}

/* The end of a turn alone, which other models have too, says nothing. */
static enum effect
apply_stop(struct reasoning *r)
{
    if (r->harmony == HARMONY_NONE)
        return EFFECT_NONE;
    r->harmony = HARMONY_OTHER;
    return EFFECT_PART;
}

static enum effect
apply_bare(struct reasoning *r, const struct mark *m)
{
    bool none = r->harmony == HARMONY_NONE;

    if (!none && r->harmony != HARMONY_BARE_OTHER &&
        r->harmony != HARMONY_BARE_FINAL)
        return EFFECT_NONE;
    r->harmony = m->kind == MARK_BARE_FINAL ? HARMONY_BARE_FINAL
                                            : HARMONY_BARE_OTHER;
    return none ? EFFECT_ALL_BEFORE : EFFECT_PART;
}

static enum effect
apply_mark(struct reasoning *r, const struct text *t, const struct mark *m)
{
    switch (m->kind) {
    case MARK_OPENS:
        r->open[m->family]++;
        r->n_open++;
        return EFFECT_PART;
    case MARK_CLOSES:
        return apply_close(r, m);
    case MARK_START:
    case MARK_CHANNEL:
        return apply_header(r, t, m);
    case MARK_MESSAGE:
        return apply_message(r, t, m);
    case MARK_STOP:
        return apply_stop(r);
    case MARK_EMPTY:
        return EFFECT_PART;
    default:
        return apply_bare(r, m);
    }
}

/* The end of the whole object that the mark stands in, or 0. Objects are looked
 * for from `from` on. It is linear for any text: a mark near an object that
 * turned out to be broken is in no object. */
static size_t
object_around(struct text *t, size_t from, size_t mark)
{
    while (mark >= t->broken) {
        size_t at = json_find_object(t->p, from, mark), len, reached;

        if (at >= mark)
            return 0;
        len = json_span_reached(t->p + at, t->n - at, &reached, NULL);
        if (at + len > mark)
            return len > 0 ? at + len : 0;
        from = at + (len > 0 ? len : reached > 0 ? reached : 1);
        if (len == 0 && from > t->broken)
            t->broken = from;
    }
    return 0;
}

static bool
drop_once(const char *p, size_t n, struct buf *out)
{
    struct text t = {.p = p, .n = n, .whole = true};
    struct reasoning r = {0};
    size_t from = 0, searched = 0;
    size_t kept = 0; /* where the part of the answer begins that goes on */
    size_t start = out->len, first = skip_blanks(&t, 0);
    bool any = false;
    struct mark m = {0};

    while (find_mark(&t, &from, first, &m) == FOUND_MARK) {
        size_t around = object_around(&t, searched, m.at);
        bool before = is_reasoning(&r);
        enum effect effect = around ? EFFECT_NONE : apply_mark(&r, &t, &m);

        from = searched = around ? around : m.end;
        if (effect == EFFECT_NONE)
            continue;
        any = true;
        if (effect == EFFECT_ALL_BEFORE)
            buf_cut(out, start);
        else if (!before)
            buf_add(out, p + kept, m.at - kept);
        kept = m.end;
    }
    if (!is_reasoning(&r))
        buf_add(out, p + kept, n - kept);
    return any;
}

bool
reasoning_drop(const char *p, size_t n, struct buf *out)
{
    CLEANUP_BUF struct buf now = buf_of(n);
    bool any = drop_once(p, n, &now), again = any;

    for (int i = 1; i < PASSES_MAX && again; i++) {
        CLEANUP_BUF struct buf before = now;

        now = buf_of(n);
        again = drop_once(before.p, before.len, &now);
        now.bad |= before.bad;
    }
    out->bad |= now.bad;
    if (!again)
        buf_add(out, now.p, now.len);
    return any;
}

bool
reasoning_skip(struct reasoning *r, const char *p, size_t n, size_t *at)
{
    const struct text t = {.p = p, .n = n};

    while (*at < n) {
        bool inside = is_reasoning(r);
        struct mark m = {0};
        enum found f;

        if (!inside && ascii_is_space(p[*at])) {
            ++*at;
            continue;
        }
        if (!r->begun)
            r->first = *at;
        r->begun = true;
        f = inside ? find_mark(&t, at, r->first, &m)
                   : read_mark(&t, *at, *at == r->first, &m);
        if (f != FOUND_MARK)
            return f == FOUND_NONE && !inside;
        if (apply_mark(r, &t, &m) == EFFECT_NONE && !inside)
            return true;
        *at = m.end;
    }
    return false;
}
