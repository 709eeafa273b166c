/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_hostile.c - quoted values stay part of one word. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "guard/syntax/syntax.h"
#include "offline/generate/generate.h"

#define REQUEST_MAX 512

/* Ways to ask each generator; < and > become the quotes of the value. */
static const struct {
    const char *generator, *request;
} forms[] = {
    {"find", "find files named <%s>"},
    {"find", "find files that contain <%s>"},
    {"find", "find all files in the directory <%s>"},
    {"find", "find all txt files but those named <%s>"},
    {"find", "find files owned by the user <%s>"},
    {"find", "find files newer than <%s>"},
    {"find", "find all files named <%s> and delete them"},
    {"grep", "search for <%s> in a.txt"},
    {"grep", "count the lines of a.txt that contain <%s>"},
    {"grep", "lines of a.txt without <%s>"},
    {"ls", "list the files in <%s>"},
    {"ls", "list files that start with <%s>"},
    {"archive", "create an archive of <%s>"},
    {"archive", "compress the directory docs into <%s.tar.gz>"},
    {"archive", "extract a.tar.gz into <%s>"},
    {"copy", "copy <%s> to docs"},
    {"copy", "copy a.txt to <%s>"},
    {"copy", "rename <%s> to b.txt"},
    {"copy", "make a backup copy of <%s>"},
    {"copy", "copy docs to x except <%s>"},
    {"link", "create a symbolic link to <%s> named b"},
    {"link", "create a link named <%s> to a.txt"},
    {"make", "create the directory <%s>"},
    {"make", "create an empty file named <%s>"},
    {"make", "create the file <%s> in docs"},
    {"remove", "delete the file <%s>"},
    {"remove", "remove the directory <%s>"},
    {"remove", "delete all files in <%s>"},
    {"lines", "show the first 5 lines of <%s>"},
    {"lines", "print the contents of the file <%s>"},
    {"lines", "show lines 3 to 7 of <%s>"},
    {"sort", "sort the lines of <%s>"},
    {"sort", "count the words in the file <%s>"},
    {"columns", "print the second column of <%s>"},
    {"columns", "sum the numbers in the second column of <%s>"},
    {"letters", "convert the file <%s> to upper case"},
    {"edit", "replace <%s> with b in a.txt"},
    {"edit", "replace b with <%s> in a.txt"},
    {"edit", "delete the lines that contain <%s> from a.txt"},
    {"usage", "how much space does the directory <%s> take"},
    {"rights", "make <%s> executable"},
    {"rights", "change the owner of a.txt to <%s>"},
    {"rights", "change the owner of <%s> to bob"},
    {"compare", "compare a.txt with <%s.txt>"},
    {"pieces", "split <%s> into pieces of 100 lines"},
    {"sync", "sync <%s> to bob@box:/srv"},
    {"sync", "sync docs to bob@box:/srv excluding <%s>"},
    {"sync", "sync docs to <box:/srv/%s>"},
    {"loops", "rename all <.%s> files to md"},
    {"git-log", "show the commits by <%s>"},
    {"git-log", "show the git log of commits with a message matching <%s>"},
    {"git-branch", "create a git branch named <%s>"},
    {"git-branch", "delete the branch <%s>"},
    {"git-branch", "merge the branch <%s>"},
    {"git-commit", "commit everything with the message <%s>"},
    {"git-commit", "stage the file <%s.c> for the next git commit"},
    {"processes", "kill the process named <%s>"},
    {"processes", "list the processes of the user <%s>"},
    {"services", "restart the service <%s>"},
    {"services", "show the logs of the service <%s>"},
    {"media", "convert <%s.mp4> to webm"},
    {"media", "extract the audio from <%s.mp4>"},
    {"picture", "resize <%s.png> to 50%"},
    {"picture", "convert <%s.png> to jpg"},
    {"containers", "show the logs of the container <%s>"},
    {"containers", "copy <%s> into the docker container web"},
    {"containers", "run the command <%s> in the container web"},
    {"fetch", "download <https://example.com/%s>"},
    {"fetch", "download https://example.com/a and save it as <%s.zip>"},
    {"sockets", "show the interface <eth0%s>"},
    {"remote", "log in to example.com as <%s>"},
    {"remote", "copy /etc/hosts from example.com to <%s>"},
    {"accounts", "add a user named <%s>"},
    {"accounts", "add the user bob to the group <%s>"},
    {"packages", "install the package <%s>"},
    {"packages", "remove the package <%s>"},
};

static const struct {
    char quote;
    const char *text;
} values[] = {
    {'"', "$(pwned)"},      {'"', "`pwned`"},       {'\'', "$(pwned)"},
    {'\'', "`pwned`"},      {'\'', "a; pwned"},     {'\'', "x | pwned"},
    {'\'', "a & pwned"},    {'\'', "a && pwned"},   {'\'', "> pwned"},
    {'\'', "<(pwned)"},     {'\'', "a)(pwned"},     {'\'', "; pwned #"},
    {'"', "x' ; pwned '"},  {'\'', "x\" ; pwned "}, {'"', "a\nb; pwned"},
    {'\'', "{} \\; pwned"}, {'\'', "-pwned"},       {'\'', "--pwned=x"},
    {'\'', "-e pwned"},     {'\'', "*; pwned"},     {'\'', "~; pwned"},
    {'\'', "$HOME; pwned"}, {'\'', "a\\"},          {'\'', ""},
    {'\'', "/; pwned"},     {'\'', "a'; pwned"},    {'\'', "&pwned"},
    {'"', "${x:-`pwned`}"}, {'\'', "}; pwned"},     {'\'', "!pwned"},
    {'\'', "%$(pwned)"},    {'\'', "/e pwned"},     {'\'', "#pwned"},
};

