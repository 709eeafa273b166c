/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_owner.c - who may write a file, by its mode, group and lists. */
#include "unit.h"

#include <endian.h>
#include <sys/xattr.h>

#include "base/acl.h"
#include "base/cleanup.h"
#include "base/own_group.h"
#include "base/owner.h"
#include "tree.h"

#define STRANGER 54321

static int
setup(void **state)
{
    struct tree *t = calloc(1, sizeof(*t));

    assert_int_equal(tree_make(t), 0);
    assert_int_equal(tree_dir(t, "d"), 0);
    assert_int_equal(tree_text(t, "d/f", "x"), 0);
    *state = t;
    return 0;
}

static int
teardown(void **state)
{
    tree_drop(*state);
    free(*state);
    return 0;
}

/* The bytes of a list, as setxattr(2) takes them. */
struct list {
    uint32_t version;
    struct {
        uint16_t tag, perm;
        uint32_t id;
    } v[6];
};

enum { U_OBJ = 1, USER = 2, G_OBJ = 4, GROUP = 8, MASK = 16, OTHER = 32 };

static struct list
list_of(uint16_t tag, uint16_t perm, uint32_t id, uint16_t mask)
{
    return (struct list){
        htole32(2),
        {{htole16(U_OBJ), htole16(7), UINT32_MAX},
         {htole16(tag == USER ? USER : G_OBJ), htole16(tag == USER ? perm : 4),
          tag == USER ? htole32(id) : UINT32_MAX},
         {htole16(tag == USER ? G_OBJ : GROUP), htole16(tag == USER ? 4 : perm),
          tag == USER ? UINT32_MAX : htole32(id)},
         {htole16(MASK), htole16(mask), UINT32_MAX},
         {htole16(OTHER), htole16(4), UINT32_MAX}}};
}

static const struct list_row {
    uint16_t tag, perm;
    bool of_us;
    uint16_t mask;
    const char *why; /* NULL: nobody else may write */
} list_rows[] = {
    {USER, 6, false, 6, "its ACL lets user 54321 write. To do: setfacl -b"},
    {USER, 2, false, 7, "its ACL lets user 54321 write"},
    {GROUP, 6, false, 6, "its ACL lets group 54321 write. To do: setfacl -b"},
    {USER, 4, false, 6, NULL},  /* reads */
    {USER, 6, false, 4, NULL},  /* the mask takes it away */
    {GROUP, 7, false, 5, NULL}, /* the same */
    {USER, 6, true, 6, NULL},   /* us, who own it */
};

#define LIST_BYTES (4 + 5 * 8)

/* False: the file system keeps none. */
static bool
set_list(const char *path, const struct list_row *row)
{
    struct list l = list_of(row->tag, row->perm,
                            row->of_us ? (uint32_t)geteuid() : STRANGER,
                            row->mask);

    if (setxattr(path, ACL_POSIX, &l, LIST_BYTES, 0) == 0)
        return true;
    if (errno != EOPNOTSUPP)
        fail_msg("setxattr: %s", strerror(errno));
    return false;
}

static void
expect(int rc, const struct err *e, const char *why)
{
    if (rc != (why ? -1 : 0) || (why && !strstr(e->text, why)))
        fail_msg("%d, not \"%s\": %s", rc, why ? why : "", e->text);
    if (why)
        assert_int_equal(e->code, ERR_PERMISSION);
}

/* By its path, by what is open to read, and by what is only open. */
static void
expect_of_file(const char *path, const char *why)
{
    static const int flags[] = {O_RDONLY, O_PATH};
    struct err e = {0};

    expect(owner_check_path(path, OWNER_OURS, &e), &e, why);
    for (size_t i = 0; i < N_OF(flags); i++) {
        CLEANUP(fd_close_p) int fd = open(path, flags[i] | O_CLOEXEC);

        expect(owner_check_fd(fd, OWNER_OURS, path, &e), &e, why);
        expect(owner_check_file(fd, path, &e), &e, why);
    }
}

static void
whom_a_list_lets_write_is_somebody_else(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX];

    (void)tree_path(t, "d/f", path);
    expect_of_file(path, NULL);
    for (size_t i = 0; i < N_OF(list_rows); i++) {
        if (!set_list(path, &list_rows[i]))
            return;
        expect_of_file(path, list_rows[i].why);
        assert_int_equal(removexattr(path, ACL_POSIX), 0);
    }
}

static void
and_whom_a_directory_s_list_lets_put_another_there(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX], dir[PATH_MAX];
    struct err e = {0};

    (void)tree_path(t, "d/f", path);
    (void)tree_path(t, "d", dir);
    for (size_t i = 0; i < N_OF(list_rows); i++) {
        CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC);
        const char *why = list_rows[i].why;

        if (!set_list(dir, &list_rows[i]))
            return;
        expect(owner_check_parents(path, &e), &e, why);
        expect(owner_check_file(fd, path, &e), &e, why);
        assert_int_equal(removexattr(dir, ACL_POSIX), 0);
    }
}

