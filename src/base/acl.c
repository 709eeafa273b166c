/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acl.c - parses a file's access control list: who may write the file. */
#include "base/acl.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"

/* From linux/posix_acl_xattr.h and linux/posix_acl.h, which cannot be included
 * beside the C library's headers: a version, then entries of 8 bytes, all in
 * little-endian order. */
#define POSIX_VERSION 2u
#define HEADER_BYTES  4u
#define ENTRY_BYTES   8u
#define MAY_WRITE     2u

enum posix_tag {
    TAG_OWNER = 0x01,
    TAG_USER = 0x02,
    TAG_OWNING_GROUP = 0x04,
    TAG_GROUP = 0x08,
    TAG_MASK = 0x10,
    TAG_OTHER = 0x20,
};

/* RFC 7530, 6.2.1: the rights to change bytes, names, or the list itself. */
enum nfs4_right {
    WRITE_DATA = 0x2,
    APPEND_DATA = 0x4,
    DELETE_CHILD = 0x40,
    DELETE_IT = 0x10000,
    WRITE_ACL = 0x40000,
    WRITE_OWNER = 0x80000,
    WRITES = WRITE_DATA | APPEND_DATA | DELETE_CHILD | DELETE_IT | WRITE_ACL |
             WRITE_OWNER,
};

#define NFS4_ALLOW 0u
/* For new entries of a directory, not for itself. */
#define NFS4_INHERIT_ONLY 0x8u
#define NFS4_WORDS        4u /* type, flags, rights, length of the name */

static uint32_t
read_little_endian(const unsigned char *p, size_t bytes)
{
    uint32_t v = 0;

    while (bytes-- > 0)
        v = v << 8 | p[bytes];
    return v;
}

static uint32_t
big(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

static int
put_writer(struct acl *out, enum acl_kind kind, uint32_t id)
{
    if (out->n == ACL_WRITERS_MAX)
        return -1;
    out->v[out->n++] = (struct acl_writer){.kind = kind, .id = id};
    return 0;
}

/* The mask limits all entries but those of the owner and of others (acl(5)). */
static int
put_posix(struct acl *out, const unsigned char *entry, bool masked)
{
    uint32_t id = read_little_endian(entry + 4, 4);
    bool may = read_little_endian(entry + 2, 2) & MAY_WRITE;

    switch (read_little_endian(entry, 2)) {
    case TAG_OWNER:
        return may ? put_writer(out, ACL_OWNER, 0) : 0;
    case TAG_OTHER:
        return may ? put_writer(out, ACL_EVERYBODY, 0) : 0;
    case TAG_OWNING_GROUP:
        return may && !masked ? put_writer(out, ACL_OWNING_GROUP, 0) : 0;
    case TAG_USER:
        return may && !masked ? put_writer(out, ACL_USER, id) : 0;
    case TAG_GROUP:
        return may && !masked ? put_writer(out, ACL_GROUP, id) : 0;
    case TAG_MASK:
        return 0;
    default:
        return -1;
    }
}

int
acl_read_posix(const void *bytes, size_t n, struct acl *out)
{
    const unsigned char *p = bytes, *end = p + n;
    bool masked = false;

    *out = (struct acl){0};
    if (n < HEADER_BYTES || (n - HEADER_BYTES) % ENTRY_BYTES != 0 ||
        read_little_endian(p, HEADER_BYTES) != POSIX_VERSION)
        return -1;
    p += HEADER_BYTES;
    for (const unsigned char *q = p; q < end; q += ENTRY_BYTES)
        masked |= read_little_endian(q, 2) == TAG_MASK &&
                  !(read_little_endian(q + 2, 2) & MAY_WRITE);
    for (; p < end; p += ENTRY_BYTES)
        if (put_posix(out, p, masked) < 0)
            return -1;
    return 0;
}

static enum acl_kind
kind_of(const unsigned char *who, size_t n)
{
    static const struct {
        const char *name;
        enum acl_kind kind;
    } names[] = {
        {"OWNER@", ACL_OWNER},
        {"GROUP@", ACL_OWNING_GROUP},
        {"EVERYONE@", ACL_EVERYBODY},
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (n == strlen(names[i].name) && memcmp(who, names[i].name, n) == 0)
            return names[i].kind;
    return ACL_NAMED;
}

int
acl_read_nfs4(const void *bytes, size_t n, struct acl *out)
{
    const unsigned char *p = bytes, *end = p + n;
    uint32_t count;

    *out = (struct acl){0};
    if (n < 4)
        return -1;
    count = big(p);
    for (p += 4; count > 0; count--) {
        size_t name, room = (size_t)(end - p);
        bool writes;

        if (room < 4 * NFS4_WORDS)
            return -1;
        name = big(p + 12);
        room -= 4 * NFS4_WORDS;
        if (name > room || (name + 3) / 4 * 4 > room)
            return -1;
        writes = big(p) == NFS4_ALLOW && !(big(p + 4) & NFS4_INHERIT_ONLY) &&
                 (big(p + 8) & WRITES);
        p += 4 * NFS4_WORDS;
        if (writes && put_writer(out, kind_of(p, name), 0) < 0)
            return -1;
        p += (name + 3) / 4 * 4;
    }
    return p == end ? 0 : -1;
}
