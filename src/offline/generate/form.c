/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form.c - writes the command of a form (form.h) for a request. */
#include "offline/generate/form.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

/* What braces held: its text and its value. */
struct held_text {
    const char *text;
    const struct request_value *v; /* NULL: plain words */
};

static void
put_word_text(const struct held_text *h, struct buf *out)
{
    generate_word(out, h->text);
}

static void
put_path_text(const struct held_text *h, struct buf *out)
{
    generate_path(out, h->text);
}

static void
put_quoted_text(const struct held_text *h, struct buf *out)
{
    generate_quoted(out, h->text);
}

/* Appends a quoted command, for another shell where it needs one. */
static void
put_quoted_command(const struct held_text *h, struct buf *out)
{
    bool bare = *h->text && *h->text != '-';

    for (const char *s = h->text; *s; s++)
        bare &= isalnum((unsigned char)*s) || strchr(" -_./:=,@%+", *s);
    if (bare) {
        buf_str(out, h->text);
        return;
    }
    buf_str(out, "sh -c ");
    generate_quoted(out, h->text);
}

static void
put_amount(const struct held_text *h, struct buf *out)
{
    if (h->v && (generate_may(h->v, SLOT_NUMBER) || h->v->unit))
        buf_printf(out, "%lld", (long long)h->v->amount);
    else
        buf_add(out, h->text, strspn(h->text, "0123456789"));
}

/* Appends the text without its extension: "clip" for clip.mov. */
static void
put_stem(const struct held_text *h, struct buf *out)
{
    CLEANUP_BUF struct buf stem = buf_of(REQUEST_BYTES_MAX);
    const char *dot = strrchr(h->text, '.');
    size_t n = dot && dot > h->text ? (size_t)(dot - h->text) : strlen(h->text);

    buf_add(&stem, h->text, n);
    generate_path(out, stem.p);
}

static void
put_ending(const struct held_text *h, struct buf *out)
{
    const char *dot = strrchr(h->text, '.');

    for (const char *s = dot ? dot + 1 : h->text; *s; s++)
        buf_ch(out, isalnum((unsigned char)*s)
                        ? (char)tolower((unsigned char)*s)
                        : '_');
}

static const struct form_unit {
    char unit;
    long seconds;
    const char *name;
} units[] = {
    {'s', 1, "second"},      {'m', 60, "minute"},   {'h', 3600, "hour"},
    {'d', 86400, "day"},     {'w', 604800, "week"}, {'M', 2592000, "month"},
    {'y', 31536000, "year"},
};

static const struct form_unit *
unit_of(const struct held_text *h)
{
    for (size_t i = 0; h->v && i < ARRAY_SIZE(units); i++)
        if (generate_may(h->v, SLOT_AGE) && h->v->unit == units[i].unit)
            return &units[i];
    return NULL;
}

/* Appends a time as git, date and journalctl read it: '2 weeks ago',
 * yesterday. */
static void
put_when(const struct held_text *h, struct buf *out)
{
    const struct form_unit *u = unit_of(h);
    bool named = h->v && generate_may(h->v, SLOT_DATE);

    if (!u || (named && h->v->unit == 'd'))
        generate_word(out, h->text);
    else
        buf_printf(out, "'%lld %s%s ago'", (long long)h->v->amount, u->name,
                   h->v->amount == 1 ? "" : "s");
}

static void
put_seconds(const struct held_text *h, struct buf *out)
{
    const struct form_unit *u = unit_of(h);
    long long seconds;

    if (u && !__builtin_mul_overflow(h->v->amount, u->seconds, &seconds))
        buf_printf(out, "%lld", seconds);
    else
        generate_word(out, h->text);
}

/* A span as most programs read it: 10m, 2h. */
static void
put_span(const struct held_text *h, struct buf *out)
{
    const struct form_unit *u = unit_of(h);

    if (!u)
        generate_word(out, h->text);
    else if (u->seconds > 3600)
        buf_printf(out, "%lldh", (long long)h->v->amount * (u->seconds / 3600));
    else
        buf_printf(out, "%lld%c", (long long)h->v->amount, u->unit);
}

/* 1280x720 as 1280:720 */
static void
put_colon(const struct held_text *h, struct buf *out)
{
    for (const char *s = h->text; *s; s++)
        if (isalnum((unsigned char)*s))
            buf_ch(out, *s == 'x' || *s == 'X' ? ':' : *s);
}

/* One more: of lines with a heading. */
static void
put_more(const struct held_text *h, struct buf *out)
{
    buf_printf(out, "%lld", h->v ? (long long)h->v->amount + 1 : 1LL);
}

/* A service by the name that its unit has. */
static void
put_unit(const struct held_text *h, struct buf *out)
{
    static const char *const names[][2] = {
        {"apache", "apache2"},
        {"postgres", "postgresql"},
        {"network-manager", "NetworkManager"},
        {"networkmanager", "NetworkManager"},
        {"redis", "redis-server"},
        {"samba", "smbd"},
    };
    const char *text = h->text;

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (!strcasecmp(h->text, names[i][0]))
            text = names[i][1];
    generate_word(out, text);
}

/* A signal without its SIG. */
static void
put_signal(const struct held_text *h, struct buf *out)
{
    const char *s = h->text;

    if (strncasecmp(s, "sig", 3) == 0)
        s += 3;
    for (; *s; s++)
        if (isalnum((unsigned char)*s))
            buf_ch(out, (char)toupper((unsigned char)*s));
}

/* A size in the unit's capital: 2M, 512k */
static void
put_unit_size(const struct held_text *h, struct buf *out)
{
    if (h->v && generate_may(h->v, SLOT_SIZE) && h->v->unit != 'c')
        buf_printf(out, "%lld%c", (long long)h->v->amount, h->v->unit);
    else
        put_amount(h, out);
}

