/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_files.h - read_file, write_file and list_dir. */
#ifndef SERVER_GUEST_GUEST_FILES_H
#define SERVER_GUEST_GUEST_FILES_H

#include "server/guest/guest_connection.h"

/* Methods: {path}; {path, content}; {path}. */
rpc_request_cb guest_files_read, guest_files_write, guest_files_list;

#endif
