/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acl.h - who may write a file, by the bytes of its access control list.
 *
 * The bytes come from the file system, and with NFS from its server: a list
 * that is not formed as it should be has no answer. */
#ifndef BASE_ACL_H
#define BASE_ACL_H

#include <stddef.h>
#include <stdint.h>

#define ACL_POSIX "system.posix_acl_access" /* getxattr(2), acl(5) */
#define ACL_NFS4  "system.nfs4_acl"         /* nfs4_acl(5), RFC 7530 6.2 */

#define ACL_BYTES_MAX   4096 /* of an attribute that is read */
#define ACL_WRITERS_MAX 64

enum acl_kind {
    ACL_OWNER,        /* who owns the file */
    ACL_OWNING_GROUP, /* the file's group */
    ACL_USER,         /* of that number */
    ACL_GROUP,        /* of that number */
    ACL_EVERYBODY,
    ACL_NAMED, /* somebody whose number the list does not say */
};

/* Those that an entry lets write; of a directory, put in or take out names. */
struct acl {
    size_t n;
    struct acl_writer {
        enum acl_kind kind;
        uint32_t id; /* of ACL_USER and ACL_GROUP */
    } v[ACL_WRITERS_MAX];
};

/* The value of ACL_POSIX, n bytes. What its mask takes away is not there.
 * -1: it is malformed, or lets more write than there is room for. */
int acl_read_posix(const void *bytes, size_t n, struct acl *out);

/* The value of ACL_NFS4. An entry that denies takes nothing away here. */
int acl_read_nfs4(const void *bytes, size_t n, struct acl *out);

#endif