static void
what_a_list_gives_to_new_files_is_nothing_yet(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX], dir[PATH_MAX];
    struct list l = list_of(USER, 6, STRANGER, 6);
    struct err e = {0};

    (void)tree_path(t, "d/f", path);
    if (setxattr(tree_path(t, "d", dir), "system.posix_acl_default", &l,
                 LIST_BYTES, 0) < 0)
        return;
    expect(owner_check_parents(path, &e), &e, NULL);
    assert_int_equal(tree_text(t, "d/new", ""), 0); /* mode 0600: no mask */
    expect_of_file(tree_path(t, "d/new", path), NULL);
    assert_int_equal(chmod(path, 0660), 0); /* which opens the mask */
    expect_of_file(path, "its ACL lets user 54321 write");
}

static void
a_list_that_cannot_be_read_lets_anybody(void **state)
{
    static const struct {
        size_t bytes;
        uint32_t version;
        uint16_t tag;
    } rows[] = {{LIST_BYTES - 1, 2, MASK},
                {0, 2, MASK},
                {3, 2, MASK},
                {LIST_BYTES, 1, MASK},
                {LIST_BYTES, 2, 64}};
    struct acl acl;

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct list l = list_of(USER, 4, 0, 6);

        l.version = htole32(rows[i].version);
        l.v[3].tag = htole16(rows[i].tag);
        assert_int_equal(acl_read_posix(&l, rows[i].bytes, &acl), -1);
    }
}

/* One entry as a server of NFS 4 sends it. */
static size_t
put_nfs4(unsigned char *out, uint32_t type, uint32_t flags, uint32_t rights,
         const char *who)
{
    uint32_t words[] = {htobe32(1), htobe32(type), htobe32(flags),
                        htobe32(rights), htobe32((uint32_t)strlen(who))};
    size_t n = strlen(who);

    memset(out, 0, 64);
    memcpy(out, words, sizeof(words));
    memcpy(out + sizeof(words), who, n);
    return sizeof(words) + (n + 3) / 4 * 4;
}

static const struct {
    uint32_t type, flags, rights;
    const char *who;
    size_t writers;
    enum acl_kind kind;
} nfs4_rows[] = {
    {0, 0, 0x2, "mallory@example.org", 1, ACL_NAMED},
    {0, 0, 0x4, "EVERYONE@", 1, ACL_EVERYBODY},
    {0, 0, 0x40, "GROUP@", 1, ACL_OWNING_GROUP},
    {0, 0x40, 0x40000, "staff@example.org", 1, ACL_NAMED},
    {0, 0, 0x80000, "OWNER@", 1, ACL_OWNER},
    {0, 0, 0x120081, "EVERYONE@", 0, 0}, /* reads */
    {1, 0, 0x2, "EVERYONE@", 0, 0},      /* denies */
    {0, 0xb, 0x2, "EVERYONE@", 0, 0},    /* for what is made below */
};

static void
lists_of_nfs_are_read_as_well(void **state)
{
    unsigned char bytes[64];
    struct acl acl;

    (void)state;
    for (size_t i = 0; i < N_OF(nfs4_rows); i++) {
        size_t n = put_nfs4(bytes, nfs4_rows[i].type, nfs4_rows[i].flags,
                            nfs4_rows[i].rights, nfs4_rows[i].who);

        assert_int_equal(acl_read_nfs4(bytes, n, &acl), 0);
        assert_int_equal(acl.n, nfs4_rows[i].writers);
        if (acl.n > 0)
            assert_int_equal(acl.v[0].kind, nfs4_rows[i].kind);
        for (size_t cut = 0; cut < n; cut++)
            assert_int_equal(acl_read_nfs4(bytes, cut, &acl), -1);
        assert_int_equal(acl_read_nfs4(bytes, n + 1, &acl), -1);
    }
}

#define ROOT_LINE  "root:x:0:0:root:/root:/bin/sh\n"
#define ME_LINE    "me:x:1000:1000::/home/me:/bin/sh\n"
#define WWW_LINE   "www-data:x:33:33::/var/www:/bin/sh\n"
#define OWN_GROUPS "root:x:0:\nwww-data:x:33:\nme:x:1000:"

