/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - whether a text is a value of its setting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/nearest.h"
#include "config/table.h"

#define DIGITS_MAX 15 /* of a number: what a double holds exactly */
#define SHOWN_MAX  60 /* bytes of a wrong value in a message */
#define WORD_MAX   16

struct truth_row {
    const char *word;
    bool truth;
};

static const struct truth_row truths[] = {
    {"yes", true}, {"no", false},  {"true", true}, {"false", false},
    {"on", true},  {"off", false}, {"1", true},    {"0", false},
};

static const struct truth_row *
find_truth(const char *text)
{
    for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
        if (strcasecmp(truths[i].word, text) == 0)
            return &truths[i];
    }
    return NULL;
}

bool
config_truth(const char *text)
{
    const struct truth_row *t = find_truth(text);

    return t && t->truth;
}

static int
refuse(const struct config_row *row, const char *text, const char *needed,
       struct err *e)
{
    return err_set(e, ERR_CONFIG, "%s must be %s, not \"%.*s\"", row->name,
                   needed, SHOWN_MAX, text);
}

/* Digits, with at most one point among them where fractions are allowed:
 * strtod would take signs, exponents, "inf" and the locale's comma. */
static bool
is_decimal(const char *text, bool fraction)
{
    size_t whole = strspn(text, "0123456789"), part = 0;

    if (fraction && text[whole] == '.')
        part = strspn(text + whole + 1, "0123456789") + 1;
    return whole > 0 && part != 1 && whole + part <= DIGITS_MAX &&
           text[whole + part] == '\0';
}

double
config_parse_number(const char *text)
{
    double value = 0, scale = 1;
    bool after_point = false;

    for (; *text != '\0'; text++) {
        if (*text == '.') {
            after_point = true;
            continue;
        }
        value = value * 10 + (*text - '0');
        scale *= after_point ? 10 : 1;
    }
    return value / scale; /* both are exact, so this is the nearest double */
}

static int
check_number(const struct config_row *row, const char *text, struct err *e)
{
    bool fraction = row->type == CONFIG_NUMBER;
    char needed[80];
    double d;

    snprintf(needed, sizeof(needed), "a %snumber from %.0f to %.0f",
             fraction ? "" : "whole ", row->min, row->max);
    if (!is_decimal(text, fraction))
        return refuse(row, text, needed, e);
    d = config_parse_number(text);
    return d < row->min || d > row->max ? refuse(row, text, needed, e) : 0;
}

static int
check_bool(const struct config_row *row, const char *text, struct err *e)
{
    return find_truth(text) ? 0 : refuse(row, text, "yes or no", e);
}

static int
check_word(const struct config_row *row, const char *text, struct err *e)
{
    struct nearest meant;
    char words[8][WORD_MAX];
    size_t n = 0;

    nearest_init(&meant, text);
    for (const char *w = row->words; *w != '\0' && n < 8; n++) {
        size_t len = strcspn(w, "|");

        snprintf(words[n], WORD_MAX, "%.*s", (int)len, w);
        if (strcmp(words[n], text) == 0)
            return 0;
        nearest_offer(&meant, words[n]);
        w += len + (w[len] == '|');
    }
    if (meant.best)
        return err_set(e, ERR_CONFIG,
                       "%s must be one of %s, not \"%.*s\"; did you mean "
                       "\"%s\"?",
                       row->name, row->words, SHOWN_MAX, text, meant.best);
    return err_set(e, ERR_CONFIG, "%s must be one of %s, not \"%.*s\"",
                   row->name, row->words, SHOWN_MAX, text);
}

static int
check_text(const struct config_row *row, const char *text, struct err *e)
{
    if (row->plain && strpbrk(text, " \t\"'"))
        return refuse(row, text,
                      "one word without quotes; put a comment on its own line",
                      e);
    return 0;
}

int
config_check(const struct config_row *row, const char *text, struct err *e)
{
    if (*text == '\0')
        return err_set(e, ERR_CONFIG,
                       "%s has no value; leave the line out for the default",
                       row->name);
    switch (row->type) {
    case CONFIG_INT:
    case CONFIG_NUMBER:
        return check_number(row, text, e);
    case CONFIG_BOOL:
        return check_bool(row, text, e);
    case CONFIG_WORD:
        return check_word(row, text, e);
    case CONFIG_PATHS:
    case CONFIG_NAMES:
        return config_check_list(row, text, e);
    case CONFIG_TEXT:
        break;
    }
    return check_text(row, text, e);
}
