/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_rank.c - reads a server's list of models and ranks them for work in a
 * shell. */
#include "model/model_rank.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"

#define BILLIONS_MAX 1e5 /* a hundred times the largest known model */

void
model_list_done(struct model_list *l)
{
    if (!l)
        return;
    free(l->v);
    *l = (struct model_list){0};
}

/* Reads digits with at most one point; *end points behind them. */
static double
read_number(const char *p, const char **end)
{
    double value = 0, unit = 1;
    bool point = false;

    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        value = 10 * value + (*p - '0');
        if (point)
            unit *= 10;
    }
    *end = p;
    return value / unit;
}

/* The billions in a word like "7b", "1.5B", "8x7b" or "270m" at p; else 0. */
static double
size_at(const char *p)
{
    const char *end;
    double value = read_number(p, &end);

    if ((*end == 'x' || *end == 'X') && isdigit((unsigned char)end[1]))
        value *= read_number(end + 1, &end);
    if (!strchr("bBmM", *end) || !*end || isalnum((unsigned char)end[1]))
        return 0;
    return tolower((unsigned char)*end) == 'm' ? value / 1000 : value;
}

/* The first size in a name or a size: "qwen2.5-coder:7b", "494.03M"; 0: none.
 */
static double
read_billions(const char *text)
{
    char before = ' ';

    for (const char *p = text; *p; before = *p++) {
        bool starts = isdigit((unsigned char)*p) &&
                      !isalnum((unsigned char)before) && before != '.';
        double value = starts ? size_at(p) : 0;

        if (value > 0 && value < BILLIONS_MAX)
            return value;
    }
    return 0;
}

static struct model_info *
find_model(const struct model_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->v[i].name, name) == 0)
            return &l->v[i];
    }
    return NULL;
}

/* Ignores a name that is too long or not printable ASCII. */
static const char *
model_name(const struct json *v)
{
    static const char *const members[] = {"model", "name", "id"};
    const char *name = NULL;

    for (size_t i = 0; !name && i < 3; i++)
        name = json_get_str(v, members[i]);
    if (!name || !*name || strlen(name) >= MODEL_NAME_SIZE)
        return NULL;
    for (const char *p = name; *p; p++) {
        if (*p <= ' ' || *p > '~')
            return NULL;
    }
    return name;
}

static bool
member_is(const struct json *v, const char *name, const char *word)
{
    const char *text = json_get_str(v, name);

    return text && strcmp(text, word) == 0;
}

static bool
list_has(const struct json *list, const char *word)
{
    for (const struct json *c = json_first(list); c; c = json_next(c)) {
        const char *text = json_str(c, NULL);

        if (text && strcmp(text, word) == 0)
            return true;
    }
    return false;
}

/* The capabilities that Ollama, llama-server and LM Studio report. */
static void
read_abilities(const struct json *v, struct model_info *m)
{
    const struct json *can = json_get(v, "capabilities");

    if (json_count(can) > 0 && !list_has(can, "completion") &&
        !list_has(can, "chat"))
        m->no_chat = true;
    if (member_is(v, "type", "embeddings") || member_is(v, "type", "embedding"))
        m->no_chat = true;
    if (member_is(v, "type", "vlm"))
        m->vision = true;
}

static void
read_size(const struct json *v, struct model_info *m)
{
    const struct json *meta = json_get(v, "meta");
    const char *text = json_get_str(json_get(v, "details"), "parameter_size");
    double n = 0;

    if (json_num(json_get(meta, "n_params"), &n) && n > 0 &&
        n <= BILLIONS_MAX * 1e9)
        m->billions = n / 1e9;
    else if (text && read_billions(text) > 0)
        m->billions = read_billions(text);
    else if (m->billions <= 0)
        m->billions = read_billions(m->name);
    if (!json_int(json_get(v, "size"), &m->bytes))
        (void)json_int(json_get(meta, "size"), &m->bytes);
    if (m->bytes < 0)
        m->bytes = 0;
}

static void
read_model(const struct json *v, bool single, struct model_info *m)
{
    const char *remote = json_get_str(v, "remote_host");

    read_size(v, m);
    read_abilities(v, m);
    if (single || member_is(v, "state", "loaded") ||
        member_is(json_get(v, "status"), "value", "loaded"))
        m->loaded = true;
    if (remote && *remote)
        m->elsewhere = true;
}

