/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_lines.c - commands for the lines of files. */
#include "generated.h"
#include "unit.h"

static const struct generated searched[] = {
    {"print every line of notes.txt that mentions 'error'",
     "grep error notes.txt"},
    {"show lines of server.log without the word \"debug\"",
     "grep -v debug server.log"},
    {"lines in a.txt not containing foo", "grep -v foo a.txt"},
    {"grep main in prog.c", "grep main prog.c"},
    {"search for \"hello\" in b.txt ignoring case", "grep -i hello b.txt"},
    {"search 'Widget' in all .py files under src",
     "grep -r --include='*.py' Widget src"},
    {"count the lines matching 'warn' in app.log", "grep -c warn app.log"},
    {"how many times does 'apple' occur in fruit.txt",
     "grep -o apple fruit.txt | wc -l"},
    {"show line numbers of lines containing 'x1' in data.txt",
     "grep -n x1 data.txt"},
    {"print lines that start with '#' in conf.ini", "grep '^#' conf.ini"},
    {"print lines ending with ';' in prog.c", "grep ';$' prog.c"},
    {"show lines starting with a digit in list.txt", "grep '^[0-9]' list.txt"},
    {"find the whole word 'cat' in animals.txt", "grep -w cat animals.txt"},
    {"show 2 lines before each match of 'panic' in kern.log",
     "grep -B 2 panic kern.log"},
    {"show 4 lines around 'panic' in kern.log", "grep -C 4 panic kern.log"},
    {"print only the matching part of '[0-9]+' in ids.txt",
     "grep -o -E '[0-9]+' ids.txt"},
    {"files that contain 'license' under doc/", "grep -lr license doc/"},
    {"which files in src/ do not contain 'copyright'",
     "grep -Lr copyright src/"},
    {"lines containing 'a' or 'b' in x.txt", "grep -e a -e b x.txt"},
    {"lines containing both 'red' and 'blue' in x.txt",
     "grep red x.txt | grep blue"},
    {"show non-empty lines of x.txt", "grep -v '^$' x.txt"},
    {"count non-empty lines in x.txt", "grep -vc '^$' x.txt"},
    {"lines of x.txt that begin with 'From'", "grep ^From x.txt"},
    {"display all lines of access.log with '404'", "grep 404 access.log"},
    {"search for 'password' recursively in /etc", "grep -r password /etc"},
    {"search for the string \"int main\" in *.c", "grep 'int main' *.c"},
    {"highlight 'foo' in x.txt", "grep --color=always foo x.txt"},
    {"search for \"ifup\" in the output of history", "history | grep ifup"},
    {"lines of 'ps aux' output containing nginx", "ps aux | grep nginx"},
    {"filter lines matching 'GET' in access.log", "grep GET access.log"},
};

static const struct generated shown[] = {
    {"show the first 12 lines of a.txt", "head -n 12 a.txt"},
    {"show the last 3 lines of a.txt", "tail -n 3 a.txt"},
    {"last line of log.txt", "tail -n 1 log.txt"},
    {"first line of log.txt", "head -n 1 log.txt"},
    {"print line 42 of main.c", "sed -n 42p main.c"},
    {"print lines 5 to 9 of main.c", "sed -n 5,9p main.c"},
    {"show everything from line 20 on in big.txt", "tail -n +20 big.txt"},
    {"skip the first line of data.csv", "tail -n +2 data.csv"},
    {"print all but the last 2 lines of data.csv", "head -n -2 data.csv"},
    {"first 100 bytes of image.raw", "head -c 100 image.raw"},
    {"follow the log /var/log/syslog", "tail -f /var/log/syslog"},
    {"watch new lines being added to app.log", "tail -f app.log"},
    {"show the last 50 lines of app.log and keep following it",
     "tail -n 50 -f app.log"},
    {"show the contents of readme.md", "cat readme.md"},
    {"print file hosts.txt with line numbers", "cat -n hosts.txt"},
    {"concatenate a.txt and b.txt", "cat a.txt b.txt"},
    {"concatenate part1 part2 part3 into whole.bin",
     "cat part1 part2 part3 > whole.bin"},
};

static const struct generated sorted[] = {
    {"sort names.txt", "sort names.txt"},
    {"sort names.txt in reverse order", "sort -r names.txt"},
    {"sort numbers.txt numerically", "sort -n numbers.txt"},
    {"sort numbers.txt numerically in descending order",
     "sort -nr numbers.txt"},
    {"sort sizes.txt by human readable sizes", "sort -h sizes.txt"},
    {"sort file.txt by the third column", "sort -k3,3 file.txt"},
    {"sort users.csv by the second field separated by comma",
     "sort -t, -k2,2 users.csv"},
    {"sort list.txt and remove duplicate lines", "sort -u list.txt"},
    {"unique lines of list.txt", "sort -u list.txt"},
    {"show only duplicate lines in list.txt", "sort list.txt | uniq -d"},
    {"count how often each line occurs in list.txt",
     "sort list.txt | uniq -c | sort -rn"},
    {"count duplicate lines in words.txt", "sort words.txt | uniq -c"},
    {"show the 5 most frequent lines of words.txt",
     "sort words.txt | uniq -c | sort -rn | head -n 5"},
    {"shuffle the lines of list.txt", "shuf list.txt"},
    {"sort lines of a.txt ignoring case", "sort -f a.txt"},
    {"sort versions.txt by version", "sort -V versions.txt"},
    {"sort a.txt and save it to b.txt", "sort a.txt > b.txt"},
    {"count the lines in report.txt", "wc -l report.txt"},
    {"count words in report.txt", "wc -w report.txt"},
    {"count characters in report.txt", "wc -m report.txt"},
    {"how many bytes are in report.txt", "wc -c report.txt"},
    {"number of lines in all *.c files", "wc -l *.c"},
    {"length of the longest line in x.txt", "wc -L x.txt"},
};

static void
lines_are_looked_for(void **state)
{
    (void)state;
    generated_check(searched, N_OF(searched));
}

static void
lines_are_shown_by_their_place(void **state)
{
    (void)state;
    generated_check(shown, N_OF(shown));
}

static void
lines_are_sorted_and_counted(void **state)
{
    (void)state;
    generated_check(sorted, N_OF(sorted));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_looked_for),
        cmocka_unit_test(lines_are_shown_by_their_place),
        cmocka_unit_test(lines_are_sorted_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
