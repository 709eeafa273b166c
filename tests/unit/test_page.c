/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page.c - manual pages and the options found in them. */
#include "unit.h"

#include <string.h>

#include "offline/manual/page_load.h"
#include "tests/unit/pages.h"

struct row {
    const char *name, *given, *want;
};

/* Spellings as "-f: FILE | --file: FILE"; italics between < and >. */
static const struct row spellings[] = {
    {"one letter", "-x", "-x"},
    {"a letter and a word", "-x, --extract, --get", "-x|--extract|--get"},
    {"a value behind =", "-f, --file=ARCHIVE", "-f: ARCHIVE|--file: ARCHIVE"},
    {"a value apart", "-n NUM, --lines=NUM", "-n: NUM|--lines: NUM"},
    {"a value in brackets may be missing", "--color[=WHEN], --colour[=WHEN]",
     "--color:: WHEN|--colour:: WHEN"},
    {"a letter before it takes none", "-F, --classify[=WHEN]",
     "-F|--classify:: WHEN"},
    {"angle brackets are no part of the name", "-u<mode>", "-u: mode"},
    {"attached and optional",
     "-S[<keyid>], --gpg-sign[=<keyid>], "
     "--no-gpg-sign",
     "-S:: keyid|--gpg-sign:: keyid|--no-gpg-sign"},
    {"italics end a name", "-O\001level\002", "-O: level"},
    {"italics may look like an option", "-perm -\001mode\002", "-perm: -mode"},
    {"a slash may be part of them", "-perm /\001mode\002", "-perm: /mode"},
    {"a small letter takes nothing where its large one does",
     "-u, -U NUM, --unified[=NUM]", "-u|-U: NUM|--unified:: NUM"},
    {"words with one dash", "-exec \001command\002 {} +",
     "-exec: command {} +"},
    {"bars and or", "-a | --all", "-a|--all"},
    {"or", "-a or --all", "-a|--all"},
    {"blanks alone", "-h --help", "-h|--help"},
    {"a negation is a second option", "--[no-]verify", "--verify|--no-verify"},
    {"an optional number", "-j [N], --jobs[=N]", "-j:: N|--jobs:: N"},
    {"a list as value", "-o option[,option...]", "-o: option[,option...]"},
    {"a value that names itself empty", "-t, --type=", "-t: |--type: "},
    {"a question mark", "-?, --help", "-?|--help"},
    {"dots behind", "-v...", "-v"},
    {"a plus", "+c, -c", "+c|-c"},
    {"a colon behind", "-x:", "-x"},
    {"a bare word is none", "extract", ""},
    {"a range of digits", "-0 ... -3", "-0|-1|-2|-3"},
    {"any number", "-<number>, -n <number>", "-NUM|-n: number"},
    {"a part that may be missing", "--reference[-if-able] <repo>",
     "--reference: repo|--reference-if-able: repo"},
    {"a value behind a colon", "-L<start>,<end>:<file>, -L:<name>:<file>",
     "-L: start,end:file|-L: :name:file"},
    {"brackets for a group", "--and, --or, ( ... )", "--and|--or"},
    {"both signs", "+|-f", "-f"},
    {"a bullet is none", "- item", ""},
    {"both in a bracket with blanks", "-m [ --merge ] [=arg(=1)] (=1)",
     "-m|--merge"},
    {"what follows a dash may be anything", "--force-\001things\002",
     "--force-:: things"},
    {"signs inside a name", "-XX:+UseIt, -XX:-UseThat",
     "-XX:+UseIt|-XX:-UseThat"},
};

