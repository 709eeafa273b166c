/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hidden.c - characters that make a shown command differ from what runs. */
#include "guard/hidden.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

struct range {
    uint32_t first, last;
    const char *what;
};

static const char control[] = "a control character";
static const char zero_width[] = "a zero-width character";
static const char bidi[] = "a character that turns the reading direction";
static const char blank[] = "a blank that is none to the shell";
static const char filler[] = "a character that shows nothing";

/* From the Unicode Character Database: Cc, Cf, Zs but U+0020, Zl, Zp, and
 * what is Default_Ignorable. */
static const struct range ranges[] = {
    {0x00, 0x08, control},          {0x0b, 0x1f, control},
    {0x7f, 0x9f, control},          {0xa0, 0xa0, blank},
    {0xad, 0xad, zero_width},       {0x34f, 0x34f, zero_width},
    {0x61c, 0x61c, bidi},           {0x115f, 0x1160, filler},
    {0x1680, 0x1680, blank},        {0x17b4, 0x17b5, filler},
    {0x180b, 0x180f, zero_width},   {0x2000, 0x200a, blank},
    {0x200b, 0x200d, zero_width},   {0x200e, 0x200f, bidi},
    {0x2028, 0x2029, control},      {0x202a, 0x202e, bidi},
    {0x202f, 0x202f, blank},        {0x205f, 0x205f, blank},
    {0x2060, 0x2065, zero_width},   {0x2066, 0x2069, bidi},
    {0x206a, 0x206f, zero_width},   {0x2800, 0x2800, filler},
    {0x3000, 0x3000, blank},        {0x3164, 0x3164, filler},
    {0xfe00, 0xfe0f, zero_width},   {0xfeff, 0xfeff, zero_width},
    {0xffa0, 0xffa0, filler},       {0xfff0, 0xfffb, zero_width},
    {0x1bca0, 0x1bca3, zero_width}, {0x1d173, 0x1d17a, zero_width},
    {0xe0000, 0xe0fff, zero_width},
};

static const char *
hidden_at(uint32_t cp)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last)
            return ranges[i].what;
    return NULL;
}

const char *
hidden_find(const char *text)
{
    size_t n = strlen(text), i = 0;

    while (i < n) {
        uint32_t cp = 0;
        size_t len = utf8_decode(text + i, n - i, &cp);
        const char *what;

        if (len == 0)
            return "a byte that is no text";
        what = hidden_at(cp);
        if (what)
            return what;
        i += len;
    }
    return NULL;
}
