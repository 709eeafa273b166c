/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain_view.c - explanations as people and programs see them. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "offline/explain/explain.h"
#include "tests/unit/pages.h"
#include "json/json.h"

static void
hostile_bytes_are_shown_as_escapes(void **state)
{
    struct explain x;
    struct buf text;
    struct err e;

    (void)state;
    buf_init(&text, 4096);
    assert_int_equal(
        explain_line(unit_seat(), "ls 'a\033[2J\342\200\256'", &x, &e), 0);
    explain_text(&x, 80, &text);
    assert_null(strchr(text.p, '\033'));
    assert_non_null(strstr(text.p, "\\x1b[2J\\u202e"));
    buf_done(&text);
    explain_done(&x);
}

/* What is shown of a name ends where it ends, in bytes. */
static void
a_name_that_is_cut_stays_text(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(1024);
    struct explain x;

    (void)state;
    buf_str(&line, "ls > a");
    for (int i = 0; i < 200; i++)
        buf_str(&line, "\303\244");
    assert_int_equal(explain_line(unit_seat(), line.p, &x, NULL), 0);
    assert_true(utf8_valid(x.summary, strlen(x.summary)));
    for (size_t i = 0; i < x.n; i++)
        assert_true(utf8_valid(x.parts[i].meaning, strlen(x.parts[i].meaning)));
    explain_done(&x);
}

static void
a_value_that_expands_goes_on_with_its_sentence(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct explain x;

    (void)state;
    assert_int_equal(explain_line(unit_seat(), "spin -s $x", &x, NULL), 0);
    explain_text(&x, 80, &text);
    assert_non_null(
        strstr(text.p, "-s $x   Turn at this speed; the value of x\n"));
    explain_done(&x);
}

static void
the_text_has_two_columns(void **state)
{
    struct explain x;
    struct buf text;
    struct err e;

    (void)state;
    buf_init(&text, 4096);
    assert_int_equal(explain_line(unit_seat(),
                                  "spin -vn3 --number=4 --number 5 w | wc -l",
                                  &x, &e),
                     0);
    explain_text(&x, 44, &text);
    assert_string_equal(text.p, "spin -vn3 --number=4 --number 5 w | wc -l\n"
                                "runs spin (turn wheels), then counts the\n"
                                "lines of what that writes\n"
                                "\n"
                                "spin          turn wheels [spin(1)]\n"
                                "  -v          Say what is done.\n"
                                "  -n3         Turn 3 times, which may be a\n"
                                "              number or the word always.\n"
                                "  --number=4  Turn 4 times, which may be a\n"
                                "              number or the word always.\n"
                                "  --number 5  Turn 5 times, which may be a\n"
                                "              number or the word always.\n"
                                "  w           the argument WHEEL\n"
                                "  |           what the command before writes\n"
                                "              is what the next one reads\n"
                                "wc            counts lines, words and bytes\n"
                                "              [our table for wc]\n"
                                "  -l          lines\n");
    buf_done(&text);
    explain_done(&x);
}

static void
json_names_every_part(void **state)
{
    struct json_writer w;
    struct explain x;
    struct buf out;
    struct err e;

    (void)state;
    buf_init(&out, 4096);
    json_write_init(&w, &out);
    assert_int_equal(explain_line(unit_seat(), "spin -z", &x, &e), 0);
    explain_json(&x, &w);
    assert_string_equal(out.p,
                        "{\"known\":true,\"source\":\"spin(1)\","
                        "\"summary\":\"runs spin (turn wheels)\","
                        "\"risk\":{\"destructive\":false,"
                        "\"privileged\":false,\"network\":false,"
                        "\"opaque\":false,\"reasons\":[]},\"parts\":["
                        "{\"kind\":\"command\",\"from\":0,\"to\":4,\"depth\":0,"
                        "\"text\":\"spin\",\"meaning\":\"turn wheels\","
                        "\"source\":\"spin(1)\",\"known\":true},"
                        "{\"kind\":\"option\",\"from\":5,\"to\":7,\"depth\":0,"
                        "\"text\":\"-z\","
                        "\"meaning\":\"an option not found in spin(1)\","
                        "\"known\":false}]}");
    buf_done(&out);
    explain_done(&x);
}

static void
json_has_the_bytes_and_what_they_stand_for(void **state)
{
    struct json_writer w;
    struct explain x;
    struct buf out;

    (void)state;
    buf_init(&out, 4096);
    json_write_init(&w, &out);
    assert_int_equal(explain_line(unit_seat(), "spin -av w", &x, NULL), 0);
    explain_json(&x, &w);
    assert_non_null(strstr(out.p, "\"text\":\"-a\",\"meaning\""));
    assert_non_null(strstr(out.p,
                           "\"from\":7,\"to\":8,\"depth\":0,\"text\":\"v\","
                           "\"spelling\":\"-v\","));
    buf_done(&out);
    explain_done(&x);
}

