/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_fs.h - the methods fs.stat, .mkdir, .move, .remove, .read, .write. */
#ifndef SERVER_GUEST_GUEST_FS_H
#define SERVER_GUEST_GUEST_FS_H

#include "server/guest/guest_connection.h"

/* {path} → {type, size, mode, uid, gid, modified_ms, target?}, of a link itself
 * {path, parents?} → {}
 * {path, to, replace?} → {}
 * {path, recursive?} → {}
 * {path, offset?, length?} → {data, size, end}
 * {path, data, offset?, append?, truncate?} → {written} */
rpc_request_cb guest_fs_stat, guest_fs_mkdir, guest_fs_move, guest_fs_remove,
    guest_fs_read, guest_fs_write;

#endif
