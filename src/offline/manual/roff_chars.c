/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_chars.c - the names of special characters in roff. */
#include "offline/manual/roff_chars.h"

#include <string.h>

/* From groff_char(7), those that manual pages use. Dashes, quotes and signs
 * that a person would type come as ASCII, so that options read as typed. */
static const struct {
    char name[4];
    uint32_t cp;
} chars[] = {
    {"-", '-'},     {"hy", '-'},    {"mi", '-'},    {"en", 0x2013},
    {"em", 0x2014}, {"aq", '\''},   {"cq", 0x2019}, {"oq", 0x2018},
    {"lq", 0x201c}, {"rq", 0x201d}, {"dq", '"'},    {"Bq", 0x201e},
    {"bq", 0x201a}, {"Fo", 0xab},   {"Fc", 0xbb},   {"fo", 0x2039},
    {"fc", 0x203a}, {"ga", '`'},    {"aa", 0xb4},   {"ha", '^'},
    {"a^", '^'},    {"ti", '~'},    {"a~", '~'},    {"rs", '\\'},
    {"sl", '/'},    {"ba", '|'},    {"br", '|'},    {"bv", '|'},
    {"or", '|'},    {"ul", '_'},    {"ru", '_'},    {"at", '@'},
    {"sh", '#'},    {"Do", '$'},    {"lB", '['},    {"rB", ']'},
    {"lC", '{'},    {"rC", '}'},    {"la", '<'},    {"ra", '>'},
    {"bu", 0x2022}, {"ci", 0x25cb}, {"sq", 0x25a1}, {"co", 0xa9},
    {"rg", 0xae},   {"tm", 0x2122}, {"de", 0xb0},   {"sc", 0xa7},
    {"ps", 0xb6},   {"dg", 0x2020}, {"dd", 0x2021}, {"ct", 0xa2},
    {"Po", 0xa3},   {"Ye", 0xa5},   {"Eu", 0x20ac}, {"eu", 0x20ac},
    {"<-", 0x2190}, {"->", 0x2192}, {"<>", 0x2194}, {"ua", 0x2191},
    {"da", 0x2193}, {"<=", 0x2264}, {">=", 0x2265}, {"!=", 0x2260},
    {"==", 0x2261}, {"=~", 0x2245}, {"+-", 0xb1},   {"mu", 0xd7},
    {"di", 0xf7},   {"pl", '+'},    {"eq", '='},    {"if", 0x221e},
    {"12", 0xbd},   {"14", 0xbc},   {"34", 0xbe},   {"S1", 0xb9},
    {"S2", 0xb2},   {"S3", 0xb3},   {"mc", 0xb5},   {"*m", 0x3bc},
    {"*a", 0x3b1},  {"*b", 0x3b2},  {"*p", 0x3c0},  {"*W", 0x3a9},
    {"'e", 0xe9},   {"'a", 0xe1},   {"'i", 0xed},   {"'o", 0xf3},
    {"'u", 0xfa},   {"'E", 0xc9},   {"'A", 0xc1},   {"'O", 0xd3},
    {"`e", 0xe8},   {"`a", 0xe0},   {"`u", 0xf9},   {"^e", 0xea},
    {"^a", 0xe2},   {"^o", 0xf4},   {"^i", 0xee},   {":a", 0xe4},
    {":o", 0xf6},   {":u", 0xfc},   {":e", 0xeb},   {":i", 0xef},
    {":A", 0xc4},   {":O", 0xd6},   {":U", 0xdc},   {"ss", 0xdf},
    {"oa", 0xe5},   {"oA", 0xc5},   {"/o", 0xf8},   {"/O", 0xd8},
    {"/l", 0x142},  {"ae", 0xe6},   {"AE", 0xc6},   {",c", 0xe7},
    {",C", 0xc7},   {"~n", 0xf1},   {"~N", 0xd1},   {"~a", 0xe3},
    {"~o", 0xf5},   {"vs", 0x161},  {"vz", 0x17e},  {"OK", 0x2713},
    {"ff", 0xfb00}, {"fi", 0xfb01}, {"fl", 0xfb02}, {"-D", 0xd0},
    {"r!", 0xa1},   {"r?", 0xbf},   {"nb", 0x2284}, {"es", 0x2205},
};

/* \[u20AC], \[u0041_0301]: the first character. */
static uint32_t
by_number(const char *name, size_t n)
{
    uint32_t cp = 0;
    size_t i = 1;

    for (; i < n && i < 8; i++) {
        const char *digits = "0123456789ABCDEF";
        const char *d = name[i] ? strchr(digits, name[i]) : NULL;

        if (!d)
            break;
        cp = cp * 16 + (uint32_t)(d - digits);
    }
    return i >= 5 ? cp : 0;
}

uint32_t
roff_char(const char *name, size_t n)
{
    if (n >= 5 && name[0] == 'u')
        return by_number(name, n);
    for (size_t i = 0; i < sizeof(chars) / sizeof(chars[0]); i++)
        if (strlen(chars[i].name) == n && memcmp(chars[i].name, name, n) == 0)
            return chars[i].cp;
    return 0;
}
