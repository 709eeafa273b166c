/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_workcopy.c - the copy of a workspace is exact, or there is none. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "sandbox/preview/workcopy.h"
#include "tests/unit/overlaid.h"

#define USER     12345 /* whose the workspace is, where root tests */
#define TEXT_MAX (1u << 20)

/* A workspace of ours, or (root's only) of another user, as whom it is copied
 * as well, or not. */
enum whose { OURS, USERS, USERS_BY_ROOT };

struct fixture {
    struct overlaid o;
    struct workcopy_spec spec;
    int list;
};

static void
fixture_open(struct fixture *f, enum whose whose, const char *script)
{
    char path[OVERLAID_PATH_MAX + sizeof("/copied")];

    overlaid_open(&f->o, whose == OURS ? OVERLAID_COPY : OVERLAID_USER);
    assert_int_equal(overlaid_plain(&f->o, script), 0);
    snprintf(path, sizeof(path), "%s/copied", f->o.state);
    f->list = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    assert_true(f->list >= 0);
    f->spec = (struct workcopy_spec){.from = f->o.lower,
                                     .to = f->o.upper,
                                     .place = f->o.state,
                                     .room_bytes = 4 * WORKCOPY_BYTES_MAX};
}

static void
fixture_close(struct fixture *f)
{
    close(f->list);
    overlaid_close(&f->o);
}

static int
make_as(struct fixture *f, enum whose whose, struct err *e)
{
    bool becomes = whose == USERS && geteuid() == 0;
    int rc;

    if (becomes) {
        assert_int_equal(fchown(f->list, USER, USER), 0);
        assert_int_equal(setegid(USER), 0);
        assert_int_equal(seteuid(USER), 0);
    }
    rc = workcopy_make(&f->spec, f->list, e);
    if (becomes) {
        assert_int_equal(seteuid(0), 0);
        assert_int_equal(setegid(0), 0);
    }
    return rc;
}

struct refusal {
    enum whose whose;
    bool root; /* only root can make it */
    const char *script;
    const char *want; /* of the reason */
};

static const struct refusal refusals[] = {
    {OURS, false, "mkdir d; mkfifo d/p", "copy: d/p is a FIFO; move it"},
    {OURS, false,
     "python3 -c 'import socket; socket.socket(1).bind(\"s\")' || exit 77",
     "copy: s is a socket; move it"},
    {OURS, true, "mknod n c 1 3 || exit 77", "copy: n is a device; move it"},
    {USERS, false, "mkdir -p a/b; echo s >a/b/s; chmod 200 a/b/s",
     "copy: a/b/s cannot be read; make it readable"},
    {USERS, false, "mkdir -p a/b; chmod 600 a/b",
     "copy: a/b cannot be read; make it readable"},
    {USERS, false, "mkdir -p a/b; chmod 300 a/b",
     "copy: a/b cannot be read; make it readable"},
    {USERS, false, "chmod 300 .", "copy: the workspace cannot be read"},
    {OURS, true, "echo a >a; chown 12345 a", "copy: a belongs to another user"},
    {OURS, true, "mkdir d; ln -s x d/l; chown -h 12345 d/l",
     "copy: d/l belongs to another user"},
    {USERS_BY_ROOT, true, "echo a >a",
     "copy: the workspace belongs to another user; preview as that user"},
};

static void
check_refusal(const struct refusal *row)
{
    struct overlaid probe;
    struct fixture f;
    struct err e = {0};
    int can;

    if (geteuid() != 0 && (row->root || row->whose == USERS_BY_ROOT))
        return;
    overlaid_open(&probe, OVERLAID_COPY);
    can = overlaid_plain(&probe, row->script);
    overlaid_close(&probe);
    if (can == 77) { /* no python, no right to make a device */
        print_message("# not tried: %s\n", row->script);
        return;
    }
    fixture_open(&f, row->whose, row->script);
    assert_int_equal(make_as(&f, row->whose, &e), -1);
    if (e.code != ERR_SANDBOX || !strstr(e.text, row->want))
        fail_msg("%s: %s", row->script, e.text);
    fixture_close(&f);
}

static void
what_a_copy_cannot_stand_for_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refusals); i++)
        check_refusal(&refusals[i]);
}