/* A program cuts the line at from and to, and finds the text. */
static void
the_text_of_a_part_is_its_bytes(void **state)
{
    static const char *const lines[] = {
        "git commit -am 'a b'",      "docker run -it --rm i sh -c 'ls -l'",
        "set -euo pipefail",         "cat <<E | wc -l\na\nb\nE\n",
        "tar cfC a /srv d",          "echo `ls \\`pwd\\`` $((1+2)) ${x:-y}",
        "spin --number=3 w -n5 &>f", "ps aux >\"a b\" 2>&1",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++) {
        CLEANUP_BUF struct buf out = buf_of(65536);
        CLEANUP(json_free_p) struct json *v = NULL;
        const struct json *parts;
        struct json_writer w;
        struct explain x;

        assert_int_equal(explain_line(unit_seat(), lines[i], &x, NULL), 0);
        json_write_init(&w, &out);
        explain_json(&x, &w);
        v = json_parse(out.p, out.len, 0, NULL);
        parts = json_get(v, "parts");
        assert_int_equal(json_count(parts), x.n);
        for (size_t k = 0; k < x.n; k++) {
            const struct explain_part *p = &x.parts[k];
            const char *text = json_get_str(json_at(parts, k), "text");

            assert_true(p->from <= p->to && p->to <= strlen(lines[i]));
            assert_int_equal(strlen(text), p->to - p->from);
            assert_memory_equal(text, lines[i] + p->from, p->to - p->from);
        }
        explain_done(&x);
    }
}

static void
questions_are_no_commands(void **state)
{
    static const char *const commands[] = {
        "tar -xzvf a.tgz -C /srv",
        "ls",
        "ls | wc",
        "git status",
        "tar xzf a.tgz",
        "A=1 env",
        "for i in a b; do ls $i; done",
        "find . -name '*.c'",
        "sudo ls",
        "cd ..",
        "cat a.txt",
        "ps aux",
        "find /etc",
        "sort -u",
        "frobnicate -x | sort",
        "frobnicate",
        "echo 'a b'",
        "printf '%s\\n' a",
        "cat a",
        "cp a b",
    };
    static const char *const questions[] = {
        "what is a symlink?",
        "how do I unpack a tarball",
        "find the largest files",
        "find large files",
        "why?",
        "which process uses port 80",
        "sort lines of a file by size",
        "kill all chrome processes",
        "what does tar -x do",
        "who is logged in",
        "show me the disk usage",
        "tar a directory",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(commands); i++)
        if (!explain_is_command(unit_seat(), commands[i]))
            fail_msg("%s", commands[i]);
    for (size_t i = 0; i < N_OF(questions); i++)
        if (explain_is_command(unit_seat(), questions[i]))
            fail_msg("%s", questions[i]);
}

/* tests/offline/lines.txt: "$ LINE" is a command, "? LINE" a request. */
static void
plain_lines_are_commands_and_requests_stay_requests(void **state)
{
    const char *top = getenv("top_srcdir");
    CLEANUP_BUF struct buf path = buf_of(4096);
    char line[256];
    size_t n = 0;
    FILE *in;

    (void)state;
    buf_printf(&path, "%s/tests/offline/lines.txt", top ? top : ".");
    in = fopen(path.p, "re");
    assert_non_null(in);
    while (fgets(line, sizeof(line), in)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '$' && line[0] != '?')
            continue;
        if (explain_is_command(unit_seat(), line + 2) != (line[0] == '$'))
            fail_msg("%s", line);
        n++;
    }
    fclose(in);
    assert_true(n > 500);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_bytes_are_shown_as_escapes),
        cmocka_unit_test(a_name_that_is_cut_stays_text),

        cmocka_unit_test(a_value_that_expands_goes_on_with_its_sentence),
        cmocka_unit_test(the_text_has_two_columns),
        cmocka_unit_test(json_names_every_part),
        cmocka_unit_test(json_has_the_bytes_and_what_they_stand_for),
        cmocka_unit_test(the_text_of_a_part_is_its_bytes),
        cmocka_unit_test(questions_are_no_commands),
        cmocka_unit_test(plain_lines_are_commands_and_requests_stay_requests),
    };

    return cmocka_run_group_tests(tests, pages_of_ours, NULL);
}