/* A page's body behind ".TH X 1"; the rows of page.h that come of it. */
static const struct row pages[] = {
    {"TP has its tag on the next line",
     ".SH O\n.TP\n\\fB\\-x\\fR, \\fB\\-\\-ex\\fR\nTake things out.\n",
     "O\t-x --ex\t\tTake things out.\n"},
    {"font macros make a tag",
     ".SH O\n.TP\n.BI \\-n \" NUM\" \", \\-\\-num=\" NUM\nCount.\n",
     "O\t-n: --num:\tNUM\tCount.\n"},
    {"IP has it beside", ".SH O\n.IP \"\\-x\" 4\n.IX Item \"-x\"\nTake out.\n",
     "O\t-x\t\tTake out.\n"},
    {"tags that stand together share a text",
     ".SH O\n.TP\n\\-a\n.TQ\n\\-b\nBoth.\n",
     "O\t-a\t\tBoth.\nO\t-b\t\tBoth.\n"},
    {"a paragraph above an inset",
     ".SH O\n.PP\n\\-a, \\-\\-all\n.RS 4\nTake all\\&.\n.RE\n",
     "O\t-a --all\t\tTake all.\n"},
    {"a paragraph that begins with its option",
     ".SH O\n.PP\n\\fB-d\\fP, \\fB--detach\\fP\n    Run apart\n",
     "O\t-d --detach\t\tRun apart\n"},
    {"lines with a gap", ".SH O\n.nf\n\\-a   first\n\\-b\tsecond\n.fi\n",
     "O\t-a\t\tfirst\nO\t-b\t\tsecond\n"},
    {"a heading that is an option",
     ".SH O\n.SS \"\\-v , \\-\\-verbose\"\nSay more.\n",
     "O\t-v --verbose\t\tSay more.\n"},
    {"a list behind bullets",
     ".SH O\n.IP \"\\[ci]\" 4\n\\fB\\-v\\fR:\n.IP\nSay more.\n",
     "O\t-v\t\tSay more.\n"},
    {"subcommands in a paragraph above an inset",
     ".SH COMMANDS\n.PP\n\\fBstart\\fR, \\fBrun\\fR \\fIUNIT\\fR\n.RS 4\n"
     "Start it.\n.RE\n",
     "T\tstart run\tUNIT\tStart it.\n"},
    {"two lines above an inset",
     ".SH O\n.PP\n\\fB\\-a\\fR\n.br\n\\fB\\-\\-all\\fR\n.RS 4\nAll.\n.RE\n",
     "O\t-a --all\t\tAll.\n"},
    {"two values in capitals",
     ".SH O\n.PP\n\\fB\\-\\-bind SRC DEST\\fR\n.RS 4\nBind it.\n.RE\n",
     "O\t--bind:\tSRC DEST\tBind it.\n"},
    {"a default behind a value",
     ".SH O\n.PP\n\\-\\-at=X [default: 0.1%]\n.RS 4\nBegin.\n.RE\n",
     "O\t--at:\tX\tBegin.\n"},
    {"a dash whose backslash is read twice",
     ".SH O\n.TP\n.B \"\\-\\-show\\\\-it\"\nShow it.\n",
     "O\t--show-it\t\tShow it.\n"},
    {"a register that the page sets",
     ".nr SL 1\n.SH O\n.if \\n(SL \\{\\\n.TP\n\\-r\nYes.\n.\\}\n"
     ".if \\n(XX \\{\\\n.TP\n\\-x\nNo.\n.\\}\n",
     "O\t-r\t\tYes.\n"},
    {"a bullet is no tag", ".SH O\n.IP \\(bu 2\nA thing.\n", ""},
    {"a word without a dash is a term",
     ".SH COMMANDS\n.TP\n\\fBstart\\fR \\fIUNIT\\fR...\nStart it.\n",
     "T\tstart\tUNIT...\tStart it.\n"},
    {"an operand with =", ".SH D\n.TP\nif=FILE\nread from FILE\n",
     "T\tif=\tFILE\tread from FILE\n"},
    {"no terms among examples", ".SH EXAMPLES\n.TP\nfoo bar\nDo it.\n", ""},
    {"only the first sentences",
     ".SH O\n.TP\n\\-x\nThis is the first of the sentences, and long enough. "
     "The second is not taken.\n",
     "O\t-x\t\tThis is the first of the sentences, and long enough.\n"},
    {"a short sentence takes the next",
     ".SH O\n.TP\n\\-x\nBe quick, e.g. now. Or not.\n",
     "O\t-x\t\tBe quick, e.g. now. Or not.\n"},
    {"an announcement of what is not taken is not taken",
     ".SH O\n.TP\n\\-x\nChoose a form. One of:\n", "O\t-x\t\tChoose a form.\n"},
    {"a synopsis", ".SH SYNOPSIS\n.B x\n[\\fIFILE\\fR...]\n.br\n.B x \\-h\n",
     "S\tx [FILE...]\nS\tx -h\n"},
    {"a branch for printers is hidden",
     ".SH O\n.if t \\{\\\n.TP\n\\-t\nno\n.\\}\n.ie n .TP\n.el .PP\n\\-n\nyes\n",
     "O\t-n\t\tyes\n"},
    {"macros of the page's own",
     ".de Opt\n.TP\n\\-\\\\$1\n..\n.SH O\n"
     ".Opt v\nLoud.\n",
     "O\t-v\t\tLoud.\n"},
    {"strings of the page's own", ".ds S \\-v\n.SH O\n.TP\n\\*S\nLoud.\n",
     "O\t-v\t\tLoud.\n"},
    {"a value's name is marked where the text speaks of it",
     ".SH O\n.TP\n\\-v \\fImode\\fR\nThe mode is \\fImode\\fR, \\fImodes\\fR.\n"
     ".TP\n\\-n NUM\nNUM of <num> and NUMBER.\n",
     "O\t-v:\tmode\tThe mode is \001mode\002, modes.\n"
     "O\t-n:\tNUM\t\001NUM\002 of \001<num>\002 and NUMBER.\n"},
    {"special characters", ".SH O\n.TP\n\\-v\na\\(emb\\[u20AC]\\~c\\e\n",
     "O\t-v\t\ta\342\200\224b\342\202\254 c\\\n"},
    {"Latin-1 becomes UTF-8", ".SH O\n.TP\n\\-v\ncaf\351\n",
     "O\t-v\t\tcaf\303\251\n"},
    {"control bytes are dropped", ".SH O\n.TP\n\\-v\na\033[2Jb\a\n",
     "O\t-v\t\ta[2Jb\n"},
    {"a table is passed over",
     ".SH O\n.TS\nl l.\n\\-z\tno\n.TE\n.TP\n\\-v\n"
     "Loud.\n",
     "O\t-v\t\tLoud.\n"},
};

