/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pick.c - the best of a server's models for work in a shell. */
#include "model/pick.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What a name tells. Whole: the word alone, between signs; else wherever it
 * stands, for names that grow words together. */
enum trait { NEVER = 1, CODE = 2, VISION = 4, BASE = 8, TUNED = 16, SLOW = 32 };

struct mark {
    const char *word;
    bool whole;
    unsigned trait;
};

static const struct mark marks[] = {
    /* no answers in words */
    {"embed", false, NEVER},
    {"rerank", false, NEVER},
    {"minilm", false, NEVER},
    {"whisper", false, NEVER},
    {"guard", false, NEVER},
    {"shieldgemma", false, NEVER},
    {"bge", true, NEVER},
    {"gte", true, NEVER},
    {"e5", true, NEVER},
    {"bert", true, NEVER},
    {"clip", true, NEVER},
    {"siglip", true, NEVER},
    {"tts", true, NEVER},
    {"asr", true, NEVER},
    {"ocr", false, NEVER},
    {"mmproj", false, NEVER},
    {"diffusion", false, NEVER},
    {"reward", true, NEVER},
    {"moondream", false, NEVER},
    /* pictures first, words too */
    {"llava", false, VISION},
    {"vision", true, VISION},
    {"vl", true, VISION},
    {"pixtral", false, VISION},
    /* follows wishes, or does not */
    {"instruct", true, TUNED},
    {"chat", true, TUNED},
    {"it", true, TUNED},
    {"base", true, BASE},
    {"text", true, BASE},
    {"pt", true, BASE},
    {"fim", true, BASE},
    {"starcoder", false, BASE},
    /* what it was made for */
    {"coder", false, CODE},
    {"code", true, CODE},
    {"codellama", false, CODE},
    {"codegemma", false, CODE},
    {"codestral", false, CODE},
    {"devstral", false, CODE},
    {"r1", true, SLOW},
    {"qwq", true, SLOW},
    {"thinking", true, SLOW},
    {"reasoning", true, SLOW},
};

static bool
is_word_at(const char *name, const char *at, size_t n)
{
    return (at == name || !isalnum((unsigned char)at[-1])) &&
           !isalnum((unsigned char)at[n]);
}

static bool
is_marked(const char *name, const struct mark *k)
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
    unsigned traits = m->vision ? VISION : 0;

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (is_marked(m->name, &marks[i]))
            traits |= marks[i].trait;
    }
    if (traits & TUNED)
        traits &= ~(unsigned)BASE; /* starcoder2-instruct */
    return traits;
}

/* Ollama's names for models of its makers' machines end so. */
static bool
runs_elsewhere(const struct model_info *m)
{
    static const struct mark cloud = {"cloud", true, 0};

    return m->elsewhere || is_marked(m->name, &cloud);
}

const char *
pick_never(const struct model_info *m)
{
    if (runs_elsewhere(m))
        return "runs on another machine";
    return m->no_chat || (traits_of(m) & NEVER) ? "not a chat model" : NULL;
}

int64_t
pick_memory(void)
{
    int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? pages * size : 0;
}

/* The file's size is what it takes when loaded; where nobody tells it, five
 * bits a parameter, as most are packed. */
static int64_t
bytes_of(const struct model_info *m)
{
    return m->bytes > 0 ? m->bytes : (int64_t)(m->billions * 0.625e9);
}

/* A quarter stays for its context and for everything else. */
static bool
fits(const struct model_info *m, int64_t memory)
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
           (traits & CODE ? 1 : 0) - (traits & VISION ? 2 : 0) -
           (traits & SLOW ? 1 : 0) - (traits & BASE ? 6 : 0);
}

static bool
is_better(const struct model_info *a, const struct model_info *b,
          int64_t memory)
{
    bool fits_a = fits(a, memory), fits_b = fits(b, memory);
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
pick_best(const struct model_list *l, int64_t memory_bytes)
{
    const struct model_info *best = NULL;

    for (size_t i = 0; i < l->n; i++) {
        const struct model_info *m = &l->v[i];

        if (!pick_never(m) && (!best || is_better(m, best, memory_bytes)))
            best = m;
    }
    return best;
}

static void add(char *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
add(char *text, const char *fmt, ...)
{
    size_t n = strlen(text);
    va_list ap;

    if (n > 0 && n + 2 < PICK_WHY_SIZE) {
        memcpy(text + n, ", ", 3);
        n += 2;
    }
    va_start(ap, fmt);
    vsnprintf(text + n, PICK_WHY_SIZE - n, fmt, ap);
    va_end(ap);
}

void
pick_why(const struct model_info *m, int64_t memory_bytes,
         char text[PICK_WHY_SIZE])
{
    unsigned traits = traits_of(m);

    text[0] = '\0';
    if (m->billions >= 1)
        add(text, "%.3gB", m->billions);
    else if (m->billions > 0)
        add(text, "%.0fM", 1000 * m->billions);
    if (traits & CODE)
        add(text, "for code");
    if (traits & VISION)
        add(text, "for pictures");
    if (traits & BASE)
        add(text, "not tuned for chat");
    if (m->loaded)
        add(text, "loaded");
    if (!fits(m, memory_bytes))
        add(text, "too large for this machine's memory");
}
