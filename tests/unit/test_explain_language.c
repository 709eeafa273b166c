/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain_language.c - small sed and awk programs are described. */
#include "unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_language.h"

struct row {
    const char *script;
    bool quiet;
    const char *meaning; /* NULL: not understood whole */
};

static const struct row seds[] = {
    {"s/a/b/", false, ", with the first a of each line made b"},
    {"s/a/b/g", false, ", with every a made b"},
    {"s/a/b/2g", false,
     ", with the second a and all behind it of each line made b"},
    {"s/a/b/3I", false,
     ", with the third a of each line, large or small letters, made b"},
    {"s/a//g", false, ", without every a"},
    {"s#/a#/b#g", false, ", with every /a made /b"},
    {"s/[/]/x/g", false, ", with every [/] made x"},
    {"s/a\\/b/c/g", false, ", with every a\\/b made c"},
    {"s//b/g", false, ", with every match of the pattern before made b"},
    {"s/$/;/", false, ", with ; at the end of each line"},
    {"s/[ \\t]*$//", false, ", without blanks at the end of each line"},
    {"/x/s/a/b/", false, ", with the first a made b in lines that contain x"},
    {"s/a/b/p", true,
     ", only those with a, with the first a of each line made b"},
    {"s/a/b/", true, NULL},
    {"d", false, ", without any of them"},
    {"5d", false, ", without line 5"},
    {"$d", false, ", without the last line"},
    {"2,5d", false, ", without lines 2 to 5"},
    {"2,$d", false, ", without lines 2 to the last"},
    {"2,+3d", false, ", without the lines from line 2 and 3 behind it"},
    {"2!d", false, ", only line 2"},
    {"0~3d", false, ", without every third line"},
    {"1~2d", false, ", without every second line from line 1 on"},
    {"/^#/d", false, ", without lines that begin with #"},
    {"/;$/d", false, ", without lines that end in ;"},
    {"/^$/d", false, ", without empty lines"},
    {"/^\\s*$/d", false, ", without lines of nothing but blanks"},
    {"/a.c/d", false, ", without lines that match a.c"},
    {"\\%/a%d", false, ", without lines that contain /a"},
    {"/a/I,/b/!d", false,
     ", only the lines from one that contains a to one that contains b"},
    {"/a/,$d", false,
     ", without the lines from one that contains a to the last"},
    {"3p", true, ", only line 3"},
    {"3p", false, ", with line 3 twice"},
    {"5q", false, ", up to line 5"},
    {"/x/q", false, ", up to lines that contain x"},
    {"$=", true, ", only how many there are"},
    {"=", false, ", with numbers at all lines"},
    {"y/abc/xyz/", false, ", with the letters abc made xyz"},
    {"1i top", false, ", with the line top before line 1"},
    {"$a\\\nend", false, ", with the line end after the last line"},
    {"/x/c\\y", false, ", with the line y in place of lines that contain x"},
    {"/x/r f", false, ", with what is in f after lines that contain x"},
    {"G", false, ", with an empty line after each"},
    {"n;d", false, ", without every second line"},
    {"/^$/d; s/a/b/\n$d", false,
     ", without empty lines, with the first a of each line made b, without "
     "the last line"},
    {"/x/{s/a/b/;s/c//}", false,
     ", with the first a made b in lines that contain x, without the first c "
     "in lines that contain x"},
    {":a;N;$!ba;s/\\n/,/g", false, ", with every line end made ,"},
    {"s/a/b", false, NULL},
    {"s/a/b/e", false, NULL},
    {"s/a/b/w f", false, NULL},
    {"/x", false, NULL},
    {"/x/{d", false, NULL},
    {"d}", false, NULL},
    {"$!N", false, NULL},
    {"/x/{/y/d}", false, NULL},
    {"!d", false, NULL},
    {"5,d", false, NULL},
    {"p p", false, NULL},
    {"kx", false, NULL},
    {"", false, NULL},
};

static void
scripts_of_sed_are_explained_whole_or_not_at_all(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(seds) / sizeof(seds[0]); i++) {
        CLEANUP_BUF struct buf out = buf_of(1024);
        bool understood = sed_render(seds[i].script, seds[i].quiet, &out);
        const char *want = seds[i].meaning ? seds[i].meaning : "";

        if (understood != (seds[i].meaning != NULL) ||
            strcmp(out.p, want) != 0) {
            print_error("%s: %s\n", seds[i].script, out.p);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_of_sed_are_explained_whole_or_not_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