static int
read_models(const struct json *rows, bool single, struct model_list *out,
            struct err *e)
{
    for (const struct json *v = json_first(rows); v; v = json_next(v)) {
        const char *name = model_name(v);
        struct model_info *m = name ? find_model(out, name) : NULL;

        if (!name || (!m && out->n == MODEL_LIST_MAX))
            continue;
        if (!m && !out->v)
            out->v = calloc(MODEL_LIST_MAX, sizeof(*out->v));
        if (!out->v)
            return err_sys(e, "models");
        if (!m) {
            m = &out->v[out->n++];
            snprintf(m->name, sizeof(m->name), "%s", name);
        }
        read_model(v, single, m);
    }
    return 0;
}

/* llama-server sends both members, each with a part of the information. */
int
model_list_read(const struct json *list, bool single, struct model_list *out,
                struct err *e)
{
    const struct json *data = json_get(list, "data");

    single = single && json_count(data) == 1;
    if (read_models(data, single, out, e) < 0)
        return -1;
    return read_models(json_get(list, "models"), single, out, e);
}

void
model_list_mark_loaded(const struct json *running, struct model_list *l)
{
    const struct json *v = json_first(json_get(running, "models"));

    for (; v; v = json_next(v)) {
        const char *name = model_name(v);
        struct model_info *m = name ? find_model(l, name) : NULL;

        if (m)
            m->loaded = true;
    }
}

/* What a word in a model's name tells. */
enum trait {
    TRAIT_NO_CHAT = 1,
    TRAIT_CODE = 2,
    TRAIT_VISION = 4,
    TRAIT_BASE = 8,
    TRAIT_TUNED = 16,
    TRAIT_SLOW = 32
};

struct name_trait {
    const char *word;
    bool whole; /* a word of its own; false: also within another word */
    unsigned trait;
};

static const struct name_trait name_traits[] = {
    /* not for chat */
    {"embed", false, TRAIT_NO_CHAT},
    {"rerank", false, TRAIT_NO_CHAT},
    {"minilm", false, TRAIT_NO_CHAT},
    {"whisper", false, TRAIT_NO_CHAT},
    {"guard", false, TRAIT_NO_CHAT},
    {"shieldgemma", false, TRAIT_NO_CHAT},
    {"bge", true, TRAIT_NO_CHAT},
    {"gte", true, TRAIT_NO_CHAT},
    {"e5", true, TRAIT_NO_CHAT},
    {"bert", true, TRAIT_NO_CHAT},
    {"clip", true, TRAIT_NO_CHAT},
    {"siglip", true, TRAIT_NO_CHAT},
    {"tts", true, TRAIT_NO_CHAT},
    {"asr", true, TRAIT_NO_CHAT},
    {"ocr", false, TRAIT_NO_CHAT},
    {"mmproj", false, TRAIT_NO_CHAT},
    {"diffusion", false, TRAIT_NO_CHAT},
    {"reward", true, TRAIT_NO_CHAT},
    {"moondream", false, TRAIT_NO_CHAT},
    /* pictures first, text too */
    {"llava", false, TRAIT_VISION},
    {"vision", true, TRAIT_VISION},
    {"vl", true, TRAIT_VISION},
    {"pixtral", false, TRAIT_VISION},
    /* follows instructions, or does not */
    {"instruct", true, TRAIT_TUNED},
    {"chat", true, TRAIT_TUNED},
    {"it", true, TRAIT_TUNED},
    {"base", true, TRAIT_BASE},
    {"text", true, TRAIT_BASE},
    {"pt", true, TRAIT_BASE},
    {"fim", true, TRAIT_BASE},
    {"starcoder", false, TRAIT_BASE},
    /* made for code, or slow */
    {"coder", false, TRAIT_CODE},
    {"code", true, TRAIT_CODE},
    {"codellama", false, TRAIT_CODE},
    {"codegemma", false, TRAIT_CODE},
    {"codestral", false, TRAIT_CODE},
    {"devstral", false, TRAIT_CODE},
    {"r1", true, TRAIT_SLOW},
    {"qwq", true, TRAIT_SLOW},
    {"thinking", true, TRAIT_SLOW},
    {"reasoning", true, TRAIT_SLOW},
};

static bool
is_word_at(const char *name, const char *at, size_t n)
{
    return (at == name || !isalnum((unsigned char)at[-1])) &&
           !isalnum((unsigned char)at[n]);
}

static bool
name_has_word(const char *name, const struct name_trait *k)
{
    size_t n = strlen(k->word);

    for (const char *p = name; (p = strcasestr(p, k->word)) != NULL; p++) {
        if (!k->whole || is_word_at(name, p, n))
            return true;
    }
    return false;
}