static void
write_request(struct buf *out, const char *form, char quote, const char *text)
{
    buf_clear(out);
    for (const char *c = form; *c; c++) {
        if (c[0] == '%' && c[1] == 's') {
            buf_str(out, text);
            c++;
        } else {
            buf_ch(out, strchr("<>", *c) ? quote : *c);
        }
    }
}

static const struct generator *
generator_of(const char *name)
{
    const struct generator *c = generator_all();

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    assert_non_null(c->name);
    return c;
}

static bool
nothing_exists(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    *is_dir = strcmp(path, "docs") == 0;
    return *is_dir;
}

static struct shortlist *
generate_with(const char *generator, const char *request)
{
    const struct request_world world = {.seat = unit_seat(),
                                        .path = nothing_exists};
    struct shortlist *s = calloc(1, sizeof(*s));
    struct request q = {0};

    assert_non_null(s);
    assert_int_equal(request_read(request, &world, &q, NULL), 0);
    assert_int_equal(generator_of(generator)->generate(&q, s, NULL), 0);
    request_done(&q);
    return s;
}

static void
drop(struct shortlist *s)
{
    shortlist_done(s);
    free(s);
}

/* What may stand before a word that begins with a dash and is no option. */
static bool
takes_any(const char *word)
{
    static const char *const names[] = {
        "--",     "-e",      "-name", "-iname", "-path", "-user", "-newer",
        "-group", "-author", "-m",    "-u",     "-C",    "-d",    "-o"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

/* What is wrong with a command; NULL. */
static const char *
wrong(const struct syntax *s)
{
    if (s->fault)
        return "is no command";
    for (const struct syntax_node *n = s->all; n; n = n->after) {
        const char *before = "--";

        if (n->kind == SYNTAX_CALL && n->words && !n->mapped &&
            strstr(n->words->text, "pwned"))
            return "runs it";
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
            if (strcmp(r->target->text, "pwned") == 0)
                return "writes to it";
        for (const struct syntax_word *w = n->words; w; w = w->next) {
            if (*w->text == '-' && strstr(w->text, "pwned") &&
                !strchr(w->text, '=') && !takes_any(before) &&
                strncmp(w->text, "-e", 2) != 0)
                return "takes it for an option";
            if (strcmp(w->text, "/*") == 0)
                return "takes all for it";
            before = w->text;
        }
    }
    return NULL;
}

static size_t
complain(const char *request, const struct shortlist *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        struct syntax syntax = {0};
        const char *what;

        assert_int_equal(syntax_read(s->v[i].command, strlen(s->v[i].command),
                                     &syntax, NULL),
                         0);
        what = wrong(&syntax);
        if (what) {
            print_error("%s\n  %s: %s\n", request, what, s->v[i].command);
            n++;
        }
        syntax_done(&syntax);
    }
    return n;
}

static void
what_is_quoted_stays_a_part_of_a_word(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(REQUEST_MAX);
    size_t n = 0;

    (void)state;
    for (size_t f = 0; f < N_OF(forms); f++)
        for (size_t v = 0; v < N_OF(values); v++) {
            struct shortlist *s;

            write_request(&request, forms[f].request, values[v].quote,
                          values[v].text);
            s = generate_with(forms[f].generator, request.p);
            n += complain(request.p, s);
            drop(s);
        }
    assert_int_equal(n, 0);
}

/* Else the rows above would say nothing. */
static void
each_form_is_one_of_its_generator(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(REQUEST_MAX);
    size_t n = 0;

    (void)state;
    for (size_t f = 0; f < N_OF(forms); f++) {
        struct shortlist *s;
        bool has = false;

        write_request(&request, forms[f].request, '\'', "kwyx");
        s = generate_with(forms[f].generator, request.p);
        for (size_t i = 0; i < s->n; i++)
            has |= strstr(s->v[i].command, "kwyx") != NULL;
        if (!has)
            print_error("%s: %s\n", request.p,
                        s->n ? s->v[0].command : "nothing");
        n += !has;
        drop(s);
    }
    assert_int_equal(n, 0);
}

static void
each_generator_has_a_form(void **state)
{
    (void)state;
    for (const struct generator *c = generator_all(); c->name; c++) {
        bool has = false;

        for (size_t f = 0; f < N_OF(forms); f++)
            has |= strcmp(forms[f].generator, c->name) == 0;
        if (!has)
            fail_msg("%s", c->name);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_generator_has_a_form),
        cmocka_unit_test(each_form_is_one_of_its_generator),
        cmocka_unit_test(what_is_quoted_stays_a_part_of_a_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
