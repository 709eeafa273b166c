/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain_summary.c - a command line in one sentence, and its risk. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offline/explain/explain.h"
#include "tests/unit/pages.h"

struct row {
    const char *line, *summary;
};

/* No page is found but those of tests/data/man: our tables say all this. */
static const struct row rows[] = {
    {"find . -type f -printf '%s %p\\n' | sort -rn | head -n 10",
     "lists the ten largest files below ."},
    {"find . -printf '%T@ %p\\n' | sort -n | head -1",
     "lists the oldest one of the files and directories below ."},
    {"find . -name '*.log' -mtime +7 -delete",
     "deletes the files and directories below . whose name matches *.log, "
     "changed more than 7 days ago"},
    {"find . -name '*.o' -print0 | xargs -0 rm -f",
     "deletes the files and directories below . whose name matches *.o"},
    {"find a -type d -size -1k -exec ls {} +",
     "lists the directories below a smaller than 1 KiB"},
    {"find . -type f -exec touch -r x {} \\; | wc -l",
     "makes the files below . where missing, or sets the time of change, then "
     "counts the lines of what that writes"},
    {"find / -perm -4000",
     "lists the files and directories below / with the set-user-ID bit"},
    {"find . -type f -perm /022",
     "lists the files below . with any mode bit of 022"},
    {"find . -type f -perm -6000",
     "lists the files below . with all mode bits of 6000"},
    {"find . -type d -perm 755",
     "lists the directories below . with exactly the mode 755"},
    {"find . \\( -name a -o -name b \\)",
     "lists the files and directories below . that pass the tests"},
    {"du -sh * | sort -h | tail -5",
     "shows the sizes of the five largest directories and files of *"},
    {"ls -lt | head -3",
     "lists the three newest files here, with their details"},
    {"ls -t | head -3", "lists the three newest files here"},
    {"ls -S a | tail -n 2", "lists the two smallest files in a"},
    {"cut -d, -f2 a.csv | sort | uniq -c | sort -rn | head -3",
     "shows the three most frequent values of field 2 of a.csv"},
    {"sort a | uniq -c", "counts how often each of the lines of a occurs"},
    {"sed s/b/c/ a | uniq -c",
     "counts how often each of the lines of a, with the first b of each line "
     "made c, occurs"},
    {"sort -rn a | uniq -c | wc -l", "counts the lines of a, each once"},
    {"sort -u a | wc -l", "counts the lines of a, each once"},
    {"sed s/b/c/ a | sort -k2 -n | uniq",
     "shows the lines of a, with the first b of each line made c, each once"},
    {"tail -n +2 a | wc -l", "counts the lines of a, from the second on"},
    {"ps aux | grep ssh", "lists the processes that match ssh"},
    {"ps aux | sort -rnk 3 | head -5", "lists the five busiest processes"},
    {"grep x a b c | wc -l", "counts the lines of a, b and c that contain x"},
    {"grep -v x a | grep -v y | tail -n +2",
     "shows the lines of a that do not contain x, without those that match y, "
     "from the second on"},
    {"tail -n +21 a", "shows the lines of a, from the 21st on"},
    {"tail -n +112 a", "shows the lines of a, from the 112th on"},
    {"head -n -3 a", "shows the lines of a, all but the last 3"},
    {"head -n -9223372036854775808 a",
     "shows the lines of a, all but the last 9223372036854775807"},
    {"tail -n -9223372036854775808 a",
     "shows the last 9223372036854775807 lines of a"},
    {"sed -n '5,9p' f", "shows the lines of f, only lines 5 to 9"},
    {"sed -i.bak -e '/^#/d' -e 's/a/b/g' f",
     "changes f in place, without lines that begin with #, with every a made "
     "b, "
     "with the old text kept in *.bak"},
    {"sed ':x;N;bx' f", "shows the lines of f, changed as a script says"},
    {"sed -i s/a/b/g f", "changes f in place, with every a made b"},
    {"awk '{s+=$2} END {print s}' n", "adds up field 2 of the lines of n"},
    {"awk -F: '$3>9 {print $1, $NF}' n",
     "shows the values of field 1 and the last field of n where $3>9"},
    {"awk '/a/,/b c/' n", "shows the lines of n, only those from one that "
                          "matches a to one that matches b c"},
    {"awk '{print}' OFS=, n", "shows the lines of n"},
    {"awk '{a[$1] += $2} END {for (k in a) print k, a[k]}' n",
     "adds up field 2 for each field 1 of the lines of n"},
    {"awk '{print toupper($0)}' n",
     "shows the values of the line in large letters of n"},
    {"awk -f p n", "runs the awk program in p on n"},
    {"awk 'BEGIN {print 1}'", "runs an awk program"},
    {"awk 'BEGIN { x }' n", "runs an awk program on n"},
    {"awk 'BEGIN { FS = \"{\"; OFS=\"\\t\" } { print $2, $(NF-1) }' n",
     "shows the values of field 2 and the last field but one of n"},
    {"awk '{printf \"%s: %d\\n\", $1, length}' n",
     "shows the values of field 1 and the length of the line of n"},
    {"awk '{print NR \" \" NF}' n",
     "shows the values of the number of the line and the number of fields of "
     "n"},
    {"awk '/a\\/b/' n", "shows the lines of n, only those that match a\\/b"},
    {"awk '!/a/ {print}' n",
     "shows the lines of n, only those that do not match a"},
    {"awk 'NR>1' n", "shows the lines of n, from the second line on"},
    {"awk 'NR >= 2 && NR <= 4' n", "shows the lines of n, only lines 2 to 4"},
    {"awk 'NR==5' n", "shows the lines of n, only line 5"},
    {"awk 'NR<=3 {print $1}' n",
     "shows the values of field 1 of n, only lines 1 to 3"},
    {"awk '/x/ {print $1}' n",
     "shows the values of field 1 of n where the line matches x"},
    {"awk NF n", "shows the lines of n, without empty ones"},
    {"awk '!seen[$0]++' n | wc -l", "counts the lines of n, each once"},
    {"awk '!seen[$1]++' n", "shows the lines of n, only where !seen[$1]++"},
    {"ps | awk '$3 > 5'", "lists the processes, only where $3 > 5"},
    {"awk '{s+=$1} END{print \"sum\", s}' n",
     "adds up field 1 of the lines of n"},
    {"awk '{s += $2} END {print s/NR}' n",
     "averages field 2 of the lines of n"},
    {"awk '{s+=$1} END{print s*2}' n", "runs an awk program on n"},
    {"awk '{s+=$1} END{print t}' n", "runs an awk program on n"},
    {"awk 'END{print NR}' n", "counts the lines of n"},
    {"cat n | awk '/x/{c++} END{print c}'",
     "counts the lines of n, only those that match x"},
    {"awk '{c[$1]++} END{for (k in c) print k, c[k]}' n",
     "counts how often each field 1 of the lines of n occurs"},
    {"awk '{gsub(/a/, \"b\"); print}' n",
     "shows the lines of n, with every a made b"},
    {"awk '{sub(/a/, \"\")} 1' n", "shows the lines of n, without the first a"},
    {"awk '{$2=\"\"; print $0}' n", "shows the lines of n, without field 2"},
    {"awk '{print $1 > \"x\"}' n", "runs an awk program on n"},
    {"awk '{print $1} {print $2}' n", "runs an awk program on n"},
    {"awk '{print $1/2}' n", "runs an awk program on n"},
    {"awk '{print' n", "runs an awk program on n"},
    {"tar xzf a.tgz -C /srv", "takes everything out of a.tgz, into /srv"},
    {"cp a b c d e", "copies a, b and 2 more to e"},
    {"sudo -u bob env A=1 systemctl restart nginx", "as bob: restarts nginx"},
    {"ssh web 'tail -f x'", "on web: shows the last ten lines of x, and those "
                            "that are added from now on"},
    {"sh -c 'rm a; ls' x", "deletes a; then lists the files here"},
    {"sudo cat a | grep x", "as root: shows the lines of a that match x"},
    {"sudo find / -size +1G -exec ls -lh {} + | sort -k5 -rh | head -3",
     "as root: lists the three largest files and directories below / larger "
     "than 1 GiB, with their details"},
    {"timeout 5 sleep 1", "for at most 5 seconds: waits 1 second"},
    {"echo hello > a.txt", "writes the text hello into a.txt"},
    {"rm a 2>/dev/null || true",
     "deletes a, without error messages, and takes a failure for success"},
    {"mkdir d && cd d || exit 1",
     "makes the directory d; if that succeeds, goes to d; if that fails, ends "
     "the shell with the status 1"},
    {"if [ -f a ]; then rm a; else ls; fi",
     "if a is a file: deletes a; if not: lists the files here"},
    {"if [[ -d a ]]; then ls a; fi",
     "if a is a directory: lists the files in a"},
    {"[ -f a -a -w b ]", "tests whether a is a file and b can be written"},
    {"[[ -f $x && $y == *.log ]]",
     "tests whether $x is a file and $y matches *.log"},
    {"[ -z \"$x\" -o \"$y\" != '' ]",
     "tests whether $x is empty, or $y is not empty"},
    {"[[ ( -f a || -d b ) && ! -w c ]]",
     "tests whether (a is a file, or b is a directory) and c cannot be "
     "written"},
    {"test ! $x -gt 3", "tests whether $x is not greater than 3"},
    {"[[ $x =~ ^a+$ ]]",
     "tests whether $x matches the regular expression ^a+$"},
    {"[ a b ]", "says by its exit status whether a condition holds"},
    {"[ ]", "says by its exit status whether a condition holds"},
    {"if [ $# -lt 2 ] || [ ! -r \"$1\" ]; then pwd; fi",
     "if $# is less than 2, or $1 cannot be read: shows the working directory"},
    {"[ a ] && [ b ] || pwd",
     "tests whether a is not empty and b is not empty; if that fails, shows "
     "the working directory"},

    {"while true; do date; done", "for ever: shows the time"},
    {"for i in a b; do rm $i; done", "for each i of a, b: deletes $i"},
    {"ls | while read f; do rm $f; done",
     "lists the files here, and for each of them: deletes $f"},
    {"(cd a && ls) &",
     "goes to a; if that succeeds, lists the files here, in the background"},
    {"spin w | whirl", "runs spin (turn wheels), then gives what that writes "
                       "to whirl (turn wheels)"},
    {"frobnicate", "runs frobnicate"},
    {"case $x in a) ls;; b) pwd;; esac",
     "finds which of 2 patterns $x matches, and runs what belongs to it"},
    {"for ((i=0;i<3;i++)); do pwd; done",
     "repeats, counting by ((i=0;i<3;i++)): shows the working directory"},
    {"select x in a b; do pwd; done",
     "each time a person chooses x of a, b: shows the working directory"},
    {"for x; do ls | (cat); done",
     "for each x of the arguments: lists the files here"},
    {"for x; do case x in esac; done",
     "for each x of the arguments: runs commands"},
    {"for i in a b; do echo $i; done | sort > f",
     "for each i of a, b: writes the text $i, then writes the lines of what "
     "that writes, sorted, into f"},
    {"for i in a b; do echo $i; done > f",
     "for each i of a, b: writes the text $i, and writes that into f"},
    {"ls | while read f; do echo $f; done | wc -l",
     "lists the files here, and for each of them: writes the text $f, then "
     "counts the lines of what that writes"},
    {"cat a | while IFS= read -r l; do echo $l; done >> f",
     "shows the lines of a, and for each of them: writes the text $l, and "
     "adds that to f"},
    {"{ ls; pwd; } | tail -1",
     "lists the files here; then shows the working directory, then shows the "
     "last one of the lines of what that writes"},
    {"ls | { read a; pwd; }",
     "lists the files here, and with that as input reads a line into a; then "
     "shows the working directory"},
    {"spin w | for i in 1; do pwd; done",
     "runs spin (turn wheels), and with that as input for each i of 1: shows "
     "the working directory"},
    {"if ls; then pwd; fi 2>/dev/null",
     "if this succeeds (lists the files here): shows the working directory, "
     "without error messages"},
    {"coproc W { ls; }",
     "in the background, joined to the shell by the pipes W: lists the files "
     "here"},
    {"coproc pwd",
     "in the background, joined to the shell by the pipes COPROC: shows the "
     "working directory"},
    {"time ls | wc -l",
     "counts the files here, and measures how long that takes"},
    {"until ping -c1 h; do sleep 5; done",
     "until this succeeds (asks h whether it is there, once): waits 5 seconds"},
    {"while ! ping -c2 h; do pwd; done",
     "as long as this fails (asks h whether it is there, 2 times): shows the "
     "working directory"},
    {"while read a; do echo $a; done < f",
     "for each of the lines of f: writes the text $a"},
    {"if false; then ls; elif true; then pwd; else date; fi",
     "if this succeeds (fails): lists the files here; if not, but if this "
     "succeeds (succeeds): shows the working directory; if not: shows the "
     "time"},
    {"command -v ls", "says what ls would run"},
    {"command ls", "lists the files here"},
    {"ls -lah", "lists the files here, hidden ones too, with their details"},
    {"ssh -N -L 1:h:2 u@h",
     "keeps a connection to u@h open and runs nothing there, with 1:h:2 led "
     "there"},
    {"ssh u@h", "opens a shell on u@h"},
    {"mount -o rw,remount /", "changes how / is mounted: rw,remount"},
    {"mount /dev/sdb1 /mnt", "mounts /dev/sdb1 at /mnt"},
    {"docker run --rm -it i ls -l",
     "in a new container of i: lists the files here, with their details"},
    {"docker compose -f c.yml up -d",
     "makes and starts the containers of the project, in the background"},
    {"podman compose down", "stops and removes the containers of the project"},
    {"docker compose down -v",
     "stops and removes the containers of the project, and deletes its volumes "
     "with all data in them"},
    {"gcc -O2 -Wall -o x x.c", "compiles x.c into the program x"},
    {"kubectl get pods -n web", "lists the pods in the namespace web"},
    {"iptables -A INPUT -p tcp --dport 22 -j ACCEPT",
     "lets INPUT accept packets of tcp for port 22, where no earlier rule "
     "decides"},
    {"iptables -A INPUT ! -s 10.0.0.1 -j DROP",
     "adds a rule at the end of INPUT"},
    {"if ! grep -q x f; then pwd; fi",
     "if it is not true that any line of f matches x: shows the working "
     "directory"},
    {"ls *.c | xargs wc -l", "counts the lines of the files that match *.c"},
    {"find . -exec head -1 {} \\;",
     "shows the first one of the lines of the files and directories below ."},
    {"ip route del default", "removes the route to everywhere else"},
    {"ip route", "shows the routes"},
    {"journalctl --vacuum-size=1M",
     "deletes the oldest of the log, down to 1M"},
    {"rsync -n a b", "only shows what would be copied from a to b"},
    {"su - bob -c ls", "as bob: lists the files here"},
    {"sudo -i", "opens a shell as root"},
    {"make -n x", "only shows what would be done to make x"},
    {"docker run --pull always i", "starts a container of i"},
    {"kubectl exec -it p -- pwd", "in the pod p: shows the working directory"},
    {"echo 'a", ""},
    {"", ""},
};

