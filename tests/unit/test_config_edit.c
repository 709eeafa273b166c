/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_config_edit.c - a change of settings keeps all else that a person wrote.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/path.h"
#include "config/config_edit.h"

#define BOM "\xEF\xBB\xBF"

static const struct config_edit usual[] = {
    {CONFIG_MODEL_PROVIDER, "gemini"},
    {CONFIG_MODEL_MODEL, "m-1"},
    {CONFIG_MODEL_BASE_URL, NULL},
};

static const struct {
    const char *name, *before, *after;
} rows[] = {
    {"a file that is not there", "",
     "[model]\nprovider = gemini\nmodel = m-1\n"},
    {"comments and blank lines stay",
     "# mine\n\n[model]\n; why\nprovider = openai\n\n# the end\n",
     "# mine\n\n[model]\n; why\nprovider = gemini\nmodel = m-1\n\n# the end\n"},
    {"other sections and settings stay, and their order",
     "[sandbox]\nlimit_s=5\n[model]\nmax_retries = 1\n\n[record]\njournal=no\n",
     "[sandbox]\nlimit_s=5\n[model]\nmax_retries = 1\nprovider = gemini\n"
     "model = m-1\n\n[record]\njournal=no\n"},
    {"a new section is the last", "[shell]\nlogin_files = yes\n",
     "[shell]\nlogin_files = yes\n\n[model]\nprovider = gemini\nmodel = m-1\n"},
    {"the blanks of a changed line stay, and a colon",
     "[model]\n  provider\t:   openai\n model=x\n",
     "[model]\n  provider\t:   gemini\n model=m-1\n"},
    {"a setting that goes becomes a comment",
     "[model]\n base_url = http://x#y\nprovider = openai\nmodel = a\n",
     "[model]\n#  base_url = http://x#y\nprovider = gemini\nmodel = m-1\n"},
    {"a comment that looks like a setting is none",
     "[model]\n#provider = openai\n;model = a\n",
     "[model]\nprovider = gemini\nmodel = m-1\n#provider = openai\n;model = "
     "a\n"},
    {"a last line without its end gets one", "[model]\nprovider = openai",
     "[model]\nprovider = gemini\nmodel = m-1\n"},
    {"a comment at the end without one, too", "# only this",
     "# only this\n\n[model]\nprovider = gemini\nmodel = m-1\n"},
    {"the line ends of another system stay",
     "[model]\r\nprovider = openai\r\n\r\n[shell]\r\n",
     "[model]\r\nprovider = gemini\r\nmodel = m-1\r\n\r\n[shell]\r\n"},
    {"a byte order mark stays", BOM "[model]\nmodel = a\n",
     BOM "[model]\nmodel = m-1\nprovider = gemini\n"},
    {"a section that comes twice", "[model]\n\n[shell]\n[model]\nmodel = a\n",
     "[model]\nprovider = gemini\n\n[shell]\n[model]\nmodel = m-1\n"},
    {"what is set already", "[model]\nprovider = gemini\nmodel = m-1\n",
     "[model]\nprovider = gemini\nmodel = m-1\n"},
};

static void
other_lines_keep_their_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        CLEANUP_BUF struct buf out = config_edit_buf();
        struct err e = {0};

        if (config_edit_text("config", rows[i].before, strlen(rows[i].before),
                             usual, ARRAY_SIZE(usual), &out, &e) < 0)
            fail_msg("%s: %s", rows[i].name, e.text);
        if (strcmp(out.p, rows[i].after) != 0)
            fail_msg("%s: \"%s\"", rows[i].name, out.p);
    }
}

static const struct {
    const char *before, *value, *error;
} wrong[] = {
    {"[model]\nmodel = a\nmodel = b\n", "c", "config:3: model is set already"},
    {"[model]\nmodle = a\n", "c", "config:2: "},
    {"[modle]\n", "c", "config:1: unknown section"},
    {"model = a\n", "c", "config:1: "},
    {"[model]\nnonsense\n", "c", "config:2: "},
    {"[model]\n", "", "model has no value"},
    {"[model]\n", "a b", "model must be one word"},
    {"[model]\n", "a\nlook=no", "model has more than one line"},
    {"[model]\n", "a\x01", "control character"},
};

