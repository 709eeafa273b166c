/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acl.h - parses a file's access control list: who may write the file.
 *
 * The bytes come from the file system, with NFS from the server: a malformed
 * list is an error, never an empty list. */
#ifndef BASE_ACL_H
#define BASE_ACL_H

#include <stddef.h>
#include <stdint.h>

#define ACL_POSIX "system.posix_acl_access" /* getxattr(2), acl(5) */
#define ACL_NFS4  "system.nfs4_acl"         /* nfs4_acl(5), RFC 7530 6.2 */

#define ACL_BYTES_MAX   4096 /* of an attribute that is read */
#define ACL_WRITERS_MAX 64

enum acl_kind {
    ACL_OWNER,        /* the file's owner */
    ACL_OWNING_GROUP, /* the file's group */
    ACL_USER,         /* the user with that id */
    ACL_GROUP,        /* the group with that id */
    ACL_EVERYBODY,
    ACL_NAMED, /* somebody that the list names without an id */
};

/* Who may write; of a directory, who may create or remove names in it. */
struct acl {
    size_t n;
    struct acl_writer {
        enum acl_kind kind;
        uint32_t id; /* of ACL_USER and ACL_GROUP */
    } v[ACL_WRITERS_MAX];
};

/* Parses the attribute ACL_POSIX, n bytes; what the mask denies is left out.
 * -1: it is malformed, or has more than ACL_WRITERS_MAX writers. */
int acl_read_posix(const void *bytes, size_t n, struct acl *out);

/* Parses the attribute ACL_NFS4. Entries that deny are ignored, so that the
 * answer errs towards "may write". */
int acl_read_nfs4(const void *bytes, size_t n, struct acl *out);

#endif