static const struct row mdoc_pages[] = {
    {"a name and a heading inside a sentence",
     ".Sh O\n.Bl -tag\n.It Fl C\nControl\n.Nm x ,\n.Nm ,\nsee\n"
     ".Sx THE REST .\n.El\n",
     "O\t-C\t\tControl x, x, see THE REST.\n"},
    {"flags and arguments",
     ".Sh D\n.Bl -tag\n.It Fl n Ar count\nCount to\n.Ar count .\n.El\n",
     "O\t-n:\tcount\tCount to \001count\002.\n"},
    {"several flags", ".Sh D\n.Bl -tag\n.It Fl a , Fl Fl all\nAll.\n.El\n",
     "O\t-a --all\t\tAll.\n"},
    {"an item over several lines",
     ".Sh D\n.Bl -tag\n.It Fl D Xo\n.Sm off\n.Oo Ar host : Oc\n.Ar port\n"
     ".Sm on\n.Xc\nThere.\n.El\n",
     "O\t-D:\t[host:]port\tThere.\n"},
    {"a synopsis",
     ".Sh SYNOPSIS\n.Nm x\n.Op Fl av\n.Op Fl n Ar num\n.Ar\n.Nm\n.Fl h\n",
     "S\tx [-av] [-n num] file ...\nS\tx -h\n"},
    {"references and quotes",
     ".Sh D\n.Bl -tag\n.It Fl x\nSee\n.Xr ls 1\n.Pq or Dq this .\n.El\n",
     "O\t-x\t\tSee ls(1) (or \"this\").\n"},
    {"nested lists",
     ".Sh D\n.Bl -tag\n.It Fl x\nOne of:\n.Bl -tag\n.It Cm one\nFirst.\n.El\n"
     ".It Fl y\nNot.\n.El\n",
     "O\t-x\t\tOne of:\nT\tone\t\tFirst.\nO\t-y\t\tNot.\n"},
};

static void
spellings_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(spellings); i++) {
        struct spelling s[SPELLINGS_MAX];
        size_t n = spelling_read(spellings[i].given, false, s);
        struct buf out;

        buf_init(&out, 1024);
        for (size_t k = 0; k < n; k++) {
            buf_printf(&out, "%s%s", k ? "|" : "", s[k].name);
            if (s[k].takes != TAKES_NOTHING)
                buf_printf(&out, "%s %s",
                           s[k].takes == TAKES_VALUE ? ":" : "::", s[k].arg);
        }
        if (strcmp(out.p, spellings[i].want) != 0)
            fail_msg("%s: got %s", spellings[i].name, out.p);
        buf_done(&out);
    }
}

static void
prose_is_no_list_of_options(void **state)
{
    static const char *const prose[] = {
        "-x means something",
        "-x and more of it",
        "-a, -b and such",
        "--file is read first",
    };
    struct spelling s[SPELLINGS_MAX];

    (void)state;
    for (size_t i = 0; i < N_OF(prose); i++)
        if (spelling_read(prose[i], true, s) != 0)
            fail_msg("%s", prose[i]);
    assert_int_equal(spelling_read("-x <file>, --y=<file>", true, s), 2);
}

static void
check_pages(const struct row *rows, size_t n, const char *head)
{
    for (size_t i = 0; i < n; i++) {
        struct buf in, out;
        struct err e;

        buf_init(&in, 65536);
        buf_init(&out, 65536);
        buf_printf(&in, "%s\n%s", head, rows[i].given);
        assert_int_equal(page_load_source(in.p, in.len, "x", "1", &out, &e), 0);
        buf_cut(&out, (size_t)(strstr(out.p, "N\tx\t1\t\n") - out.p));
        if (strcmp(out.p, rows[i].want) != 0)
            fail_msg("%s: got %s", rows[i].name, out.p);
        buf_done(&in);
        buf_done(&out);
    }
}