struct risk_row {
    const char *line, *risk; /* how it begins */
};

static const struct risk_row risks[] = {
    {"ls -l", ""},
    {"rm -r x", "destructive: "},
    {"sudo ls", "needs root: "},
    {"curl http://example.org", "uses the network: "},
    {"eval $x", "cannot tell what it does: "},
};

static void
a_line_is_explained_in_one_sentence(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explain x;

        assert_int_equal(explain_line(unit_seat(), rows[i].line, &x, NULL), 0);
        if (strcmp(x.summary, rows[i].summary) != 0) {
            print_error("%s: %s\n", rows[i].line, x.summary);
            wrong++;
        }
        explain_done(&x);
    }
    assert_int_equal(wrong, 0);
}

static void
the_guard_says_what_is_dangerous(void **state)
{
    CLEANUP(free_p) char *here = getcwd(NULL, 0);

    (void)state;
    /* where who is not root may write as well */
    assert_true(here && chdir("/tmp") == 0);
    for (size_t i = 0; i < sizeof(risks) / sizeof(risks[0]); i++) {
        CLEANUP_BUF struct buf text = buf_of(4096);
        struct explain x;

        assert_int_equal(explain_line(unit_seat(), risks[i].line, &x, NULL), 0);
        explain_risk_text(&x.risk, false, &text);
        if (strncmp(text.p, risks[i].risk, strlen(risks[i].risk)) != 0 ||
            (text.len > 0) != (risks[i].risk[0] != '\0'))
            fail_msg("%s: %s", risks[i].line, text.p);
        explain_done(&x);
    }
    assert_int_equal(chdir(here), 0);
}

static void
a_sentence_that_is_too_long_is_left_out(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(65536);
    struct explain x;

    (void)state;
    for (int i = 0; i < 500; i++)
        buf_str(&line, "cp averylongnameofafile anotherlongname && ");
    buf_str(&line, "ls");
    assert_int_equal(explain_line(unit_seat(), line.p, &x, NULL), 0);
    assert_string_equal(x.summary, "");
    explain_done(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_explained_in_one_sentence),
        cmocka_unit_test(the_guard_says_what_is_dangerous),
        cmocka_unit_test(a_sentence_that_is_too_long_is_left_out),
    };

    return cmocka_run_group_tests(tests, pages_of_ours, NULL);
}