static unsigned
traits_of(const struct model_info *m)
{
    unsigned traits = m->vision ? TRAIT_VISION : 0;

    for (size_t i = 0; i < ARRAY_SIZE(name_traits); i++) {
        if (name_has_word(m->name, &name_traits[i]))
            traits |= name_traits[i].trait;
    }
    if (traits & TRAIT_TUNED)
        traits &= ~(unsigned)TRAIT_BASE; /* starcoder2-instruct */
    return traits;
}

/* Ollama's names for models that run in its cloud end in "cloud". */
static bool
runs_elsewhere(const struct model_info *m)
{
    static const struct name_trait cloud = {"cloud", true, 0};

    return m->elsewhere || name_has_word(m->name, &cloud);
}

const char *
model_rank_exclusion(const struct model_info *m)
{
    if (runs_elsewhere(m))
        return "runs on another machine";
    return m->no_chat || (traits_of(m) & TRAIT_NO_CHAT) ? "not a chat model"
                                                        : NULL;
}

int64_t
model_rank_memory_bytes(void)
{
    int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? pages * size : 0;
}

/* The bytes of memory that it takes: the size of its file, or, when that is
 * unknown, five bits a parameter, as most models are quantized. */
static int64_t
bytes_of(const struct model_info *m)
{
    return m->bytes > 0 ? m->bytes : (int64_t)(m->billions * 0.625e9);
}

/* A quarter of the memory is left for its context and for everything else. */
static bool
fits_in_memory(const struct model_info *m, int64_t memory)
{
    return m->loaded || memory <= 0 || bytes_of(m) <= memory / 4 * 3;
}

static int
size_points(double billions)
{
    static const double limits[] = {1, 3, 6, 12, 24};
    int points = 0;

    if (billions <= 0)
        return 2;
    while (points < 5 && billions >= limits[points])
        points++;
    return points;
}

static int
points_of(const struct model_info *m)
{
    unsigned traits = traits_of(m);

    return size_points(m->billions) + (m->loaded ? 1 : 0) +
           (traits & TRAIT_CODE ? 1 : 0) - (traits & TRAIT_VISION ? 2 : 0) -
           (traits & TRAIT_SLOW ? 1 : 0) - (traits & TRAIT_BASE ? 6 : 0);
}

static bool
is_better(const struct model_info *a, const struct model_info *b,
          int64_t memory)
{
    bool fits_a = fits_in_memory(a, memory), fits_b = fits_in_memory(b, memory);
    int points = points_of(a) - points_of(b);

    if (fits_a != fits_b)
        return fits_a;
    if (!fits_a && bytes_of(a) != bytes_of(b))
        return bytes_of(a) < bytes_of(b);
    if (points != 0)
        return points > 0;
    if (a->billions < b->billions || a->billions > b->billions)
        return a->billions > b->billions;
    return strcmp(a->name, b->name) < 0;
}

const struct model_info *
model_rank_best(const struct model_list *l, int64_t memory_bytes)
{
    const struct model_info *best = NULL;

    for (size_t i = 0; i < l->n; i++) {
        const struct model_info *m = &l->v[i];

        if (!model_rank_exclusion(m) &&
            (!best || is_better(m, best, memory_bytes)))
            best = m;
    }
    return best;
}

static void add_reason(char *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
add_reason(char *text, const char *fmt, ...)
{
    size_t n = strlen(text);
    va_list ap;

    if (n > 0 && n + 2 < MODEL_RANK_REASON_SIZE) {
        memcpy(text + n, ", ", 3);
        n += 2;
    }
    va_start(ap, fmt);
    vsnprintf(text + n, MODEL_RANK_REASON_SIZE - n, fmt, ap);
    va_end(ap);
}

void
model_rank_reason(const struct model_info *m, int64_t memory_bytes,
                  char text[MODEL_RANK_REASON_SIZE])
{
    unsigned traits = traits_of(m);

    text[0] = '\0';
    if (m->billions >= 1)
        add_reason(text, "%.3gB", m->billions);
    else if (m->billions > 0)
        add_reason(text, "%.0fM", 1000 * m->billions);
    if (traits & TRAIT_CODE)
        add_reason(text, "for code");
    if (traits & TRAIT_VISION)
        add_reason(text, "for pictures");
    if (traits & TRAIT_BASE)
        add_reason(text, "not tuned for chat");
    if (m->loaded)
        add_reason(text, "loaded");
    if (!fits_in_memory(m, memory_bytes))
        add_reason(text, "too large for this machine's memory");
}