static void
man_pages_give_their_options(void **state)
{
    (void)state;
    check_pages(pages, N_OF(pages), ".TH X 1");
}

static void
mdoc_pages_give_their_options(void **state)
{
    (void)state;
    check_pages(mdoc_pages, N_OF(mdoc_pages), ".Dd May 1, 2026\n.Dt X 1\n.Os");
}

static void
rows_are_found_by_their_spelling(void **state)
{
    struct page *p = page_of("N\tx\t1\twhat it is\n"
                             "O\t-f: --file:\tFILE\t\n"
                             "O\t--fail\t\tfail early\n"
                             "O\t-f: --file:\tFILE\tthe file\n"
                             "O\t--color::\tWHEN\tcolours\n"
                             "T\tstart\tUNIT\tstart it\nZ\tunknown\n");
    enum option_takes t = TAKES_NOTHING;

    (void)state;
    assert_string_equal(p->summary, "what it is");
    assert_string_equal(page_option(p, "-f", 2, &t)->field[2], "the file");
    assert_int_equal(t, TAKES_VALUE);
    assert_non_null(page_option(p, "--color", 7, &t));
    assert_int_equal(t, TAKES_MAYBE);
    assert_null(page_option(p, "-x", 2, &t));
    assert_null(page_option(p, "--col", 5, &t));
    assert_non_null(page_option_prefix(p, "--col", 5, &t));
    assert_null(page_option_prefix(p, "--f", 3, &t));
    assert_string_equal(page_term(p, "start", 5)->field[2], "start it");
    page_free(p);
}

static void
names_come_from_the_page(void **state)
{
    static const struct row rows[] = {
        {"one", ".SH NAME\nx \\- do it\n", "N\tx\t1\tdo it\n"},
        {"the one asked for", ".SH NAME\na, x \\- do it\n", "N\tx\t1\tdo it\n"},
        {"another's", ".SH NAME\nmx \\- do it\n", "N\tmx\t1\tdo it\n"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct buf in, out;
        struct err e;

        buf_init(&in, 4096);
        buf_init(&out, 4096);
        buf_printf(&in, ".TH X 1\n%s", rows[i].given);
        assert_int_equal(page_load_source(in.p, in.len, "x", "1", &out, &e), 0);
        assert_string_equal(out.p, rows[i].want);
        buf_done(&in);
        buf_done(&out);
    }
}

static void
packed_bytes_are_unpacked_within_bounds(void **state)
{
    /* "hello\n" twenty times, packed by gzip -n */
    static const char packed[] =
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\xca"
        "\xa0\x3b\x09\x00\x4c\xfc\x5a\x66\x78\x00\x00\x00";
    struct buf out;
    struct err e;

    (void)state;
    buf_init(&out, 1000);
    assert_int_equal(zread_bytes(packed, sizeof(packed) - 1, &out, &e), 0);
    assert_int_equal(out.len, 120);
    buf_done(&out);
    buf_init(&out, 100);
    assert_int_equal(zread_bytes(packed, sizeof(packed) - 1, &out, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    buf_done(&out);
    buf_init(&out, 1000);
    assert_int_equal(zread_bytes(packed, 20, &out, &e), -1);
    assert_int_equal(e.code, ERR_PARSE);
    buf_clear(&out);
    assert_int_equal(zread_bytes("plain", 5, &out, &e), 0);
    assert_string_equal(out.p, "plain");
    buf_done(&out);
}

static void
a_page_that_calls_itself_ends(void **state)
{
    static const char source[] = ".de A\n.A\n.A\n..\n.ds s \\*s\\*s\\*t\n"
                                 ".ds t \\*s\\*s\n.TH X 1\n.A\n.SH O\n.TP\n"
                                 "\\-v\n\\*s\\*s\\*t\nLoud.\n";
    struct buf out;
    struct err e;

    (void)state;
    buf_init(&out, 4096);
    assert_int_equal(
        page_load_source(source, sizeof(source) - 1, "x", "1", &out, &e), 0);
    assert_non_null(strstr(out.p, "O\t-v\t\tLoud.\n"));
    buf_done(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_are_read),
        cmocka_unit_test(prose_is_no_list_of_options),
        cmocka_unit_test(man_pages_give_their_options),
        cmocka_unit_test(mdoc_pages_give_their_options),
        cmocka_unit_test(rows_are_found_by_their_spelling),
        cmocka_unit_test(names_come_from_the_page),
        cmocka_unit_test(packed_bytes_are_unpacked_within_bounds),
        cmocka_unit_test(a_page_that_calls_itself_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
