/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ascii.h - classes of ASCII characters, whatever the locale.
 *
 * Each takes a byte as char, unsigned char or int; a byte beyond ASCII and -1
 * are in no class. The functions of <ctype.h> depend on the locale, and are
 * undefined for a negative char. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

/* Control bytes that begin, end or break off an escape sequence: ECMA-48. */
#define ASCII_BEL 0x07
#define ASCII_CAN 0x18
#define ASCII_SUB 0x1a
#define ASCII_ESC 0x1b

/* For strspn(3) and the like. */
#define ASCII_DIGITS "0123456789"
#define ASCII_ALNUM                                                            \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" ASCII_DIGITS

static inline bool
ascii_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool
ascii_is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool
ascii_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool
ascii_is_alpha(int c)
{
    return ascii_is_lower(c) || ascii_is_upper(c);
}

static inline bool
ascii_is_alnum(int c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

/* A letter, a digit or an underscore. */
static inline bool
ascii_is_word(int c)
{
    return ascii_is_alnum(c) || c == '_';
}

static inline bool
ascii_is_blank(int c)
{
    return c == ' ' || c == '\t';
}

/* What stands between the values of JSON (RFC 8259), and in most texts. */
static inline bool
ascii_is_space(int c)
{
    return ascii_is_blank(c) || c == '\n' || c == '\r';
}

/* 0 to 15, or -1 where c is no hexadecimal digit. */
static inline int
ascii_hex_value(int c)
{
    if (ascii_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static inline char
ascii_to_lower(char c)
{
    return ascii_is_upper(c) ? (char)(c + ('a' - 'A')) : c;
}

#endif