static const struct {
    const char *passwd, *group, *nsswitch;
    gid_t gid;
    const char *why; /* NULL: it is our own */
} group_rows[] = {
    {ROOT_LINE ME_LINE WWW_LINE, OWN_GROUPS "\n", NULL, 1000, NULL},
    {ROOT_LINE ME_LINE WWW_LINE, OWN_GROUPS "me, root ,\n", NULL, 1000, NULL},
    {ROOT_LINE ME_LINE WWW_LINE, OWN_GROUPS, NULL, 0, NULL},
    {"# x\n\n" ME_LINE, "# x\n" OWN_GROUPS, NULL, 1000, NULL},
    /* a second name of ours */
    {ME_LINE "me2:x:1000:1000:::\n", OWN_GROUPS "me2", NULL, 1000, NULL},
    {ROOT_LINE ME_LINE WWW_LINE, OWN_GROUPS "me,www-data\n", NULL, 1000,
     "www-data is also a member of its group (1000)"},
    {ROOT_LINE ME_LINE WWW_LINE, "root:x:0:me,www-data\n", NULL, 0,
     "www-data is also a member of its group"},
    {ROOT_LINE ME_LINE "b:x:1001:1000:::\n", OWN_GROUPS "\n", NULL, 1000,
     "b is also a member of its group"},
    /* what has two lines has the members of both */
    {ROOT_LINE ME_LINE WWW_LINE, OWN_GROUPS "\nmore:x:1000:www-data\n", NULL,
     1000, "www-data is also a member of its group"},
    {ME_LINE "me:x:1005:1000:::\n", OWN_GROUPS "\n", NULL, 1000,
     "me is also a member of its group"},
    {ME_LINE WWW_LINE "x:x:33:7:::\n", OWN_GROUPS "x\n", NULL, 1000,
     "x is also a member of its group"},
    {ROOT_LINE ME_LINE, OWN_GROUPS "who\n", NULL, 1000,
     "who is also a member of its group"},
    {ROOT_LINE ME_LINE, "staff:x:50:\n", NULL, 50,
     "its group has other members"},
    {ROOT_LINE ME_LINE, "root:x:0:\n", NULL, 1000,
     "cannot tell from /etc/group who"},
    {ROOT_LINE, OWN_GROUPS "\n", NULL, 1000, "its group has other members"},
    {ME_LINE "+::::::\n", OWN_GROUPS "\n", NULL, 1000,
     "cannot tell from /etc/passwd who"},
    {ME_LINE "b:x:1001\n", OWN_GROUPS "\n", NULL, 1000,
     "cannot tell from /etc/passwd who"},
    {ME_LINE "b:x:1001:0x3e8:::\n", OWN_GROUPS "\n", NULL, 1000,
     "cannot tell from /etc/passwd who"},
    {ME_LINE, OWN_GROUPS "\n+:::\n", NULL, 1000,
     "cannot tell from /etc/group who"},
    {ME_LINE, OWN_GROUPS "\nx:x:4294967296:b\n", NULL, 1000,
     "cannot tell from /etc/group who"},
    {ME_LINE, OWN_GROUPS, "passwd: files systemd\ngroup: compat # sss\n", 1000,
     NULL},
    {ME_LINE, OWN_GROUPS, "group: files [ UNAVAIL=x ] systemd\nhosts: dns\n",
     1000, NULL},
    {ME_LINE, OWN_GROUPS, "passwd: files sss\n", 1000, "are in sss"},
    {ME_LINE, OWN_GROUPS, "  group : files [SUCCESS=merge] ldap", 1000,
     "are in ldap"},
    {ME_LINE, OWN_GROUPS, "initgroups:winbind\n", 1000, "are in winbind"},
};

static void
a_group_is_our_own_while_nobody_else_is_in_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(group_rows); i++) {
        const struct own_group_files files = {
            group_rows[i].passwd, group_rows[i].group, group_rows[i].nsswitch};
        char why[OWN_GROUP_WHY] = "";
        bool own = own_group_check(&files, group_rows[i].gid, 1000, why);

        if (own == (group_rows[i].why != NULL) ||
            (!own && !strstr(why, group_rows[i].why)))
            fail_msg("row %zu: %d, %s", i, own, why);
    }
}

static const struct {
    mode_t mode;
    const char *why;
} mode_rows[] = {
    {0755, NULL},
    {0702, "everybody. To do: chmod go-w"},
    {0666, "everybody"},
    {0670, "To do: chmod g-w"},
};

/* A group of nobody's: only root can give it to the file. */
static void
a_write_bit_is_somebody_else_s(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX];

    (void)tree_path(t, "d/f", path);
    for (size_t i = 0; i < N_OF(mode_rows); i++) {
        if (geteuid() == 0)
            assert_int_equal(chown(path, 0, STRANGER), 0);
        else if (mode_rows[i].mode == 0670)
            continue;
        assert_int_equal(chmod(path, mode_rows[i].mode), 0);
        expect_of_file(path, mode_rows[i].why);
    }
}

static void
what_must_be_root_s_is_nobody_else_s(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX];
    struct err e = {0};

    (void)tree_path(t, "d/f", path);
    if (geteuid() == 0)
        assert_int_equal(chown(path, STRANGER, 0), 0);
    expect(owner_check_path(path, OWNER_ROOTS, &e), &e,
           "writable only by root");
    expect(owner_check_path("/", OWNER_ROOTS, &e), &e, NULL);
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(path, 0, 0), 0);
    expect(owner_check_path(path, OWNER_ROOTS, &e), &e, NULL);
    if (!set_list(path, &list_rows[0]))
        return;
    expect(owner_check_path(path, OWNER_ROOTS, &e), &e,
           "writable only by root");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(whom_a_list_lets_write_is_somebody_else),
        T(and_whom_a_directory_s_list_lets_put_another_there),
        T(what_a_list_gives_to_new_files_is_nothing_yet),
        T(a_list_that_cannot_be_read_lets_anybody),
        T(lists_of_nfs_are_read_as_well),
        T(a_group_is_our_own_while_nobody_else_is_in_it),
        T(a_write_bit_is_somebody_else_s),
        T(what_must_be_root_s_is_nobody_else_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