/* A group that a user is not in, and could not give to the copy. */
static void
a_group_that_is_not_ours_is_refused(void **state)
{
    struct fixture f;
    struct err e = {0};

    (void)state;
    if (geteuid() != 0)
        return;
    fixture_open(&f, USERS, "echo a >a");
    assert_int_equal(fchownat(f.o.lower, "a", USER, USER + 1, 0), 0);
    assert_int_equal(make_as(&f, USERS, &e), -1);
    assert_int_equal(e.code, ERR_SANDBOX);
    assert_non_null(strstr(e.text, "copy: a belongs to a group"));
    fixture_close(&f);
}

/* All that stat tells of a tree, without what no copy can have. */
static const char manifest[] =
    "find . -printf '%P|%y|%m|%U|%G|%n|%l|%T@\\n' | LC_ALL=C sort;"
    "find . -type f -exec sha256sum {} + | LC_ALL=C sort";

static const char everything[] =
    "umask 027; mkdir -p d/e empty; echo a >d/a; ln d/a d/e/b; ln d/a c;"
    "ln -s ../nowhere d/l; ln -s a l; head -c 3000000 /dev/urandom >big;"
    "truncate -s 40M hole; echo end >>hole; : >nothing;"
    "echo x >\"$(printf 'new\\nline')\"; chmod 4755 d/a; chmod 2750 d/e;"
    "chmod 1777 empty; chmod 0400 nothing; chmod 700 .; chmod 2750 d;"
    "mkdir -p closed/in; echo x >closed/in/x; chmod 500 closed/in;"
    "chmod 555 closed;"
    "touch -d '2001-02-03 04:05:06.789' big d/e .; touch -hd 2002-01-01 l";

static void
take_manifest(const struct overlaid *o, bool of_copy, struct buf *out)
{
    char script[1024], path[2 * OVERLAID_PATH_MAX];

    snprintf(script, sizeof(script), "cd %s && { %s; } >'%s/m'",
             of_copy ? "../state/upper" : ".", manifest, o->state);
    assert_int_equal(overlaid_plain(o, script), 0);
    snprintf(path, sizeof(path), "%s/m", o->state);
    assert_int_equal(file_read(path, out, NULL), 0);
}

static void
a_copy_is_what_was_copied(void **state)
{
    CLEANUP_BUF struct buf wanted = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf got = buf_of(TEXT_MAX);
    struct fixture f;
    struct err e = {0};

    (void)state;
    fixture_open(&f, OURS, everything);
    if (make_as(&f, OURS, &e) < 0)
        fail_msg("%s", e.text);
    take_manifest(&f.o, false, &wanted);
    take_manifest(&f.o, true, &got);
    assert_non_null(strstr(wanted.p, "d/a|f|4755"));
    assert_non_null(strstr(wanted.p, "d/e|d|2750"));
    assert_string_equal(got.p, wanted.p);
    fixture_close(&f);
}

/* One more user, by number, may read and write: as setfacl writes it. */
static const unsigned char list_of_access[] = {
    2, 0, 0,   0,   1,   0,   6,    0, 255, 255, 255, 255, 2,   0,    6,
    0, 7, 0,   0,   0,   4,   0,    4, 0,   255, 255, 255, 255, 0x10, 0,
    6, 0, 255, 255, 255, 255, 0x20, 0, 0,   0,   255, 255, 255, 255};

static void
check_attribute(const char *path, const char *name, const void *value, size_t n)
{
    char there[256];

    if (getxattr(path, name, there, sizeof(there)) != (ssize_t)n ||
        memcmp(there, value, n) != 0)
        fail_msg("%s: %s is not the original's", path, name);
}

static void
a_copy_has_attributes_and_access_lists(void **state)
{
    char from[2 * OVERLAID_PATH_MAX], to[2 * OVERLAID_PATH_MAX];
    const void *acl = list_of_access;
    struct fixture f;
    struct err e = {0};

    (void)state;
    fixture_open(&f, OURS, "mkdir d; echo a >d/a");
    snprintf(from, sizeof(from), "%s/d", f.o.place);
    snprintf(to, sizeof(to), "%s/upper/d", f.o.state);
    if (setxattr(from, "user.what", "ever", 4, 0) < 0 ||
        setxattr(from, "system.posix_acl_default", acl, sizeof(list_of_access),
                 0) < 0) {
        print_message("# not tried: no attributes in /tmp\n");
        fixture_close(&f);
        return;
    }
    snprintf(from + strlen(from), 3, "/a");
    assert_int_equal(setxattr(from, "system.posix_acl_access", acl,
                              sizeof(list_of_access), 0),
                     0);
    if (make_as(&f, OURS, &e) < 0)
        fail_msg("%s", e.text);
    check_attribute(to, "user.what", "ever", 4);
    check_attribute(to, "system.posix_acl_default", acl,
                    sizeof(list_of_access));
    snprintf(to + strlen(to), 3, "/a");
    check_attribute(to, "system.posix_acl_access", acl, sizeof(list_of_access));
    fixture_close(&f);
}

