/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_text.c - commands for columns, letters and edits. */
#include "generated.h"
#include "unit.h"

static const struct generated columns[] = {
    {"print the first column of table.txt", "awk '{print $1}' table.txt"},
    {"print the last column of table.txt", "awk '{print $NF}' table.txt"},
    {"print columns 2 and 4 of table.txt", "awk '{print $2, $4}' table.txt"},
    {"print the third field of /etc/passwd separated by ':'",
     "cut -d: -f3 /etc/passwd"},
    {"extract the second column from data.csv", "cut -d, -f2 data.csv"},
    {"show fields 2 to 5 of data.tsv", "cut -f2-5 data.tsv"},
    {"swap the first and second column of pairs.txt",
     "awk '{t = $1; $1 = $2; $2 = t; print}' pairs.txt"},
    {"print the second field of the string \"a;b;c\" separated by semicolon",
     "echo 'a;b;c' | cut -d';' -f2"},
    {"sum the numbers in the first column of costs.txt",
     "awk '{s += $1} END {print s}' costs.txt"},
    {"average of column 3 in costs.txt",
     "awk '{s += $3} END {print s / NR}' costs.txt"},
    {"maximum of the second column in costs.csv",
     "awk -F, 'NR == 1 || $2 > m {m = $2} END {print m}' costs.csv"},
    {"total of the numbers in bills.txt",
     "awk '{s += $1} END {print s}' bills.txt"},
    {"print the first 8 characters of each line of keys.txt",
     "cut -c1-8 keys.txt"},
    {"characters 3 to 7 of every line in keys.txt", "cut -c3-7 keys.txt"},
};

static const struct generated letters[] = {
    {"convert notes.txt to upper case",
     "tr '[:lower:]' '[:upper:]' < notes.txt"},
    {"convert notes.txt to lowercase",
     "tr '[:upper:]' '[:lower:]' < notes.txt"},
    {"change $name to uppercase", "tr '[:lower:]' '[:upper:]' < \"$name\""},
    {"replace commas with newlines in row.txt", "tr ',' '\\n' < row.txt"},
    {"replace spaces by underscores in names.txt", "tr ' ' '_' < names.txt"},
    {"delete all digits from x.txt", "tr -d '0-9' < x.txt"},
    {"squeeze repeated spaces in x.txt", "tr -s ' ' < x.txt"},
    {"join the lines of list.txt with commas", "paste -sd, list.txt"},
    {"join all lines of list.txt into a single line", "paste -sd' ' list.txt"},
};

static const struct generated edited[] = {
    {"replace cat with dog in pets.txt", "sed -i 's/cat/dog/g' pets.txt"},
    {"replace 'http:' with 'https:' in all *.html files",
     "sed -i 's/http:/https:/g' *.html"},
    {"substitute \"a/b\" by \"c/d\" in paths.txt",
     "sed -i 's|a/b|c/d|g' paths.txt"},
    {"replace the first 'x' with 'y' on each line of z.txt",
     "sed -i 's/x/y/' z.txt"},
    {"replace foo with bar in file conf.ini in place keeping a backup",
     "sed -i.bak 's/foo/bar/g' conf.ini"},
    {"replace \"old\" with \"new\" ignoring case in t.txt",
     "sed -i 's/old/new/gI' t.txt"},
    {"change 'foo' to 'bar' on line 3 of t.txt", "sed -i '3s/foo/bar/g' t.txt"},
    {"delete line 5 of t.txt", "sed '5d' t.txt"},
    {"delete lines 5 to 8 of t.txt", "sed '5,8d' t.txt"},
    {"delete the first line of t.txt", "sed '1d' t.txt"},
    {"remove the last line of t.txt", "sed '$d' t.txt"},
    {"delete the first 3 lines of t.txt", "sed '1,3d' t.txt"},
    {"delete blank lines from t.txt", "sed '/^$/d' t.txt"},
    {"delete lines containing 'spam' in mail.txt", "sed '/spam/d' mail.txt"},
    {"delete all lines starting with '#' from conf.ini",
     "sed '/^#/d' conf.ini"},
    {"remove lines that do not contain 'keep' from t.txt",
     "sed '/keep/!d' t.txt"},
    {"remove trailing whitespace from t.txt", "sed 's/[[:space:]]*$//' t.txt"},
    {"strip leading spaces in t.txt", "sed 's/^[[:space:]]*//' t.txt"},
    {"insert 'hello' before line 3 of t.txt", "sed '3i hello' t.txt"},
    {"add 'end' after line 10 of t.txt", "sed '10a end' t.txt"},
    {"add '> ' at the beginning of each line of t.txt", "sed 's/^/> /' t.txt"},
    {"append ';' to the end of every line of t.txt", "sed 's/$/;/' t.txt"},
};

static const struct generated compared[] = {
    {"compare a.txt with b.txt", "diff a.txt b.txt"},
    {"show the differences between a.txt and b.txt", "diff a.txt b.txt"},
    {"unified diff of a.txt and b.txt", "diff -u a.txt b.txt"},
    {"compare a.txt and b.txt ignoring whitespace", "diff -w a.txt b.txt"},
    {"are a.bin and b.bin different byte by byte", "cmp a.bin b.bin"},
    {"lines that are in a.txt but not in b.txt",
     "comm -23 <(sort a.txt) <(sort b.txt)"},
    {"lines common to a.txt and b.txt", "comm -12 <(sort a.txt) <(sort b.txt)"},
    {"lines that appear in both sorted a.txt and b.txt",
     "comm -12 a.txt b.txt"},
    {"split big.txt into pieces of 1000 lines", "split -l 1000 big.txt"},
    {"split video.mp4 into files of 100 MB", "split -b 100M video.mp4"},
    {"split data.bin into 5 parts with prefix part_",
     "split -n 5 data.bin part_"},
    {"split log.txt into files of 200 lines with numeric suffixes of "
     "length 3",
     "split -d -a 3 -l 200 log.txt"},
    {"write the output of \"make\" to the screen and to build.log",
     "make | tee build.log"},
    {"append the output of \"date\" to stdout and log.txt with tee",
     "date | tee -a log.txt"},
    {"save the number of lines of a.txt in variable n", "n=$(wc -l < a.txt)"},
};

static void
columns_are_taken_and_reckoned_with(void **state)
{
    (void)state;
    generated_check(columns, N_OF(columns));
}

static void
letters_are_changed(void **state)
{
    (void)state;
    generated_check(letters, N_OF(letters));
}

static void
texts_are_replaced_and_lines_deleted(void **state)
{
    (void)state;
    generated_check(edited, N_OF(edited));
}

static void
files_are_compared_and_split(void **state)
{
    (void)state;
    generated_check(compared, N_OF(compared));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_taken_and_reckoned_with),
        cmocka_unit_test(letters_are_changed),
        cmocka_unit_test(texts_are_replaced_and_lines_deleted),
        cmocka_unit_test(files_are_compared_and_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
