/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain_flow.c - where input comes from and output goes, in a sentence;
 * functions, signals, and the arguments of git. */
#include "unit_seat.h"

#include <stdio.h>
#include <string.h>

#include "offline/explain/explain.h"
#include "tests/unit/pages.h"

struct row {
    const char *line, *summary;
};

/* No page is found but those of tests/data/man: our tables say all this. */
static const struct row rows[] = {
    {"tr a-z A-Z < in > out",
     "writes the lines of in, with a-z made A-Z, into out"},
    {"kill -HUP 1", "sends the signal HUP to 1"},
    {"kill -s INT 1", "sends the signal INT to 1"},
    {"kill 1", "sends the signal TERM to 1"},
    {"x=1", "sets the variable x"},
    {"! true", "succeeds, and takes success for failure"},
    {"ls > a >> b &>c",
     "lists the files here, and writes that into c, error messages too; before "
     "that, makes or empties a and makes b where it is missing"},
    {"ls 2>e >a 3>b",
     "lists the files here, with error messages in e, and writes that into a"},
    {"ls >a >&2",
     "lists the files here, as an error message; before that, makes or "
     "empties a"},
    {"kill -9 -1", "sends the signal 9 to every process that you may signal"},
    {"kill -- -42 0 7",
     "sends the signal TERM to every process of the group 42, every process "
     "of the shell's own group and 7"},
    {"git push --force-with-lease origin main",
     "sends commits of main to origin"},
    {"docker ps -q | xargs docker rm", "removes the containers"},
    {"ls | xargs -I% cp % /tmp", "copies each of the files here to /tmp"},
    {"ls | xargs -I{} sh -c 'pwd' _ {}",
     "shows the working directory, once for each of the files here"},
    {"tail -f a | grep x",
     "shows the last ten lines of a, and those that are added from now on, "
     "that match x"},
    {"sort a | tr -s x | cut -f2",
     "shows the values of field 2 of the lines of a, sorted, with x that "
     "repeat made one"},
    {"tr -cd 0-9 < a", "shows the lines of a, only the characters 0-9"},
    {"seq 3 | paste -sd+",
     "puts the numbers from 1 to 3 one behind another, with + between"},
    {"comm -23 a b", "shows the lines of a that are not in b"},
    {"curl -d x -X PUT h", "sends x to h by PUT and fetches what that answers"},
    {"python3 -m http.server -b x", "runs the module http.server of Python"},
    {"openssl enc -d -aes-256-cbc -in a -out b", "decrypts a into b"},
    {"(crontab -l; echo x) | crontab -",
     "shows what runs at certain times; then writes the text x, then replaces "
     "all that runs at certain times by what that writes"},
    {"git stash push -- a",
     "puts the changes of a aside, so that files are as in the last commit"},
    {"git rm --cached a",
     "takes a out of the next commit and leaves the files"},
    {"git blame -- a", "shows who changed each line of a last"},
    {"diff -u a b", "shows how a and b differ"},
    {"grep -o x f | sort", "shows the matches of x in f, sorted"},
    {"cat f | grep -o x", "shows the matches of x in the lines of f"},
    {"tar -xzvf", ""},
    {"tar xzf | wc", ""},
    {"git log -- src", "shows the commits that changed src"},
    {"git log main -- a b", "shows the commits of main that changed a and b"},
    {"git log a.c", "shows the commits that changed a.c"},
    {"git diff", "shows what changed and is not yet put into the next commit"},
    {"git diff main dev -- a", "shows what changed in a between main and dev"},
    {"git diff --cached", "shows what is put into the next commit"},
    {"git checkout main -- a",
     "brings a back as in main, and throws away what changed since"},
    {"git reset HEAD a.c",
     "takes a.c out of the next commit, and leaves the files as they are"},
    {"tar cf - . | ssh h 'cd /srv && tar xpf -'",
     "packs . into an archive, then on h: goes to /srv; if that succeeds, "
     "takes everything out of standard input"},
    {"curl a.org/x | tar xz -C d",
     "takes everything out of what a.org/x answers, into d"},
    {"ls | tar xf a.tar b", "lists the files here, then takes b out of a.tar"},
    {"ls | ssh h 'cat > x'",
     "lists the files here, then on h: writes what is read from standard "
     "input into x"},
    {"cat <<E > x\na\nE", "writes the lines that follow into x"},
    {"sort a 2>e > b", "writes the lines of a, sorted, with error messages in "
                       "e, into b"},
    {"ls > a 2>&1",
     "lists the files here, and writes that into a, error messages too"},
    {"ls 2>&1 > a", "lists the files here, and writes that into a"},
    {"ls &>/dev/null", "lists the files here, and throws the output away, "
                       "error messages too"},
    {"> f", "makes f, or empties it"},
    {">> f", "makes f where it is missing"},
    {"exec > f 2>&1",
     "from now on writes all output into f, error messages too"},
    {"exec >&-", "for all that follows, changes where input and output go, "
                 "without any output"},
    {"git push a :", "sends commits of : to a"},
    {"x=$(rm a)", "sets the variable x to what a command writes"},
    {"! grep -q x f",
     "tests whether any line of f matches x, and takes success for failure"},
    {"git push origin :b", "deletes the branch :b in origin"},
    {"git push origin --delete b", "deletes b in origin"},
    {"git push -f origin m",
     "sends commits of m to origin, even where commits there are lost"},
    {"git checkout -- f", "throws away what changed in f since it was put in"},
    {"git stash pop",
     "brings back the changes that were put aside last, and forgets them "
     "there"},
    {"git branch -D x",
     "deletes the branch x, even when its commits are nowhere else"},
    {"kill -0 1", "tests whether 1 is there, and sends nothing"},
    {"sort -u a -o a",
     "shows the lines of a, sorted, each once, and writes that into a"},
    {"((x > 3)) && ls",
     "calculates ((x > 3)); if that succeeds, lists the files here"},
    {"f() { rm a; }", "makes the function f (deletes a)"},
    {":(){ :|:& };:",
     "makes the function :, which calls itself twice, in the background, "
     "without end; then calls the function :"},
    {"f() { ls | g; f; }", "makes the function f, which calls itself"},
    {"f() { grep -c \"$1\" \"$2\"; }; f x y",
     "makes the function f (counts the lines of $2 that contain $1); then "
     "calls the function f with x and y"},
    {"f() { cat; }; ls | f",
     "makes the function f (shows what is read from standard input); then "
     "gives the files here to the function f"},
    {"ls() { command ls -a; }; sudo ls",
     "makes the function ls (lists the files here, hidden ones too); then as "
     "root: lists the files here"},
    {"f; f() { pwd; }",
     "runs f; then makes the function f (shows the working directory)"},
};

static void
each_sentence_says_where_it_goes(void **state)
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sentence_says_where_it_goes),
    };

    return cmocka_run_group_tests(tests, pages_of_ours, NULL);
}