static void
more_attributes_than_can_be_copied_are_refused(void **state)
{
    char path[2 * OVERLAID_PATH_MAX], name[64];
    struct fixture f;
    struct err e = {0};

    (void)state;
    fixture_open(&f, OURS, "echo a >a");
    snprintf(path, sizeof(path), "%s/a", f.o.place);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "user.%052d", i);
        if (setxattr(path, name, "x", 1, 0) < 0) {
            print_message("# not tried: /tmp holds no 100 attributes\n");
            fixture_close(&f);
            return;
        }
    }
    assert_int_equal(make_as(&f, OURS, &e), -1);
    assert_int_equal(e.code, ERR_SANDBOX);
    assert_non_null(strstr(e.text, "copy: a has more attributes"));
    fixture_close(&f);
}

/* Counted is what is written: not what a file seems to be, nor its holes. */
static void
a_place_without_room_is_named(void **state)
{
    struct fixture f;
    struct err e = {0};

    (void)state;
    fixture_open(&f, OURS, "head -c 200000 /dev/urandom >a");
    f.spec.room_bytes = 128 << 10;
    assert_int_equal(make_as(&f, OURS, &e), -1);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "half of what is free: only 128"));
    assert_non_null(strstr(e.text, f.o.state));
    fixture_close(&f);
    fixture_open(&f, OURS, "truncate -s 1G a; echo end >>a");
    f.spec.room_bytes = 128 << 10;
    assert_int_equal(make_as(&f, OURS, &e), 0);
    fixture_close(&f);
}

/* Says no after a number of questions. */
static bool
until(void *arg)
{
    int *left = arg;

    return (*left)-- > 0;
}

static void
it_can_be_interrupted_in_the_middle_of_a_file(void **state)
{
    (void)state;
    for (int stop = 0; stop < 4; stop++) {
        struct fixture f;
        struct err e = {0};
        int left = stop;

        fixture_open(&f, OURS, "head -c 20000000 /dev/zero >a");
        f.spec.goes_on = until;
        f.spec.arg = &left;
        assert_int_equal(make_as(&f, OURS, &e), -1);
        assert_int_equal(e.code, ERR_INTERRUPTED);
        fixture_close(&f);
    }
}

/* Somebody who writes to a file whenever it is looked at. */
struct writer {
    int dir;
    int times;
};

static bool
write_meanwhile(void *arg)
{
    struct writer *w = arg;
    CLEANUP(fd_close_p)
    int fd = openat(w->dir, "a", O_WRONLY | O_APPEND | O_CLOEXEC);

    if (w->times-- > 0)
        assert_int_equal(write(fd, "more\n", 5), 5);
    return true;
}