static const struct form_way {
    const char *name;
    void (*put)(const struct held_text *h, struct buf *out);
} ways[] = {
    {"", put_word_text},
    {"path", put_path_text},
    {"quoted", put_quoted_text},
    {"n", put_amount},
    {"stem", put_stem},
    {"ending", put_ending},
    {"when", put_when},
    {"s", put_seconds},
    {"span", put_span},
    {"size", put_unit_size},
    {"command", put_quoted_command},
    {"colon", put_colon},
    {"more", put_more},
    {"unit", put_unit},
    {"signal", put_signal},
};

static void
put_held(const struct request *q, const struct form_held *held, const char *how,
         size_t n, struct buf *out)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    struct held_text h = {.text = ""};

    if (held->to == held->from + 1)
        h.v = request_value_of(q, held->from);
    buf_str(&room, "");
    if (h.v)
        h.text = h.v->text;
    else if (buf_add(&room, q->text + q->words[held->from].from,
                     q->words[held->to - 1].to - q->words[held->from].from) ==
             0)
        h.text = room.p;
    for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
        if (strlen(ways[i].name) == n && !memcmp(ways[i].name, how, n))
            ways[i].put(&h, out);
}

/* What {N...} stands for; NULL: nothing. */
static const struct form_held *
held_at(const struct form_hit *hit, char digit)
{
    if (digit == '0')
        return hit->kept.to ? &hit->kept : NULL;
    if (digit < '1' || (size_t)(digit - '1') >= hit->n)
        return NULL;
    return &hit->held[digit - '1'];
}

/* Appends what is put for a hit. */
static void
form_put(const struct request *q, const char *put, const struct form_hit *hit,
         struct buf *out)
{
    while (*put) {
        size_t n = strcspn(put, "{");
        const struct form_held *held;
        const char *how, *close;

        buf_add(out, put, n);
        put += n;
        if (!*put)
            break;
        if (put[1] == '{') {
            buf_ch(out, '{');
            put += 2;
            continue;
        }
        how = put + 2 + (put[2] == ':');
        close = how + strcspn(how, "}");
        held = held_at(hit, put[1]);
        if (held)
            put_held(q, held, how, (size_t)(close - how), out);
        put = close + (*close == '}');
    }
}

/* The command of a form. */

#define FORM_BYTES (4u << 10)

/* A command while it is written. */
struct writing {
    const struct request *q;
    struct buf out;
    uint64_t used;
    uint32_t had; /* letters of `only` that are in the command */
    struct form_held kept;
    unsigned open;
};

static bool
form_applies(const struct form *f, const struct request *q, uint64_t *used)
{
    struct form_hit hit;

    for (size_t i = 0; i < FORM_WHEN && f->when[i]; i++) {
        const char *row = f->when[i];
        bool not = *row == '!';
        bool marks = *row == '+';

        if (form_match(q, row + (not || marks), 0, &hit) == not )
            return false;
        if (marks)
            *used |= hit.set;
    }
    return true;
}

static uint32_t
option_letter(const struct form_part *p)
{
    return p->only ? UINT32_C(1) << (p->only & 31) : 0;
}

static bool
put_other(struct writing *w, const struct form_part *p)
{
    const struct form_hit hit = {.kept = w->kept};
    const char *other = p->other;

    if (!other)
        return true;
    if (!strcmp(other, "-"))
        return false;
    if (*other == '!') {
        w->open++;
        other++;
    }
    form_put(w->q, other, &hit, &w->out);
    return true;
}

/* false: the form does not apply. */
static bool
put_form_part(struct writing *w, const struct form_part *p)
{
    struct form_hit hit;
    bool matched = false;

    if (w->had & option_letter(p))
        return true;
    if (!p->words) {
        hit = (struct form_hit){.kept = w->kept};
        form_put(w->q, p->put, &hit, &w->out);
        w->had |= option_letter(p);
        return true;
    }
    while (form_match(w->q, p->words, w->used, &hit)) {
        hit.kept = w->kept;
        form_put(w->q, p->put, &hit, &w->out);
        if (p->only == '@' && !w->kept.to)
            w->kept = hit.held[0];
        w->used |= hit.set;
        matched = true;
        if (!p->again)
            break;
    }
    if (!matched)
        return put_other(w, p);
    w->had |= option_letter(p);
    return true;
}

static int
add_form_candidate(struct writing *w, const struct form *f,
                   const char *generator, struct shortlist *s, struct err *e)
{
    struct candidate c = {.recipe = -1, .generator = generator, .fit = f->fit};

    if (f->tail)
        generate_tail(w->q, &w->used, &w->out);
    c.used = w->used;
    c.open = w->open;
    snprintf(c.title, sizeof(c.title), "%s", f->title);
    return shortlist_offer(s, &c, &w->out, e);
}

static int
try_form(const struct form *f, const char *generator, const struct request *q,
         struct shortlist *s, bool *added, struct err *e)
{
    struct writing w = {.q = q, .out = buf_of(FORM_BYTES)};
    int r = 0;

    *added = form_applies(f, q, &w.used);
    for (const struct form_part *p = f->parts; *added && p->put; p++)
        *added = put_form_part(&w, p);
    if (*added)
        r = add_form_candidate(&w, f, generator, s, e);
    buf_done(&w.out);
    return r;
}

int
form_generate(const struct form *forms, const char *generator,
              const struct request *q, struct shortlist *s, struct err *e)
{
    bool added = false;
    int r = 0;

    for (; forms->title && !added && r == 0; forms++)
        r = try_form(forms, generator, q, s, &added, e);
    return r;
}