static void
what_is_wrong_is_not_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
        const struct config_edit edit = {CONFIG_MODEL_MODEL, wrong[i].value};
        const char *text = wrong[i].before;
        CLEANUP_BUF struct buf out = config_edit_buf();
        struct err e = {0};

        assert_int_equal(
            config_edit_text("config", text, strlen(text), &edit, 1, &out, &e),
            -1);
        assert_int_equal(e.code, ERR_CONFIG);
        if (!strstr(e.text, wrong[i].error))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].error, e.text);
        assert_int_equal(out.len, 0);
    }
}

/* A directory with a file. */
struct place {
    char dir[64];
    char *file, *link;
};

static int
setup(void **state)
{
    struct place *p = calloc(1, sizeof(*p));

    snprintf(p->dir, sizeof(p->dir), "/tmp/test_config_edit.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    p->file = path_join(p->dir, "file");
    p->link = path_join(p->dir, "link");
    *state = p;
    return 0;
}

static int
teardown(void **state)
{
    struct place *p = *state;

    unlink(p->file);
    unlink(p->link);
    rmdir(p->dir);
    free(p->file);
    free(p->link);
    free(p);
    return 0;
}

static void
assert_file(const char *path, const char *text, mode_t mode)
{
    CLEANUP_BUF struct buf b = config_edit_buf();
    struct stat st;

    assert_int_equal(file_read(path, &b, NULL), 0);
    assert_string_equal(b.p, text);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, mode);
}

static void
a_file_is_made_for_its_owner_alone(void **state)
{
    const struct place *p = *state;

    assert_int_equal(config_edit_file(p->file, usual, 1, NULL), 0);
    assert_file(p->file, "[model]\nprovider = gemini\n", 0600);
}

static void
a_link_stays_and_the_mode_too(void **state)
{
    const struct place *p = *state;
    struct stat st;

    assert_int_equal(file_write(p->file, "# x\n", 4, 0640, NULL), 0);
    assert_int_equal(symlink("file", p->link), 0);
    assert_int_equal(config_edit_file(p->link, usual, 1, NULL), 0);
    assert_int_equal(lstat(p->link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_file(p->file, "# x\n\n[model]\nprovider = gemini\n", 0640);
}

static void
a_link_that_leads_nowhere_is_refused(void **state)
{
    const struct place *p = *state;
    struct err e = {0};

    assert_int_equal(symlink("file", p->link), 0);
    assert_int_equal(config_edit_file(p->link, usual, 1, &e), -1);
    assert_int_equal(e.code, ERR_CONFIG);
    assert_int_equal(access(p->file, F_OK), -1);
}

/* Only root can give a file away. */
static void
what_belongs_to_another_user_is_refused(void **state)
{
    const struct place *p = *state;
    struct err e = {0};

    if (geteuid() != 0)
        return;
    assert_int_equal(file_write(p->file, "# x\n", 4, 0600, NULL), 0);
    assert_int_equal(symlink("file", p->link), 0);
    assert_int_equal(lchown(p->link, 12345, 12345), 0);
    assert_int_equal(config_edit_file(p->link, usual, 1, &e), -1);
    assert_int_equal(e.code, ERR_CONFIG);
    assert_int_equal(chown(p->file, 12345, 12345), 0);
    assert_int_equal(config_edit_file(p->file, usual, 1, &e), -1);
    assert_file(p->file, "# x\n", 0600);
}

static void
a_file_that_is_wrong_keeps_its_bytes(void **state)
{
    const struct place *p = *state;
    static const char text[] = "[model]\nmodel = a\nmodel = b\n";
    struct err e = {0};

    assert_int_equal(file_write(p->file, text, strlen(text), 0600, NULL), 0);
    assert_int_equal(config_edit_file(p->file, usual, 1, &e), -1);
    assert_int_equal(e.code, ERR_CONFIG);
    assert_file(p->file, text, 0600);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_lines_keep_their_bytes),
        cmocka_unit_test(what_is_wrong_is_not_changed),
        cmocka_unit_test_setup_teardown(a_file_is_made_for_its_owner_alone,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_link_stays_and_the_mode_too, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_link_that_leads_nowhere_is_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_belongs_to_another_user_is_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_is_wrong_keeps_its_bytes,
                                        setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