/* In another filesystem, which cannot share the bytes. */
static void
check_writer(int times, int wanted)
{
    char dir[] = "/dev/shm/agentsh-unit-XXXXXX";
    struct writer w = {.times = times};
    struct workcopy *list;
    struct stat from, to;
    struct fixture f;
    struct err e = {0};
    int at;

    if (!mkdtemp(dir)) {
        print_message("# not tried: no /dev/shm\n");
        return;
    }
    fixture_open(&f, OURS, "echo a >a");
    at = f.spec.to = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    w.dir = openat(f.o.lower, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    f.spec.goes_on = write_meanwhile;
    f.spec.arg = &w;
    assert_int_equal(make_as(&f, OURS, &e), wanted);
    if (wanted < 0) {
        assert_int_equal(e.code, ERR_SANDBOX);
        assert_non_null(strstr(e.text, "copy: a is changed while"));
    } else {
        list = workcopy_read(f.list, &e);
        assert_non_null(list);
        assert_int_equal(fstatat(w.dir, "a", &from, 0), 0);
        assert_int_equal(fstatat(at, "a", &to, 0), 0);
        assert_int_equal(from.st_size, 7 - 5 + 5 * times);
        assert_int_equal(to.st_size, from.st_size);
        assert_true(workcopy_is_untouched(workcopy_find(list, "a"), &to));
        workcopy_free(list);
    }
    (void)unlinkat(at, "a", 0);
    assert_int_equal(rmdir(dir), 0);
    close(at);
    close(w.dir);
    fixture_close(&f);
}

static void
a_file_that_is_written_to_is_copied_anew_or_refused(void **state)
{
    (void)state;
    check_writer(1, 0);
    check_writer(2, 0);
    check_writer(1000, -1);
}

static void
what_is_changed_after_the_list_is_not_untouched(void **state)
{
    static const char *const changes[] = {
        "echo b >a",
        "echo b >>a",
        "touch -d @1 a",
        "chmod 600 a",
        "rm a; echo a >a",
        "cp -p a b; mv b a",
        ": <>a; printf b | dd of=a conv=notrunc status=none",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(changes); i++) {
        char script[256];
        struct workcopy *list;
        struct fixture f;
        struct err e = {0};
        struct stat st;

        fixture_open(&f, OURS, "umask 022; echo a >a");
        assert_int_equal(make_as(&f, OURS, &e), 0);
        list = workcopy_read(f.list, &e);
        assert_non_null(list);
        assert_int_equal(fstatat(f.o.upper, "a", &st, 0), 0);
        assert_true(workcopy_is_untouched(workcopy_find(list, "a"), &st));
        snprintf(script, sizeof(script), "cd ../state/upper && %s", changes[i]);
        assert_int_equal(overlaid_plain(&f.o, script), 0);
        assert_int_equal(fstatat(f.o.upper, "a", &st, 0), 0);
        if (workcopy_is_untouched(workcopy_find(list, "a"), &st))
            fail_msg("%s: not seen", changes[i]);
        workcopy_free(list);
        fixture_close(&f);
    }
}

#define LINE(path) "7 1 2 40755 0 0 4096 3 4 " path "\0"

struct bytes {
    const char *text;
    size_t n;
    bool whole;
};
#define BYTES(text, whole)                                                     \
    {                                                                          \
        text, sizeof(text) - 1, whole                                          \
    }

static void
a_damaged_list_is_told(void **state)
{
    static const struct bytes rows[] = {
        BYTES(LINE("."), true),
        BYTES(LINE("a") LINE("."), true),
        BYTES(LINE(".") LINE("a b\nc"), true),
        BYTES("", false),
        BYTES(LINE("a"), false),
        BYTES("7 1 2 40755 0 0 4096 3 4 .", false),
        BYTES(LINE(".") "7 1 2 40755 0 0 4096 3", false),
        BYTES(LINE(".") LINE(""), false),
        BYTES(LINE(".") "\0", false),
        BYTES("7 1 2 40755 0 0 .\0", false),
        BYTES(LINE(".") "x 1 2 40755 0 0 4096 3 4 a\0", false),
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(fd_close_p) int fd = memfd_create("list", MFD_CLOEXEC);
        struct workcopy *w;
        struct err e = {0};

        assert_int_equal(write(fd, rows[i].text, rows[i].n), rows[i].n);
        w = workcopy_read(fd, &e);
        if ((w != NULL) != rows[i].whole || (!w && e.code != ERR_PARSE))
            fail_msg("row %zu: %s", i, e.text);
        workcopy_free(w);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_copy_cannot_stand_for_is_refused_by_name),
        cmocka_unit_test(a_group_that_is_not_ours_is_refused),
        cmocka_unit_test(a_copy_is_what_was_copied),
        cmocka_unit_test(a_copy_has_attributes_and_access_lists),
        cmocka_unit_test(more_attributes_than_can_be_copied_are_refused),
        cmocka_unit_test(a_place_without_room_is_named),
        cmocka_unit_test(it_can_be_interrupted_in_the_middle_of_a_file),
        cmocka_unit_test(a_file_that_is_written_to_is_copied_anew_or_refused),
        cmocka_unit_test(what_is_changed_after_the_list_is_not_untouched),
        cmocka_unit_test(a_damaged_list_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
