/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_base.c - UTF-8, strings, files, paths, time, SHA-256, errors. */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/environ_given.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/utf8.h"

static void
utf8_is_checked_as_rfc_3629_says(void **state)
{
    static const struct {
        const char *bytes;
        bool valid;
        const char *mended;
    } rows[] = {
        {"plain", true, "plain"},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true,
         "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"a\xC0\xAF", false, "a\xEF\xBF\xBD\xEF\xBF\xBD"}, /* overlong */
        {"\xED\xA0\x80", false,
         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* surrogate */
        {"\xF4\x90\x80\x80", false,
         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xE2\x82", false, "\xEF\xBF\xBD"},
        {"\xE2\x82x", false, "\xEF\xBF\xBDx"},
        {"\x80", false, "\xEF\xBF\xBD"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf b = buf_of(64);
        size_t n = strlen(rows[i].bytes);

        assert_int_equal(utf8_valid(rows[i].bytes, n), rows[i].valid);
        utf8_repair(&b, rows[i].bytes, n);
        assert_string_equal(b.p, rows[i].mended);
    }
}

static void
every_code_point_survives_encoding(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(8);

    (void)state;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp += cp < 0x300 ? 1 : 61) {
        uint32_t back = 0;

        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        buf_clear(&b);
        utf8_encode(&b, cp);
        assert_int_equal(utf8_decode(b.p, b.len, &back), b.len);
        assert_int_equal(back, cp);
    }
}

static void
a_cut_character_is_seen_as_partial(void **state)
{
    (void)state;
    assert_int_equal(utf8_incomplete_tail("a\xE2\x82", 3), 2);
    assert_int_equal(utf8_incomplete_tail("a\xF0", 2), 1);
    assert_int_equal(utf8_incomplete_tail("a\xE2\x82\xAC", 4), 0);
    assert_int_equal(utf8_incomplete_tail("a\x80", 2), 0);
    assert_int_equal(utf8_boundary("a\xE2\x82\xAC", 4, 3), 1);
}

static void
a_string_is_found_in_a_list_as_a_whole(void **state)
{
    static const char *const list[] = {"get", "set", ""};

    (void)state;
    assert_true(STR_IN("set", list));
    assert_true(STR_IN("", list));
    assert_false(STR_IN("se", list));
    assert_false(STR_IN("sets", list));
    assert_true(STR_IN_N("setter", 3, list));
    assert_false(STR_IN_N("setter", 4, list));
    assert_true(str_begins("journal.db", "journal"));
    assert_false(str_begins("jour", "journal"));
    assert_true(str_ends("journal.db", ".db"));
    assert_false(str_ends("db", ".db"));
}

static void
words_end_at_a_null(void **state)
{
    static const char *const words[] = {"get", "set", NULL, "behind"};

    (void)state;
    assert_true(str_in_words("set", words));
    assert_false(str_in_words("se", words));
    assert_false(str_in_words("behind", words));
    assert_false(str_in_words("get", words + 2));
}

static void
strings_sort_and_are_found_as_sorted(void **state)
{
    const char *items[] = {"b", "a", "ab"};

    (void)state;
    qsort(items, N_OF(items), sizeof(items[0]), str_compare_items);
    assert_string_equal(items[0], "a");
    assert_string_equal(items[1], "ab");
    assert_ptr_equal(
        bsearch("b", items, N_OF(items), sizeof(items[0]), str_compare_key),
        &items[2]);
    assert_null(
        bsearch("c", items, N_OF(items), sizeof(items[0]), str_compare_key));
}

static void
a_directory_has_two_names_of_its_own(void **state)
{
    (void)state;
    assert_true(path_is_dot("."));
    assert_true(path_is_dot(".."));
    assert_false(path_is_dot("..."));
    assert_false(path_is_dot(".a"));
    assert_false(path_is_dot(""));
}

static void
bytes_beyond_ascii_are_in_no_class(void **state)
{
    (void)state;
    for (int c = -1; c < 256; c++) {
        bool ascii = c >= 0 && c < 0x80;

        assert_int_equal(ascii_is_digit(c), ascii && isdigit(c) != 0);
        assert_int_equal(ascii_is_alnum(c), ascii && isalnum(c) != 0);
        assert_int_equal(ascii_hex_value(c) >= 0, ascii && isxdigit(c) != 0);
    }
    assert_int_equal(ascii_is_alpha((char)0xE9), false);
    assert_int_equal(ascii_to_lower('Q'), 'q');
    assert_int_equal(ascii_to_lower('_'), '_');
    assert_int_equal(ascii_hex_value('f'), 15);
}

static void
out_of_memory_is_an_error_like_any_other(void **state)
{
    struct err e = {.sys = 1, .at = 2};

    (void)state;
    assert_int_equal(err_nomem(&e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    assert_int_equal(e.sys, 0);
    assert_int_equal(e.at, 0);
    assert_string_equal(e.text, "out of memory");
    assert_int_equal(err_nomem(NULL), -1);
}

static void
a_file_is_replaced_whole(void **state)
{
    char dir[] = "/tmp/agentsh-test-XXXXXX";
    CLEANUP(free_p) char *path = NULL;
    CLEANUP_BUF struct buf b = buf_of(100);
    struct stat st;

    (void)state;
    assert_non_null(mkdtemp(dir));
    path = path_join(dir, "f");
    assert_int_equal(file_write(path, "old", 3, 0600, NULL), 0);
    assert_int_equal(file_write(path, "new!", 4, 0640, NULL), 0);
    assert_int_equal(file_read(path, &b, NULL), 0);
    assert_string_equal(b.p, "new!");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* nothing else was left in it */
}

static void
a_saved_file_leaves_links_and_pipes_as_they_are(void **state)
{
    char dir[] = "/tmp/agentsh-test-XXXXXX";
    CLEANUP(free_p) char *file = NULL, *link = NULL, *pipe = NULL;
    CLEANUP_BUF struct buf b = buf_of(100);
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    (void)state;
    assert_non_null(mkdtemp(dir));
    file = path_join(dir, "file");
    link = path_join(dir, "link");
    pipe = path_join(dir, "pipe");
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(file_save(link, "longer", 6, 0600, NULL), 0);
    assert_int_equal(file_save(link, "new", 3, 0600, NULL), 0);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(file_read(file, &b, NULL), 0);
    assert_string_equal(b.p, "new");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    fd = open(pipe, O_RDWR | O_CLOEXEC);
    assert_int_equal(file_save(pipe, "through", 7, 0600, NULL), 0);
    assert_int_equal(lstat(pipe, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(file_save(dir, "x", 1, 0600, NULL), -1);
    assert_int_equal(file_save(file, "plain", 5, 0600, NULL), 0);
    unlink(file);
    unlink(link);
    unlink(pipe);
    assert_int_equal(rmdir(dir), 0); /* nothing else was left in it */
}

static void
a_lock_is_waited_for_and_not_for_ever(void **state)
{
    char dir[] = "/tmp/agentsh-test-XXXXXX";
    CLEANUP(fd_close_p) int one = -1, other = -1;
    struct err e = {0};

    (void)state;
    assert_non_null(mkdtemp(dir));
    one = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    other = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(fd_lock(one, 0, &e), 0);
    assert_int_equal(fd_lock(other, 0, &e), -1);
    assert_int_equal(e.code, ERR_TIMEOUT);
    assert_int_equal(fd_lock(other, 20, &e), -1);
    fd_close_p(&one);
    one = -1;
    assert_int_equal(fd_lock(other, 0, &e), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void
a_file_larger_than_the_bound_is_refused(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(100);
    struct err e = {0};

    (void)state;
    assert_int_equal(file_read("/proc/self/maps", &b, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    assert_int_equal(file_read("/nonexistent/x", &b, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_non_null(strstr(e.text, "/nonexistent/x"));
}

/* 0, or which descriptor is wrong. */
static int
fill_and_look(void)
{
    char c;

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        close(fd);
    if (fd_fill_standard(NULL) < 0)
        return 10;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != 0 || read(fd, &c, 1) != 0 ||
            write(fd, "x", 1) != -1)
            return 20 + fd;
    }
    return fcntl(3, F_GETFD) < 0 ? 0 : 30;
}

static void
closed_standard_descriptors_are_filled(void **state)
{
    pid_t child;
    int status;

    (void)state;
    child = fork();
    if (child == 0) {
        (void)linux_close_range(3, ~0u, 0);
        _exit(fill_and_look());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void
a_private_directory_must_be_ours_alone(void **state)
{
    char dir[] = "/tmp/agentsh-test-XXXXXX";
    struct err e = {0};

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(file_private_dir(dir, &e), 0);
    assert_int_equal(chmod(dir, 0755), 0);
    assert_int_equal(file_private_dir(dir, &e), -1);
    assert_int_equal(e.code, ERR_PERMISSION);
    rmdir(dir);
}

static void
xdg_variables_win_when_absolute(void **state)
{
    char *p;

    (void)state;
    setenv("HOME", "/h", 1);
    setenv("XDG_CONFIG_HOME", "/c", 1);
    p = path_of(PATH_CONFIG, "config", NULL);
    assert_string_equal(p, "/c/agentsh/config");
    free(p);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    p = path_of(PATH_CONFIG, "config", NULL);
    assert_string_equal(p, "/h/.config/agentsh/config");
    free(p);
    p = path_expand_below("/h", "~/x");
    assert_string_equal(p, "/h/x");
    free(p);
}

static void
what_is_behind_a_directory_is_borrowed(void **state)
{
    static const struct {
        const char *path, *dir, *behind; /* NULL: it is not below it */
    } rows[] = {
        {"/a/b", "/a", "b"},  {"/a/b", "/a/", "b"}, {"/a", "/a", ""},
        {"/a/", "/a", ""},    {"/ab", "/a", NULL},  {"/a", "/a/b", NULL},
        {"/a/b", "/", "a/b"}, {"/", "/", ""},       {"a/b/c", "a", "b/c"},
        {"/a//b", "/a", "b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *behind = path_behind(rows[i].path, rows[i].dir);

        assert_int_equal(path_is_below(rows[i].path, rows[i].dir),
                         behind != NULL);
        if (rows[i].behind)
            assert_string_equal(behind, rows[i].behind);
        else
            assert_null(behind);
    }
}

/* As `PATH=… command -v` of bash tells: an empty element is here. */
static void
an_empty_element_of_path_is_the_current_directory(void **state)
{
    static const struct {
        const char *list, *dirs;
    } rows[] = {
        {NULL, ""},          {"", "."},       {":", ". ."},
        {"/a:/b", "/a /b"},  {":/a", ". /a"}, {"/a:", "/a ."},
        {"/a::b", "/a . b"}, {"/a", "/a"},    {".:/a", ". /a"},
        {"/a::", "/a . ."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP_BUF struct buf seen = buf_of(64);
        const char *at = rows[i].list, *dir;
        size_t n;

        buf_str(&seen, "");
        while (path_next_dir(&at, &dir, &n)) {
            buf_str(&seen, seen.len ? " " : "");
            buf_add(&seen, dir, n);
        }
        assert_string_equal(seen.p ? seen.p : "", rows[i].dirs);
    }
}

static void
a_program_is_found_as_a_shell_in_that_directory_finds_it(void **state)
{
    char dir[] = "/tmp/agentsh-find-XXXXXX", want[PATH_MAX], out[PATH_MAX];

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(want, sizeof(want), "%s/ls", dir);
    assert_int_equal(file_write(want, "", 0, 0755, NULL), 0);
    assert_true(path_find_in(":/usr/bin", dir, "ls", out));
    assert_string_equal(out, want);
    assert_true(path_find_in("/nowhere::/usr/bin", dir, "ls", out));
    assert_string_equal(out, want);
    assert_true(path_find_in("/usr/bin:", dir, "ls", out));
    assert_string_equal(out, "/usr/bin/ls");
    assert_true(path_find_in(":/usr/bin", "/", "ls", out));
    assert_string_equal(out, "/usr/bin/ls");
    assert_true(path_find_in("/usr/bin:", NULL, "nosuch", out));
    assert_string_equal(out, "./nosuch");
    assert_false(path_find_in("/usr/bin", NULL, "nosuch", out));
    unlink(want);
    rmdir(dir);
}

static void
http_dates_are_read_in_any_locale(void **state)
{
    char text[CLOCK_RFC3339_SIZE];
    time_t t = clock_parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");

    (void)state;
    assert_int_equal(t, 784111777);
    assert_string_equal(clock_rfc3339(t, text), "1994-11-06T08:49:37Z");
    assert_int_equal(clock_parse_http_date("tomorrow"), -1);
    assert_int_equal(clock_parse_http_date("Sun, 06 anF 1994 08:49:37 GMT"),
                     -1);
}

static void
sha256_gives_the_published_digests(void **state)
{
    /* FIPS 180-2, appendix B, and the empty message */
    static const struct {
        const char *message, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb924"
             "27ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223"
                "b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039"
         "a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[SHA256_HEX_SIZE];
    char a[1000];

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        sha256_hex(rows[i].message, strlen(rows[i].message), hex);
        assert_string_equal(hex, rows[i].hex);
    }
    memset(a, 'a', sizeof(a));
    sha256_hex(a, sizeof(a), hex); /* as sha256sum(1) has it */
    assert_string_equal(hex, "41edece42d63e8d9bf515a9ba6932e1c"
                             "20cbc9f5a5d134645adb5db1b9737ea3");
}

static void
given_variables_are_checked_and_bounded(void **state)
{
    static const char zero[] = "a\0b";
    CLEANUP(environ_given_done) struct environ_given g = {0}, much = {0};
    CLEANUP_BUF struct buf value = buf_of(ENVIRON_GIVEN_BYTES);
    struct err e = {0};
    char name[16];

    (void)state;
    assert_int_equal(environ_given_add(&g, "A_1", 3, "x=y", 3, &e), 0);
    assert_string_equal(g.list[0], "A_1=x=y");
    assert_true(environ_given_has(&g, "A_1=other"));
    assert_false(environ_given_has(&g, "A_=x") ||
                 environ_given_has(&g, "A_12"));
    assert_int_equal(environ_given_add(&g, "B", 1, zero, 3, &e), -1);
    assert_int_equal(environ_given_add(&g, "A\0B", 3, "", 0, &e), -1);
    assert_int_equal(environ_given_add(&g, "9", 1, "", 0, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    for (int i = 1; i < ENVIRON_GIVEN_MAX; i++) {
        int n = snprintf(name, sizeof(name), "N%d", i);

        assert_int_equal(environ_given_add(&g, name, (size_t)n, "", 0, &e), 0);
    }
    assert_int_equal(environ_given_add(&g, "MORE", 4, "", 0, &e), -1);
    assert_null(g.list[g.n]);

    buf_blanks(&value, ENVIRON_GIVEN_BYTES - 3);
    assert_int_equal(environ_given_add(&much, "AB", 2, value.p, value.len, &e),
                     -1);
    assert_int_equal(environ_given_add(&much, "A", 1, value.p, value.len, &e),
                     0);
    assert_int_equal(environ_given_add(&much, "B", 1, "", 0, &e), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_checked_as_rfc_3629_says),
        cmocka_unit_test(every_code_point_survives_encoding),
        cmocka_unit_test(a_cut_character_is_seen_as_partial),
        cmocka_unit_test(given_variables_are_checked_and_bounded),
        cmocka_unit_test(a_string_is_found_in_a_list_as_a_whole),
        cmocka_unit_test(words_end_at_a_null),
        cmocka_unit_test(strings_sort_and_are_found_as_sorted),
        cmocka_unit_test(a_directory_has_two_names_of_its_own),
        cmocka_unit_test(bytes_beyond_ascii_are_in_no_class),
        cmocka_unit_test(out_of_memory_is_an_error_like_any_other),
        cmocka_unit_test(a_file_is_replaced_whole),
        cmocka_unit_test(a_saved_file_leaves_links_and_pipes_as_they_are),
        cmocka_unit_test(a_lock_is_waited_for_and_not_for_ever),
        cmocka_unit_test(a_file_larger_than_the_bound_is_refused),
        cmocka_unit_test(closed_standard_descriptors_are_filled),
        cmocka_unit_test(a_private_directory_must_be_ours_alone),
        cmocka_unit_test(xdg_variables_win_when_absolute),
        cmocka_unit_test(what_is_behind_a_directory_is_borrowed),
        cmocka_unit_test(an_empty_element_of_path_is_the_current_directory),
        cmocka_unit_test(
            a_program_is_found_as_a_shell_in_that_directory_finds_it),
        cmocka_unit_test(http_dates_are_read_in_any_locale),
        cmocka_unit_test(sha256_gives_the_published_digests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
